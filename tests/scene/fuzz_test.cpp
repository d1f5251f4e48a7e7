// Whatever a file holds, it is a Scene or a SceneError, soon: no crash, no other exception, no hang.
//
// BRISTLE_FUZZ_SECONDS makes it longer than the usual 30 s, BRISTLE_TEST_DEPTH shorter.
#include <bristle/scene.h>

#include "io/scene/format.h"
#include "tests/scene/example_context.h"
#include "tests/support/processor_time.h"
#include "tests/support/scaled.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

namespace bristle::io {
namespace {

const std::filesystem::path scenes = std::filesystem::path(BRISTLE_SOURCE) / "scenes";

class Fuzzer {
  public:
    explicit Fuzzer(uint64_t seed) : random_(seed) {
        for (const auto& entry : std::filesystem::directory_iterator(scenes))
            if (entry.path().extension() == ".yaml") {
                std::ostringstream text;
                text << std::ifstream(entry.path()).rdbuf();
                seeds_.push_back(text.str());
            }
        std::sort(seeds_.begin(), seeds_.end());  // a folder has no order of its own
        for (const Section& s : sections())
            for (const Type& type : s.types) {
                words_.push_back(type.example);
                words_.push_back(type.name);
                for (const Key& key : type.keys) {
                    words_.push_back(key.name + ": " + key.example);
                    words_.push_back(key.example);
                }
            }
        for (const char* word : {"&a ",
                                 "*a",
                                 "<<: *a",
                                 "{",
                                 "}",
                                 "[",
                                 "]",
                                 ": ",
                                 ", ",
                                 "- ",
                                 "\n",
                                 "\n  ",
                                 "\"",
                                 "'",
                                 "|",
                                 ">",
                                 "!",
                                 "%",
                                 "#",
                                 "---\n",
                                 "...\n",
                                 "? ",
                                 "~",
                                 ".inf",
                                 ".nan",
                                 "1e308",
                                 "1e999",
                                 "-1",
                                 "0",
                                 "0x",
                                 "1/0",
                                 "sqrt(-1)",
                                 "{i}",
                                 "for: {i: 30}",
                                 "for: {i: 3, j: i}",
                                 "((((((((",
                                 "unlimited",
                                 "t",
                                 "x",
                                 "if(",
                                 "^",
                                 "\t",
                                 "\xc3\xa9",
                                 "\xff",
                                 "ground",
                                 "default"})
            words_.emplace_back(word);
    }

    std::string next() {
        if (chance(3)) return grown();
        std::string text = seeds_[below(seeds_.size())];
        for (size_t n = 1 + (chance(2) ? 0 : below(6)); n > 0; --n) mutate(text);
        return text.substr(0, 20'000);
    }

  private:
    size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
    bool chance(size_t one_in) { return below(one_in) == 0; }
    const std::string& word() { return words_[below(words_.size())]; }

    void mutate(std::string& text) {
        if (text.empty()) text = word();
        const size_t at = below(text.size()),
                     length = std::min(text.size() - at, 1 + below(chance(4) ? 400 : 12));
        switch (below(8)) {
            case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
            case 1: text.erase(at, length); break;
            case 2: text.insert(at, text.substr(below(text.size()), length)); break;
            case 3: text.insert(at, word()); break;
            case 4: text.replace(at, length, word()); break;
            case 5: {
                const std::string& other = seeds_[below(seeds_.size())];
                text = text.substr(0, at) + other.substr(below(other.size()));
                break;
            }
            case 6: swap_words(text); break;
            default: text[at] = static_cast<char>(below(256)); break;
        }
    }

    // Two keys, or a key and a value, change places.
    void swap_words(std::string& text) {
        const auto find = [&]() -> std::pair<size_t, size_t> {
            const size_t start =
                text.find_first_of("abcdefghijklmnopqrstuvwxyz", below(text.size()));
            if (start == std::string::npos) return {0, 0};
            return {start, std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", start),
                                    text.size())
                               - start};
        };
        auto [a, a_length] = find();
        auto [b, b_length] = find();
        if (a > b) std::swap(a, b), std::swap(a_length, b_length);
        if (a + a_length > b) return;
        const std::string first = text.substr(a, a_length), second = text.substr(b, b_length);
        text.replace(b, b_length, first);
        text.replace(a, a_length, second);
    }

