# Writes docs/accuracy_communication.md, which must hold what the program generates.
add_executable(communication_accuracy parallel/communication_accuracy.cpp)
target_link_libraries(communication_accuracy PRIVATE flopledger_test_support)
add_test(NAME "${prefix}parallel/docs/accuracy_communication.md holds the comparison"
         COMMAND communication_accuracy --check ${PROJECT_SOURCE_DIR}/docs/accuracy_communication.md)
