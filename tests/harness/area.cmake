# The measuring harness stands in benchmarks/harness; its bookkeeping is tested whether or not benchmarks are built.
set(harness ${PROJECT_SOURCE_DIR}/benchmarks/harness)
if(NOT TARGET flopledger_harness)
  add_subdirectory(${harness} ${PROJECT_BINARY_DIR}/benchmarks/harness)
endif()
target_sources(test_harness PRIVATE ${harness}/collectives/exchanges.cpp ${harness}/collectives/measured.cpp
                                    ${harness}/cuda/layout.cpp)
target_include_directories(test_harness PRIVATE ${harness}/collectives)
target_link_libraries(test_harness PRIVATE flopledger_harness)
