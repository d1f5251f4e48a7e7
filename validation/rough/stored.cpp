#include "validation/rough/stored.h"

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {

// Of the energy over depth.
double StoredEnergy::exponent(const Contact& c) const {
    const auto material = [&](ShapeId s) {
        const MaterialId m = model_.shapes()[s.index].material;
        return m.index < model_.materials().size() ? m : MaterialId{0};
    };
    const ContactLaw law = model_.contact_law(material(c.a), material(c.b));
    const bool is_power = law.normal == ContactLaw::Normal::hunt_crossley
                       || law.normal == ContactLaw::Normal::lankarani_nikravesh;
    return is_power ? law.exponent + 1 : 2;
}

// The contact of the same shapes that was nearest.
StoredEnergy::Spring* StoredEnergy::before(const Contact& c) {
    Spring* nearest = nullptr;
    double distance = unlimited;
    for (Spring& s : springs_) {
        if (s.is_taken || s.a != c.a || s.b != c.b) continue;
        if (const double d = norm(s.point - c.point); d < distance) {
            distance = d;
            nearest = &s;
        }
    }
    if (nearest) nearest->is_taken = true;
    return nearest;
}

void StoredEnergy::update(const std::vector<Contact>& contacts) {
    now_.clear();
    most_ = least_ = 0;
    for (const Contact& c : contacts) {
        const Spring* old = before(c);
        Spring s{c.a, c.b, c.point, std::max(c.depth, 0.0)};
        const double n = exponent(c), force = std::max(0.0, dot(c.force, c.normal));
        const double from = old ? old->depth : 0, way = s.depth - from;
        const double most = old ? old->most : 0, least = old ? old->least : 0;
        const double share = std::abs(way) < 1e-6 * s.depth
                               ? 1 / n
                               : way / s.depth / (1 - std::pow(from / s.depth, n));
        const double estimate = s.depth > 0 ? force * s.depth * share : 0;
        if (way >= 0) {
            s.most = std::min(most + force * way, estimate);
            s.least = std::min(least, s.most);
        } else {
            s.most = std::max(0.0, most + force * way);
            s.least = std::min(estimate, s.most);
        }
        most_ += s.most;
        least_ += s.least;
        now_.push_back(s);
    }
    std::swap(springs_, now_);
}

}  // namespace bristle::validation::rough
