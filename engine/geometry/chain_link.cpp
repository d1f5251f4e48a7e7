#include <bristle/error.h>
#include <bristle/shape.h>

#include <fmt/format.h>

namespace bristle {

Compound chain_link(double radius, double tube, double straight) {
    if (!(tube > 0 && radius > tube && std::isfinite(radius)))
        throw InputError(
            fmt::format("chain link: radius {} m and tube {} m; the tube must be "
                        "positive and the radius larger than it",
                        radius, tube));
    if (!(straight >= 0 && std::isfinite(straight)))
        throw InputError(
            fmt::format("chain link: straight {} m; it must be zero or positive", straight));
    const Torus bend{radius, tube, Torus::Arc::half};
    const double half = straight / 2;
    Compound link;
    link.parts.push_back({bend, {{half, 0, 0}, Quat::about({0, 0, 1}, -pi / 2)}});
    link.parts.push_back({bend, {{-half, 0, 0}, Quat::about({0, 0, 1}, pi / 2)}});
    if (straight > 0)
        for (const double y : {radius, -radius})
            link.parts.push_back(
                {Cylinder{tube, straight}, {{0, y, 0}, Quat::about({0, 1, 0}, pi / 2)}});
    return link;
}

}  // namespace bristle
