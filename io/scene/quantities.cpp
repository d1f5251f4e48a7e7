#include "io/scene/quantities.h"

#include "base/suggest.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace bristle::io {
namespace {

using Read = std::function<double(const World&)>;

// Something an object has: `position` with its parts x, y, z, or `effort` with one part without a name.
struct Attribute {
    struct Part {
        std::string name;
        Read read;
    };
    std::string name, unit;
    std::vector<Part> parts;
    std::optional<Part> extra = {};  // only when asked for: the norm of a vector
};

template <class ReadVector>
Attribute vector(std::string name, std::string unit, const ReadVector& read) {
    return {std::move(name),
            std::move(unit),
            {{"x", [read](const World& w) { return read(w).x; }},
             {"y", [read](const World& w) { return read(w).y; }},
             {"z", [read](const World& w) { return read(w).z; }}},
            Attribute::Part{"norm", [read](const World& w) { return norm(read(w)); }}};
}

Attribute scalar(std::string name, std::string unit, Read read) {
    return {std::move(name), std::move(unit), {{"", std::move(read)}}};
}

// A vector of the world in the axes of a body.
Vec3 in_body(const World& world, BodyId id, Vec3 v) {
    return world.pose(id).orientation.conjugate().matrix() * v;
}

std::vector<Attribute> attributes(const Model& model, BodyId id) {
    const Vec3 center = model.bodies()[id.index].center;
    const auto turned = [id](double Quat::*part) {
        return [id, part](const World& w) { return w.pose(id).orientation.*part; };
    };
    return {
        vector("position", "m", [id](const World& w) { return w.pose(id).position; }),
        vector("velocity", "m/s", [id](const World& w) { return w.twist(id).linear; }),
        vector("angular_velocity", "rad/s", [id](const World& w) { return w.twist(id).angular; }),
        vector("acceleration", "m/s²", [id](const World& w) { return w.acceleration(id); }),
        vector("body_velocity", "m/s",
               [id](const World& w) { return in_body(w, id, w.twist(id).linear); }),
        vector("body_angular_velocity", "rad/s",
               [id](const World& w) { return in_body(w, id, w.twist(id).angular); }),
        vector("angular_momentum", "N m s",
               [id](const World& w) { return w.angular_momentum(id, {}); }),
        vector(
            "spin", "N m s",
            [id, center](const World& w) { return w.angular_momentum(id, w.point(id, center)); }),
        vector("center", "m", [id, center](const World& w) { return w.point(id, center); }),
        {"orientation",
         "",
         {{"w", turned(&Quat::w)},
          {"x", turned(&Quat::x)},
          {"y", turned(&Quat::y)},
          {"z", turned(&Quat::z)}}}};
}

bool turns(const Model& model, JointId id) { return model::is_angular(model.joints()[id.index]); }

std::vector<Attribute> attributes(const Model& model, JointId id) {
    std::vector<Attribute> all;
    const JointType type = model.joints()[id.index].type;
    if (model.has_coordinate(id)) {
        const bool angular = turns(model, id);
        all.push_back(scalar("coordinate", angular ? "rad" : "m",
                             [id](const World& w) { return w.coordinate(id); }));
        all.push_back(scalar("rate", angular ? "rad/s" : "m/s",
                             [id](const World& w) { return w.coordinate_rate(id); }));
    }
    if (type == JointType::revolute || type == JointType::cylindrical || type == JointType::screw
        || type == JointType::planar)
        all.push_back(scalar("angle", "rad", [id](const World& w) { return w.angle(id); }));
    if (model::is_gauge(model.joints()[id.index])) return all;  // they hold nothing
    all.push_back(
        vector("reaction.force", "N", [id](const World& w) { return w.reaction(id).force; }));
    all.push_back(
        vector("reaction.moment", "N m", [id](const World& w) { return w.reaction(id).moment; }));
    return all;
}

template <class Acting> Attribute effort(const Model& model, JointId on, Acting id) {
    return scalar("effort", turns(model, on) ? "N m" : "N",
                  [id](const World& w) { return w.effort(id); });
}

std::vector<Attribute> attributes(const Model& model, DriveId id) {
    return {effort(model, model.drives()[id.index].joint, id)};
}

std::vector<Attribute> attributes(const Model& model, LimitId id) {
    return {effort(model, model.limits()[id.index].joint, id)};
}

// What a law tells of its memory, and its inputs.
std::vector<Attribute> law_attributes(const StatefulLaw& law, ForceId id) {
    std::vector<Attribute> all;
    const std::vector<LawReading> readings = law.readings();
    for (size_t i = 0; i < readings.size(); ++i)
        all.push_back(scalar(readings[i].name, readings[i].unit, [id, i](const World& w) {
            const StatefulForce& force =
                w.model().stateful_forces()[w.model().forces()[id.index].index];
            return force.law->read(i, w.memory(id));
        }));
    const std::vector<LawInput> inputs = law.inputs();
    for (size_t i = 0; i < inputs.size(); ++i)
        all.push_back(scalar("input." + inputs[i].name, "",
                             [id, i](const World& w) { return w.inputs(id)[i]; }));
    return all;
}

std::vector<Attribute> attributes(const Model& model, ForceId id) {
    const Model::ForceRef force = model.forces()[id.index];
    if (force.kind == Model::ForceKind::stateful)
        return law_attributes(*model.stateful_forces()[force.index].law, id);
    const bool on_joint = force.kind == Model::ForceKind::joint_spring;
    if (!on_joint && force.kind != Model::ForceKind::spring) return {};
    const bool angular = on_joint && turns(model, model.joint_springs()[force.index].joint);
    return {
        scalar("tension", angular ? "N m" : "N", [id](const World& w) { return w.tension(id); })};
}

std::vector<Attribute> attributes(const Model& model, ProcessId id) {
    std::vector<Attribute> all;
    const std::vector<LawReading> readings = model.processes()[id.index]->readings();
    for (size_t i = 0; i < readings.size(); ++i)
        all.push_back(scalar(readings[i].name, readings[i].unit, [id, i](const World& w) {
            return w.model().processes()[id.index]->read(i, w, w.memory(id));
        }));
    return all;
}

std::vector<Attribute> energy_attributes() {
    // Against the first reading: a recording starts at zero.
    const auto change = [start = std::optional<double>()](const World& w) mutable {
        const double now = w.energy().total();
        if (!start) start = now;
        return now - *start;
    };
    return {scalar("kinetic", "J", [](const World& w) { return w.energy().kinetic; }),
            scalar("potential", "J", [](const World& w) { return w.energy().potential; }),
            scalar("total", "J", [](const World& w) { return w.energy().total(); }),
            scalar("contact", "J", [](const World& w) { return w.energy().contact; }),
            scalar("change", "J", change)};
}

// Of all bodies together: about the world's origin, and about their centre of mass.
std::vector<Attribute> momentum_attributes() {
    return {vector("linear", "N s", [](const World& w) { return w.momentum(); }),
            vector("angular", "N m s", [](const World& w) { return w.angular_momentum(Vec3{}); }),
            vector("spin", "N m s",
                   [](const World& w) { return w.angular_momentum(w.center_of_mass()); }),
            vector("center", "m", [](const World& w) { return w.center_of_mass(); })};
}

std::vector<Attribute> solver_attributes() {
    return {
        scalar("iterations", "",
               [](const World& w) { return w.statistics().average_iterations(); }),
        scalar("position_error", "", [](const World& w) { return w.constraint_error().position; }),
        scalar("velocity_error", "", [](const World& w) { return w.constraint_error().velocity; })};
}

Vec3 contact_force(const World& world, BodyId id) {
    Vec3 sum;
    for (const Contact& c : world.contacts()) {
        if (c.body_a == id) sum += c.force;
        if (c.body_b == id) sum -= c.force;
    }
    return sum;
}

std::vector<Attribute> contact_attributes(const Model& model) {
    std::vector<Attribute> all{scalar(
        "count", "", [](const World& w) { return static_cast<double>(w.contacts().size()); })};
    std::vector<bool> touches(model.bodies().size());
    for (const Shape& s : model.shapes()) touches[s.body.index] = true;
    for (uint32_t i = 0; i < model.bodies().size(); ++i) {
        const BodyId id{i};
        if (touches[i] && model.contains(id))
            all.push_back(vector(fmt::format("force({})", model.bodies()[i].name), "N",
                                 [id](const World& w) { return contact_force(w, id); }));
    }
    return all;
}

// ---- Every object of a model, with what it has ------------------------------------------------------

// Calls visit(kind, name, make), where make() gives the attributes of that object.
template <class Visit> void for_every_object(const Model& model, const Visit& visit) {
    const auto each = [&]<class Ids>(const char* kind, size_t count, Ids, const auto& name) {
        for (uint32_t i = 0; i < count; ++i)
            if (const Ids id{i}; model.contains(id) && !name(i).empty())
                visit(kind, name(i), [&model, id] { return attributes(model, id); });
    };
    const auto name_in = [](const auto& list) {
        return [&list](uint32_t i) -> const std::string& { return list[i].name; };
    };
    each("body", model.bodies().size(), BodyId{}, name_in(model.bodies()));
    each("joint", model.joints().size(), JointId{}, name_in(model.joints()));
    each("drive", model.drives().size(), DriveId{}, name_in(model.drives()));
    each("limit", model.limits().size(), LimitId{}, name_in(model.limits()));
    each("force", model.forces().size(), ForceId{},
         [&](uint32_t i) -> const std::string& { return model.name(ForceId{i}); });
    for (uint32_t i = 0; i < model.processes().size(); ++i)
        if (const ProcessId id{i}; model.contains(id))
            visit("process", model.processes()[i]->name(), [&] { return attributes(model, id); });
    visit("", std::string("energy"), [] { return energy_attributes(); });
    visit("", std::string("momentum"), [] { return momentum_attributes(); });
    visit("", std::string("contact"), [&] { return contact_attributes(model); });
    visit("", std::string("solver"), [] { return solver_attributes(); });
}

// ---- Reading a name -----------------------------------------------------------------------------------

std::optional<Vec3> point_in(std::string_view text) {
    Vec3 point;
    for (int axis = 0; axis < 3; ++axis) {
        const size_t comma = std::min(text.find(','), text.size());
        std::string_view part = text.substr(0, comma);
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        const auto [end, error] =
            std::from_chars(part.data(), part.data() + part.size(), point[axis]);
        if (error != std::errc() || end != part.data() + part.size()) return {};
        if ((comma == text.size()) != (axis == 2)) return {};
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    if (!is_finite(point)) return {};
    return point;
}

// The point of `word(x, y, z)`, if that is how the property starts, and the text of it.
std::optional<std::pair<Vec3, std::string>> point_after(std::string_view word,
                                                        std::string_view property) {
    const size_t close = property.find(')');
    if (!property.starts_with(std::string(word) + "(") || close == std::string_view::npos)
        return {};
    const std::optional<Vec3> at =
        point_in(property.substr(word.size() + 1, close - word.size() - 1));
    if (!at) return {};
    return std::pair(*at, std::string(property.substr(0, close + 1)));
}

// `point(x, y, z)` of a body, in its frame; `angular_momentum(x, y, z)`, about a point of the world.
std::optional<Attribute> point_attribute(BodyId id, std::string_view property) {
    if (const auto at = point_after("point", property))
        return vector(at->second, "m",
                      [id, local = at->first](const World& w) { return w.point(id, local); });
    if (const auto at = point_after("angular_momentum", property))
        return vector(at->second, "N m s", [id, about = at->first](const World& w) {
            return w.angular_momentum(id, about);
        });
    return {};
}

// `momentum.angular(x, y, z)`, of all bodies about a point of the world.
std::optional<Attribute> momentum_attribute(std::string_view property) {
    const auto at = point_after("angular", property);
    if (!at) return {};
    return vector(at->second, "N m s",
                  [about = at->first](const World& w) { return w.angular_momentum(about); });
}

std::vector<Quantity> parts_of(const Attribute& a, std::string_view property,
                               const std::string& object) {
    const auto quantity = [&](const Attribute::Part& part) {
        return Quantity{object + "." + a.name + (part.name.empty() ? "" : "." + part.name), a.unit,
                        part.read};
    };
    std::vector<Quantity> found;
    if (property == a.name) {
        for (const auto& part : a.parts) found.push_back(quantity(part));
    } else if (property.starts_with(a.name + ".")) {
        const std::string_view wanted = property.substr(a.name.size() + 1);
        for (const auto& part : a.parts)
            if (!part.name.empty() && part.name == wanted) found.push_back(quantity(part));
        if (a.extra && a.extra->name == wanted) found.push_back(quantity(*a.extra));
    }
    return found;
}

void add_names(std::vector<QuantityUnit>& names, const std::string& prefix, const Attribute& a) {
    names.push_back({prefix + a.name, a.unit});
    for (const auto& part : a.parts)
        if (!part.name.empty()) names.push_back({prefix + a.name + "." + part.name, a.unit});
    if (a.extra) names.push_back({prefix + a.name + "." + a.extra->name, a.unit});
}

std::vector<std::string> without_units(std::vector<QuantityUnit> list) {
    std::vector<std::string> names;
    for (QuantityUnit& q : list) names.push_back(std::move(q.name));
    return names;
}

// The objects named as `text` starts, with what follows the name.
struct Reading {
    std::string kind, object, property;
    std::vector<Attribute> has;
};

std::vector<Reading> readings(const Model& model, const std::string& text) {
    std::vector<Reading> found;
    for_every_object(model, [&](const char* kind, const std::string& object, const auto& make) {
        if (text.size() <= object.size() + 1 || text[object.size()] != '.'
            || !text.starts_with(object))
            return;
        found.push_back({kind, object, text.substr(object.size() + 1), make()});
        if (object == "momentum" && found.back().kind.empty())
            if (auto about = momentum_attribute(found.back().property))
                found.back().has.push_back(std::move(*about));
        if (found.back().kind != "body") return;
        if (auto point = point_attribute(model.body(object), found.back().property))
            found.back().has.push_back(std::move(*point));
    });
    return found;
}

std::vector<Quantity> found_in(const std::vector<Reading>& known) {
    for (const Reading& r : known)
        for (const Attribute& a : r.has)
            if (auto found = parts_of(a, r.property, r.object); !found.empty()) return found;
    return {};
}

[[noreturn]] void fail(const Model& model, const std::string& written,
                       const std::vector<Reading>& known) {
    if (known.empty()) {
        const std::vector<std::string> all = quantity_names(model);
        throw InputError(
            fmt::format("there is no quantity '{}'{}", written,
                        nearest_name(written, all).empty()
                            ? "; quantities are written <object>.<property>, such as energy.total"
                            : suggestion(written, all)));
    }
    // The longest object name is the likeliest reading.
    const Reading& r = *std::max_element(
        known.begin(), known.end(),
        [](const Reading& a, const Reading& b) { return a.object.size() < b.object.size(); });
    std::vector<QuantityUnit> choices;
    std::string list;
    for (const Reading& other : known) {
        if (other.object != r.object) continue;
        for (const Attribute& a : other.has) {
            add_names(choices, "", a);
            list += (list.empty() ? "" : ", ") + a.name;
        }
        if (other.kind == "body") list += ", point(x, y, z), angular_momentum(x, y, z)";
    }
    throw InputError(fmt::format("quantity '{}': {}'{}' has no '{}', but {}{}", written,
                                 r.kind.empty() ? "" : r.kind + " ", r.object, r.property,
                                 list.empty() ? "nothing to read" : list,
                                 suggestion(r.property, without_units(std::move(choices)))));
}

}  // namespace

std::vector<Quantity> find_quantities(const Model& model, const std::string& name) {
    return found_in(readings(model, name));
}

std::vector<Quantity> quantities(const Model& model, const std::string& name) {
    const std::vector<Reading> known = readings(model, name);
    std::vector<Quantity> found = found_in(known);
    if (found.empty()) fail(model, name, known);
    return found;
}

std::vector<std::string> quantity_names(const Model& model, size_t most) {
    return without_units(quantity_units(model, most));
}

std::vector<QuantityUnit> quantity_units(const Model& model, size_t most) {
    std::vector<QuantityUnit> names;
    for_every_object(model, [&](const char*, const std::string& object, const auto& make) {
        if (names.size() >= most) return;
        for (const Attribute& a : make()) add_names(names, object + ".", a);
    });
    return names;
}

}  // namespace bristle::io
