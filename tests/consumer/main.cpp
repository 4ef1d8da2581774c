#include <flopledger/flopledger.hpp>

int main() {}
