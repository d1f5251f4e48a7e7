#include "io/scene/document.h"

#include "base/plain.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/node/node.h>  // or clang-tidy takes our Node for a wrong definition of theirs
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

namespace bristle::io {
namespace {

constexpr size_t deepest = 50;  // a scene needs ten

struct Stop {};  // the rest of the file says nothing

class TreeBuilder : public YAML::EventHandler {
  public:
    TreeBuilder(Document& document, uint32_t file, Mistakes& mistakes)
        : document_(document), file_(file), mistakes_(mistakes) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        Node* const node = make(Node::Kind::empty, mark, anchor);
        // yaml-cpp finds nothing only at what follows, maybe lines below.
        if (!open_.empty() && open_.back().key != nullptr) node->mark = open_.back().key->mark;
        place(node);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const Node* const target = anchors_[anchor];
        const bool is_open = std::any_of(open_.begin(), open_.end(),
                                         [&](const Open& o) { return o.node == target; });
        if (is_open) stop(mark, "an alias inside what it stands for");
        place(target);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        Node* const node = make(Node::Kind::scalar, mark, anchor);
        node->text = value;
        node->quoted = tag == "!";
        place(node);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(Node::Kind::list, mark, anchor);
    }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(Node::Kind::map, mark, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override {
        tidy(*open_.back().node);
        close();
    }

  private:
    struct Open {
        Node* node;
        const Node* key;  // waits for its value
    };

    Mark mark_of(const YAML::Mark& mark) const {
        return {file_, static_cast<uint32_t>(mark.line + 1),
                static_cast<uint32_t>(mark.column + 1)};
    }
    [[noreturn]] void stop(const YAML::Mark& mark, const std::string& what) {
        mistakes_.add(mark_of(mark), what);
        throw Stop{};
    }

    Node* make(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
        Node& node = document_.nodes.emplace_back();
        node.kind = kind;
        node.mark = mark_of(mark);
        if (anchor != 0) anchors_[anchor] = &node;
        return &node;
    }
    void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (open_.size() >= deepest)
            stop(mark, fmt::format("nested too deeply; at most {} levels", deepest));
        open_.push_back({make(kind, mark, anchor), nullptr});
    }
    void close() {
        const Node* const node = open_.back().node;
        open_.pop_back();
        place(node);
    }
    void place(const Node* node) {
        if (open_.empty()) {
            document_.root = node;
            return;
        }
        Open& parent = open_.back();
        parent.node->size += node->size;  // both are below the limit: no overflow
        if (parent.node->size > most_nodes) {
            mistakes_.add(node->mark, fmt::format("the file unfolds to more than {} values; use "
                                                  "fewer aliases, or 'for'",
                                                  most_nodes));
            throw Stop{};
        }
        if (parent.node->kind == Node::Kind::list) {
            parent.node->entries.push_back({nullptr, node});
        } else if (parent.key == nullptr) {
            parent.key = node;
        } else {
            parent.node->entries.push_back({parent.key, node});
            parent.key = nullptr;
        }
    }

    // Keys must be text, and each there once; "<<" brings the entries of other maps.
    void tidy(Node& map) {
        std::unordered_map<std::string_view, const Node*> keys;
        std::vector<Node::Entry> kept;
        std::vector<const Node*> merged;
        for (const auto& [key, value] : map.entries) {
            if (key->kind != Node::Kind::scalar || key->text.empty()) {
                mistakes_.add(key->mark, fmt::format("a key is {}; expected text", describe(*key)));
            } else if (key->text == "<<" && !key->quoted) {
                if (value->kind == Node::Kind::list)
                    for (const auto& item : value->entries) merged.push_back(item.value);
                else
                    merged.push_back(value);
            } else if (const auto [at, is_new] = keys.emplace(key->text, key); !is_new) {
                mistakes_.add(key->mark,
                              fmt::format("'{}' is given twice; first in line {}",
                                          key->text.substr(0, 100), at->second->mark.line));
            } else {
                kept.push_back({key, value});
            }
        }
        for (const Node* other : merged) {
            if (other->kind != Node::Kind::map)
                mistakes_.add(other->mark, fmt::format("<< is {}; expected an alias of a map",
                                                       describe(*other)));
            for (const auto& [key, value] : other->entries)
                if (other->kind == Node::Kind::map && keys.emplace(key->text, key).second)
                    kept.push_back({key, value});
        }
        map.entries = std::move(kept);
    }

