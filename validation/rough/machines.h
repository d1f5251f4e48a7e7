// Machines on four wheels with an arm, ready to be driven roughly.
#pragma once

#include "validation/rough/commands.h"

#include <string>

namespace bristle::validation::rough {

// Stands at the origin with its wheels on z = 0, looking along x; there is no ground yet.
struct Machine {
    std::string about;
    Model model;
    BodyId chassis, bucket;
    MaterialId soil;  // for what it drives on
    std::vector<Lever> wheels, arm;
    double mass = 0, half_length = 0, half_width = 0;  // of chassis and wheels; kg, m

    std::vector<Lever> levers() const;
};

// The project's machine of 15 bodies: cylinders by speed or by valve.
Machine excavator(Random&);
// One of 1 to 20 t: a slewing arm of three links, driven at its hinges or by struts.
Machine digger(Random&);
Machine any_machine(Random&);

// All that moves taken to another place: a pose applied to it as it stands, and a motion about the new origin of
// that pose.
void move(Model&, const Pose&, const Twist& = {});

}  // namespace bristle::validation::rough
