# The measuring harness stands in benchmarks/harness; its bookkeeping is tested whether or not benchmarks are built.
set(harness_sources ${PROJECT_SOURCE_DIR}/benchmarks/harness)
target_include_directories(test_harness PRIVATE ${harness_sources})
target_sources(test_harness PRIVATE ${harness_sources}/roofline_plot.cpp)
target_include_directories(test_harness PRIVATE ${harness_sources}/collectives)
target_sources(test_harness PRIVATE ${harness_sources}/collectives/exchanges.cpp
                                    ${harness_sources}/collectives/measured.cpp
                                    ${harness_sources}/sampling.cpp)
