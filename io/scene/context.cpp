#include "io/scene/context.h"

#include "base/plain.h"
#include "io/scene/synonyms.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace bristle::io {
namespace {

constexpr size_t turns_between_words = 10'000;

std::string printed(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15
             ? fmt::format("{}", static_cast<int64_t>(value))
             : fmt::format("{}", value);
}

}  // namespace

std::optional<double> plain_number(const Node& node) {
    double number = 0;
    const char* const end = node.text.data() + node.text.size();
    const auto [rest, error] = std::from_chars(node.text.data(), end, number);
    if (error == std::errc{} && rest == end && std::isfinite(number)) return number;
    return {};
}

std::optional<Expression> Context::parse(std::string_view text, const Node& node, size_t column,
                                         std::string_view what,
                                         std::span<const char* const> variables) {
    try {
        Expression expression(text, symbols, variables);
        if (expression.is_spoiled()) {
            mistakes.follow();
            return {};
        }
        return expression;
    } catch (const ExpressionError& error) {
        Mark mark = node.mark;
        // Of a quoted text the mark is at the quote.
        mark.column += static_cast<uint32_t>(column + error.column + (node.quoted ? 1 : 0));
        mistakes.add(mark, fmt::format("{}: {}", what, error.what()));
        return {};
    }
}

std::optional<double> Context::value(const Node& node, std::string_view what,
                                     const std::string& expected, Measured* dimension) {
    if (node.kind != Node::Kind::scalar) {
        mistakes.add(node.mark,
                     fmt::format("{} is {}; expected {}", what, describe(node), expected));
        return {};
    }
    if (const auto number = plain_number(node)) return number;
    if (node.text == ".inf" || node.text == "-.inf")
        return node.text[0] == '-' ? -unlimited : unlimited;
    const auto expression = parse(node.text, node, 0, what, {});
    if (!expression) return {};
    const double result = (*expression)();
    if (dimension != nullptr) *dimension = expression->dimension();
    if (std::isnan(result)) {
        mistakes.add(node.mark, fmt::format("{} is not a number (0/0, or a root or logarithm of a "
                                            "negative one); expected {}",
                                            what, expected));
        return {};
    }
    return result;
}

std::optional<Expression> Context::function(const Node& node, std::string_view what,
                                            const std::string& expected,
                                            std::span<const char* const> variables) {
    if (node.kind != Node::Kind::scalar) {
        mistakes.add(node.mark,
                     fmt::format("{} is {}; expected {}", what, describe(node), expected));
        return {};
    }
    auto expression = parse(node.text, node, 0, what, variables);
    if (!expression || !expression->is_constant()) return expression;
    const double constant = (*expression)();
    if (std::isfinite(constant)) return Expression(constant, expression->dimension());
    mistakes.add(node.mark, fmt::format("{} is {}; expected {}", what, constant, expected));
    return {};
}

Measured Context::dimension(const Node& node, std::string_view what,
                            std::span<const char* const> variables, const Dimension& of_variables) {
    Symbols measured = symbols;
    for (const char* variable : variables) measured[variable] = Symbol(1, of_variables);
    std::swap(symbols, measured);
    const auto expression = parse(node.text, node, 0, what, {});
    std::swap(symbols, measured);
    return expression ? expression->dimension() : Measured();
}

std::optional<std::string> Context::text(const Node& node, std::string_view what) {
    if (node.kind != Node::Kind::scalar) {
        mistakes.add(node.mark, fmt::format("{} is {}; expected text", what, describe(node)));
        return {};
    }
    if (plain(node.text) != node.text) {
        mistakes.add(node.mark, fmt::format("{} has a character that terminals obey; expected text "
                                            "that can be seen",
                                            what));
        return {};
    }
    if (node.text.find('{') == std::string::npos) return node.text;
    std::string filled;
    size_t at = 0;
    for (;;) {
        const size_t open = node.text.find('{', at);
        filled += node.text.substr(at, open - at);
        if (open == std::string::npos) return filled;
        const size_t close = node.text.find('}', open);
        if (close == std::string::npos) {
            mistakes.add(node.mark, fmt::format("{} {} has a {{ that is not closed; expected '}}'",
                                                what, describe(node)));
            return {};
        }
        const std::string_view inside =
            std::string_view(node.text).substr(open + 1, close - open - 1);
        const auto expression = parse(inside, node, open + 1, what, {});
        if (!expression) return {};
        const double number = (*expression)();
        if (!std::isfinite(number)) {
            mistakes.add(node.mark, fmt::format("{}: {{{}}} is {}; expected a finite number", what,
                                                inside, number));
            return {};
        }
        filled += printed(number);
        at = close + 1;
    }
}

