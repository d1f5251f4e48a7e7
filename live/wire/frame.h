// What is seen of a simulation at an instant: what viewers get and recordings keep. Plain arrays that keep
// their room from one instant to the next, so that filling one allocates nothing once it has its size.
// What each field means is said in protocol.proto, message State.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bristle::live {

struct Transport {
    bool is_running = false;
    bool is_repeating = false;
    double speed = 1;
    double lag = 0;  // s
    double first = 0, last = 0;
    uint64_t overruns = 0;
    double slipped = 0;  // s
    double busy = 0;
    bool is_recorded = false;
    std::string trouble;
};

struct Surface {
    std::vector<float> vertices;
    std::vector<uint32_t> triangles;
};

struct Frame {
    double time = 0;
    uint64_t step = 0;
    uint32_t revision = 0;
    std::vector<float> poses, contacts;
    std::vector<uint32_t> contact_bodies;
    std::vector<float> reactions, tensions;
    std::vector<double> values;
    uint32_t watch = 0;
    std::vector<float> grab, contours, grains;
    std::vector<uint32_t> grain_colors;
    Surface shared_volumes;
    Transport transport;
};

}  // namespace bristle::live
