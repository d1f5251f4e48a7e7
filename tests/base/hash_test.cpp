#include "base/hash.h"

#include <gtest/gtest.h>

#include <string_view>

namespace bristle::base {
namespace {

uint64_t hash_text(std::string_view text) {
    return hash_bytes(std::as_bytes(std::span(text.data(), text.size())));
}

// The published test values of the 64-bit FNV-1a.
TEST(Hash, IsFnv1a) {
    EXPECT_EQ(hash_text(""), 0xcbf29ce484222325ull);
    EXPECT_EQ(hash_text("a"), 0xaf63dc4c8601ec8cull);
    EXPECT_EQ(hash_text("foobar"), 0x85944171f73967e8ull);
}

TEST(Hash, ContinuesFromPartToPart) {
    const std::string_view text = "foobar";
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    EXPECT_EQ(hash_bytes(bytes.subspan(3), hash_bytes(bytes.first(3))), hash_text(text));
}

}  // namespace
}  // namespace bristle::base
