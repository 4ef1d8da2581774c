# The program that writes docs/accuracy_time.md, which must hold what it generates.
add_executable(time_accuracy published/time_accuracy.cpp)
target_link_libraries(time_accuracy PRIVATE flopledger_test_support)
add_test(NAME "${prefix}time/docs/accuracy_time.md holds what is generated"
         COMMAND time_accuracy --check ${PROJECT_SOURCE_DIR}/docs/accuracy_time.md)
add_test(NAME "${prefix}time/the bands of steps are those of the rows"
         COMMAND time_accuracy --check-bands ${PROJECT_SOURCE_DIR}/include/flopledger/time/compared.hpp)
