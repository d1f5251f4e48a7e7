// One object of a scene file, checked by the table of the format.
//
//     Object object(context, node, type);
//     const double radius = object.number("radius");
//     if (object.is_good()) ...
//
// Every mistake is told at its place, and something harmless returned. What was not given has the
// table's default.
#pragma once

#include "io/scene/context.h"
#include "io/scene/format.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace bristle::io {

class Object {
  public:
    // `short_key`: the key that a node which is no map stands for.
    Object(Context&, const Node& node, const Type&, const std::string& short_key = {});

    // Whether nothing has been wrong with it so far.
    bool is_good() const { return context_.mistakes.count() == mistakes_before_; }
    Context& context() const { return context_; }
    const Type& type() const { return type_; }
    const Node& node() const { return node_; }

    const Node* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }

    double number(std::string_view key) const;
    // Of one whose unit depends on what it acts on: it may measure only this.
    double number(std::string_view key, const std::string& unit) const;
    uint32_t integer(std::string_view key) const;
    std::string text(std::string_view key) const;
    Vec3 vector(std::string_view key) const;
    Vec3 axis(std::string_view key) const;
    Quat rotation(std::string_view key) const;
    Mat3 inertia(std::string_view key) const;
    Pose pose() const { return {vector("position"), rotation("rotation")}; }
    std::vector<Vec3> points(std::string_view key) const;
    std::vector<std::array<uint32_t, 3>> triangles(std::string_view key) const;
    std::vector<std::array<double, 2>> corners(std::string_view key) const;
    // The normal of a plane; nothing if it says false, or nothing.
    std::optional<Vec3> plane(std::string_view key) const;
    std::vector<double> numbers(std::string_view key) const;
    BodyId body(std::string_view key) const;
    JointId joint(std::string_view key) const;
    MaterialId material(std::string_view key) const;
    ShapeId shape(std::string_view key) const;
    ForceId force(std::string_view key) const;
    size_t soil(std::string_view key) const;  // Context::earth has it
    TimeFunction function(std::string_view key, const std::string& unit) const;
    ForceLaw law(std::string_view key) const;
    // Of t x y z vx vy vz n; empty if not given.
    std::vector<Expression> functions(std::string_view key) const;
    // Of these variables, which are in this unit as it is itself; nothing if it is not given or wrong. Among plain numbers variables
    // are numbers, as in 0.1*x*y; beside units they have theirs.
    std::optional<Expression> expression(std::string_view key, const std::string& expected,
                                         std::span<const char* const> variables,
                                         const std::string& unit) const;
    // The path, from the file's folder; it must be there.
    std::filesystem::path file(std::string_view key) const;
    template <class Enum> Enum word(std::string_view key) const {
        return static_cast<Enum>(word_index(key));
    }

  private:
    const Key& key(std::string_view name) const;
    size_t word_index(std::string_view key) const;
    void check_rules() const;
    void unknown(const Node& key, const std::vector<std::string>& known) const;
    void fail(const Node&, const Key&) const;
    double in_range(double value, const Node&, const Key&) const;
    void check_dimension(const Node&, std::string_view what, const Measured& found,
                         const std::string& unit) const;
    void warn_of_degrees(const Node&, std::string_view what, const std::string& unit) const;
    double number_of(const Node&, const Key&) const;
    // Three numbers of a list.
    Vec3 vector_of(const Node&, const Key&) const;
    Vec3 axis_of(const Node&, const Key&) const;
    Quat frame_of(const Node&, const Key&) const;
    Quat turn_of(const Node&, const Key&) const;
    TableRows table_of(const Node&, const Key&) const;
    uint32_t reference(const Names&, std::string_view key) const;

    Context& context_;
    const Node& node_;
    const Type& type_;
    std::vector<const Node*> values_;  // by the type's keys
    size_t mistakes_before_;
};

}  // namespace bristle::io
