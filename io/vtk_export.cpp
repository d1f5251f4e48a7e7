#include "io/vtk_export.h"

#include <bristle/error.h>

#include "geometry/tessellate.h"
#include "io/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace bristle::io {
namespace {

using Cells = VtkPolyData::Cells;

constexpr int drawn_sides = 64;  // round a circle

struct Placement {
    Mat3 rotation;
    Vec3 position;
    Vec3 operator*(Vec3 local) const { return position + rotation * local; }
};
Placement placement(const Pose& body, const Pose& in_body) {
    return {(body.orientation * in_body.orientation).matrix(), body * in_body.position};
}

const Shape& shape_of(const World& world, ShapeId id) { return world.model().shapes()[id.index]; }

// ---- Where shapes press on each other ------------------------------------------------------------------

VtkPolyData contacts(const World& world) {
    const std::vector<Contact> all = world.contacts();
    VtkPolyData out;
    for (const Contact& c : all) out.points.push_back(c.point);
    out.of_points = {vtk_array("normal_from_b_to_a", "", all, &Contact::normal),
                     vtk_array("force_on_a", "N", all, &Contact::force),
                     vtk_array("torque_on_a", "N m", all, &Contact::torque),
                     vtk_array("depth", "m", all, &Contact::depth),
                     vtk_array("slip_speed", "m/s", all, &Contact::slip_speed),
                     vtk_array("slips", "", all, &Contact::slips),
                     vtk_array("body_a", "", all, &Contact::body_a),
                     vtk_array("body_b", "", all, &Contact::body_b),
                     vtk_array("shape_a", "", all, &Contact::a),
                     vtk_array("shape_b", "", all, &Contact::b)};
    return out;
}

VtkPolyData patches(const std::vector<Patch>& all) {
    VtkPolyData out;
    for (const Patch& p : all) out.points.push_back(p.centroid);
    out.of_points = {vtk_array("normal_from_b_to_a", "", all, &Patch::normal),
                     vtk_array("force_on_a", "N", all, &Patch::force),
                     vtk_array("torque_on_a", "N m", all, &Patch::torque),
                     vtk_array("volume", "m^3", all, &Patch::volume),
                     vtk_array("inertia", "m^5", all, &Patch::inertia),
                     vtk_array("area", "m^2", all, &Patch::area),
                     vtk_array("pressure", "Pa", all, &Patch::pressure),
                     vtk_array("slip_speed", "m/s", all, &Patch::slip_speed),
                     vtk_array("spin", "rad/s", all, &Patch::spin),
                     vtk_array("slips", "", all, &Patch::slips),
                     vtk_array("body_a", "", all, &Patch::body_a),
                     vtk_array("body_b", "", all, &Patch::body_b),
                     vtk_array("shape_a", "", all, &Patch::a),
                     vtk_array("shape_b", "", all, &Patch::b)};
    return out;
}

VtkPolyData contours(const std::vector<Patch>& all) {
    VtkPolyData out{
        .kind = Cells::lines, .points = {}, .corners = {}, .of_points = {}, .of_cells = {}};
    std::vector<size_t> patch_of;
    for (size_t i = 0; i < all.size(); ++i)
        for (const auto& [from, to] : all[i].contour) {
            const auto first = static_cast<uint32_t>(out.points.size());
            out.points.insert(out.points.end(), {from, to});
            out.corners.insert(out.corners.end(), {first, first + 1});
            patch_of.push_back(i);
        }
    const auto of_patch = [&](auto member) {
        return [&all, member](size_t i) { return all[i].*member; };
    };
    out.of_cells = {vtk_array("patch", "", patch_of, [](size_t i) { return i; }),
                    vtk_array("pressure", "Pa", patch_of, of_patch(&Patch::pressure)),
                    vtk_array("body_a", "", patch_of, of_patch(&Patch::body_a)),
                    vtk_array("body_b", "", patch_of, of_patch(&Patch::body_b)),
                    vtk_array("shape_a", "", patch_of, of_patch(&Patch::a)),
                    vtk_array("shape_b", "", patch_of, of_patch(&Patch::b))};
    return out;
}

// ---- Triangles of solids that share a volume ---------------------------------------------------------------

// Where a triangle comes from.
struct Origin {
    size_t pair;    // of solids, in the order of World::shared_volumes
    double volume;  // m³, that the pair shares
    uint8_t side;   // 0: of the first, 1: of the second
    BodyId body, other_body;
    ShapeId shape, other_shape;
    uint32_t triangle;  // of the shape
};

class Triangles {
  public:
    explicit Triangles(const World& world) : world_(world) {}

