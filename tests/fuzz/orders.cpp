// What an operator's orders, one a line, do to a small scene; and that what was done is done again to the same bits.
#include <bristle/scene.h>

#include "live/hub/steering.h"
#include "live/show/simulation.h"
#include "live/wire/json.h"
#include "live/wire/protocol.pb.h"
#include "tests/fuzz/fuzz.h"

#include <cstdlib>

namespace {

constexpr const char* scene_text = R"(
bodies:
  arm: {type: rod, from: [0, 0, 2], to: [1, 0, 2], mass: 2}
  block: {type: box, size: [0.4, 0.3, 0.2], mass: 5, position: [3, 0, 0.1]}
shapes:
  floor: {type: plane}
  block: {type: box, body: block, size: [0.4, 0.3, 0.2]}
joints:
  pin: {type: revolute, b: arm, at: [0, 0, 2], axis: y}
forces:
  coil: {type: spring, a: arm, b: block, at_a: [1, 0, 2], at_b: [3, 0, 0.2], stiffness: 50, damping: 5}
solver: {step: 5 ms}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    static const io::Scene scene = io::parse_scene(scene_text);
    live::Simulation simulation(scene);
    std::string_view rest = fuzz::text(data, size);
    for (int line = 0; line < 20 && !rest.empty(); ++line) {
        const std::string_view text = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        fuzz::tried([&] {
            wire::Order order;
            live::read_json(text, order);
            if (order.has_watch())
                simulation.wish(
                    {.quantities = {order.watch().quantities().begin(),
                                    order.watch().quantities().end()},
                     .looks = {order.watch().reactions(), order.watch().contours(), true},
                     .number = 1});
            else if (order.has_seek())
                simulation.go_to(order.seek().time());
            else
                simulation.apply(live::input_in(order, *simulation.scene()));
        });
        live::Frame frame;
        try {
            simulation.advance();
            simulation.fill(frame);
        } catch (const SimulationError&) {
            return 0;
        }
    }
    const uint64_t end = simulation.hash();
    const double time = simulation.time();
    simulation.go_to(0);
    simulation.go_to(time);
    if (simulation.hash() != end) std::abort();
    return 0;
}
