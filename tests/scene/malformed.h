// A scene with mistakes, and all that must be said about it.
#pragma once

#include <bristle/scene.h>

#include <gtest/gtest.h>

namespace bristle::io {

struct Malformed {
    const char* name;
    std::string text, message;
};

inline void expect_mistakes(const Malformed& c) {
    try {
        parse_scene(c.text, "scene.yaml", "nowhere");
        ADD_FAILURE() << c.name << ": read without a mistake";
    } catch (const SceneError& error) {
        EXPECT_EQ(error.what(), c.message) << c.name;
    }
}

}  // namespace bristle::io
