// Materials and the laws of their pairs.
#include "io/scene/sections.h"

namespace bristle::io {

void read_materials(Context& context, const Node& node) {
    const auto read = [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
        const Material material{.name = name,
                                .young = o.number("young"),
                                .poisson = o.number("poisson"),
                                .restitution = o.number("restitution"),
                                .static_friction = o.number("static_friction"),
                                .kinetic_friction = o.number("kinetic_friction"),
                                .viscous_friction = o.number("viscous_friction"),
                                .rolling_resistance = o.number("rolling_resistance"),
                                .spinning_resistance = o.number("spinning_resistance"),
                                .foundation = o.number("foundation")};
        if (!o.is_good()) return {};
        return context.scene.model.add(material).index;
    };
    read_named(context, node, section("materials"), context.materials, read);
}

void read_contact_pairs(Context& context, const Node& node) {
    read_each(context, node, section("contact_pairs"), [&](const Object& o, const Node&) {
        const ContactPair pair{o.material("a"),
                               o.material("b"),
                               {.normal = o.word<ContactLaw::Normal>("normal"),
                                .damping = o.word<ContactLaw::Damping>("damping"),
                                .stiffness = o.number("stiffness"),
                                .elastic_modulus = o.number("elastic_modulus"),
                                .exponent = o.number("exponent"),
                                .restitution = o.number("restitution"),
                                .damping_factor = o.number("damping_factor"),
                                .static_friction = o.number("static_friction"),
                                .kinetic_friction = o.number("kinetic_friction"),
                                .viscous_friction = o.number("viscous_friction"),
                                .stick_speed = o.number("stick_speed"),
                                .stick_stiffness = o.number("stick_stiffness"),
                                .stick_damping = o.number("stick_damping"),
                                .stick_strain = o.number("stick_strain"),
                                .rolling_resistance = o.number("rolling_resistance"),
                                .spinning_resistance = o.number("spinning_resistance"),
                                .foundation = o.number("foundation"),
                                .spin = o.word<ContactLaw::Spin>("spin")}};
        if (o.is_good()) context.scene.model.add(pair);
    });
}

void read_no_contact(Context& context, const Node& node) {
    read_each(context, node, section("no_contact"), [&](const Object& o, const Node& where) {
        const Node* const pair = o.find("pair");
        if (!o.is_good()) return;
        if (pair->kind != Node::Kind::list || pair->entries.size() != 2) {
            context.mistakes.add(where.mark,
                                 "a pair is " + describe(*pair) + "; expected two bodies [a, b]");
            return;
        }
        const auto a = context.find(context.bodies, *pair->entries[0].value);
        const auto b = context.find(context.bodies, *pair->entries[1].value);
        if (a && b) context.scene.model.add(NoContact{{*a}, {*b}});
    });
}

}  // namespace bristle::io
