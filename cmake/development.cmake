# What the project's own translation units are built with; users of the library see none of it.

# On in the presets: a compiler newer than these warns of more, and must not stop anybody else's build.
option(FLOPLEDGER_WARNINGS_AS_ERRORS "Compile the project's own sources with -Werror" OFF)

# On in the preset for clang++, which keeps what templates made of them: a source of the program takes 3 s in place of 7.
# g++ makes it again for every source, and gains nothing.
option(FLOPLEDGER_PRECOMPILED_HEADERS "Read the headers that the tests and the program share once" OFF)

set(flopledger_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(FLOPLEDGER_WARNINGS_AS_ERRORS)
  list(APPEND flopledger_warnings -Werror)
endif()
add_library(flopledger_development INTERFACE)
target_compile_options(flopledger_development INTERFACE ${flopledger_warnings})

# Written down by the presets, so that one ctest over several build trees tells their tests apart: "clang: ...".
set(FLOPLEDGER_TEST_PREFIX "" CACHE STRING "Stands before the name of every test")

# nvcc takes g++ for its host compiler; with clang the library refuses it.
option(FLOPLEDGER_TEST_NVCC "Run the tests of CUDA sources, where nvcc is installed" ON)
if(FLOPLEDGER_TEST_NVCC AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(FLOPLEDGER_NVCC nvcc HINTS /usr/local/cuda/bin)
else()
  set(FLOPLEDGER_NVCC OFF)
endif()

# The options for a compiler that a test runs by itself: those of the build, spelled out.
# Writes a file that sets `compiler`, `compiler_id`, `includes`, `options` and `nvcc`.
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
set(includes [==[-I${PROJECT_SOURCE_DIR}/include]==]
    [==[$<$<BOOL:${system_includes}>:-isystem$<JOIN:${system_includes},]==] [==[-isystem>>]==])
list(REMOVE_ITEM includes \"\")
set(options -std=c++20 -Werror $<JOIN:${flopledger_warnings}, > \${includes})
# nvcc with this compiler for its host; tests add what it makes.
set(nvcc [==[${FLOPLEDGER_NVCC}]==] -ccbin [==[${CMAKE_CXX_COMPILER}]==] -std=c++20 -Werror all-warnings -x cu \${includes})
")
endfunction()
