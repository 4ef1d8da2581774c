# tests/fuzz/NAME.cpp: a libFuzzer target each, run for a bounded time from the corpus in tests/fuzz/corpus/NAME, which
# is only read: what the run finds stays in the build tree.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  return()
endif()
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*.cpp)
if(NOT sources)
  return()
endif()

set(FLOPLEDGER_FUZZ_SECONDS 20 CACHE STRING "How long each fuzz target runs as a test")
set(fuzz_options -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS ${fuzz_options})
list(JOIN CMAKE_REQUIRED_FLAGS " " CMAKE_REQUIRED_FLAGS)
check_cxx_source_compiles(
  "#include <cstddef>\nextern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, std::size_t) { return 0; }"
  FLOPLEDGER_HAS_LIBFUZZER)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT FLOPLEDGER_HAS_LIBFUZZER)
  message(STATUS "No libFuzzer runtime (Debian: libclang-rt-14-dev): the fuzz targets are left out")
  return()
endif()

foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(fuzz_${name} ${source})
  target_link_libraries(fuzz_${name} PRIVATE flopledger_test_support)
  target_compile_options(fuzz_${name} PRIVATE ${fuzz_options} -O1 -gline-tables-only)
  target_link_options(fuzz_${name} PRIVATE ${fuzz_options})

  set(found ${CMAKE_CURRENT_BINARY_DIR}/fuzz/${name}) # new inputs go to the first directory named
  file(MAKE_DIRECTORY ${found})
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
  if(NOT IS_DIRECTORY ${corpus})
    set(corpus)
  endif()
  add_test(NAME "${prefix}fuzz: ${name}"
           COMMAND fuzz_${name} -max_total_time=${FLOPLEDGER_FUZZ_SECONDS} -max_len=4096 -timeout=60 -seed=1
                   -print_final_stats=1 -artifact_prefix=${found}. ${found} ${corpus})
  math(EXPR timeout "${FLOPLEDGER_FUZZ_SECONDS} + 120")
  set_tests_properties("${prefix}fuzz: ${name}" PROPERTIES LABELS fuzz TIMEOUT ${timeout})
endforeach()
