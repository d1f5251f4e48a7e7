// Inertia that no body has, made up so that everything can be moved: about the axis of a slender rod, of a point about
// itself. As little as each solver bears.
#pragma once

namespace bristle::mechanics {

// Augmented Lagrangian: of a mass that would be usual for the entity. Its equations are solved together with the
// constraints, so it only has to be well above rounding, 1e-16 times the penalty of 1e8.
inline constexpr double least_entity_share = 1e-6;

// Impulses: of the largest moment of the body, where there is none (less than no_moment_share). What a body has it keeps, down to what
// sweeps in single precision bear.
inline constexpr double least_moment_share = 1e-3, no_moment_share = 1e-9,
                        smallest_moment_share = 1e-5;
// The radius of gyration of a body without extent, over the longest arm at which something holds it: 1e-5 of the inertia
// of its mass at that arm.
inline constexpr double point_radius_share = 0.003;

}  // namespace bristle::mechanics
