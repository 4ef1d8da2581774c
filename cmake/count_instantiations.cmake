# cmake -D settings=FILE -D source=FILE -D directory=DIR -P count_instantiations.cmake
# Compiles the source with clang's time trace and counts the instantiations in it against the `// budget: N` it states.
cmake_minimum_required(VERSION 3.22)
include(${settings})

file(STRINGS ${source} budget REGEX "^// budget: [0-9]+")
if(NOT budget MATCHES "^// budget: ([0-9]+)$")
  message(FATAL_ERROR "${source} must state one '// budget: N'")
endif()
set(budget ${CMAKE_MATCH_1})

get_filename_component(name ${source} NAME_WE)
set(object ${directory}/${name}.o)
file(REMOVE ${directory}/${name}.json)
execute_process(COMMAND ${compiler} ${options} -O0 -c -ftime-trace -ftime-trace-granularity=0 -o ${object} ${source}
                        COMMAND_ERROR_IS_FATAL ANY)

# Events are named InstantiateClass and InstantiateFunction; their totals, "Total Instantiate...", are not counted.
execute_process(COMMAND grep -o "\"name\":\"Instantiate[A-Za-z]*\"" ${directory}/${name}.json COMMAND sort
                COMMAND uniq -c OUTPUT_VARIABLE counts COMMAND_ERROR_IS_FATAL ANY)
set(total 0)
string(REGEX MATCHALL "[0-9]+ " numbers "${counts}")
foreach(number IN LISTS numbers)
  math(EXPR total "${total} + ${number}")
endforeach()

message("${counts}${name}: ${total} template instantiations, budget ${budget}")
if(total GREATER budget)
  message(FATAL_ERROR "${name} instantiates more templates than its budget allows.")
endif()
