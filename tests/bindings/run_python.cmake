# Installs the package from a copy of the source tree with pip, and runs its tests with pytest.
foreach(module pip setuptools wheel pytest)
  execute_process(COMMAND ${python} -c "import ${module}" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  if(missing)
    message("needs python3-${module}")
    return()
  endif()
endforeach()
file(REMOVE_RECURSE ${into})
file(COPY ${source} DESTINATION ${into}/tools) # pip writes beside what it builds
get_filename_component(root ${source}/../.. ABSOLUTE)
file(COPY ${root}/include/flopledger/version.hpp DESTINATION ${into}/include/flopledger)
execute_process(COMMAND ${CMAKE_COMMAND} -E env FLOPLEDGER_LIBRARY=${library} ${python} -m pip install --quiet --no-index
                        --no-build-isolation --no-deps --target ${into}/site ${into}/tools/python
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${into}/site PYTHONDONTWRITEBYTECODE=1 ${python} -m pytest
                        -q -p no:cacheprovider ${tests} COMMAND_ERROR_IS_FATAL ANY)
