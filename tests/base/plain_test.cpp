#include "base/plain.h"

#include <gtest/gtest.h>

namespace bristle {
namespace {

TEST(Plain, MasksWhatATerminalObeys) {
    EXPECT_EQ(plain("a\x1b[31mb\x07"), "a?[31mb?");
    EXPECT_EQ(plain("\u009b31m"), "?31m");
    EXPECT_EQ(plain("\u202egnorw"), "?gnorw");
    EXPECT_EQ(plain("one\n\ttwo"), "one\n\ttwo");
    EXPECT_EQ(plain("Länge → 2 m²"), "Länge → 2 m²");
}

// Halves of letters of UTF-16 and letters in more bytes than need be passed, and then could not be written as JSON.
TEST(Plain, MasksBytesThatAreNoUtf8) {
    EXPECT_EQ(plain("\xff"), "?");
    EXPECT_EQ(plain("\xed\xa0\x80"), "???");
    EXPECT_EQ(plain("\xe0\x80\x9b"), "???");
    EXPECT_EQ(plain("\xf4\x90\x80\x80"), "????");
    EXPECT_EQ(plain("cut \xe2\x82"), "cut ??");
}

}  // namespace
}  // namespace bristle
