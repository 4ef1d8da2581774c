# The page, where scripts/web has built it: its module's answers, and the page itself in Chromium.
if(NOT TARGET flopledger_c) # once, in the preset that has the request library twice
  return()
endif()
find_program(FLOPLEDGER_NODE node)
find_program(FLOPLEDGER_CHROMIUM chromium)
set(page ${PROJECT_SOURCE_DIR}/build/web/flopledger.html)
set(names "web: the module's answers are the program's" "web: the page in Chromium")
if(FLOPLEDGER_NODE)
  add_test(NAME "${prefix}web: the module's answers are the program's"
           COMMAND ${FLOPLEDGER_NODE} ${PROJECT_SOURCE_DIR}/web/tests/answers.mjs ${PROJECT_SOURCE_DIR}/build/web/flopledger.js
                   $<TARGET_FILE:flopledger_program>)
  add_test(NAME "${prefix}web: the page in Chromium" COMMAND ${FLOPLEDGER_NODE} ${PROJECT_SOURCE_DIR}/web/tests/page.mjs ${page}
                                                             ${FLOPLEDGER_CHROMIUM})
else()
  foreach(name IN LISTS names)
    add_test(NAME "${prefix}${name}" COMMAND ${CMAKE_COMMAND} -E echo "skipped: no node")
  endforeach()
endif()
list(TRANSFORM names PREPEND "${prefix}")
set_tests_properties(${names} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: " LABELS web TIMEOUT 600)
