# A program a section of docs/accuracy.md, which must hold what the program generates.
foreach(section memory)
  add_executable(${section}_accuracy published/${section}_accuracy.cpp)
  target_link_libraries(${section}_accuracy PRIVATE flopledger_test_support)
  add_test(NAME "${prefix}published/docs/accuracy.md holds the section on ${section}"
           COMMAND ${section}_accuracy --check ${PROJECT_SOURCE_DIR}/docs/accuracy.md)
endforeach()
