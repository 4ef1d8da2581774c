# The shared library from C, and the Python package as pip makes it of the source tree.
if(NOT TARGET flopledger_c)
  return()
endif()
enable_language(C)
find_package(Threads REQUIRED)
add_executable(test_c bindings/request.c)
target_compile_definitions(test_c PRIVATE EXPECTED_VERSION="${PROJECT_VERSION}")
target_link_libraries(test_c PRIVATE flopledger_c Threads::Threads m)
add_test(NAME "${prefix}bindings: C" COMMAND test_c)

find_program(FLOPLEDGER_PYTHON NAMES /usr/bin/python3 python3)
add_test(NAME "${prefix}bindings: Python"
         COMMAND ${CMAKE_COMMAND} -D python=${FLOPLEDGER_PYTHON} -D library=$<TARGET_FILE:flopledger_c>
                 -D source=${PROJECT_SOURCE_DIR}/tools/python -D tests=${CMAKE_CURRENT_SOURCE_DIR}/bindings
                 -D into=${CMAKE_CURRENT_BINARY_DIR}/python -P ${CMAKE_CURRENT_SOURCE_DIR}/bindings/run_python.cmake)
set_tests_properties("${prefix}bindings: C" "${prefix}bindings: Python" PROPERTIES LABELS bindings TIMEOUT 300)
set_tests_properties("${prefix}bindings: Python" PROPERTIES SKIP_REGULAR_EXPRESSION "needs python3-")