    void start(size_t pair, const SharedVolume& volume) {
        pair_ = pair;
        volume_ = &volume;
    }
    void add(const std::vector<Vec3>& vertices, const std::array<uint32_t, 3>& corners,
             uint8_t side, uint32_t triangle) {
        for (const uint32_t corner : corners) {
            out_.corners.push_back(static_cast<uint32_t>(out_.points.size()));
            out_.points.push_back(vertices[corner]);
        }
        tell(side, triangle);
    }
    // All of a mesh: triangles keep their common corners.
    void add_whole() {
        const auto first = static_cast<uint32_t>(out_.points.size());
        const TriangleMesh& mesh = volume_->mesh;
        out_.points.insert(out_.points.end(), mesh.vertices.begin(), mesh.vertices.end());
        for (size_t i = 0; i < mesh.triangles.size(); ++i) {
            for (const uint32_t corner : mesh.triangles[i]) out_.corners.push_back(first + corner);
            tell(volume_->side[i], volume_->source[i]);
        }
    }
    VtkPolyData take() {
        out_.kind = Cells::triangles;
        out_.of_cells = {vtk_array("pair", "", origins_, &Origin::pair),
                         vtk_array("shared_volume", "m^3", origins_, &Origin::volume),
                         vtk_array("side", "", origins_, &Origin::side),
                         vtk_array("body", "", origins_, &Origin::body),
                         vtk_array("shape", "", origins_, &Origin::shape),
                         vtk_array("other_body", "", origins_, &Origin::other_body),
                         vtk_array("other_shape", "", origins_, &Origin::other_shape),
                         vtk_array("triangle", "", origins_, &Origin::triangle)};
        return std::move(out_);
    }

  private:
    void tell(uint8_t side, uint32_t triangle) {
        const ShapeId own = side == 0 ? volume_->a : volume_->b;
        const ShapeId other = side == 0 ? volume_->b : volume_->a;
        origins_.push_back({pair_, volume_->volume, side, shape_of(world_, own).body,
                            shape_of(world_, other).body, own, other, triangle});
    }

    const World& world_;
    VtkPolyData out_;
    std::vector<Origin> origins_;
    size_t pair_ = 0;
    const SharedVolume* volume_ = nullptr;
};

VtkPolyData colliding_triangles(const World& world, const std::vector<SharedVolume>& volumes) {
    Triangles out(world);
    for (size_t i = 0; i < volumes.size(); ++i) {
        out.start(i, volumes[i]);
        for (const uint8_t side : {0, 1}) {
            const SharedVolume& volume = volumes[i];
            const Shape& shape = shape_of(world, side == 0 ? volume.a : volume.b);
            // What stands for a plane in collision has no triangles worth seeing; of a compound it is not
            // known which part they are of.
            if (std::holds_alternative<Plane>(shape.geometry)
                || std::holds_alternative<Compound>(shape.geometry))
                continue;
            const Placement at = placement(world.pose(shape.body), shape.pose);
            TriangleMesh mesh = tessellated(shape.geometry);
            for (Vec3& v : mesh.vertices) v = at * v;
            for (const uint32_t t : side == 0 ? volume.crossed_a : volume.crossed_b)
                out.add(mesh.vertices, mesh.triangles[t], side, t);
        }
    }
    return out.take();
}

// Pieces of the closed mesh that are parts of the triangles in these lists, each in increasing order or not.
VtkPolyData pieces(const World& world, const std::vector<SharedVolume>& volumes,
                   std::vector<uint32_t> SharedVolume::*of_a,
                   std::vector<uint32_t> SharedVolume::*of_b) {
    Triangles out(world);
    for (size_t i = 0; i < volumes.size(); ++i) {
        out.start(i, volumes[i]);
        std::vector<uint32_t> wanted[2] = {volumes[i].*of_a, volumes[i].*of_b};
        for (auto& list : wanted) std::sort(list.begin(), list.end());
        const TriangleMesh& mesh = volumes[i].mesh;
        for (size_t k = 0; k < mesh.triangles.size(); ++k) {
            const uint8_t side = volumes[i].side[k];
            const uint32_t source = volumes[i].source[k];
            if (std::binary_search(wanted[side].begin(), wanted[side].end(), source))
                out.add(mesh.vertices, mesh.triangles[k], side, source);
        }
    }
    return out.take();
}

VtkPolyData shared_volumes(const World& world, const std::vector<SharedVolume>& volumes) {
    Triangles out(world);
    for (size_t i = 0; i < volumes.size(); ++i) {
        out.start(i, volumes[i]);
        out.add_whole();
    }
    return out.take();
}

// ---- Bodies --------------------------------------------------------------------------------------------------

// A plane has no end; this much of it is drawn.
TriangleMesh square(Vec3 middle, double half) {
    return {.vertices = {middle + Vec3{-half, -half, 0}, middle + Vec3{half, -half, 0},
                         middle + Vec3{half, half, 0}, middle + Vec3{-half, half, 0}},
            .triangles = {{0, 1, 2}, {0, 2, 3}},
            .materials = {}};
}

// Of one body's point.
struct Motion {
    Vec3 velocity;
    BodyId body;
    ShapeId shape;
};

class Surfaces {
  public:
    explicit Surfaces(const World& world) : world_(world) {}

