// Arithmetic in scene files: "2*pi*sqrt(length/9.81)", "30 deg", "10*sin(t) - 2*vz".
//
// Read once into a postfix program; evaluating it neither allocates nor throws, for it happens inside the
// step. Everything is a double; comparisons are 1 or 0. Both branches of if(c, a, b) are evaluated.
//
//     or:     a || b        and:  a && b      compare:  a < b  <=  >  >=  ==  !=
//     sum:    a + b - c     product:  a * b / c         sign:  -a  +a  !a
//     power:  a ^ b, from the right, before a sign: -2^2 = -4
//
// A unit follows a number, written without blanks: 5 mm, 9.81 m/s^2, 3 N*m. The value is in SI. 5 mm is
// 5/1000 and not 5*0.001, so it is the same number as 0.005.
//
// What is known of dimensions is followed (io/scene/dimension.h): 2 m + 3 kg is refused.
#pragma once

#include <bristle/error.h>

#include "io/scene/dimension.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

// What is wrong with an expression, and at which of its letters (from 0).
struct ExpressionError : InputError {
    ExpressionError(const std::string& what, size_t at) : InputError(what), column(at) {}
    size_t column;
};

// NaN for one whose own definition failed.
struct Symbol {
    Symbol(double v = 0, Measured d = {})
        : value(v), dimension(d) {}  // NOLINT(*-explicit-*): a number
    double value;
    Measured dimension;
};
using Symbols = std::map<std::string, Symbol, std::less<>>;

class Expression {
  public:
    static constexpr size_t longest = 10'000;  // letters
    static constexpr int deepest = 64;  // nested brackets, and values waiting for an operator

    explicit Expression(double value, Measured = {});
    // Throws ExpressionError. A name that is both a symbol and a variable is refused.
    Expression(std::string_view text, const Symbols& symbols,
               std::span<const char* const> variables = {});

    double operator()(std::span<const double> variables = {}) const;

    bool uses(size_t variable) const { return (used_ >> variable & 1) != 0; }
    bool is_constant() const { return used_ == 0; }
    // Whether a symbol in it is NaN: then its value means nothing, and the cause has been told.
    bool is_spoiled() const { return spoiled_; }
    const Measured& dimension() const { return dimension_; }
    // Whether a unit stands in it, or a symbol that is known to have one.
    bool has_units() const { return has_units_; }
    // Of one that has variables: what was parsed, with the values of symbols in their places. It means the same
    // anywhere, to the last bit.
    const std::string& text() const { return text_; }

  private:
    friend class ExpressionParser;
    enum class Code : uint8_t;
    struct Operation {
        Code code;
        double value;  // of a number; index of a variable
    };
    std::vector<Operation> program_;
    std::string text_;
    uint32_t used_ = 0;
    bool spoiled_ = false, has_units_ = false;
    Measured dimension_;
};

// Whether a parameter or a loop may be called so: a letter, then letters, digits and _; not a word of
// the language.
bool is_free_name(std::string_view name);

struct Unit {
    const char* name;
    double times, over;  // in SI: value * times / over
    Dimension dimension;
};
std::span<const Unit> units();
const Unit* find_unit(std::string_view name);  // nothing if there is none
// Names of all functions, for the reference page.
std::vector<std::string> function_names();

}  // namespace bristle::io
