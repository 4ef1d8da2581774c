// How these files work, tried on the language itself; the rest of the folder is about the library.
#include <concepts>

template <class T>
concept number_of_tokens = std::unsigned_integral<T>;

constexpr auto twice(number_of_tokens auto tokens) { return tokens + tokens; }

static_assert(twice(2U) == 4U);

// case: CONSTRAINT
// expect: number_of_tokens
// expect: twice
// forbid: was not declared|undeclared identifier
// max-lines: 24
#ifdef CASE_CONSTRAINT
constexpr auto four = twice(2.0);
#endif

// case: ASSERTION
// expect: a page holds sixteen tokens [(]or[)] thirty-two; not more
// expect-gcc: static assertion failed
// expect-clang: static_assert failed
// max-lines: 6
#ifdef CASE_ASSERTION
static_assert(twice(32U) == 32U, "a page holds sixteen tokens (or) thirty-two; not more");
#endif
