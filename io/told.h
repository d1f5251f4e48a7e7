// How what is odd is told: each oddity a few times, with its place in the file.
#pragma once

#include "io/scene/places.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::io {

using Sentences = std::vector<std::string>;

// The first few of one, and how many more there are.
class Oddity {
  public:
    Oddity(const Scene& scene, Sentences& out) : scene_(scene), out_(out) {}
    ~Oddity() {
        if (count_ > most)
            out_.push_back("… and so for " + std::to_string(count_ - most) + " more");
    }
    Oddity(const Oddity&) = delete;
    Oddity& operator=(const Oddity&) = delete;
    // Of an object, "body" by its name.
    void add(std::string_view what, const std::string& name, const std::string& sentence) {
        if (++count_ <= most) out_.push_back(warning_at(scene_, what, name) + sentence);
    }

  private:
    static constexpr size_t most = 3;
    const Scene& scene_;
    Sentences& out_;
    size_t count_ = 0;
};

// Limits, drives, springs, forces and materials.
void look_at_what_acts(const Scene&, Sentences&);

}  // namespace bristle::io
