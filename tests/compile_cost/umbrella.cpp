// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What including the umbrella header instantiates: a bare Boost.Units kit with three dimensions makes 2349.
// budget: 3100
#include <flopledger/flopledger.hpp>
