# Models made of the configurations that are shipped: what the compiler reads must be what the program reads.
foreach(name Llama-3.1-8B Mixtral-8x7B Qwen3-8B DeepSeek-V3 gpt-oss-20b)
  string(MAKE_C_IDENTIFIER ${name} type)
  flopledger_add_model(test_models NAME ${type} CONFIG ${PROJECT_SOURCE_DIR}/examples/configs/${name}/config.json
                       NAMESPACE from_file)
endforeach()

# Files of every kind that CMake could change on the way: the header must hold them byte for byte.
add_test(NAME "${prefix}models/flopledger_add_model embeds a file byte for byte"
         COMMAND ${CMAKE_COMMAND} -D function=${PROJECT_SOURCE_DIR}/cmake/flopledger_model.cmake -P
                 ${CMAKE_CURRENT_SOURCE_DIR}/models/model_function.cmake)
set_tests_properties("${prefix}models/flopledger_add_model embeds a file byte for byte" PROPERTIES LABELS models)
