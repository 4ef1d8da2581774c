# The directives of a must-not-compile file are comments that begin a line:
#
#   // case: NAME          opens a case: what stands in `#ifdef CASE_NAME` must not compile. NAME in capitals.
#   // expect: REGEX       the compiler's output must match (may stand several times; all must)
#   // forbid: REGEX       the output must not match
#   // max-lines: N        the output has at most N lines
#
# The last three hold for the case above them, before the first case for every case of the file; with -gcc, -clang or
# -nvcc after the word, for that compiler alone, and nvcc heeds no others: it shows instantiations and no concepts, so
# most cases need only fail. REGEX is CMake's; write what the library says, not how a compiler phrases it.

# Sets `cases`, and for each case `expect_CASE`, `forbid_CASE` and `max_lines_CASE` as lists of patterns.
# Patterns may hold brackets and semicolons, which CMake's lists would trip over: `decode_pattern` gives them back.
macro(read_directives file)
  string(ASCII 1 left_bracket)
  string(ASCII 2 right_bracket)
  string(ASCII 3 semicolon)
  file(READ ${file} text)
  string(REPLACE "[" "${left_bracket}" text "${text}")
  string(REPLACE "]" "${right_bracket}" text "${text}")
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REGEX MATCHALL "(^|\n)// (case|expect|forbid|max-lines)(-gcc|-clang|-nvcc)?:[^\n]*" lines "${text}")

  set(cases)
  set(words expect forbid max_lines)
  foreach(word IN LISTS words)
    set(${word}_common)
  endforeach()
  set(open common)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "// ([a-z-]+): *([^\n]*)" line "${line}")
    set(word "${CMAKE_MATCH_1}")
    string(STRIP "${CMAKE_MATCH_2}" value)
    string(REPLACE "-" "_" word ${word})
    if(word STREQUAL "case")
      if(NOT value MATCHES "^[A-Z][A-Z0-9_]+$" OR value IN_LIST cases)
        message(FATAL_ERROR "${file}: '${value}' is no name for a case, or stands twice")
      endif()
      if(NOT text MATCHES "[(\n ]CASE_${value}[) \n]")
        message(FATAL_ERROR "${file}: case ${value} has no #ifdef CASE_${value}")
      endif()
      list(APPEND cases ${value})
      set(open ${value})
      foreach(each IN LISTS words)
        set(${each}_${open} ${${each}_common})
      endforeach()
    else()
      if(word MATCHES "^(.*)_(gcc|clang|nvcc)$")
        set(word ${CMAKE_MATCH_1})
        string(PREPEND value "${CMAKE_MATCH_2}:")
      else()
        string(PREPEND value "all:")
      endif()
      list(APPEND ${word}_${open} "${value}")
    endif()
  endforeach()
  if(NOT cases)
    message(FATAL_ERROR "${file}: no '// case: NAME' in it")
  endif()
endmacro()

# Sets `applies`, and `pattern` to what the file says, if the directive is for this compiler.
function(decode_pattern encoded compiler_id) # no macro: that would read the pattern's backslashes once more
  string(REGEX MATCH "^([a-z]+):(.*)$" pattern "${encoded}")
  set(for_compiler ${CMAKE_MATCH_1})
  set(pattern "${CMAKE_MATCH_2}")
  string(REPLACE "${left_bracket}" "[" pattern "${pattern}")
  string(REPLACE "${right_bracket}" "]" pattern "${pattern}")
  string(REPLACE "${semicolon}" ";" pattern "${pattern}")
  set(applies FALSE)
  if((for_compiler STREQUAL "all" AND NOT compiler_id STREQUAL "NVIDIA")
     OR (for_compiler STREQUAL "nvcc" AND compiler_id STREQUAL "NVIDIA")
     OR (for_compiler STREQUAL "gcc" AND compiler_id STREQUAL "GNU")
     OR (for_compiler STREQUAL "clang" AND compiler_id MATCHES "Clang"))
    set(applies TRUE)
  endif()
  set(applies ${applies} PARENT_SCOPE)
  set(pattern "${pattern}" PARENT_SCOPE)
endfunction()
