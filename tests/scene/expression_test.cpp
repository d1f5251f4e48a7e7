#include "io/scene/expression.h"

#include <bristle/math.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace bristle::io {
namespace {

const Symbols symbols = {{"length", 2}, {"mass", 3}, {"m", 7}, {"lost", NAN}};

double value(std::string_view text) { return Expression(text, symbols)(); }

TEST(Expression, FollowsTheRulesOfArithmetic) {
    EXPECT_EQ(value("1 + 2*3"), 7);
    EXPECT_EQ(value("(1 + 2)*3"), 9);
    EXPECT_EQ(value("10 - 4 - 3"), 3);
    EXPECT_EQ(value("12/4/3"), 1);
    EXPECT_EQ(value("2^3^2"), 512);
    EXPECT_EQ(value("-2^2"), -4);
    EXPECT_EQ(value("2^-1"), 0.5);
    EXPECT_EQ(value("--3"), 3);
    EXPECT_EQ(value("+3 - -2"), 5);
    EXPECT_EQ(value("  1\t+\n1 "), 2);
    EXPECT_EQ(value(".5 + 5. + 1e-1 + 2E2"), .5 + 5. + 1e-1 + 2E2);
    EXPECT_EQ(value("0xff"), 255);
    EXPECT_EQ(value("length*mass"), 6);
    EXPECT_EQ(value("1e-400"), 0);
}

TEST(Expression, ComparesAndChooses) {
    EXPECT_EQ(value("1 < 2"), 1);
    EXPECT_EQ(value("2 <= 1"), 0);
    EXPECT_EQ(value("1 + 1 == 2 && 3 != 4"), 1);
    EXPECT_EQ(value("0 || 2 > 3"), 0);
    EXPECT_EQ(value("!0 + !5"), 1);
    EXPECT_EQ(value("!(1 > 2) && 2 >= 2"), 1);
    EXPECT_EQ(value("if(length > 1, 10, 20)"), 10);
    EXPECT_EQ(value("if(length > 5, 1/0, 20)"), 20);
    EXPECT_EQ(value("true + false"), 1);
}

TEST(Expression, KnowsFunctions) {
    EXPECT_EQ(value("sin(1)"), std::sin(1.0));
    EXPECT_EQ(value("cos(1) + tan(1)"), std::cos(1.0) + std::tan(1.0));
    EXPECT_EQ(value("asin(0.5)"), std::asin(0.5));
    EXPECT_EQ(value("acos(0.5)"), std::acos(0.5));
    EXPECT_EQ(value("atan(0.5)"), std::atan(0.5));
    EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1.0, -1.0));
    EXPECT_EQ(value("sqrt(2) + exp(1) + log(3)"), std::sqrt(2.0) + std::exp(1.0) + std::log(3.0));
    EXPECT_EQ(value("abs(-2) + floor(1.7) + ceil(1.2)"), 5);
    EXPECT_EQ(value("min(3, 1, 2)*max(3, 1, 7)"), 7);
    EXPECT_EQ(value("sign(-3) + sign(0) + 2*sign(9)"), 1);
    EXPECT_EQ(value("pow(2, 10)"), 1024);
    EXPECT_EQ(value("2*pi"), 2 * pi);
    EXPECT_EQ(value("unlimited"), std::numeric_limits<double>::infinity());
}

// The same bits as the number that is meant: 5 mm is 0.005, not 5*0.001.
TEST(Expression, TakesUnitsAfterNumbers) {
    EXPECT_EQ(value("5 mm"), 0.005);
    EXPECT_EQ(value("7 mm"), 0.007);
    EXPECT_EQ(value("10ms"), 0.01);
    EXPECT_EQ(value("30 deg"), 30 * pi / 180);
    EXPECT_EQ(value("60 rpm"), 60 * (2 * pi) / 60);
    EXPECT_EQ(value("2 kN + 1 N"), 2001);
    EXPECT_EQ(value("1 in"), 0.0254);
    EXPECT_EQ(value("9.81 m/s^2"), 9.81);
    EXPECT_EQ(value("7.8 g/cm^3"), 7800);
    EXPECT_EQ(value("36 km/h"), 10);
    EXPECT_EQ(value("3 N*m"), 3);
    EXPECT_EQ(value("90*deg"), 90 * (pi / 180));
    EXPECT_EQ(value("6 m/length"), 3);  // a parameter, not a unit
    EXPECT_EQ(value("6 N/m"), 6);       // a unit, whatever parameters are called
    EXPECT_EQ(value("14 / m"), 2);
    EXPECT_EQ(value("2 min*3"), 360);
    EXPECT_EQ(value("60 rpm*min(2, 1)"), 60 * (2 * pi) / 60);  // no minutes
    EXPECT_EQ(value("6 m/min(2, 3)"), 3);
}