    // A scene made by the table: mostly well formed, so that the deeper checks are reached.
    std::string grown() {
        std::string text;
        size_t objects = 0;
        const size_t odd = chance(2) ? 1000 : 12;  // one word in so many is not where it belongs
        for (const Key& key : scene_format().keys) {
            const auto known = example_context.find(key.name);
            const bool is_needed = known != example_context.end() && !known->second.empty();
            if (!is_needed && chance(2)) continue;
            text += key.name + ":";
            if (key.kind != Kind::section) {
                text += " " + (chance(odd) ? word() : key.example) + "\n";
                continue;
            }
            const Section& s = section(key.section);
            const bool is_one = s.form == Section::Form::one;
            text += is_one ? " " + object(s, odd) + "\n" : "\n" + (is_needed ? known->second : "");
            for (size_t n = is_one || s.name == "include" ? 0 : 1 + below(3); n > 0; --n)
                text += (s.form == Section::Form::named
                             ? fmt::format("  {}{}: ", chance(odd) ? "{i} " : "new", objects++)
                             : std::string("  - "))
                      + object(s, odd) + "\n";
        }
        return text;
    }
    std::string object(const Section& s, size_t odd) {
        const Type& type = s.types[below(s.types.size())];
        if (chance(2) || type.example[0] != '{') return type.example;
        std::string text = type.example.substr(0, type.example.size() - 1);
        for (const Key& key : type.keys)
            if (chance(4) && text.find(key.name + ":") == std::string::npos
                && key.kind != Kind::loop)
                text += ", " + key.name + ": " + (chance(odd) ? word() : key.example);
        return text + "}";
    }

    std::mt19937_64 random_;
    std::vector<std::string> seeds_, words_;
};

TEST(Fuzz, GivesASceneOrAllItsMistakes) {
    const char* const longer = std::getenv("BRISTLE_FUZZ_SECONDS");
    const double seconds =
        longer != nullptr ? std::atof(longer) : testing_support::scaled_seconds(30);
    const double most_seconds = testing_support::patient(1);  // for one scene
    const auto now = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    };
    // A run by hand looks at new cases, the usual one always at the same.
    const uint64_t seed = longer != nullptr ? std::random_device{}() : 1;
    Fuzzer fuzzer(seed);
    const double start = now();
    size_t count = 0, good = 0;
    while (now() - start < seconds) {
        const std::string text = fuzzer.next();
        const double before = testing_support::processor_seconds();
        size_t objects = 0;
        try {
            const Scene scene = parse_scene(text, "fuzz.yaml", scenes);
            objects = scene.model.bodies().size();
            ++good;
        } catch (const SceneError& error) {
            ASSERT_FALSE(error.messages.empty()) << text;
            for (const std::string& message : error.messages)
                ASSERT_TRUE(message.find(": ") != std::string::npos
                            || message.rfind("and ", 0) == 0)
                    << message << "\n"
                    << text;
        } catch (const std::exception& error) {
            FAIL() << "seed " << seed << ", case " << count << ": " << error.what() << "\n" << text;
        }
        // A loop may ask for a million bodies, and gets them.
        if (objects < 10'000) {
            ASSERT_LT(testing_support::processor_seconds() - before, most_seconds) << text;
        }
        ++count;
    }
    std::printf("%zu scenes, %zu of them good\n", count, good);
    // If nearly all were refused at once, nothing deep would be tested.
    EXPECT_GT(good, count / 50);
}

}  // namespace
}  // namespace bristle::io
