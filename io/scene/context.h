// What is known while scene files are read: names, values of parameters, mistakes.
#pragma once

#include <bristle/scene.h>

#include "io/scene/document.h"
#include "io/scene/expression.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace bristle::io {

// The objects of one kind by name. What failed to be read is known, too: whoever names it fails in
// silence.
struct Names {
    struct Object {
        std::optional<uint32_t> id;  // none: it failed
        Mark mark;
        size_t included = 0;  // Context::included, when it was defined
    };
    const char* what;  // "body"
    std::map<std::string, Object, std::less<>> objects = {};
    bool is_incomplete = false;  // names are missing because of mistakes elsewhere
};

// What is a number as it stands, without arithmetic.
std::optional<double> plain_number(const Node&);

struct EarthSoFar;  // earth.h

struct Context {
    Mistakes& mistakes;
    Scene& scene;
    Reach reach = {};
    Extent extent = {};

    Names bodies{"body", {{"ground", {0, {}}}}}, materials{"material", {{"default", {0, {}}}}};
    Names joints{"joint"}, drives{"drive"}, limits{"limit"}, rotors{"rotor"}, forces{"force"},
        shapes{"shape"}, visuals{"visual"};
    // The first is what a soil is if none is named.
    Names soils{"soil",
                {{"loam", {0, {}}}, {"sand", {1, {}}}, {"clay", {2, {}}}, {"gravel", {3, {}}}}};
    std::shared_ptr<EarthSoFar> earth;  // of all files; none: no file has any

    // Of the file that is being read.
    std::filesystem::path folder;
    Symbols symbols;                           // parameters and loops
    std::vector<std::string> prefixes = {""};  // tried in this order; new names get the first

    // By path, scale, merge distance and repair.
    std::map<std::tuple<std::filesystem::path, double, double, std::string>,
             std::shared_ptr<const TriangleMesh>>
        meshes;
    std::map<const TriangleMesh*, std::shared_ptr<const Painting>> paintings;  // of those of files
    std::vector<std::shared_ptr<const TriangleMesh>> written_meshes;           // in the file itself
    size_t repeated = 0;                                                       // turns of all loops
    size_t unfolded = 0;  // values in included files, each time
    size_t included = 0;  // files, each time

    // Quantities that are asked for: they can be checked when the model is complete. What is plotted
    // together must have one unit; the abscissa must be one number.
    struct Asked {
        std::string name;
        Mark mark;
        size_t group = 0;  // of curves in one plot; zero: none
        bool is_single = false;
    };
    std::vector<Asked> asked;

    // ---- Values; nothing, if there was a mistake ----
    // `dimension`: if given, what is known of it.
    std::optional<double> value(const Node&, std::string_view what, const std::string& expected,
                                Measured* dimension = nullptr);
    std::optional<Expression> function(const Node&, std::string_view what,
                                       const std::string& expected,
                                       std::span<const char* const> variables);
    // What a function measures whose variables do: nothing is known if it mixes what cannot be mixed, which is a mistake.
    Measured dimension(const Node&, std::string_view what, std::span<const char* const> variables,
                       const Dimension& of_variables);
    // Text with its {expressions} filled in.
    std::optional<std::string> text(const Node&, std::string_view what);
    std::optional<uint32_t> find(const Names&, const Node& reference);

    // Calls `once` for every turn of a `for`, with its variables set; once if there is none.
    void repeat(const Node* loop, const std::function<void()>& once);
    void define(Names&, const std::string& name, Mark, std::optional<uint32_t> id);

  private:
    // The text stands at `column` of the node.
    std::optional<Expression> parse(std::string_view text, const Node&, size_t column,
                                    std::string_view what, std::span<const char* const> variables);
    void turn(const Node& loop, size_t variable, const std::function<void()>& once);
};

}  // namespace bristle::io
