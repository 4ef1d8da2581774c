# Formatting and static analysis, as tests. Other versions of the tools ask for other things, so only this one is heard.
set(lint_version 14)

function(find_lint_tool variable name)
  find_program(${variable} NAMES ${name}-${lint_version} ${name})
  if(${variable})
    execute_process(COMMAND ${${variable}} --version OUTPUT_VARIABLE version)
    if(version MATCHES "version ${lint_version}[.]")
      return()
    endif()
  endif()
  message(STATUS "No ${name} ${lint_version}: its checks are left out")
  unset(${variable} CACHE)
  set(${variable} OFF PARENT_SCOPE)
endfunction()

find_lint_tool(FLOPLEDGER_CLANG_FORMAT clang-format)
if(FLOPLEDGER_CLANG_FORMAT)
  add_test(NAME "${prefix}clang-format"
           COMMAND ${CMAKE_COMMAND} -D clang_format=${FLOPLEDGER_CLANG_FORMAT} -D source=${PROJECT_SOURCE_DIR} -P
                   ${PROJECT_SOURCE_DIR}/cmake/check_format.cmake)
  set_tests_properties("${prefix}clang-format" PROPERTIES LABELS lint)
endif()

# clang-tidy reads the commands of this build, so only clang's build has it: the headers through one translation unit
# that includes them all, and the short examples. The program's sources take it half a minute each, most of it in other
# people's headers: `run-clang-tidy -p build/clang tools/flopledger` checks them on demand.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_EXPORT_COMPILE_COMMANDS)
  find_lint_tool(FLOPLEDGER_CLANG_TIDY clang-tidy)
  if(FLOPLEDGER_CLANG_TIDY)
    set(tidied)
    if(TARGET test_headers)
      list(APPEND tidied ${CMAKE_CURRENT_BINARY_DIR}/headers/forward.cpp)
    endif()
    if(FLOPLEDGER_BUILD_EXAMPLES)
      file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
      list(APPEND tidied ${examples})
    endif()
    foreach(source IN LISTS tidied)
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
      if(source MATCHES "headers/forward.cpp$")
        set(name "all headers")
      endif()
      add_test(NAME "${prefix}clang-tidy: ${name}"
               COMMAND ${FLOPLEDGER_CLANG_TIDY} --quiet --config-file=${PROJECT_SOURCE_DIR}/.clang-tidy -p
                       ${PROJECT_BINARY_DIR} ${source})
      set_tests_properties("${prefix}clang-tidy: ${name}" PROPERTIES LABELS lint TIMEOUT 300)
    endforeach()
  endif()
endif()
