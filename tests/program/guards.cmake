# cmake -D program=FILE -D settings=FILE -D into=FOLDER -P guards.cmake
# What `report ... train --json` says under `guard` compiles without a word, and its answer is the report's.
cmake_minimum_required(VERSION 3.22)
include(${settings})
set(ENV{LC_ALL} C)

function(ask)
  execute_process(COMMAND ${program} report ${ARGN} --json OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
  set(answer "${answer}" PARENT_SCOPE)
endfunction()

set(plain Llama-3.1-8B --device h100-sxm5-80gb train --sequence 8192 --data 8)
set(sharded ${plain} --zero 3 --recompute selective)
set(staged Llama-2-70B --device h100-sxm5-80gb train --data 2 --tensor 4 --pipeline 8 --interleave 2 --global-batch 16 --zero 1
           --schedule 1f1b --recompute normalization,activation --loss chunked --attention explicit --usable 97.5)
set(adapted DeepSeek-V3 --device b200 train --data 64 --expert 64 --zero 1 --framework pytorch_fsdp --adapter-rank 16
            --offload optimizer --optimizer adam-8bit)
foreach(name plain sharded staged adapted)
  ask(${${name}})
  string(JSON guard GET "${answer}" guard)
  string(JSON fits GET "${answer}" memory fits)
  if(NOT fits) # the guard would stop the build, as it shall
    string(REPLACE "static_assert(fits<" "static_assert(!fits<" guard "${guard}")
  endif()
  message("${name}, ${fits}:\n${guard}")
  file(WRITE ${into}/guard_${name}.cpp "${guard}")
  execute_process(COMMAND ${compiler} ${options} -fsyntax-only ${into}/guard_${name}.cpp RESULT_VARIABLE ended
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT ended EQUAL 0 OR NOT said STREQUAL "")
    message(FATAL_ERROR "${name}: ${said}")
  endif()
endforeach()

# By its names the job would hold other bytes, or lie on another board: there is no guard.
foreach(option "--gradient-bytes;2" "--memory;100")
  ask(${plain} ${option})
  string(JSON type TYPE "${answer}" guard)
  if(NOT type STREQUAL NULL)
    message(FATAL_ERROR "${option}: a guard that says something else")
  endif()
endforeach()
