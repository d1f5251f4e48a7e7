#include "io/scene/dimension.h"

#include "io/scene/expression.h"

#include <gtest/gtest.h>

namespace bristle::io {
namespace {

const Symbols symbols = {
    {"plain", 2}, {"length", {2, dimension_of("m")}}, {"mass", {3, dimension_of("kg")}}};

// "" for what is not known.
std::string unit(std::string_view text) {
    const Measured d = Expression(text, symbols).dimension();
    return d ? unit_of(*d) : "";
}

TEST(Dimension, FollowsWhatIsKnownAndNothingElse) {
    EXPECT_EQ(unit("5 mm"), "m");
    EXPECT_EQ(unit("5 mm + 2"), "m");
    EXPECT_EQ(unit("-abs(length)"), "m");
    EXPECT_EQ(unit("mass*5 m/s^2"), "N");
    EXPECT_EQ(unit("length^2"), "m^2");
    EXPECT_EQ(unit("sqrt(length*length)"), "m");
    EXPECT_EQ(unit("if(plain > 1, length, 3)"), "m");
    EXPECT_EQ(unit("60 rpm"), "rad/s");
    for (const char* unknown :
         {"5", "2*length", "length/9.81", "sqrt(length)", "sin(30 deg)", "2*pi*5 Hz", "length > 1"})
        EXPECT_EQ(unit(unknown), "") << unknown;
}

TEST(Dimension, RefusesToAddOrCompareWhatDoesNotFit) {
    for (const char* bad :
         {"2 m + 3 kg", "length - mass", "min(1 m, 1 s)", "length < mass", "if(1, length, mass)"})
        EXPECT_THROW(Expression(bad, symbols), ExpressionError) << bad;
}

TEST(Dimension, LetsRadiansComeAndGoExceptAsAngles) {
    const auto fit = [](const char* given, const char* wanted) {
        return fits(*dimension_of(given), *dimension_of(wanted));
    };
    EXPECT_TRUE(fit("m*rad/s", "m/s"));
    EXPECT_TRUE(fit("N*m", "N m/rad"));
    EXPECT_TRUE(fit("percent", "rad"));
    EXPECT_FALSE(fit("deg", ""));
    EXPECT_FALSE(fit("Hz", "rad/s"));
    EXPECT_FALSE(fit("rad/s", "m/s"));
}

TEST(Dimension, ReadsTheUnitsOfTheFormat) {
    EXPECT_EQ(dimensions_of("N or N*m").size(), 2u);
    EXPECT_EQ(dimension_of("J"), dimension_of("N m"));
    EXPECT_TRUE(dimensions_of("N/m^exponent").empty());
    EXPECT_FALSE(dimension_of("metre"));
    EXPECT_TRUE(dimension_of("")->is_number());
}

}  // namespace
}  // namespace bristle::io