TEST(Expression, HasVariables) {
    static constexpr const char* names[] = {"t", "x"};
    const Expression f("length*t + x^2", symbols, names);
    const double at[] = {3, 4};
    EXPECT_EQ(f(at), 22);
    EXPECT_TRUE(f.uses(0));
    EXPECT_TRUE(f.uses(1));
    EXPECT_FALSE(f.is_constant());
    EXPECT_FALSE(Expression("2*t", symbols, names).uses(1));
    EXPECT_TRUE(Expression("2*length", symbols, names).is_constant());
    EXPECT_TRUE(Expression("2*lost", symbols).is_spoiled());
    EXPECT_FALSE(Expression("2*mass", symbols).is_spoiled());
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
    struct Bad {
        std::string text;
        size_t column;
        const char* message;
    };
    const Bad cases[] = {
        {"", 0, "the expression ends here; expected a number, a name or '('"},
        {"1 + ", 4, "the expression ends here; expected a number, a name or '('"},
        {"1 + * 2", 4, "unexpected '*'; expected a number, a name or '('"},
        {"(1 + 2", 6, "a bracket is not closed; expected ')'"},
        {"(1 2)", 3, "unexpected '2'; expected ')'"},
        {"1 2", 2, "unexpected '2'; expected an operator"},
        {"2*lenth", 2, "unknown name 'lenth'; did you mean 'length'?"},
        {"2 length", 2, "unknown unit 'length'; expected * before a parameter"},
        {"2 sek", 2, "unknown unit 'sek'; expected one such as mm, N*m or rpm"},
        {"2 kPs", 2, "unknown unit 'kPs'; did you mean 'kPa'?"},
        {"sin 2", 4, "expected '(' after sin"},
        {"sin()", 4, "unexpected ')'; expected a number, a name or '('"},
        {"sin(1, 2)", 9, "sin has 2 arguments here; expected 1"},
        {"min(1)", 6, "min has 1 argument here; expected 2 or more"},
        {"min(1; 2)", 5, "expected ',' or ')' in the arguments of min"},
        {"1 < 2 < 3", 6, "unexpected '<'; expected an operator"},
        {"3 × 4", 2, "unexpected '×'; expected an operator"},
        {"1e999", 0, "the number is too large; expected at most 1.7e308"},
        {"0x", 0, "expected up to 53 bits of hexadecimal digits after 0x"},
        {".", 0, "expected digits"},
        {"a.b", 0, "unknown name 'a'; expected a parameter above, a function or a number"},
    };
    for (const Bad& bad : cases) {
        try {
            const Expression unused(bad.text, symbols);
            ADD_FAILURE() << bad.text << " was read";
        } catch (const ExpressionError& error) {
            EXPECT_STREQ(error.what(), bad.message) << bad.text;
            EXPECT_EQ(error.column, bad.column) << bad.text;
        }
    }
}

TEST(Expression, RefusesWhatIsTooLargeOrTooDeep) {
    const std::string many(Expression::longest, '(');
    EXPECT_THROW(Expression(many, {}), ExpressionError);
    EXPECT_THROW(Expression(many + "(", {}), ExpressionError);
    EXPECT_THROW(Expression(std::string(5000, '-') + "1", {}), ExpressionError);
    std::string tower = "2";
    for (int i = 0; i < 100; ++i) tower += "^2";
    EXPECT_THROW(Expression(tower, {}), ExpressionError);
    // Values that wait for their operators fill the stack before brackets are too deep.
    std::string waiting;
    for (int i = 0; i < 40; ++i) waiting += "1 + 1*(";
    EXPECT_THROW(Expression(waiting + "1", {}), ExpressionError);
    // Long is well, if it is not deep.
    std::string sum = "1";
    for (int i = 0; i < 4000; ++i) sum += "+1";
    EXPECT_EQ(Expression(sum, {})(), 4001);
}

// 2 m^n, said with the value of n, became so many cubic metres: a scene that was written and read meant something else.
TEST(Expression, SaysAPowerOfAQuantityAsItWas) {
    const std::array<const char*, 1> variables = {"x"};
    const std::array<double, 1> values = {0.5};
    const Expression power("x + 22 t^n", {{"n", 3.0}}, variables);
    EXPECT_EQ(power.text(), "x + 22 t^(3)");
    EXPECT_EQ(Expression(power.text(), {}, variables)(values), power(values));
}

TEST(Expression, KeepsItsWords) {
    EXPECT_TRUE(is_free_name("length_2"));
    for (const char* taken : {"", "2a", "a b", "sin", "pi", "t", "if", "deg", "true", "a-b"})
        EXPECT_FALSE(is_free_name(taken)) << taken;
}

}  // namespace
}  // namespace bristle::io