    Document& document_;
    uint32_t file_;
    Mistakes& mistakes_;
    std::vector<Open> open_;
    std::unordered_map<YAML::anchor_t, Node*> anchors_;
};

bool is_no_text(char c) { return c >= 0 && c < 0x20 && c != '\n' && c != '\r' && c != '\t'; }

// yaml-cpp takes a control character for the end of the file.
bool is_text(std::string_view text, uint32_t file, Mistakes& mistakes) {
    Mark mark{file, 1, 1};
    for (size_t i = 0; i < text.size();) {
        const size_t length = letter_length(text.substr(i));
        if (length == 0 || is_no_text(text[i])) {
            mistakes.add(mark, fmt::format("byte 0x{:02x} is no letter of UTF-8; expected text",
                                           static_cast<unsigned char>(text[i])));
            return false;
        }
        mark = text[i] == '\n' ? Mark{file, mark.line + 1, 1}
                               : Mark{file, mark.line, mark.column + static_cast<uint32_t>(length)};
        i += length;
    }
    return true;
}

// The line, counted from 0, without its end.
std::string_view line_of(std::string_view text, int line) {
    for (; line > 0 && !text.empty(); --line)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

// The last of the brackets that are open where `text` ends: what it is, and in which line.
struct OpenBracket {
    char sign;
    uint32_t line;
};
std::optional<OpenBracket> open_bracket(std::string_view text) {
    std::vector<OpenBracket> open;
    uint32_t line = 1;
    char quote = 0;
    bool is_remark = false, after_blank = true;
    for (const char c : text) {
        if (c == '\n') {
            ++line;
            is_remark = false;
        } else if (is_remark) {
            continue;
        } else if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '#' && after_blank) {
            is_remark = true;
        } else if (c == '"' || (c == '\'' && after_blank)) {
            quote = c;
        } else if (c == '{' || c == '[') {
            open.push_back({c, line});
        } else if ((c == '}' || c == ']') && !open.empty()) {
            open.pop_back();
        }
        after_blank = c == ' ' || c == '\n' || c == '[' || c == '{' || c == ',';
    }
    return open.empty() ? std::nullopt : std::optional(open.back());
}

// The nearest line above that says something.
int said_above(std::string_view text, int line) {
    while (--line >= 0) {
        const std::string_view before = line_of(text, line);
        const size_t first = before.find_first_not_of(" \r");
        if (first != std::string_view::npos && before[first] != '#') return line;
    }
    return -1;
}

// Where a colon stands that yaml-cpp does not like: the line above may have none, or this one two.
std::string why_no_colon(std::string_view text, const YAML::Mark& mark) {
    const std::string_view here = line_of(text, mark.line);
    if (const size_t first = here.find(": ");
        first != std::string_view::npos && static_cast<int>(first) < mark.column)
        return "a second colon in the line; expected quotes around text that has one";
    const int above = said_above(text, mark.line);
    if (above < 0) return "expected 'key: value'";
    const std::string_view before = line_of(text, above);
    const size_t first = before.find_first_not_of(' ');
    if (before.substr(first).starts_with("//"))
        return fmt::format("line {} begins with //; remarks begin with #", above + 1);
    return before.find(':') == std::string_view::npos
             ? fmt::format("line {} has no colon; expected 'key: value'", above + 1)
             : "expected a line of its own, as far from the margin as its neighbours";
}

// What stands where a bracket should be closed.
std::string why_not_closed(std::string_view text, const YAML::Mark& mark, char wanted) {
    const std::string_view here = line_of(text, mark.line);
    const size_t at = std::min(static_cast<size_t>(std::max(mark.column, 0)), here.size());
    if (here.substr(at).starts_with('{'))
        return here.substr(0, at).ends_with('$')
                 ? "expected the name of a parameter as it is, without $ and {}"
                 : "expected quotes around a name with braces, as in \"link {i}\"";
    const auto begin = static_cast<size_t>(here.data() - text.data());
    const auto open = open_bracket(text.substr(0, begin + at));
    return fmt::format(
        "expected ',' or '{}'{}", wanted,
        open ? fmt::format(", for the {} of line {} is open", open->sign, open->line) : "");
}

// What the parser says, and what it would have liked.
std::string explained(const YAML::Exception& error, std::string_view text) {
    if (line_of(text, error.mark.line).starts_with('\t'))
        return "a tab at the start of the line; expected blanks";
    if (error.msg == YAML::ErrorMsg::MAP_VALUE)
        return fmt::format("{}; {}", error.msg, why_no_colon(text, error.mark));
    if (error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW)
        return fmt::format("{}; {}", error.msg, why_not_closed(text, error.mark, '}'));
    if (error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW)
        return fmt::format("{}; {}", error.msg, why_not_closed(text, error.mark, ']'));
    static const std::pair<const char*, const char*> hints[] = {
        {YAML::ErrorMsg::FLOW_END, "expected ] for [ and } for {, the inner ones first"},
        {YAML::ErrorMsg::END_OF_MAP, "expected a key as far from the margin as those above"},
        {YAML::ErrorMsg::END_OF_SEQ, "expected '-' as far from the margin as those above"},
        {YAML::ErrorMsg::UNKNOWN_ANCHOR, "expected &name above"}};
    for (const auto& [what, hint] : hints)
        if (error.msg.starts_with(what)) return fmt::format("{}; {}", error.msg, hint);
    return error.msg;
}

// Files can hold any character, and as many as they like: a terminal must not obey it, nor a page be filled by it.
std::string said(std::string_view what) {
    constexpr size_t longest = 2000;  // bytes
    std::string text = plain(what.substr(0, longest));
    return what.size() > longest ? text + " …" : text;
}

// `color: #ff8800`, of which YAML reads no more than `color:`.
bool has_bare_color(std::string_view text) {
    for (size_t at = text.find(": #"); at != std::string_view::npos;
         at = text.find(": #", at + 1)) {
        const std::string_view digits = text.substr(at + 3, 6);
        if (digits.size() == 6
            && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos)
            return true;
    }
    return false;
}

}  // namespace

