#include "io/scene/expression.h"

#include <bristle/function.h>
#include <bristle/math.h>

#include "base/suggest.h"
#include "io/scene/synonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace bristle::io {

enum class Expression::Code : uint8_t {
    number,
    variable,  // push
    add,
    subtract,
    multiply,
    divide,
    power,  // two become one
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    unequal,
    both,
    either,  //
    atan2,
    least,
    most,  //
    negate,
    invert,  // one becomes one
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sqrt,
    exp,
    log,
    absolute,
    floor,
    ceil,
    sign,
    choose,  // three become one
};

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Constant {
    const char* name;
    double value;
};
constexpr std::array<Constant, 5> constants{{{"pi", pi},
                                             {"deg", pi / 180},
                                             {"unlimited", std::numeric_limits<double>::infinity()},
                                             {"true", 1},
                                             {"false", 0}}};

}  // namespace

// Recursive descent; every rule emits its operands first, then itself.
class ExpressionParser {
  public:
    ExpressionParser(Expression& to, std::string_view text, const Symbols& symbols,
                     std::span<const char* const> variables)
        : to_(to), text_(text), symbols_(symbols), variables_(variables) {}

    void parse() {
        if (text_.size() > Expression::longest)
            throw ExpressionError(fmt::format("an expression of {} letters; at most {}",
                                              text_.size(), Expression::longest),
                                  0);
        either();
        if (peek() != '\0')
            fail(fmt::format("unexpected '{}'; expected {}", letter(),
                             letter() == "°"   ? "deg"
                             : letter() == "%" ? "percent"
                             : letter() == "," ? "a point in a number, as in 1.5"
                                               : "an operator"));
        to_.dimension_ = dimensions_.back();
        if (!variables_.empty()) to_.text_ = filled_in_ + std::string(text_.substr(filled_to_));
    }

    struct Function {
        const char* name;
        Expression::Code code;
        int arguments;  // -2: two or more
    };
    static std::span<const Function> functions() {
        using enum Expression::Code;
        static constexpr std::array<Function, 19> all{{{"sin", sin, 1},
                                                       {"cos", cos, 1},
                                                       {"tan", tan, 1},
                                                       {"asin", asin, 1},
                                                       {"acos", acos, 1},
                                                       {"atan", atan, 1},
                                                       {"atan2", atan2, 2},
                                                       {"sqrt", sqrt, 1},
                                                       {"exp", exp, 1},
                                                       {"log", log, 1},
                                                       {"abs", absolute, 1},
                                                       {"min", least, -2},
                                                       {"max", most, -2},
                                                       {"floor", floor, 1},
                                                       {"ceil", ceil, 1},
                                                       {"sign", sign, 1},
                                                       {"if", choose, 3},
                                                       {"pow", power, 2},
                                                       {"not", invert, 1}}};
        return all;
    }

  private:
    using Code = Expression::Code;

    [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(what, at_); }

    // A whole letter of UTF-8, for messages.
    std::string letter() const {
        size_t end = at_ + 1;
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
        return std::string(text_.substr(at_, end - at_));
    }

