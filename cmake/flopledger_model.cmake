# flopledger_add_model(<target> NAME <type> CONFIG <config.json> [NAMESPACE <namespace>])
#
# Turns a Hugging Face config.json into <type>.hpp, a header with a model type of that name, and lets <target> include
# it: static_assert(flopledger::parameter_count<my::llama> == ...). What is wrong in the file is a compile error that
# names the field and the line. The header is made anew when the file changes.
#
# The header holds the file byte for byte, so that a build and the program read one document.

cmake_policy(PUSH)
cmake_policy(VERSION 3.22)

# Sets `result` to a C++ string literal, or to several in a row: not every compiler takes a long one. Pieces end at a
# line's end or a comma, never inside a character of several bytes.
function(_flopledger_literals text result)
  set(delimiter json)
  string(FIND "${text}" ")${delimiter}\"" found)
  while(NOT found EQUAL -1)
    string(APPEND delimiter _)
    string(FIND "${text}" ")${delimiter}\"" found)
  endwhile()
  set(literals "")
  string(LENGTH "${text}" length)
  while(length GREATER 4000)
    string(SUBSTRING "${text}" 0 4000 piece)
    string(FIND "${piece}" "\n" last REVERSE)
    if(last EQUAL -1)
      string(FIND "${piece}" "," last REVERSE)
    endif()
    if(last EQUAL -1)
      break()
    endif()
    math(EXPR next "${last} + 1")
    string(SUBSTRING "${text}" 0 ${next} piece)
    string(SUBSTRING "${text}" ${next} -1 text)
    string(APPEND literals "R\"${delimiter}(${piece})${delimiter}\"\n      ")
    string(LENGTH "${text}" length)
  endwhile()
  set(${result} "${literals}R\"${delimiter}(${text})${delimiter}\"" PARENT_SCOPE)
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

  file(SIZE "${path}" size)
  # Measured: 32 KiB of labels, names and whole numbers stay below clang's default of a million steps. Hundreds of decimals
  # of 17 digits do not, and the compiler says so: -fconstexpr-steps (clang), -fconstexpr-ops-limit (g++).
  set(limit 32768)
  if(size GREATER limit)
    message(FATAL_ERROR "flopledger_add_model: ${path} has ${size} bytes, more than the ${limit} that every compiler "
                        "reads in a constant expression. Take out what the model does not need (label names, lists of "
                        "modules), or read the file at run time: flopledger::require_config(text, \"${path}\")")
  endif()
  file(READ "${path}" text)
  string(LENGTH "${text}" length)
  if(NOT length EQUAL size)
    message(FATAL_ERROR "flopledger_add_model: ${path} holds a zero byte, so it is no config.json")
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