bool is_control(char c) { return (c >= 0 && c < 0x20 && c != '\n') || c == 0x7f; }

const Node* Node::find(std::string_view key) const {
    for (const Entry& entry : entries)
        if (entry.key != nullptr && entry.key->text == key) return entry.value;
    return nullptr;
}

uint32_t Mistakes::add_file(std::string name) {
    files_.push_back(std::move(name));
    return static_cast<uint32_t>(files_.size() - 1);
}

void Mistakes::add(Mark mark, std::string_view what) {
    ++count_;
    if (is_full())
        ++untold_;
    else
        told_.emplace(mark, said(what));
}

void Mistakes::warn(Mark mark, std::string_view what) {
    if (warned_.size() < most) warned_.emplace(mark, said(what));
}

std::vector<std::string> Mistakes::warnings() const {
    std::vector<std::string> lines;
    for (const auto& [mark, what] : warned_)
        lines.push_back(
            fmt::format("{}:{}:{}: warning: {}", files_[mark.file], mark.line, mark.column, what));
    return lines;
}

std::vector<std::string> Mistakes::sorted() const {
    std::vector<std::string> lines;
    for (const auto& [mark, what] : told_)
        lines.push_back(
            fmt::format("{}:{}:{}: {}", files_[mark.file], mark.line, mark.column, what));
    if (untold_ > 0)
        lines.push_back(
            fmt::format("and {} more {}", untold_, untold_ == 1 ? "mistake" : "mistakes"));
    return lines;
}

Document parse_document(std::string_view text, uint32_t file, Mistakes& mistakes) {
    Document document;
    if (text.size() > largest_document) {
        mistakes.add({file}, fmt::format("the file has {} bytes; at most {}", text.size(),
                                         largest_document));
        return document;
    }
    if (!is_text(text, file, mistakes)) return document;
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        TreeBuilder builder(document, file, mistakes);
        if (!parser.HandleNextDocument(builder)) {
            mistakes.add({file}, "the file is empty; expected a scene");
            return document;
        }
        Document more;
        TreeBuilder rest(more, file, mistakes);
        if (parser.HandleNextDocument(rest) && more.root != nullptr)
            mistakes.add(more.root->mark, "a second document; expected one scene a file");
    } catch (const Stop&) {
        document.root = nullptr;
    } catch (const YAML::Exception& error) {
        const Mark mark = error.mark.is_null()
                            ? Mark{file}
                            : Mark{file, static_cast<uint32_t>(error.mark.line + 1),
                                   static_cast<uint32_t>(error.mark.column + 1)};
        mistakes.add(mark, fmt::format("this is not YAML: {}{}", explained(error, text),
                                       has_bare_color(text)
                                           ? "; a # begins a remark, so colours need quotes: "
                                             "\"#ff8800\""
                                           : ""));
        document.root = nullptr;
    }
    return document;
}

std::string describe(const Node& node) {
    switch (node.kind) {
        case Node::Kind::empty: return "empty";
        case Node::Kind::list: return fmt::format("a list of {}", node.entries.size());
        case Node::Kind::map: return "a map";
        case Node::Kind::scalar: break;
    }
    if (node.text.size() > 60) return "a long text";
    return fmt::format("'{}'", node.text);
}

}  // namespace bristle::io
