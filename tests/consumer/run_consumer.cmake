# Installs flopledger into a fresh prefix (or not, for add_subdirectory), then configures, builds and runs this project.
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE ${build})

if(mode STREQUAL "find_package")
  set(prefix ${build}/prefix)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${package_build} --prefix ${prefix} COMMAND_ERROR_IS_FATAL ANY)
  set(where -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
else()
  set(where -D FLOPLEDGER_SOURCE_DIRECTORY=${package})
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build}/build -G ${generator} -D CMAKE_CXX_COMPILER=${compiler} -D
          CMAKE_CXX_FLAGS=${flags} -D CMAKE_BUILD_TYPE=Debug ${where} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${build}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${build}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
