// A scene: what a file says, ready to run.
//
//     Scene scene = read_scene("four_bar.yaml", {{"length", "1.2"}});
//     World world(scene.model, scene.solver);
//
// The file is YAML; docs/scene.md explains it, docs/scene-reference.md lists every key (both that page and
// the schema are made from the table that the reader checks by). A mistake is told as
// `file:line:column: what is wrong; what was expected`, all mistakes of a file at once.
#pragma once

#include <bristle/world.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bristle::io {

struct Parameter {
    std::string name, about, unit;
    double value = 0;
};

// A plot of the report: curves over time, or over another quantity.
struct ScenePlot {
    std::string title;
    std::string x;               // quantity; empty: time
    std::vector<std::string> y;  // quantities, with the same unit
};

// How something is seen; nothing moves otherwise because of it.
enum class Finish : uint8_t { paint, metal, rubber, glass, earth, concrete, wood };
struct Painting;
struct Look {
    std::vector<float> color = {};  // red, green, blue, 0 … 1; empty: that of the finish, or any
    Finish finish = Finish::paint;
    // Of a mesh whose file paints it; then the others say nothing.
    std::shared_ptr<const Painting> painting = {};
};
// Geometry that is seen and touches nothing. What has some is seen as these alone, not by its shapes or inertia.
struct Visual {
    std::string name;
    BodyId body;
    Geometry geometry;
    Pose pose;  // in the body
    Look look;
    // A point of another body that its z looks at, turned about its own origin: the barrel and the rod of a cylinder.
    struct Aim {
        BodyId body;
        Vec3 at;
        double along = 0;  // m: how far towards it the geometry is
    };
    std::optional<Aim> aim = {};
};

struct Places;

struct Scene {
    std::string name;   // of the file, without its ending
    std::string title;  // a line about it
    Model model;        // every object has a name of its own kind
    Settings solver;
    double duration = 10;                 // s
    std::vector<Parameter> parameters;    // with the values they had
    std::vector<std::string> quantities;  // columns of the CSV: see io/scene/quantities.h
    std::vector<ScenePlot> plots;
    double output_step = 0;                    // s between rows; zero: at most 4,000 rows
    std::vector<std::filesystem::path> files;  // that were read: itself, includes, meshes
    std::vector<std::string> unsaid;           // of one made in code: what no file can say
    std::vector<Visual> visuals;
    std::map<uint32_t, Look> body_looks, shape_looks;  // by the indices of bodies and shapes
    std::vector<std::string> warnings;  // file:line:column: warning: what is hardly meant so
    std::shared_ptr<const Places>
        places;  // where its objects are written; none if it was made in code
};

// What can be wrong with a scene. what() is all of it, a line a mistake.
struct SceneError : InputError {
    explicit SceneError(std::vector<std::string> messages);
    std::vector<std::string> messages;
};

// Parameters by name: numbers, or expressions in other parameters ("2*pi/3").
using Overrides = std::map<std::string, std::string>;

// Which files a scene may name: includes and meshes. Without folders any, as for a program that reads what it likes;
// otherwise those that lie in one of them, links followed.
struct Reach {
    enum class FullPaths : uint8_t {
        as_written,
        // Of a scene that came with its files: the one of those, below the first folder, whose path ends most alike.
        of_copies
    };
    std::vector<std::filesystem::path> folders;
    FullPaths full_paths = FullPaths::as_written;
};

// How large a scene may become by its loops, and who is told what takes its time.
struct Extent {
    size_t most_turns = 1'000'000;                                  // of all loops together
    std::function<void(size_t turns)> tell{};                       // now and then
    std::function<void(const std::filesystem::path&)> tell_mesh{};  // before its file is read
};

Scene read_scene(const std::filesystem::path& file, const Overrides& overrides = {},
                 const Reach& reach = {}, const Extent& extent = {});
// The same of a text; relative paths start at `folder`, and messages name `file`.
Scene parse_scene(const std::string& text, const std::string& file = "scene",
                  const std::filesystem::path& folder = ".", const Overrides& overrides = {},
                  const Extent& extent = {});

// ---- Models made in code ----------------------------------------------------------------------------

// Functions that know how a file says them, from expressions: in t; in elongation (or angle) x and its rate v. Throw
// InputError that says which letter is wrong.
TimeFunction time_function(const std::string& expression);
ForceLaw force_law(const std::string& expression);
// A force and a torque on a point of a body (in its frame): three expressions each, in time t and the point's place
// x y z and velocity vx vy vz, and in n, the normal force of the body's contacts over the last step; or none. World axes.
UserForce point_force(BodyId, Vec3 at, const std::vector<std::string>& force,
                      const std::vector<std::string>& torque = {});

// The file of a scene. Read back it gives the same simulation, bit by bit; parameters and includes are gone, what they
// made is there. Objects without a name get one, ids that were removed are closed up. Throws InputError that names
// what no file can say: functions in code.
std::string scene_text(const Scene&);
void write_scene(const Scene&, const std::filesystem::path& file);
// Why a model cannot be written, an object a line; empty if it can.
std::vector<std::string> unwritable(const Model&);
// A model made in code as a scene to run, show and record: what reading its file gives. If no file can say it, the
// model itself, with names for all.
Scene scene_of(const Model&, const Settings&, const std::string& title = {});

// What change_solver knows.
std::vector<std::string> solver_names();
// Another formulation than the file's, with its defaults and the file's step; another step in s. An empty name and
// zero leave them as they are. Throws InputError for a name that does not exist.
void change_solver(Scene&, const std::string& name, double step);

// The JSON Schema of a scene file, as text; the reference page, as Markdown.
const std::string& scene_schema();
const std::string& scene_reference();

}  // namespace bristle::io
