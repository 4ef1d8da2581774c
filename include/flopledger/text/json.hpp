// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <flopledger/compiler.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The JSON reader of the library: RFC 8259 to the letter, in constant expressions and at run time alike. It never
/// allocates and never throws; what is wrong with a document is a value that says what and where.
///
///     outcome check(std::string_view document);                     // is it JSON at all?
///     outcome for_each_member(std::string_view document, f);        // f(slice key, const value&), in order
///     outcome for_each_member(document, f, dialect::python);        // NaN and Infinity as well, as Python writes them
///     outcome for_each_member(const value& object, f);              // the same for an object met on the way
///     outcome for_each_element(std::string_view document, f);       // f(const value&), in order
///     outcome for_each_element(const value& array, f);
///     exact_integer as_integer(const value&);                       // 4096, 4096.0 and 1.4e10, exactly or not at all
///     value number_in(std::string_view text);                       // the number that a text is by itself
///     bool equals(slice, std::string_view plain);                   // also key == "hidden_size"; escapes decoded
///     bool decode(slice, put);                                      // put(char) for each byte, escapes decoded
///
/// f may return void, or something that converts to bool: false ends the walk, and then the rest is not validated.
///
/// A container is validated when it is met, before f sees it, and walked only if f walks it: a byte is read once, and
/// once more for each container inside the document around it that f walks.
///
/// f is called while the text behind is still unread: what it gathered counts only if the outcome is ok().
/// A key that comes twice is reported twice; what that means is up to the caller.
///
/// Beyond the grammar: at most `max_depth` containers in one another, no byte order mark, well-formed UTF-8 (also in
/// escapes: no lone surrogate), and no number too large for a double. A number too small for a double is zero.
///
/// Cost in a constant expression: about 6 steps of clang a byte. Evaluating `constexpr auto r = f(text)` and asserting
/// on r costs half of `static_assert(f(text) == 1)`, which both compilers evaluate twice.
namespace flopledger::json {

/// How many containers may stand in one another; a config.json has three. One bit each of a 64-bit word.
inline constexpr unsigned max_depth = 64;

/// What can be wrong with a document.
enum class problem : std::uint8_t {
  none,
  unexpected_end,
  unexpected_character,
  bad_literal,
  bad_number,
  bad_escape,
  bad_unicode,
  bad_utf8,
  control_character,
  trailing_characters,
  byte_order_mark,
  too_deep,
  number_out_of_range,
  not_an_object,
  not_an_array,
};

/// The problem in words that fit behind "line 7: ".
constexpr std::string_view describe(problem what) {
  switch (what) {
    case problem::none:
      return "no problem";
    case problem::unexpected_end:
      return "the text ends too early";
    case problem::unexpected_character:
      return "a character that cannot stand here";
    case problem::bad_literal:
      return "not one of true, false and null (NaN and Infinity are not JSON)";
    case problem::bad_number:
      return "not a number as JSON writes it";
    case problem::bad_escape:
      return "an escape that JSON does not have";
    case problem::bad_unicode:
      return "half of a surrogate pair";
    case problem::bad_utf8:
      return "bytes that are not UTF-8";
    case problem::control_character:
      return "a control character within a string";
    case problem::trailing_characters:
      return "something follows the end of the document";
    case problem::byte_order_mark:
      return "a byte order mark, which JSON does not allow";
    case problem::too_deep:
      return "more than 64 containers in one another";
    case problem::number_out_of_range:
      return "a number too large for a double";
    case problem::not_an_object:
      return "not an object";
    case problem::not_an_array:
      return "not an array";
  }
  return "unknown problem";
}

/// How reading ended; line counts from 1, offset is that of the first byte at fault, both within the whole document.
struct outcome {
  problem what = problem::none;
  std::uint32_t line = 1;
  std::size_t offset = 0;

