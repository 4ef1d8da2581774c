# cmake -D function=.../flopledger_model.cmake -P model_function.cmake
cmake_minimum_required(VERSION 3.22)
include(${function})

function(expect what text expected)
  _flopledger_minify("${text}" result)
  if(NOT result STREQUAL expected)
    message(SEND_ERROR "${what}:\n  read     ${text}\n  became   ${result}\n  expected ${expected}")
  endif()
endfunction()

expect("white space between tokens goes, lines stay" "{\n  \"a\" :\t1 ,\r\n\n  \"b\": [1, 2]\n}\n" "{\n\"a\":1,\n\n\"b\":null\n}\n")
expect("what stands in strings stays" [[{"a": "x  y: { [ ; \" } \\", "b": 2}]] [[{"a":"x  y: { [ ; \" } \\","b":2}]])
expect("containers that are read stay" [[{"layer_types": ["a", "b"], "text_config": {"x": {"y": 1}, "n": 2}}]]
       [[{"layer_types":["a","b"],"text_config":{"x":null,"n":2}}]])
expect("others go, with what is in them" [[{"auto_map": {"a": ["b;c", "{"]}, "n": 1}]] [[{"auto_map":null,"n":1}]])
expect("however deep" [==[{"task": {"a": {"b": {"c": {"d": {"e": [[[1]]]}}}}}, "n": 1}]==] [==[{"task":null,"n":1}]==])
expect("and their lines stay" "{\"rope_scaling\": {\n\"factor\": 8,\n\"x\": \"y\"\n},\n\"n\": 1}"
       "{\"rope_scaling\":null\n\n\n,\n\"n\":1}")
expect("labels are counted where nothing else says how many" [[{"id2label": {"0": "a", "1": "b,{"}, "n": 1}]]
       [[{"num_labels":2,"id2label":null,"n":1}]])
expect("and only there" [[{"num_labels": 5, "id2label": {"0": "a"}}]] [[{"num_labels":5,"id2label":null}]])
expect("what is no JSON stays none" "{\"a\": 1\n\"b\": [1, 2\n" "{\"a\":1\n\"b\":[1,2\n")
expect("a quotation mark too many stays" "{\"a\": \"b, \"c\": 1}" "{\"a\":\"b, \"c\":1}")
expect("letters of every alphabet stay" "{\"név\": \"ő ű; 模型\"}" "{\"név\":\"ő ű; 模型\"}")