    char peek() {
        while (at_ < text_.size()
               && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
            ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(std::string_view sign) {
        peek();
        if (text_.substr(at_, sign.size()) != sign) return false;
        at_ += sign.size();
        return true;
    }

    void push(Code code, double value, Measured dimension = {}) {
        if (dimensions_.size() == Expression::deepest)
            fail("nested too deeply; use parameters for parts of it");
        dimensions_.push_back(dimension);
        to_.has_units_ = to_.has_units_ || dimension;
        to_.program_.push_back({code, value});
    }

    void emit(Code code) {
        const auto pop = [this] {
            const Measured last = dimensions_.back();
            dimensions_.pop_back();
            return last;
        };
        if (code < Code::negate) {
            const Measured b = pop();
            dimensions_.back() = of_two(code, dimensions_.back(), b);
        } else if (code == Code::choose) {
            const Measured b = pop(), a = pop();
            dimensions_.back() = of_two(Code::add, a, b);
        } else {
            dimensions_.back() = of_one(code, dimensions_.back());
        }
        to_.program_.push_back({code, 0});
    }

    // What a and b make: the same where they are added or compared.
    Measured of_two(Code code, const Measured& a, const Measured& b) const {
        using enum Expression::Code;
        if (code == power) {
            const auto& [last, exponent] = to_.program_.back();
            return last == number ? power_of(a, exponent) : Measured();
        }
        if (code == multiply || code == divide)
            return a && b ? Measured(*a * b->to_the(code == divide ? -1 : 1)) : Measured();
        if (code == both || code == either) return {};
        if (a && b && !fits(*a, *b) && !fits(*b, *a))
            fail(fmt::format("{} and {} are {}; expected the same dimension", unit_of(*a),
                             unit_of(*b), code == add || code == subtract ? "added" : "compared"));
        return code == add || code == subtract || code == least || code == most ? (a ? a : b)
                                                                                : Measured();
    }

    static Measured power_of(const Measured& a, double exponent) {
        const Measured result = a ? Measured(a->to_the(exponent)) : Measured();
        return result && result->is_whole() ? result : Measured();
    }

    static Measured of_one(Code code, const Measured& a) {
        using enum Expression::Code;
        if (code == negate || code == absolute) return a;
        return code == sqrt ? power_of(a, 0.5) : Measured();
    }

    struct Deeper {
        explicit Deeper(ExpressionParser& p) : parser(p) {
            if (++parser.depth_ > Expression::deepest)
                parser.fail("nested too deeply; use parameters for parts of it");
        }
        ~Deeper() { --parser.depth_; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        ExpressionParser& parser;
    };

    void either() {
        const Deeper deeper(*this);
        both();
        while (take("||")) both(), emit(Code::either);
    }
    void both() {
        comparison();
        while (take("&&")) comparison(), emit(Code::both);
    }
    void comparison() {
        sum();
        static constexpr std::array<std::pair<const char*, Code>, 6> signs{
            {{"<=", Code::less_equal},
             {">=", Code::greater_equal},
             {"==", Code::equal},
             {"!=", Code::unequal},
             {"<", Code::less},
             {">", Code::greater}}};
        for (const auto& [sign, code] : signs)
            if (take(sign)) {
                sum();
                emit(code);
                return;
            }
    }
    void sum() {
        product();
        for (;;) {
            if (take("+"))
                product(), emit(Code::add);
            else if (take("-"))
                product(), emit(Code::subtract);
            else
                return;
        }
    }
    void product() {
        factor();
        for (;;) {
            if (take("*"))
                factor(), emit(Code::multiply);
            else if (take("/"))
                factor(), emit(Code::divide);
            else
                return;
        }
    }
    void factor() {
        const Deeper deeper(*this);
        if (take("-")) {
            factor();
            emit(Code::negate);
        } else if (take("+")) {
            factor();
        } else if (peek() == '!' && text_.substr(at_, 2) != "!=") {
            ++at_;
            factor();
            emit(Code::invert);
        } else {
            primary();
            if (take("^")) factor(), emit(Code::power);
        }
    }

    void primary() {
        const char c = peek();
        if (take("(")) {
            either();
            if (!take(")"))
                fail(peek() == '\0' ? "a bracket is not closed; expected ')'"
                                    : fmt::format("unexpected '{}'; expected ')'", letter()));
        } else if (is_digit(c) || c == '.') {
            number();
        } else if (is_letter(c)) {
            name();
        } else if (c == '\0') {
            fail("the expression ends here; expected a number, a name or '('");
        } else {
            const bool is_power = at_ > 0 && c == '*' && text_[at_ - 1] == '*';
            fail(fmt::format("unexpected '{}'; expected {}", letter(),
                             is_power ? "^ for a power" : "a number, a name or '('"));
        }
    }

    void number() {
        double value = 0;
        const char* const begin = text_.data() + at_;
        const char* const end = text_.data() + text_.size();
        if (text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X") {
            uint64_t bits = 0;
            const auto [rest, error] = std::from_chars(begin + 2, end, bits, 16);
            if (error != std::errc{} || bits > (uint64_t{1} << 53))
                fail("expected up to 53 bits of hexadecimal digits after 0x");
            value = static_cast<double>(bits);
            at_ += static_cast<size_t>(rest - begin);
        } else {
            const auto [rest, error] = std::from_chars(begin, end, value);
            if (error == std::errc::invalid_argument && is_no_number(text_.substr(at_ + 1)))
                fail(fmt::format("'{}' is no number to compute with; expected a finite one",
                                 text_.substr(at_, 9)));
            if (error == std::errc::invalid_argument) fail("expected digits");
            if (error == std::errc::result_out_of_range) {
                // Too small is zero; too large has no number.
                value = std::strtod(std::string(begin, rest).c_str(), nullptr);
                if (!std::isfinite(value))
                    fail("the number is too large; expected at most 1.7e308");
            }
            at_ += static_cast<size_t>(rest - begin);
        }
        const size_t behind = at_;
        const char c = peek();
        Measured dimension;
        if (is_letter(c))
            value = with_unit(value, dimension);
        else
            at_ = behind;
        push(Code::number, value, dimension);
    }

    std::string_view word() {
        const size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    // kg/m^3: units with signs between, without blanks.
    double with_unit(double value, Measured& dimension) {
        double times = 1, over = 1;
        dimension = Dimension{};
        bool divided = false;
        for (;;) {
            const size_t begin = at_;
            const std::string_view name = word();
            const Unit* const unit = find_unit(name);
            if (unit == nullptr) {
                at_ = begin;
                std::vector<std::string> names;
                names.reserve(units().size());
                for (const Unit& u : units()) names.emplace_back(u.name);
                const std::string near = meant(name, names);
                const bool is_constant = std::any_of(constants.begin(), constants.end(),
                                                     [&](const auto& c) { return name == c.name; });
                fail(fmt::format("unknown unit '{}'{}", name.substr(0, 100),
                                 symbols_.contains(name) ? "; expected * before a parameter"
                                 : is_constant           ? "; expected * before it"
                                 : near.empty()          ? "; expected one such as mm, N*m or rpm"
                                                         : near));
            }
            int exponent = 1;
            if (at_ + 1 < text_.size() && text_[at_] == '^' && is_digit(text_[at_ + 1])) {
                exponent = text_[at_ + 1] - '0';
                at_ += 2;
            }
            dimension = *dimension * unit->dimension.to_the(divided ? -exponent : exponent);
            for (int i = 0; i < exponent; ++i) {
                times *= divided ? unit->over : unit->times;
                over *= divided ? unit->times : unit->over;
            }
            // Another one follows only if it is one: "3 m/length" divides by a parameter, and "3 rpm*min(t, 1)" takes the less of two.
            const size_t sign = at_;
            if (at_ >= text_.size() || (text_[at_] != '/' && text_[at_] != '*')) break;
            divided = text_[at_] == '/';
            ++at_;
            const size_t next = at_;
            const bool is_unit =
                find_unit(word()) != nullptr && (at_ >= text_.size() || text_[at_] != '(');
            at_ = is_unit ? next : sign;
            if (!is_unit) break;
        }
        return value * times / over;
    }

    void name() {
        const size_t begin = at_;
        const std::string_view written = word();
        const auto in_functions =
            std::find_if(functions().begin(), functions().end(),
                         [&](const Function& f) { return written == f.name; });
        if (in_functions != functions().end()) {
            call(*in_functions);
            return;
        }
        const auto symbol = symbols_.find(written);
        for (size_t i = 0; i < variables_.size(); ++i) {
            if (written != variables_[i]) continue;
            if (symbol != symbols_.end()) {
                at_ = begin;
                fail(
                    fmt::format("'{}' is a variable here, and also a parameter or loop; give the "
                                "other another name",
                                written));
            }
            to_.used_ |= uint32_t{1} << i;
            push(Code::variable, static_cast<double>(i));
            return;
        }
        if (symbol != symbols_.end()) {
            const double value = symbol->second.value;
            to_.spoiled_ = to_.spoiled_ || std::isnan(value);
            push(Code::number, value, symbol->second.dimension);
            fill_in(begin, value);
            return;
        }
        for (const Constant& constant : constants)
            if (written == constant.name) {
                push(Code::number, constant.value);
                return;
            }
        at_ = begin;
        unknown(written);
    }

    // The value in the place of the name that stands from `begin` to here.
    void fill_in(size_t begin, double value) {
        if (variables_.empty()) return;
        const std::string written = exact_text(value);
        filled_in_ += text_.substr(filled_to_, begin - filled_to_);
        // Behind a unit, 2 m^n is a power of two metres, and 2 m^3 are cubic metres.
        const bool is_power = begin > 0 && text_[begin - 1] == '^';
        filled_in_ += is_power || std::signbit(value) ? "(" + written + ")" : written;
        filled_to_ = at_;
    }

    // What other programs write for it: NaN, inf, .inf.
    static bool is_no_number(std::string_view word) {
        std::string small(word.substr(0, 9));  // one more than the longest
        for (char& c : small)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return small == "nan" || small == "inf" || small == "infinity";
    }

    [[noreturn]] void unknown(std::string_view written) const {
        if (is_no_number(written))
            fail(fmt::format("'{}' is no number to compute with; expected a finite one", written));
        std::vector<std::string> names(variables_.begin(), variables_.end());
        names.reserve(names.size() + symbols_.size() + constants.size() + functions().size());
        for (const auto& [symbol, known] : symbols_) names.push_back(symbol);
        for (const Constant& constant : constants) names.emplace_back(constant.name);
        for (const Function& f : functions()) names.emplace_back(f.name);
        std::string known;
        for (const char* variable : variables_) known += std::string(variable) + ", ";
        const std::string near = suggestion(written, names);
        fail(fmt::format("unknown name '{}'{}", written.substr(0, 100),
                         near.empty()
                             ? "; expected " + known + "a parameter above, a function or a number"
                             : near));
    }

    void call(const Function& f) {
        if (!take("(")) fail(fmt::format("expected '(' after {}", f.name));
        int given = 0;
        do {
            either();
            ++given;
            if (f.arguments < 0 && given > 1) emit(f.code);
        } while (take(","));
        if (!take(")")) fail(fmt::format("expected ',' or ')' in the arguments of {}", f.name));
        if (f.arguments < 0 ? given < -f.arguments : given != f.arguments)
            fail(fmt::format("{} has {} here; expected {}{}", f.name,
                             given == 1 ? "1 argument" : fmt::format("{} arguments", given),
                             std::abs(f.arguments), f.arguments < 0 ? " or more" : ""));
        if (f.arguments > 0) emit(f.code);
    }

    Expression& to_;
    std::string_view text_;
    const Symbols& symbols_;
    std::span<const char* const> variables_;
    size_t at_ = 0;
    int depth_ = 0;
    std::vector<Measured> dimensions_;  // of the values that wait for an operator
    std::string filled_in_;             // the text with values, as far as
    size_t filled_to_ = 0;
};

Expression::Expression(double value, Measured dimension)
    : program_{{Code::number, value}}, text_(exact_text(value)), dimension_(dimension) {}

Expression::Expression(std::string_view text, const Symbols& symbols,
                       std::span<const char* const> variables) {
    ExpressionParser(*this, text, symbols, variables).parse();
}

double Expression::operator()(std::span<const double> variables) const {
    std::array<double, deepest + 1> stack;  // NOLINT(*-member-init): written before it is read
    size_t top = 0;                         // values on the stack
    for (const auto [code, value] : program_) {
        if (code == Code::number || code == Code::variable) {
            stack[top++] = code == Code::number ? value : variables[static_cast<size_t>(value)];
            continue;
        }
        if (code == Code::choose) {
            top -= 2;
            stack[top - 1] = stack[top - 1] != 0 ? stack[top] : stack[top + 1];
            continue;
        }
        if (code < Code::negate) --top;
        double& a = stack[top - 1];
        const double b = stack[top];  // of the operators with two
        switch (code) {
            case Code::add: a += b; break;
            case Code::subtract: a -= b; break;
            case Code::multiply: a *= b; break;
            case Code::divide: a /= b; break;
            case Code::power: a = std::pow(a, b); break;
            case Code::less: a = a < b ? 1 : 0; break;
            case Code::less_equal: a = a <= b ? 1 : 0; break;
            case Code::greater: a = a > b ? 1 : 0; break;
            case Code::greater_equal: a = a >= b ? 1 : 0; break;
            case Code::equal: a = a == b ? 1 : 0; break;
            case Code::unequal: a = a != b ? 1 : 0; break;
            case Code::both: a = a != 0 && b != 0 ? 1 : 0; break;
            case Code::either: a = a != 0 || b != 0 ? 1 : 0; break;
            case Code::atan2: a = std::atan2(a, b); break;
            case Code::least: a = std::min(a, b); break;
            case Code::most: a = std::max(a, b); break;
            case Code::negate: a = -a; break;
            case Code::invert: a = a == 0 ? 1 : 0; break;
            case Code::sin: a = std::sin(a); break;
            case Code::cos: a = std::cos(a); break;
            case Code::tan: a = std::tan(a); break;
            case Code::asin: a = std::asin(a); break;
            case Code::acos: a = std::acos(a); break;
            case Code::atan: a = std::atan(a); break;
            case Code::sqrt: a = std::sqrt(a); break;
            case Code::exp: a = std::exp(a); break;
            case Code::log: a = std::log(a); break;
            case Code::absolute: a = std::abs(a); break;
            case Code::floor: a = std::floor(a); break;
            case Code::ceil: a = std::ceil(a); break;
            case Code::sign: a = a > 0 ? 1 : a < 0 ? -1 : 0; break;
            case Code::number:
            case Code::variable:
            case Code::choose: break;
        }
    }
    return stack[0];
}

bool is_free_name(std::string_view name) {
    if (name.empty() || name.size() > 100 || !is_letter(name[0])) return false;
    if (!std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); }))
        return false;
    const auto same = [&](const auto& word) { return name == word.name; };
    return std::none_of(constants.begin(), constants.end(), same)
        && std::none_of(ExpressionParser::functions().begin(), ExpressionParser::functions().end(),
                        same)
        && name != "t";
}

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    names.reserve(ExpressionParser::functions().size());
    for (const auto& f : ExpressionParser::functions()) names.emplace_back(f.name);
    return names;
}

}  // namespace bristle::io
