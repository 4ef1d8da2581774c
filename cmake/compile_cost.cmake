# tests/compile_cost/*.cpp: each says `// budget: N`, the most template instantiations that clang may do for it. Counts,
# unlike times, are the same on every machine, given the compiler and its standard library: clang 14 with libstdc++ 12.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^14[.]")
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/compile_cost/*.cpp)
if(sources)
  flopledger_write_compiler_settings(${CMAKE_CURRENT_BINARY_DIR}/compile_cost/settings.cmake)
endif()
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME "${prefix}compile cost: ${name}"
           COMMAND ${CMAKE_COMMAND} -D settings=${CMAKE_CURRENT_BINARY_DIR}/compile_cost/settings.cmake -D
                   source=${source} -D directory=${CMAKE_CURRENT_BINARY_DIR}/compile_cost -P
                   ${PROJECT_SOURCE_DIR}/cmake/count_instantiations.cmake)
  set_tests_properties("${prefix}compile cost: ${name}" PROPERTIES LABELS compile_cost)
endforeach()
