# flopledger_add_model(<target> NAME <type> CONFIG <config.json> [NAMESPACE <namespace>])
#
# Turns a Hugging Face config.json into <type>.hpp, a header with a model type of that name, and lets <target> include
# it: static_assert(flopledger::parameter_count<my::llama> == ...). What is wrong in the file is a compile error that
# names the field and the line. The header is made anew when the file changes.
#
# The compiler reads what is left of the text after this script took out white space and every object and list that the
# library has no use for (labels, rope_scaling, task_specific_params, auto_map, ...). Lines stay where they are.

cmake_policy(PUSH)
cmake_policy(VERSION 3.22)

# Sets `result` to the text without what a compiler need not read.
function(_flopledger_minify text result)
  # Containers that the reader looks into; every other one is dropped.
  set(read
      architectures
      attention_types
      attn_config
      attn_type_list
      compression_config
      dynamic
      ffn_config
      ignored_layers
      layer_types
      mlp_only_layers
      modules_in_block_to_quantize
      modules_to_not_convert
      moe_layers
      no_rope_layers
      quantization_config
      text_config
      vision_config
      weight_block_size)

  # Brackets and semicolons mean something to CMake's lists, so nothing here is ever taken for one.
  set(string "\"[^\"\\]*(\\\\.[^\"\\]*)*\"")
  set(space "[ \t\r\n]*")
  set(flat "([^][{}\"]|${string})*")
  set(nested "([^][{}\"]|${string}|[[{]${flat}[]}])*")
  set(deep "([^][{}\"]|${string}|[[{]${nested}[]}])*")

  # White space outside strings goes, line ends stay: the compiler counts lines by them.
  string(REGEX REPLACE "^[ \t\r]+" "" text "${text}")
  string(REGEX REPLACE "([^ \t\r\"]+|${string})[ \t\r]*" "\\1" text "${text}")

  # Labels count where num_labels is left out, their names never do.
  if(text MATCHES "\"id2label\":" AND NOT text MATCHES "\"num_labels\":")
    string(JSON labels ERROR_VARIABLE error LENGTH "${text}" id2label)
    if(NOT error)
      string(REGEX REPLACE "\"id2label\":" "\"num_labels\":${labels},\"id2label\":" text "${text}")
    endif()
  endif()

  string(REGEX MATCHALL "\"[A-Za-z0-9_.-]+\":${space}[[{]" openings "${text}")
  string(REGEX MATCHALL "\"[A-Za-z0-9_.-]+\"" keys "${openings}")
  list(REMOVE_DUPLICATES keys)
  set(before "")
  while(NOT text STREQUAL before) # what nests too deeply for the pattern goes when its inner part is gone
    set(before "${text}")
    foreach(key IN LISTS keys)
      string(REPLACE "\"" "" name ${key})
      if(NOT name IN_LIST read)
        string(REGEX MATCH "\"${name}\":${space}[[{]${deep}[]}]" container "${text}")
        if(NOT container STREQUAL "")
          string(REGEX REPLACE "[^\n]" "" lines "${container}")
          string(REPLACE "${container}" "\"${name}\":null${lines}" text "${text}")
        endif()
      endif()
    endforeach()
  endwhile()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Sets `result` to a C++ string literal, or to several in a row: not every compiler takes a long one.
function(_flopledger_literals text result)
  set(literals "")
  string(LENGTH "${text}" length)
  while(length GREATER 4000)
    string(SUBSTRING "${text}" 0 4000 piece)
    string(FIND "${piece}" "," comma REVERSE) # outside a character of several bytes, whatever it separates
    if(comma EQUAL -1)
      break()
    endif()
    math(EXPR next "${comma} + 1")
    string(SUBSTRING "${text}" 0 ${next} piece)
    string(SUBSTRING "${text}" ${next} -1 text)
    string(APPEND literals "R\"json(${piece})json\"\n      ")
    string(LENGTH "${text}" length)
  endwhile()
  set(${result} "${literals}R\"json(${text})json\"" PARENT_SCOPE)
endfunction()

function(flopledger_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 model "" "NAME;CONFIG;NAMESPACE" "")
  set(usage "flopledger_add_model(<target> NAME <type> CONFIG <config.json> [NAMESPACE <namespace>])")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "flopledger_add_model: there is no target ${target}\n  ${usage}")
  endif()
  if(model_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "flopledger_add_model: ${model_UNPARSED_ARGUMENTS} is no argument\n  ${usage}")
  endif()
  foreach(needed NAME CONFIG)
    if(NOT model_${needed})
      message(FATAL_ERROR "flopledger_add_model: ${needed} is missing\n  ${usage}")
    endif()
  endforeach()
  if(NOT model_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "flopledger_add_model: NAME is the name of a C++ type, which '${model_NAME}' cannot be")
  endif()
  if(model_NAMESPACE AND NOT model_NAMESPACE MATCHES "^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$")
    message(FATAL_ERROR "flopledger_add_model: NAMESPACE cannot be '${model_NAMESPACE}'")
  endif()
  get_filename_component(path "${model_CONFIG}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT EXISTS "${path}" OR IS_DIRECTORY "${path}")
    message(FATAL_ERROR "flopledger_add_model: there is no file ${path}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")

  file(READ "${path}" text)
  _flopledger_minify("${text}" text)
  string(LENGTH "${text}" length)
  set(limit 12288) # of what a constant expression can read on every compiler at its default limits
  if(length GREATER limit)
    message(FATAL_ERROR "flopledger_add_model: ${path} leaves ${length} bytes to read, more than the "
                        "${limit} that every compiler manages. Take out what the model does not "
                        "need, or read the file at run time: flopledger::require_config(text, \"${path}\")")
  endif()
  string(FIND "${text}" ")json\"" delimiter)
  if(NOT delimiter EQUAL -1)
    message(FATAL_ERROR "flopledger_add_model: ${path} holds )json\", which ends a string in the header made of it")
  endif()
  _flopledger_literals("${text}" literals)

  get_filename_component(file "${path}" NAME)
  get_filename_component(folder "${path}" DIRECTORY)
  get_filename_component(folder "${folder}" NAME)
  set(opening "")
  set(closing "")
  set(qualified ${model_NAME})
  if(model_NAMESPACE)
    set(opening "namespace ${model_NAMESPACE} {\n\n")
    set(closing "\n}  // namespace ${model_NAMESPACE}\n")
  endif()
  set(header
      "// Made by flopledger_add_model from ${folder}/${file}, which is what to edit.
#pragma once

#include <flopledger/models/config_model.hpp>

${opening}struct ${model_NAME} : flopledger::config_model<${model_NAME}> {
  static constexpr std::string_view name = \"${model_NAME}\";
  static constexpr std::string_view json =
      ${literals};
};
static_assert(flopledger::config_check_of<${model_NAME}>::passes);
${closing}")

  set(directory "${CMAKE_CURRENT_BINARY_DIR}/flopledger_models/${target}")
  set(output "${directory}/${model_NAME}.hpp")
  set(written "")
  if(EXISTS "${output}")
    file(READ "${output}" written)
  endif()
  if(NOT written STREQUAL header)
    file(WRITE "${output}" "${header}")
  endif()

  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_include_directories(${target} INTERFACE "${directory}")
  else()
    target_include_directories(${target} PRIVATE "${directory}")
  endif()
endfunction()

cmake_policy(POP)
