# Each writes a section of docs/accuracy_plans.md, which must hold what the program generates.
foreach(section plan_accuracy vendor_choices)
  add_executable(${section} planning/${section}.cpp)
  target_link_libraries(${section} PRIVATE flopledger_test_support)
  add_test(NAME "${prefix}planning/docs/accuracy_plans.md holds the comparison of ${section}"
           COMMAND ${section} --check ${PROJECT_SOURCE_DIR}/docs/accuracy_plans.md)
endforeach()
