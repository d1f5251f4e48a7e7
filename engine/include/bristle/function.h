// Functions that a model is given: of time, and laws of forces.
//
//     Drive{.joint = pin, .target = 0.5}                                        // a number
//     Drive{.joint = pin, .target = time_table({{0, 0}, {2, 1.5}})}             // a table
//     Drive{.joint = pin, .target = io::time_function("0.1*sin(2*pi*t)")}       // an expression (bristle/scene.h)
//     Drive{.joint = pin, .target = [](double t) { return 0.1 * std::sin(t); }} // whatever can be called
//
// The first three know how a scene file says them (`text`), so that a model of them can be written, recorded and
// replayed. The last is known only by what it computes: it can be simulated and shown, but no file can hold it.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bristle {

template <class Signature> class Described;

template <class Result, class... Arguments> class Described<Result(Arguments...)> {
  public:
    Described() = default;
    // NOLINTBEGIN(bugprone-forwarding-reference-overload): it does not take copies of itself.
    template <class Callable>
    requires(!std::same_as<std::remove_cvref_t<Callable>, Described>)
        && std::is_invocable_r_v<Result, std::remove_cvref_t<Callable>&, Arguments...> Described(
            Callable&& callable)
        : call_(std::forward<Callable>(callable)) {}
    // NOLINTEND(bugprone-forwarding-reference-overload)
    // With the text of a scene file that says the same.
    Described(std::function<Result(Arguments...)> callable, std::string text)
        : call_(std::move(callable)), text_(std::move(text)) {}
    // A constant.
    template <class Number>
    requires std::is_arithmetic_v<Number> && std::same_as<Result, double> Described(Number value);

    explicit operator bool() const { return static_cast<bool>(call_); }
    Result operator()(Arguments... arguments) const { return call_(arguments...); }
    // As a scene file has it; empty if it is known only by what it computes.
    const std::string& text() const { return text_; }
    // What was given, if it is of this type.
    template <class Callable> const Callable* target() const {
        return call_.template target<Callable>();
    }

  private:
    std::function<Result(Arguments...)> call_;
    std::string text_;
};

using TimeFunction = Described<double(double time)>;
// Force as a function of elongation (or angle) and its rate, positive when it pulls the ends together.
using ForceLaw = Described<double(double displacement, double rate)>;

using TableRows = std::vector<std::pair<double, double>>;
// A force law from a table of (displacement, force), linear between rows and beyond the ends.
ForceLaw table(TableRows rows);
// A function of time from a table of (time, value), linear between rows; before and after them it stays.
TimeFunction time_table(const TableRows& rows);

// The shortest text that is read back as this number.
std::string exact_text(double);

template <class Result, class... Arguments> template <class Number>
requires std::is_arithmetic_v<Number> && std::same_as<Result, double>
Described<Result(Arguments...)>::Described(Number value)
    : Described([constant = static_cast<double>(value)](Arguments...) { return constant; },
                exact_text(static_cast<double>(value))) {}

}  // namespace bristle
