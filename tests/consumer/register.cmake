if(NOT EXISTS ${PROJECT_SOURCE_DIR}/include/flopledger/flopledger.hpp)
  return()
endif()

set(common
    ${CMAKE_COMMAND}
    -D source=${CMAKE_CURRENT_SOURCE_DIR}
    -D generator=${CMAKE_GENERATOR}
    -D compiler=${CMAKE_CXX_COMPILER}
    "-D flags=-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
    -D package=${PROJECT_SOURCE_DIR}
    -D package_build=${PROJECT_BINARY_DIR})
foreach(mode find_package add_subdirectory)
  add_test(NAME "${prefix}consumer: ${mode}"
           COMMAND ${common} -D mode=${mode} -D build=${CMAKE_CURRENT_BINARY_DIR}/${mode} -P
                   ${CMAKE_CURRENT_SOURCE_DIR}/run_consumer.cmake)
  set_tests_properties("${prefix}consumer: ${mode}" PROPERTIES LABELS consumer TIMEOUT 300)
endforeach()
