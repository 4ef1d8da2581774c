# What the project's own translation units are built with; users of the library see none of it.

set(flopledger_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
add_library(flopledger_development INTERFACE)
target_compile_options(flopledger_development INTERFACE ${flopledger_warnings})

# Written down by the presets, so that one ctest over several build trees tells their tests apart: "clang: ...".
set(FLOPLEDGER_TEST_PREFIX "" CACHE STRING "Stands before the name of every test")

# The options for a compiler that a test runs by itself: those of the build, spelled out.
# Writes a file that sets `compiler`, `compiler_id` and `options`.
function(flopledger_write_compiler_settings file)
  set(system_includes $<TARGET_PROPERTY:Boost::headers,INTERFACE_INCLUDE_DIRECTORIES>)
  # The compiler's own directories must not be named again: libstdc++ finds its C headers by #include_next.
  foreach(implicit IN LISTS CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND implicit_pattern "^${implicit}/?$")
  endforeach()
  list(JOIN implicit_pattern "|" implicit_pattern)
  string(REPLACE "+" "[+]" implicit_pattern "${implicit_pattern}")
  set(system_includes $<FILTER:${system_includes},EXCLUDE,${implicit_pattern}>)
  file(
    GENERATE
    OUTPUT ${file}
    CONTENT
      "set(compiler [==[${CMAKE_CXX_COMPILER}]==])
set(compiler_id ${CMAKE_CXX_COMPILER_ID})
set(options -std=c++20 $<JOIN:${flopledger_warnings}, >
    [==[-I${PROJECT_SOURCE_DIR}/include]==]
    [==[$<$<BOOL:${system_includes}>:-isystem$<JOIN:${system_includes},]==] [==[-isystem>>]==])
list(REMOVE_ITEM options \"\")
")
endfunction()