  constexpr bool ok() const { return what == problem::none; }
};

/// A piece of the document as it stands there: a string without its quotes, a number, a literal, or a whole container.
struct slice {
  std::string_view raw;
  /// Whether raw holds escapes, so that it is not yet the text it stands for.
  bool escaped = false;
};

/// `non_finite` is NaN, Infinity or -Infinity, where the reader was asked to take what Python writes for them.
enum class kind : std::uint8_t { null, boolean, integer, real, string, array, object, non_finite };

/// RFC 8259, or that and the numbers that Python's json module writes and no JSON has.
enum class dialect : std::uint8_t { strict, python };

/// One value of a document.
struct value {
  slice text;
  kind type = kind::null;
  bool truth = false;
  /// Line and offset in the document at which the value begins.
  std::uint32_t line = 1;
  std::size_t offset = 0;
  /// For kind::integer only: a number without fraction and exponent that 64 bits hold.
  std::int64_t integer = 0;
  /// For kind::integer and kind::real: the nearest double, ties to even, in constant expressions too.
  double real = 0;
};

namespace detail {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The four hexadecimal digits at s, or -1.
constexpr long hex_quad(const char* s) {
  long code = 0;
  for (int k = 0; k < 4; ++k) {
    const int digit = hex_digit(s[k]);
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

/// An unsigned integer just large enough for what the nearest double of any decimal needs.
struct big {
  static constexpr int capacity = 128;
  std::uint32_t limb[capacity] = {};
  int size = 0;

  constexpr void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (int k = 0; k < size; ++k) {
      carry += std::uint64_t{limb[k]} * factor;
      limb[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limb[size++] = static_cast<std::uint32_t>(carry);
  }

  constexpr void multiply_power_of_ten(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1'000'000'000, 0);
    for (; exponent > 0; --exponent) multiply_add(10, 0);
  }

  constexpr int bits() const {
    int count = (size - 1) * 32;
    for (std::uint32_t top = limb[size - 1]; top != 0; top >>= 1) ++count;
    return count;
  }

  constexpr void shift_left(int count) {
    const int whole = count / 32;
    if (whole > 0) {
      for (int k = size - 1; k >= 0; --k) limb[k + whole] = limb[k];
      for (int k = 0; k < whole; ++k) limb[k] = 0;
      size += whole;
    }
    if (count % 32 != 0) multiply_add(std::uint32_t{1} << (count % 32), 0);
  }

  constexpr bool at_least(const big& other) const {
    if (size != other.size) return size > other.size;
    for (int k = size - 1; k >= 0; --k) {
      if (limb[k] != other.limb[k]) return limb[k] > other.limb[k];
    }
    return true;
  }

  constexpr void subtract(const big& other) {
    std::uint64_t borrow = 0;
    for (int k = 0; k < size; ++k) {
      const std::uint64_t difference = std::uint64_t{limb[k]} - (k < other.size ? other.limb[k] : 0U) - borrow;
      limb[k] = static_cast<std::uint32_t>(difference);
      borrow = difference >> 63;
    }
    while (size > 0 && limb[size - 1] == 0) --size;
  }
};

struct real_result {
  bool in_range;
  double magnitude;
};

/// The nearest double to digits * 10^exponent, where digits are those of text, a point among them left out.
/// Exact by long division: slow, and only for what plain arithmetic cannot round correctly.
constexpr real_result nearest_double(const char* text, std::size_t length, std::int64_t exponent) {
  constexpr int most_digits =
      800;  // 767 settle every tie between two doubles; for the rest it counts that there is one
  big numerator;
  int digits = 0;
  bool rest = false;
  for (std::size_t k = 0; k < length; ++k) {
    if (text[k] == '.') continue;
    if (digits == 0 && text[k] == '0') continue;
    if (digits < most_digits) {
      numerator.multiply_add(10, static_cast<std::uint32_t>(text[k] - '0'));
      ++digits;
    } else {
      rest = rest || text[k] != '0';
      ++exponent;
    }
  }
  if (digits == 0) return {true, 0.0};
  if (digits + exponent > 310) return {false, 0.0};
  if (digits + exponent < -330) return {true, 0.0};
  if (rest) {
    numerator.multiply_add(10, 1);
    --exponent;
  }
  big denominator;
  denominator.multiply_add(1, 1);
  if (exponent >= 0) {
    numerator.multiply_power_of_ten(static_cast<int>(exponent));
  } else {
    denominator.multiply_power_of_ten(static_cast<int>(-exponent));
  }

  int power = numerator.bits() - denominator.bits();
  if (power > 0) denominator.shift_left(power);
  if (power < 0) numerator.shift_left(-power);
  if (!numerator.at_least(denominator)) {
    numerator.shift_left(1);
    --power;
  }
  std::uint64_t quotient = 0;  // 64 bits of numerator / denominator, which is in [1, 2)
  for (int k = 0; k < 64; ++k) {
    quotient <<= 1;
    if (numerator.at_least(denominator)) {
      numerator.subtract(denominator);
      quotient |= 1;
    }
    numerator.shift_left(1);
  }
  const bool inexact = numerator.size > 0;

  const int dropped = power < -1022 ? 11 - 1022 - power : 11;
  if (dropped > 64) return {true, 0.0};
  std::uint64_t bits = dropped == 64 ? 0 : quotient >> dropped;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t remainder = dropped == 64 ? quotient : quotient & ((half << 1) - 1);
  if (remainder > half || (remainder == half && (inexact || (bits & 1) != 0))) ++bits;
  if (power >= -1022) bits += static_cast<std::uint64_t>(power + 1022) << 52;  // carries run into the exponent
  if (bits >= 0x7FF0'0000'0000'0000U) return {false, 0.0};
  return {true, std::bit_cast<double>(bits)};
}

inline constexpr double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Where reading stands. The functions below move it on and return false after a problem.
struct cursor {
  const char* s;
  std::size_t n;
  std::size_t i = 0;
  /// Bytes and lines of the document in front of s.
  std::size_t base = 0;
  std::uint32_t line = 1;
  problem what = problem::none;
  bool non_finite = false;

  constexpr bool fail(problem p, std::size_t where) {
    what = p;
    i = where;
    return false;
  }

  constexpr outcome result() const { return {what, line, base + i}; }
};

/// Counts lines here and nowhere else: in a document without problems a line ends between tokens only.
constexpr void skip_space(cursor& c) {
  const char* const s = c.s;
  const std::size_t n = c.n;
  std::size_t i = c.i;
  for (;; ++i) {
    while (i < n && s[i] == ' ') ++i;
    if (i == n || (s[i] != '\n' && s[i] != '\r' && s[i] != '\t')) break;
    if (s[i] == '\n') ++c.line;
  }
  c.i = i;
}

/// Skips space; whether something follows, which is a problem if not.
constexpr bool at_token(cursor& c) {
  if (c.i < c.n && c.s[c.i] > ' ') return true;
  skip_space(c);
  return c.i < c.n || c.fail(problem::unexpected_end, c.n);
}

/// The characters that stand for themselves in a string, '+' marks them; one look-up costs a compiler less than four
/// comparisons.
inline constexpr char verbatim[] =
    "                                "
    "++ +++++++++++++++++++++++++++++"
    "++++++++++++++++++++++++++++ +++"
    "++++++++++++++++++++++++++++++++"
    "                                "
    "                                "
    "                                "
    "                                ";

/// The length of the UTF-8 sequence of more than one byte at i, or 0 (Unicode 15, table 3-7).
constexpr std::size_t utf8_length(const cursor& c, std::size_t i) {
  const auto byte = [&](std::size_t k) { return i + k < c.n ? static_cast<unsigned char>(c.s[i + k]) : 0U; };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return continues(1) ? 2 : 0;
  const unsigned lowest = lead == 0xE0 ? 0xA0U : lead == 0xF0 ? 0x90U : 0x80U;
  const unsigned highest = lead == 0xED ? 0x9FU : lead == 0xF4 ? 0x8FU : 0xBFU;
  if (byte(1) < lowest || byte(1) > highest || !continues(2)) return 0;
  if (lead < 0xF0) return 3;
  return continues(3) ? 4 : 0;
}

/// Moves i behind the escape whose backslash it stands on.
constexpr bool scan_escape(cursor& c, std::size_t& i) {
  if (i + 1 >= c.n) return c.fail(problem::unexpected_end, c.n);
  switch (c.s[i + 1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      i += 2;
      return true;
    case 'u':
      break;
    default:
      return c.fail(problem::bad_escape, i);
  }
  if (i + 6 > c.n) return c.fail(problem::unexpected_end, c.n);
  const long code = hex_quad(c.s + i + 2);
  if (code < 0) return c.fail(problem::bad_escape, i);
  if (code >= 0xD800 && code <= 0xDFFF) {
    if (code >= 0xDC00 || i + 12 > c.n || c.s[i + 6] != '\\' || c.s[i + 7] != 'u') {
      return c.fail(problem::bad_unicode, i);
    }
    const long low = hex_quad(c.s + i + 8);
    if (low < 0) return c.fail(problem::bad_escape, i + 6);
    if (low < 0xDC00 || low > 0xDFFF) return c.fail(problem::bad_unicode, i);
    i += 6;
  }
  i += 6;
  return true;
}

/// Reads the string whose opening quote c stands on.
constexpr bool read_string(cursor& c, slice& text) {
  const char* const s = c.s;
  const std::size_t n = c.n;
  const std::size_t first = c.i + 1;
  std::size_t i = first;
  bool escaped = false;
  for (;;) {
    while (i < n && verbatim[static_cast<unsigned char>(s[i])] == '+') ++i;
    if (i == n) return c.fail(problem::unexpected_end, n);
    if (s[i] == '"') break;
    if (s[i] == '\\') {
      escaped = true;
      if (!scan_escape(c, i)) return false;
    } else {
      if (static_cast<unsigned char>(s[i]) < 0x20) return c.fail(problem::control_character, i);
      const std::size_t length = utf8_length(c, i);
      if (length == 0) return c.fail(problem::bad_utf8, i);
      i += length;
    }
  }
  text.raw = std::string_view(s + first, i - first);
  text.escaped = escaped;
  c.i = i + 1;
  return true;
}

/// Reads the number that begins at c.
constexpr bool read_number(cursor& c, value& v) {
  const char* const s = c.s;
  const std::size_t n = c.n;
  const std::size_t start = c.i;
  std::size_t i = start;
  const bool negative = s[i] == '-';
  if (negative) ++i;
  const std::size_t first = i;
  std::uint64_t digits = 0;
  unsigned digit = 0;
  for (; i < n && (digit = static_cast<unsigned>(s[i]) - '0') <= 9; ++i) digits = digits * 10 + digit;
  if (i == first) {
    if (i == n) return c.fail(problem::unexpected_end, n);
    return c.fail(s[i] == 'I' || s[i] == 'N' ? problem::bad_literal : problem::bad_number, start);
  }
  if (s[first] == '0' && i > first + 1) return c.fail(problem::bad_number, start);
  std::size_t count = i - first;

  std::int64_t exponent = 0;
  std::size_t last = i;
  bool plain = true;
  if (i < n && s[i] == '.') {
    plain = false;
    const std::size_t fraction = ++i;
    for (; i < n && (digit = static_cast<unsigned>(s[i]) - '0') <= 9; ++i) digits = digits * 10 + digit;
    if (i == fraction) return i == n ? c.fail(problem::unexpected_end, n) : c.fail(problem::bad_number, start);
    count += i - fraction;
    exponent = -static_cast<std::int64_t>(i - fraction);
    last = i;
  }
  if (i < n && (s[i] == 'e' || s[i] == 'E')) {
    plain = false;
    ++i;
    const bool minus = i < n && s[i] == '-';
    if (i < n && (s[i] == '-' || s[i] == '+')) ++i;
    const std::size_t begin = i;
    std::int64_t power = 0;
    for (; i < n && (digit = static_cast<unsigned>(s[i]) - '0') <= 9; ++i) {
      if (power < 1'000'000'000'000'000) power = power * 10 + digit;
    }
    if (i == begin) return i == n ? c.fail(problem::unexpected_end, n) : c.fail(problem::bad_number, start);
    exponent += minus ? -power : power;
  }

  v.text.raw = std::string_view(s + start, i - start);
  constexpr std::uint64_t most = 0x7FFF'FFFF'FFFF'FFFF;
  if (plain && count <= 19 && digits <= most + (negative ? 1 : 0)) {
    v.type = kind::integer;
    v.integer = static_cast<std::int64_t>(negative ? 0 - digits : digits);
    v.real = static_cast<double>(v.integer);
    c.i = i;
    return true;
  }
  v.type = kind::real;
  double magnitude = 0;
  if (count <= 19 && digits <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
    // both factors are exact, so one operation rounds once
    magnitude = exponent < 0 ? static_cast<double>(digits) / power_of_ten[-exponent]
                             : static_cast<double>(digits) * power_of_ten[exponent];
  } else {
    const real_result nearest = nearest_double(s + first, last - first, exponent);
    if (!nearest.in_range) return c.fail(problem::number_out_of_range, start);
    magnitude = nearest.magnitude;
  }
  v.real = negative ? -magnitude : magnitude;
  c.i = i;
  return true;
}

template <std::size_t N>
constexpr bool read_literal(cursor& c, value& v, const char (&word)[N]) {
  const char* const s = c.s + c.i;
  for (std::size_t k = 0; k < N - 1; ++k) {
    if (c.i + k == c.n) return c.fail(problem::unexpected_end, c.n);
    if (s[k] != word[k]) return c.fail(problem::bad_literal, c.i);
  }
  v.text.raw = std::string_view(s, N - 1);
  c.i += N - 1;
  return true;
}

/// Reads a value that is no container; c stands on its first character.
constexpr bool read_scalar(cursor& c, value& v) {
  const char x = c.s[c.i];
  if (x == '"') {
    v.type = kind::string;
    return read_string(c, v.text);
  }
  if (c.non_finite && (x == 'N' || x == 'I' || (x == '-' && c.i + 1 < c.n && c.s[c.i + 1] == 'I'))) {
    v.type = kind::non_finite;
    return x == 'N'   ? read_literal(c, v, "NaN")
           : x == 'I' ? read_literal(c, v, "Infinity")
                      : read_literal(c, v, "-Infinity");
  }
  if (x == '-' || (x >= '0' && x <= '9')) return read_number(c, v);
  if (x == 't' || x == 'f') {
    v.type = kind::boolean;
    v.truth = x == 't';
    return v.truth ? read_literal(c, v, "true") : read_literal(c, v, "false");
  }
  if (x == 'n') return read_literal(c, v, "null");
  const bool letter = (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z');
  return c.fail(letter ? problem::bad_literal : problem::unexpected_character, c.i);
}

/// Reads a key, the colon behind it and the space around, up to the first character of the member's value.
constexpr bool read_key(cursor& c, slice& key) {
  if (!at_token(c)) return false;
  if (c.s[c.i] != '"') return c.fail(problem::unexpected_character, c.i);
  if (!read_string(c, key)) return false;
  if (!at_token(c)) return false;
  if (c.s[c.i] != ':') return c.fail(problem::unexpected_character, c.i);
  ++c.i;
  return at_token(c);
}

/// Validates the container that begins at c, with `depth` others around it, without recursion.
constexpr bool skip_container(cursor& c, unsigned depth) {
  const unsigned around = depth;
  std::uint64_t objects = 0;  // bit 0 says whether the innermost container is an object
  slice key;
  value scalar;
  for (;;) {
    bool complete = true;
    const char opening = c.s[c.i];
    if (opening == '{' || opening == '[') {
      if (depth == max_depth) return c.fail(problem::too_deep, c.i);
      ++depth;
      objects = objects << 1 | (opening == '{' ? 1U : 0U);
      ++c.i;
      if (!at_token(c)) return false;
      if (c.s[c.i] != (opening == '{' ? '}' : ']')) {
        complete = false;
        if (opening == '{' && !read_key(c, key)) return false;
      }
    } else {
      if (!read_scalar(c, scalar)) return false;
      if (!at_token(c)) return false;
    }
    while (complete) {
      const bool object = (objects & 1) != 0;
      const char x = c.s[c.i];
      if (x == ',') {
        ++c.i;
        if (!(object ? read_key(c, key) : at_token(c))) return false;
        complete = false;
      } else if (x == (object ? '}' : ']')) {
        ++c.i;
        objects >>= 1;
        if (--depth == around) return true;
        if (!at_token(c)) return false;
      } else {
        return c.fail(problem::unexpected_character, c.i);
      }
    }
  }
}

/// Reads the value that begins at c, which is not at the end.
constexpr bool read_value(cursor& c, value& v, unsigned depth) {
  v.line = c.line;
  v.offset = c.base + c.i;
  const std::size_t start = c.i;
  const char x = c.s[start];
  if (x != '{' && x != '[') return read_scalar(c, v);
  v.type = x == '{' ? kind::object : kind::array;
  if (!skip_container(c, depth)) return false;
  v.text.raw = std::string_view(c.s + start, c.i - start);
  return true;
}

/// Up to the first character of the document's value.
constexpr bool begin_document(cursor& c) {
  if (c.n >= 3 && c.s[0] == '\xEF' && c.s[1] == '\xBB' && c.s[2] == '\xBF') {
    return c.fail(problem::byte_order_mark, 0);
  }
  // UTF-16 and UTF-32, with a mark of their own or without.
  if (c.n >= 2 &&
      (c.s[0] == '\xFE' || c.s[0] == '\xFF' || c.s[0] == '\0' || ((c.s[0] == '{' || c.s[0] == '[') && c.s[1] == '\0')))
    return c.fail(problem::bad_utf8, 0);
  return at_token(c);
}

constexpr void end_document(cursor& c) {
  skip_space(c);
  if (c.i != c.n) c.fail(problem::trailing_characters, c.i);
}

/// Walks the container that begins at c. False after a problem, and also when f stopped.
template <bool Object, class F>
constexpr bool walk(cursor& c, F& f) {
  constexpr char closing = Object ? '}' : ']';
  if (!at_token(c)) return false;
  if (c.s[c.i] != (Object ? '{' : '[')) return c.fail(Object ? problem::not_an_object : problem::not_an_array, c.i);
  ++c.i;
  if (!at_token(c)) return false;
  if (c.s[c.i] != closing) {
    for (;;) {
      slice key;
      if constexpr (Object) {
        if (!read_key(c, key)) return false;
      } else {
        if (!at_token(c)) return false;
      }
      value v;
      if (!read_value(c, v, 1)) return false;
      if constexpr (Object) {
        if constexpr (requires { static_cast<bool>(f(key, v)); }) {
          if (!f(key, v)) return false;
        } else {
          f(key, v);
        }
      } else {
        if constexpr (requires { static_cast<bool>(f(v)); }) {
          if (!f(v)) return false;
        } else {
          f(v);
        }
      }
      if (!at_token(c)) return false;
      const char x = c.s[c.i];
      if (x == closing) break;
      if (x != ',') return c.fail(problem::unexpected_character, c.i);
      ++c.i;
    }
  }
  ++c.i;
  return true;
}

template <bool Object, class F>
constexpr outcome walk_document(std::string_view document, F& f, dialect spoken = dialect::strict) {
  cursor c{document.data(), document.size()};
  c.non_finite = spoken == dialect::python;
  if (begin_document(c) && walk<Object>(c, f)) end_document(c);
  return c.result();
}

template <bool Object, class F>
constexpr outcome walk_value(const value& container, F& f) {
  const problem mismatch = Object ? problem::not_an_object : problem::not_an_array;
  if (container.type != (Object ? kind::object : kind::array)) return {mismatch, container.line, container.offset};
  cursor c{container.text.raw.data(), container.text.raw.size(), 0, container.offset, container.line};
  c.non_finite = true;  // what the document's dialect does not have was refused when the container was met
  walk<Object>(c, f);
  return c.result();
}

}  // namespace detail

/// Whether the whole document is JSON.
constexpr outcome check(std::string_view document) {
  detail::cursor c{document.data(), document.size()};
  value v;
  if (detail::begin_document(c) && detail::read_value(c, v, 0)) detail::end_document(c);
  return c.result();
}

/// Calls f(slice key, const value&) for each member of the object that the document is.
template <class F>
constexpr outcome for_each_member(std::string_view document, F&& f, dialect spoken = dialect::strict) {
  return detail::walk_document<true>(document, f, spoken);
}

/// The same for an object that a walk handed out.
template <class F>
constexpr outcome for_each_member(const value& object, F&& f) {
  return detail::walk_value<true>(object, f);
}

/// Calls f(const value&) for each element of the array that the document is.
template <class F>
constexpr outcome for_each_element(std::string_view document, F&& f) {
  return detail::walk_document<false>(document, f);
}

/// The same for an array that a walk handed out.
template <class F>
constexpr outcome for_each_element(const value& array, F&& f) {
  return detail::walk_value<false>(array, f);
}

/// Calls put(char) for each byte of the text that a key or string stands for; put returns whether it wants more.
template <class Put>
constexpr bool decode(slice text, Put&& put) {
  const std::string_view raw = text.raw;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || !text.escaped) {
      if (!put(raw[i])) return false;
      continue;
    }
    ++i;
    char plain = raw[i];
    switch (plain) {
      case 'b':
        plain = '\b';
        break;
      case 'f':
        plain = '\f';
        break;
      case 'n':
        plain = '\n';
        break;
      case 'r':
        plain = '\r';
        break;
      case 't':
        plain = '\t';
        break;
      default:
        break;
    }
    if (plain != 'u') {
      if (!put(plain)) return false;
      continue;
    }
    long code = detail::hex_quad(raw.data() + i + 1);
    i += 4;
    if (code >= 0xD800 && code <= 0xDBFF) {
      code = 0x10000 + (code - 0xD800) * 0x400 + (detail::hex_quad(raw.data() + i + 3) - 0xDC00);
      i += 6;
    }
    const int further = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const long lead = further == 0 ? 0 : further == 1 ? 0xC0 : further == 2 ? 0xE0 : 0xF0;
    if (!put(static_cast<char>(static_cast<unsigned char>(lead | code >> (6 * further))))) return false;
    for (int k = further - 1; k >= 0; --k) {
      if (!put(static_cast<char>(static_cast<unsigned char>(0x80 | (code >> (6 * k) & 0x3F))))) return false;
    }
  }
  return true;
}

/// Whether a key or string stands for this text: "hidden\u005fsize" equals hidden_size.
constexpr bool equals(slice text, std::string_view plain) {
  if (!text.escaped) return text.raw == plain;
  std::size_t matched = 0;
  const bool prefix = decode(text, [&](char byte) {
    if (matched == plain.size() || plain[matched] != byte) return false;
    ++matched;
    return true;
  });
  return prefix && matched == plain.size();
}

constexpr bool operator==(const slice& text, std::string_view plain) { return equals(text, plain); }

/// The same for a literal, far cheaper to a compiler: it knows the length.
template <std::size_t N>
constexpr bool operator==(const slice& text, const char (&plain)[N]) {
  if (text.escaped) return equals(text, std::string_view(plain, N - 1));
  return text.raw.size() == N - 1 && flopledger::detail::same_bytes(text.raw.data(), plain, N - 1);
}

/// The number that a text is, all of it; of kind::null where it is none, or too large for a double.
constexpr value number_in(std::string_view text) {
  if (text.empty() || !(text[0] == '-' || detail::is_digit(text[0]))) return {};
  detail::cursor c{text.data(), text.size()};
  value found;
  return detail::read_number(c, found) && c.i == text.size() ? found : value{};
}

/// An integer, if there is one.
struct exact_integer {
  bool ok = false;
  std::int64_t value = 0;
};

/// The integer that a number is, in whatever way it is written: 4096, 4096.0, 1.4e10. Decided on the decimal digits,
/// not on the nearest double, so 4096.00000000000000001 is none. Not ok for other values and beyond 64 bits.
constexpr exact_integer as_integer(const value& v) {
  if (v.type == kind::integer) return {true, v.integer};
  if (v.type != kind::real) return {};
  const std::string_view raw = v.text.raw;
  const bool negative = raw[0] == '-';
  const std::uint64_t most = std::uint64_t{0x7FFF'FFFF'FFFF'FFFF} + (negative ? 1 : 0);

  std::int64_t exponent = 0;
  std::size_t mantissa = 0;
  while (mantissa < raw.size() && raw[mantissa] != 'e' && raw[mantissa] != 'E') ++mantissa;
  if (mantissa < raw.size()) {
    std::size_t i = mantissa + 1;
    const bool minus = raw[i] == '-';
    if (!detail::is_digit(raw[i])) ++i;
    for (; i < raw.size(); ++i) {
      if (exponent < 1'000'000'000'000'000) exponent = exponent * 10 + (raw[i] - '0');
    }
    if (minus) exponent = -exponent;
  }
  std::int64_t point = -1;  // digits in front of the point, once it was met
  std::int64_t position = 0;
  std::int64_t pending = 0;  // zeros that count only if another digit follows
  std::uint64_t magnitude = 0;
  const auto append = [&](unsigned digit) {
    if (magnitude > (most - digit) / 10) return false;
    magnitude = magnitude * 10 + digit;
    return true;
  };
  std::int64_t used = 0;  // digits up to the last that is not zero
  for (std::size_t i = negative ? 1 : 0; i < mantissa; ++i) {
    if (raw[i] == '.') {
      point = position;
      continue;
    }
    ++position;
    if (raw[i] == '0') {
      ++pending;
      continue;
    }
    if (magnitude != 0) {
      for (; pending > 0; --pending) {
        if (!append(0)) return {};
      }
    }
    pending = 0;
    if (!append(static_cast<unsigned>(raw[i] - '0'))) return {};
    used = position;
  }
  if (magnitude == 0) return {true, 0};
  exponent += (point < 0 ? position : point) - used;
  if (exponent < 0 || exponent > 18) return {};
  for (; exponent > 0; --exponent) {
    if (!append(0)) return {};
  }
  return {true, static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)};
}

}  // namespace flopledger::json