std::optional<uint32_t> Context::find(const Names& names, const Node& reference) {
    const auto written = text(reference, names.what);
    if (!written) return {};
    for (const std::string& prefix : prefixes) {
        const auto found = names.objects.find(prefix + *written);
        if (found == names.objects.end()) continue;
        if (!found->second.id) mistakes.follow();
        return found->second.id;
    }
    if (names.is_incomplete || mistakes.is_full()) {
        mistakes.follow();
        return {};
    }
    std::vector<std::string> choices;
    for (const auto& [name, object] : names.objects) choices.push_back(name);
    const std::string near = meant(*written, choices);
    mistakes.add(reference.mark,
                 fmt::format("unknown {} '{}'{}", names.what, written->substr(0, 100),
                             near.empty() ? fmt::format("; expected the name of a {} that is "
                                                        "defined before it is used",
                                                        names.what)
                                          : near));
    return {};
}

void Context::define(Names& names, const std::string& name, Mark mark, std::optional<uint32_t> id) {
    const auto [at, is_new] = names.objects.emplace(name, Names::Object{id, mark, included});
    if (is_new) return;
    const Mark first = at->second.mark;
    const std::string written = name.substr(0, 100);
    if (first == mark && at->second.included != included)
        mistakes.add(mark, fmt::format("{0} is included more than once and makes {1} '{2}' again; "
                                       "expected a prefix with each",
                                       mistakes.file(mark.file), names.what, written));
    else if (first == mark)
        mistakes.add(
            mark,
            fmt::format("the loop makes {0} '{1}' twice; expected a name with its variable, as "
                        "in '{1} {{i}}'",
                        names.what, written));
    else
        mistakes.add(
            mark, fmt::format("there is a {} '{}' already{}; expected a name of its own",
                              names.what, written,
                              first == Mark{} ? ""
                                              : fmt::format(", in {}:{}", mistakes.file(first.file),
                                                            first.line)));
}

void Context::repeat(const Node* loop, const std::function<void()>& once) {
    if (loop == nullptr) {
        once();
        return;
    }
    if (loop->kind != Node::Kind::map || loop->entries.empty()) {
        mistakes.add(loop->mark,
                     fmt::format("for is {}; expected {{i: n}} or {{i: [first, last]}}",
                                 loop->kind == Node::Kind::map ? "an empty map" : describe(*loop)));
        return;
    }
    for (const auto& [key, value] : loop->entries) {
        const bool is_free = is_free_name(key->text);
        if (is_free && !symbols.contains(key->text)) continue;
        mistakes.add(key->mark,
                     fmt::format("a loop over '{}'; expected {}", key->text.substr(0, 100),
                                 is_free ? "a name that no parameter or other loop has"
                                         : "a name of letters, digits and _ that no function has"));
        return;
    }
    turn(*loop, 0, once);
}

void Context::turn(const Node& loop, size_t variable, const std::function<void()>& once) {
    if (variable == loop.entries.size()) {
        once();
        return;
    }
    const auto& [key, range] = loop.entries[variable];
    const std::string expected = "a count n or [first, last]";
    const bool both = range->kind == Node::Kind::list && range->entries.size() == 2;
    const auto first =
        both ? value(*range->entries[0].value, key->text, expected) : std::optional(0.0);
    auto last = value(both ? *range->entries[1].value : *range, key->text, expected);
    if (!first || !last) return;
    if (!both) *last -= 1;
    if (!both && *last < -1) {
        mistakes.add(range->mark,
                     fmt::format("{} is {}; expected a count of at least 0", key->text, *last + 1));
        return;
    }
    // One below the first is none: what a chain of one link has of joints between links.
    if (both && *last < *first - 1) {
        mistakes.add(range->mark, fmt::format("{} goes from {} to {}; expected [first, last], the "
                                              "last not below the first",
                                              key->text, *first, *last));
        return;
    }
    if (!both && *last != std::floor(*last)) {
        mistakes.add(range->mark,
                     fmt::format("{} is {}; expected an integer", key->text, *last + 1));
        return;
    }
    if (*first != std::floor(*first) || *last != std::floor(*last)) {
        mistakes.add(range->mark, fmt::format("{} goes from {} to {}; expected integers", key->text,
                                              *first, *last));
        return;
    }
    const size_t most_turns = extent.most_turns;
    if (!(*last - *first < static_cast<double>(most_turns))) {
        mistakes.add(range->mark, fmt::format("{} goes from {} to {}; at most {} turns", key->text,
                                              *first, *last, most_turns));
        return;
    }
    const auto symbol = symbols.emplace(key->text, 0.0).first;
    for (double i = *first; i <= *last; ++i) {
        if (++repeated > most_turns) {
            mistakes.add(range->mark, fmt::format("all loops together make more than {} turns; "
                                                  "expected fewer",
                                                  most_turns));
            break;
        }
        if (extent.tell && repeated % turns_between_words == 0) extent.tell(repeated);
        symbol->second = i;
        turn(loop, variable + 1, once);
    }
    symbols.erase(symbol);
}

}  // namespace bristle::io
