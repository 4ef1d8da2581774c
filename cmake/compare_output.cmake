# cmake -D program=... -D expected=... -P compare_output.cmake: what the program prints is what the file holds.
execute_process(COMMAND ${program} OUTPUT_VARIABLE printed RESULT_VARIABLE ended)
if(NOT ended EQUAL 0)
  message(FATAL_ERROR "${program} ended with ${ended}")
endif()
file(READ ${expected} held)
if(NOT printed STREQUAL held)
  message(FATAL_ERROR "${program} prints\n${printed}\nand ${expected} holds\n${held}\nWhere the new output is right: ${program} > ${expected}")
endif()