    void add(BodyId body, ShapeId id, const TriangleMesh& mesh, const Placement& at) {
        const Vec3 origin = world_.pose(body).position;
        const Twist twist = world_.twist(body);
        const auto first = static_cast<uint32_t>(out_.points.size());
        for (const Vec3 v : mesh.vertices) {
            const Vec3 point = at * v;
            out_.points.push_back(point);
            motions_.push_back({twist.linear + cross(twist.angular, point - origin), body, id});
        }
        for (const auto& triangle : mesh.triangles) {
            for (const uint32_t corner : triangle) out_.corners.push_back(first + corner);
            owners_.push_back({{}, body, id});
        }
    }
    const std::vector<Vec3>& points() const { return out_.points; }
    VtkPolyData take() {
        out_.kind = Cells::triangles;
        out_.of_points = {vtk_array("velocity", "m/s", motions_, &Motion::velocity)};
        out_.of_cells = {vtk_array("body", "", owners_, &Motion::body),
                         vtk_array("shape", "", owners_, &Motion::shape)};
        return std::move(out_);
    }

  private:
    const World& world_;
    VtkPolyData out_;
    std::vector<Motion> motions_, owners_;
};

// Calls `with` for every part of the geometry that is no compound.
template <class With> void for_each_part(const Geometry& geometry, const Pose& pose, With with) {
    const auto* compound = std::get_if<Compound>(&geometry);
    if (compound == nullptr) return with(geometry, pose);
    for (const CompoundPart& part : compound->parts)
        for_each_part(part.geometry,
                      {pose * part.pose.position, pose.orientation * part.pose.orientation}, with);
}

std::string frame_name(size_t frame) { return fmt::format("{:06}", frame); }

// Before the first file is made.
std::filesystem::path prepared(std::filesystem::path folder, const std::string& name) {
    const std::filesystem::path frames = folder / name, all = folder / (name + ".pvd");
    for (const auto& path : {frames, all})
        if (std::filesystem::exists(path))
            throw InputError(fmt::format(
                "'{}' is there already: remove it, or choose another folder", path.string()));
    std::error_code error;
    std::filesystem::create_directories(frames, error);
    if (error)
        throw InputError(
            fmt::format("cannot make the folder '{}': {}", frames.string(), error.message()));
    return folder;
}

}  // namespace

void VtkExport::Extent::add(Vec3 p) {
    for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], p[i]);
        high[i] = std::max(high[i], p[i]);
    }
}

double VtkExport::Extent::size() const { return low.x <= high.x ? norm(high - low) : 0; }
Vec3 VtkExport::Extent::middle() const { return low.x <= high.x ? 0.5 * (low + high) : Vec3{}; }

