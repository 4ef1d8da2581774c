# The program, its page of the manual and what shells complete. The program writes these itself; run by itself
# (cmake -D program=… -D into=… -P), this file has it do so.
if(CMAKE_SCRIPT_MODE_FILE)
  foreach(written "flopledger.1 manual" "flopledger.bash completion bash" "_flopledger completion zsh"
                  "flopledger.fish completion fish")
    separate_arguments(arguments UNIX_COMMAND ${written})
    list(POP_FRONT arguments file)
    execute_process(COMMAND ${program} ${arguments} OUTPUT_FILE ${into}/${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  return()
endif()

include(GNUInstallDirs)
install(TARGETS flopledger_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(written ${CMAKE_CURRENT_BINARY_DIR}/installed)
file(MAKE_DIRECTORY ${written})
add_custom_command(
  OUTPUT ${written}/flopledger.1
  COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:flopledger_program> -D into=${written} -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS flopledger_program ${CMAKE_CURRENT_LIST_FILE}
  VERBATIM)
add_custom_target(flopledger_manual ALL DEPENDS ${written}/flopledger.1)

install(FILES ${written}/flopledger.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${written}/flopledger.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME flopledger)
install(FILES ${written}/_flopledger DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${written}/flopledger.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
