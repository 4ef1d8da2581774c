# Writes docs/accuracy_plans.md, which must hold what the program generates.
add_executable(plan_accuracy planning/plan_accuracy.cpp)
target_link_libraries(plan_accuracy PRIVATE flopledger_test_support)
add_test(NAME "${prefix}planning/docs/accuracy_plans.md holds the comparison"
         COMMAND plan_accuracy --check ${PROJECT_SOURCE_DIR}/docs/accuracy_plans.md)
