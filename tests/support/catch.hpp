// Catch2, version 2 or 3, whichever is installed; tests use what both have.
// Floating point: REQUIRE_THAT(x, Catch::Matchers::WithinRel(y, 1e-12)), not Approx, which lives in different places.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