VtkExport::VtkExport(std::filesystem::path folder, std::string name)
    : folder_(prepared(std::move(folder), name)), name_(std::move(name)), all_(file()) {
    for (const char* layer : layers)
        each_.emplace_back(folder_ / fmt::format("{}-{}.pvd", name_, layer));
}

std::filesystem::path VtkExport::file() const { return folder_ / (name_ + ".pvd"); }

VtkPolyData VtkExport::bodies(const World& world) {
    Surfaces out(world);
    const Model& model = world.model();
    const auto for_each_shape = [&](auto with) {
        for (uint32_t i = 0; i < model.shapes().size(); ++i) {
            const Shape& shape = model.shapes()[i];
            if (!model.contains(ShapeId{i})) continue;
            for_each_part(shape.geometry, shape.pose, [&](const Geometry& part, const Pose& pose) {
                with(shape.body, ShapeId{i}, part, placement(world.pose(shape.body), pose));
            });
        }
    };
    const double waiting = waiting_level(model);
    for_each_shape([&](BodyId body, ShapeId id, const Geometry& part, const Placement& at) {
        if (std::holds_alternative<Plane>(part)) return;
        // A height field on its own is state: it is where it is now, or waits to be placed.
        if (!std::holds_alternative<HeightField>(model.shapes()[id.index].geometry))
            return out.add(body, id, tessellated(part, drawn_sides), at);
        const HeightField& now = world.height_field(id);
        const Pose place = world.field_pose(id);
        if (body != Model::ground() || !waits(now, place.position, waiting))
            out.add(body, id, tessellated(now, drawn_sides), placement(world.pose(body), place));
    });
    const std::vector<SketchPart> sketched = sketch(model);
    for (const SketchPart& s : sketched)
        if (const auto* bar = std::get_if<Bar>(&s.part))
            for (const Vec3 end : {bar->from, bar->to}) seen_.add(world.pose(s.body) * end);
    for (const Vec3 p : out.points()) seen_.add(p);
    if (frames_ == 0) first_size_ = std::max(seen_.size(), 1e-3);
    for (const SketchSolid& s : as_solids(sketched, first_size_))
        out.add(s.body, {}, tessellated(s.geometry, drawn_sides),
                placement(world.pose(s.body), s.pose));
    for (const Vec3 p : out.points()) seen_.add(p);

    for_each_shape([&](BodyId body, ShapeId id, const Geometry& part, const Placement& at) {
        if (!std::holds_alternative<Plane>(part)) return;
        const Vec3 below = at.rotation.transposed() * (seen_.middle() - at.position);
        const double half = seen_.size() > 0 ? 0.6 * seen_.size() : 1;
        out.add(body, id, square({below.x, below.y, 0}, half), at);
    });
    return out.take();
}

void VtkExport::add(const World& world) {
    const std::vector<Patch> patches_now = world.patches();
    const std::vector<SharedVolume> volumes = world.shared_volumes();
    const std::array<VtkPolyData, layers.size()> data = {
        bodies(world),
        contacts(world),
        patches(patches_now),
        contours(patches_now),
        colliding_triangles(world, volumes),
        pieces(world, volumes, &SharedVolume::crossed_a, &SharedVolume::crossed_b),
        pieces(world, volumes, &SharedVolume::inner_a, &SharedVolume::inner_b),
        shared_volumes(world, volumes)};

    const std::string frame = frame_name(frames_);
    std::vector<VtkBlock> blocks;
    for (size_t i = 0; i < layers.size(); ++i) {
        const std::string file = fmt::format("{}-{}.vtp", layers[i], frame);
        write_vtp(folder_ / name_ / file, data[i], world.time());
        blocks.push_back({layers[i], file});
    }
    write_vtm(folder_ / name_ / (frame + ".vtm"), blocks);
    for (size_t i = 0; i < layers.size(); ++i)
        each_[i].add(world.time(), fmt::format("{}/{}", name_, blocks[i].file));
    all_.add(world.time(), fmt::format("{}/{}.vtm", name_, frame));
    ++frames_;
}

}  // namespace bristle::io
