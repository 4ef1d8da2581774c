# The measuring harness stands in benchmarks/harness; its bookkeeping is tested whether or not benchmarks are built.
set(harness ${PROJECT_SOURCE_DIR}/benchmarks/harness)
if(NOT TARGET flopledger_harness)
  find_package(CLI11 REQUIRED) # its options are tested, too
  add_subdirectory(${harness} ${PROJECT_BINARY_DIR}/benchmarks/harness)
endif()
target_sources(test_harness PRIVATE ${harness}/collectives/exchanges.cpp ${harness}/collectives/measured.cpp
                                    ${harness}/cuda/layout.cpp)
target_sources(test_harness PRIVATE ${harness}/cpu/loops.cpp ${harness}/cpu/memory.cpp ${harness}/cpu/processor.cpp)
target_include_directories(test_harness PRIVATE ${harness}/collectives)
target_link_libraries(test_harness PRIVATE flopledger_harness)

# The CUDA back end on a device that is not there: CUDA's headers are used, none of its libraries.
find_package(CUDAToolkit 12.3 QUIET)
find_path(CUDNN_INCLUDE_DIR cudnn_graph.h HINTS ${CUDAToolkit_INCLUDE_DIRS}) # cuDNN 9 has it
if(CUDAToolkit_FOUND AND CUDNN_INCLUDE_DIR)
  foreach(source attention clock cuda_backend fused_attention kernels product softmax)
    target_sources(test_harness PRIVATE ${harness}/cuda/${source}.cpp)
  endforeach()
  target_sources(test_harness PRIVATE harness/fake/fake_cuda.cpp harness/fake/fake_device_kernels.cpp)
  target_include_directories(test_harness SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS} ${CUDNN_INCLUDE_DIR})
  target_compile_definitions(test_harness PRIVATE HARNESS_HAS_CUDA_HEADERS FLOPLEDGER_HAS_CUDNN)
  target_link_libraries(test_harness PRIVATE ${CMAKE_DL_LIBS})
endif()
