// A YAML file as a light tree that knows where everything stands, and the list of mistakes.
//
// yaml-cpp reads; its own Node is left aside: it is slow for large files, and knows neither where a key
// stands nor that it is there twice. Aliases share the node they name, so that a file which unfolds to
// billions of nodes is only counted, and refused.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace bristle::io {

constexpr size_t largest_document = 50'000'000;  // bytes: some 300,000 bodies
// Values of a file with its aliases unfolded, and of all included files together, each as often as it is included.
constexpr uint32_t most_nodes = 10'000'000;

struct Mark {
    uint32_t file = 0, line = 1, column = 1;
    auto operator<=>(const Mark&) const =
        default;  // NOLINT(modernize-use-nullptr): a mistake of its
};

struct Node {
    enum class Kind : uint8_t { empty, scalar, list, map };
    struct Entry {
        const Node* key;  // none in a list
        const Node* value;
    };

    Kind kind = Kind::empty;
    bool quoted = false;
    Mark mark;
    uint32_t size = 1;  // nodes below, aliases unfolded
    std::string text;   // of a scalar
    std::vector<Entry> entries;

    // The value of a key of a map, or nothing.
    const Node* find(std::string_view key) const;
};

struct Document {
    std::deque<Node> nodes;
    const Node* root = nullptr;  // none: it could not be read, and the mistakes say why
};

// Mistakes, each at its place; the same one is told once.
class Mistakes {
  public:
    static constexpr size_t most = 100;  // told; the rest is counted

    uint32_t add_file(std::string name);
    const std::string& file(uint32_t index) const { return files_[index]; }
    const std::vector<std::string>& files() const { return files_; }
    void add(Mark, std::string_view what);
    // What may be meant so, but hardly is.
    void warn(Mark, std::string_view what);
    // Something failed because of a mistake that is told elsewhere.
    void follow() { ++count_; }
    // Of all so far, also those that only follow: what changes it is not to be used.
    size_t count() const { return count_; }
    bool is_full() const { return told_.size() >= most; }
    std::vector<std::string> sorted() const;
    std::vector<std::string> warnings() const;

  private:
    std::vector<std::string> files_;
    std::set<std::tuple<Mark, std::string>> told_, warned_;
    size_t count_ = 0, untold_ = 0;
};

// `file` is the index of the mistakes' file.
Document parse_document(std::string_view text, uint32_t file, Mistakes&);

// A character that no name has.
bool is_control(char);

// "a list", "text 'abc'": for messages.
std::string describe(const Node&);

}  // namespace bristle::io
