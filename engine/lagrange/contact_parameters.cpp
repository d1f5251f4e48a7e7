// Stiffness, damping and friction of a contact, from its materials, curvature and masses.
#include "contact/hertz.h"
#include "lagrange/contacts.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {

bool Contacts::is_estimated(const ActiveContact& t) const {
    const ContactLaw& law = law_of(t);
    if (t.part != ActiveContact::Part::whole) return law.foundation == 0;
    return law.stiffness == 0 && law.elastic_modulus == 0;
}

// How deep it rests under its own weight: a share of the smaller body; but as a spring it has to be resolved by the step (of the
// whole, also while it is done in parts: a contact keeps its law), unless the body is so thin that it would be half gone.
double Contacts::estimated_rest(const ActiveContact& t, double exponent) const {
    const double resolved =
        exponent * usual_gravity() * std::pow(normal_steps_per_radian * system_.settings.step, 2);
    return std::min(std::max(natural_rest(t), resolved), rest_share * t.thickness);
}

double Contacts::natural_rest(const ActiveContact& t) {
    return natural_share * (t.thickness < unlimited ? t.thickness : t.length);
}

double Contacts::resting_step(const ActiveContact& t) const {
    if (!is_estimated(t)) return unlimited;
    const double exponent = t.part == ActiveContact::Part::whole ? t.normal_law.exponent : 1;
    const double step =
        std::sqrt(natural_rest(t) / (exponent * usual_gravity())) / normal_steps_per_radian;
    return step < system_.settings.step ? step : unlimited;
}

void Contacts::set_parameters(ActiveContact& t) const {
    // The points of a patch have the parameters of its grip, which comes after them.
    if (t.part == ActiveContact::Part::point) return;
    if (t.part == ActiveContact::Part::grip) return set_patch_parameters(&t - 4);
    const ContactLaw& law = law_of(t);
    const double mass = t.memory.mass, g = usual_gravity();
    const bool is_voigt = law.normal == ContactLaw::Normal::kelvin_voigt;
    contact::NormalLaw& n = t.normal_law;
    n.exponent = is_voigt ? 1 : law.exponent;
    double& stiffness = t.memory.stiffness;
    if (stiffness == 0) {
        if (law.stiffness > 0) {
            stiffness = law.stiffness;
        } else if (law.elastic_modulus > 0) {
            stiffness = contact::hertz_stiffness(t.curvature_a, t.curvature_b, law.elastic_modulus,
                                                 t.length);
        } else {
            stiffness = mass * g / std::pow(estimated_rest(t, n.exponent), n.exponent);
        }
    }
    n.stiffness = t.weight * stiffness;
    n.hard_beyond = n.hardening = 0;
    if (is_estimated(t) && t.thickness < unlimited) {
        n.hard_beyond = hard_share * t.thickness;
        n.hardening =
            n.stiffness * std::pow(n.hard_beyond, n.exponent) / std::pow(0.25 * n.hard_beyond, 4);
    }
    n.factor = n.viscous = 0;
    if (is_voigt)
        n.viscous = 2 * damping_of(t) * std::sqrt(n.stiffness * mass);
    else
        n.factor = damping_factor(t, n.stiffness, n.exponent);
    const contact::BristleLaw& s = t.sliding = sliding_law(t);
    const auto turning = [&](double arm) {
        // Angles for lengths: the same bristle at the end of an arm.
        const double r = std::max({t.ball_a, t.ball_b, arm});
        return contact::BristleLaw{
            s.stiffness * r * r, s.damping * r * r, s.stick_speed / r, arm, arm, 0, s.strain_share};
    };
    t.rolling =
        law.rolling_resistance > 0 ? turning(law.rolling_resistance) : contact::BristleLaw{};
    t.spinning =
        law.spinning_resistance > 0 ? turning(law.spinning_resistance) : contact::BristleLaw{};
    t.compliance = weights_.beta_h2 / (weights_.gamma_h / weights_.step) / mass;
}

double Contacts::damping_factor(const ActiveContact& t, double stiffness, double exponent) const {
    const ContactLaw& law = law_of(t);
    if (law.damping_factor > 0) return law.damping_factor;
    const double damping = damping_of(t);
    if (!(damping > 0)) return 0;
    // Floor of the impact speed. So slow, a contact rests: a/g is its damping under its weight, and
    // that should be critical, c = 2 √(k m). Slower than the weight makes it in a step no impact can
    // be told from rest.
    const double g = usual_gravity(), h = system_.settings.step;
    const double rest = std::pow(t.memory.mass * g / stiffness, 1 / exponent),
                 frequency = std::sqrt(exponent * g / rest);
    const double slowest =
        damping * std::max(std::min(0.5 * g / frequency, slow_impact), 0.5 * g * h);
    return damping / std::max(t.memory.impact_speed, slowest);
}

contact::BristleLaw Contacts::sliding_law(const ActiveContact& t) const {
    const ContactLaw& law = law_of(t);
    const double mass = t.memory.mass, period = stick_steps_per_radian * system_.settings.step;
    contact::BristleLaw s;
    s.static_friction = law.static_friction;
    s.kinetic_friction = law.kinetic_friction;
    s.viscous = t.weight * law.viscous_friction;
    s.stiffness =
        law.stick_stiffness > 0 ? t.weight * law.stick_stiffness : mass / (period * period);
    s.damping =
        law.stick_damping > 0 ? t.weight * law.stick_damping : 2 * std::sqrt(s.stiffness * mass);
    s.stick_speed = stick_speed(law, mass * usual_gravity(), mass);
    s.strain_share = law.stick_strain;
    return s;
}

// Friction changes the speed by μ F h/m in a step. Much smaller stick speeds the step cannot tell from zero;
// and in an impact, where F is a hundred times the weight, they would make the force jump to and fro.
double Contacts::stick_speed(const ContactLaw& law, double normal_force, double mass) const {
    const double g = usual_gravity();
    const double per_mass = std::max(normal_force / mass, g);
    const double stop = std::max(law.static_friction * per_mass * system_.settings.step, 1e-9);
    if (law.stick_speed == 0) return stick_steps_per_radian * stop;
    const double least = per_mass > 3 * g ? stick_steps_per_radian : least_stick_speed;
    return std::max(law.stick_speed, least * stop);
}

}  // namespace bristle::lagrange
