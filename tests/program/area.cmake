# The guards that the program prints: they compile, and hold where it says that the job fits.
if(NOT TARGET flopledger_program OR NOT FLOPLEDGER_TEST_SOURCES)
  return()
endif()
flopledger_write_compiler_settings(${CMAKE_CURRENT_BINARY_DIR}/program/settings.cmake)
add_test(NAME "${prefix}program/guards that are printed compile"
         COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:flopledger_program>
                 -D settings=${CMAKE_CURRENT_BINARY_DIR}/program/settings.cmake
                 -D into=${CMAKE_CURRENT_BINARY_DIR}/program -P ${CMAKE_CURRENT_SOURCE_DIR}/program/guards.cmake)
set_tests_properties("${prefix}program/guards that are printed compile" PROPERTIES LABELS program TIMEOUT 300)
