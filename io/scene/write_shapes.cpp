// Materials, shapes and geometry, as a file says them.
#include "io/scene/exact.h"
#include "io/scene/writing.h"

#include <fmt/format.h>

#include <map>

namespace bristle::io {
namespace {

// Meshes are written where they are first needed, and named by an anchor after that.
class GeometryWriter {
  public:
    GeometryWriter(const FileNames& names) : names_(names) {}

    static std::string type_of(const Geometry& geometry) {
        static constexpr const char* names[] = {"sphere", "box",     "capsule", "cylinder",
                                                "plane",  "torus",   "convex",  "height_field",
                                                "mesh",   "compound"};
        return names[geometry.index()];
    }
    void write(Entry& entry, const Geometry& geometry) {
        std::visit([&](const auto& kind) { put(entry, kind); }, geometry);
    }

  private:
    void put(Entry& e, const Sphere& s) { e.number("radius", s.radius); }
    void put(Entry& e, const Box& b) { e.vector("size", b.size); }
    void put(Entry& e, const Capsule& c) {
        e.number("radius", c.radius).number("length", c.length);
    }
    void put(Entry& e, const Cylinder& c) {
        e.number("radius", c.radius).number("length", c.length);
    }
    void put(Entry&, const Plane&) {}
    void put(Entry& e, const Torus& t) {
        e.number("radius", t.radius).number("tube", t.tube).word("arc", t.arc);
    }
    void put(Entry& e, const ConvexPolyhedron& c) { e.put("points", points_text(c.points)); }
    void put(Entry& e, const HeightField& f) {
        e.number("columns", f.columns).number("rows", f.rows).number("spacing", f.spacing_x);
        if (f.spacing_y != f.spacing_x) e.number("spacing_y", f.spacing_y);
        e.put("heights", listed(f.heights, exact_text));
    }
    void put(Entry& e, const Mesh& m) {
        const auto placed = meshes_.emplace(m.surface.get(), meshes_.size() + 1);
        const size_t number = placed.first->second;
        const bool is_new = placed.second;
        const auto once = [&](const char* key, const std::string& text) {
            e.put(key, is_new ? fmt::format("&{}{} {}", key, number, text)
                              : fmt::format("*{}{} ", key, number));
        };
        const TriangleMesh& mesh = *m.surface;
        once("vertices", is_new ? points_text(mesh.vertices) : "");
        once("triangles", is_new ? listed(mesh.triangles,
                                          [](const auto& t) {
                                              return fmt::format("[{}, {}, {}]", t[0], t[1], t[2]);
                                          })
                                 : "");
        if (!mesh.materials.empty())
            once("materials", is_new ? listed(mesh.materials,
                                              [&](MaterialId id) { return written(names_.of(id)); })
                                     : "");
        e.number("spheres", m.spheres);
    }
    void put(Entry& e, const Compound& c) {
        e.put("parts", listed(c.parts, [this](const CompoundPart& part) {
                  Entry entry(*section("parts").find(type_of(part.geometry)));
                  write(entry, part.geometry);
                  // A part's rotation is kept as it is given.
                  return entry.vector("position", part.pose.position)
                      .rotation("rotation", part.pose.orientation)
                      .text();
              }));
    }

    const FileNames& names_;
    std::map<const TriangleMesh*, size_t> meshes_;
};

std::string law_text(const ContactPair& pair, const FileNames& names) {
    const ContactLaw& law = pair.law;
    return Entry(section("contact_pairs").types[0])
        .name("a", names.of(pair.a))
        .name("b", names.of(pair.b))
        .word("normal", law.normal)
        .word("damping", law.damping)
        .number("stiffness", law.stiffness)
        .number("elastic_modulus", law.elastic_modulus)
        .number("exponent", law.exponent)
        .number("restitution", law.restitution)
        .number("damping_factor", law.damping_factor)
        .number("static_friction", law.static_friction)
        .number("kinetic_friction", law.kinetic_friction)
        .number("viscous_friction", law.viscous_friction)
        .number("stick_speed", law.stick_speed)
        .number("stick_stiffness", law.stick_stiffness)
        .number("stick_damping", law.stick_damping)
        .number("stick_strain", law.stick_strain)
        .number("rolling_resistance", law.rolling_resistance)
        .number("spinning_resistance", law.spinning_resistance)
        .number("foundation", law.foundation)
        .word("spin", law.spin)
        .text();
}

}  // namespace

void write_materials(Lines& lines, const Model& model, const FileNames& names) {
    lines.begin("materials");
    for (uint32_t i = 1; i < model.materials().size(); ++i) {
        const Material& m = model.materials()[i];
        lines.add(names.of(MaterialId{i}), Entry(section("materials").types[0])
                                               .number("young", m.young)
                                               .number("poisson", m.poisson)
                                               .number("restitution", m.restitution)
                                               .number("static_friction", m.static_friction)
                                               .number("kinetic_friction", m.kinetic_friction)
                                               .number("viscous_friction", m.viscous_friction)
                                               .number("rolling_resistance", m.rolling_resistance)
                                               .number("spinning_resistance", m.spinning_resistance)
                                               .number("foundation", m.foundation));
    }
    lines.begin("contact_pairs");
    for (const ContactPair& pair : model.contact_pairs()) lines.add(law_text(pair, names));
}

void write_shapes(Lines& lines, const Model& model, const FileNames& names) {
    GeometryWriter geometry(names);
    lines.begin("shapes");
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        if (!model.contains(ShapeId{i}) || is_of_earth(model, ShapeId{i})) continue;
        const Shape& shape = model.shapes()[i];
        Entry entry(*section("shapes").find(GeometryWriter::type_of(shape.geometry)));
        geometry.write(entry, shape.geometry);
        lines.add(names.shapes[i],
                  entry.name("body", names.of(shape.body))
                      .name("material", names.of(shape.material))
                      .vector("position", shape.pose.position)
                      .rotation("rotation", before_rotation(shape.pose.orientation))
                      .number("group", shape.group)
                      .number("mask", shape.mask));
    }
    lines.begin("no_contact");
    for (const NoContact& pair : model.no_contacts())
        lines.add(fmt::format("[{}, {}]", written(names.of(pair.a)), written(names.of(pair.b))));
}

}  // namespace bristle::io
