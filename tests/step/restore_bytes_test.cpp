// States as bytes come from files, and files are damaged.
#include <bristle/world.h>

#include "tests/support/scaled.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace bristle {
namespace {

// Boxes on each other and on the ground, every other one held from above.
Model stack() {
    Model model;
    model.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    for (int i = 0; i < 4; ++i) {
        const Box box{{0.2, 0.2, 0.2}};
        const BodyId body = model.add(Body::of(box, 1000).at({0.05 * i, 0, 0.1 + 0.2 * i}));
        model.add(Shape{.body = body, .geometry = box});
        if (i % 2 == 1)
            model.add(Spherical{.a = Model::ground(), .b = body, .at = {0.05 * i, 0, 2}});
    }
    return model;
}

std::vector<std::byte> damaged(std::vector<std::byte> bytes, std::mt19937_64& random) {
    const auto below = [&](size_t count) { return static_cast<size_t>(random() % count); };
    const uint64_t odd[] = {0,
                            1,
                            7,
                            uint64_t{1} << 31,
                            uint64_t{1} << 32,
                            ~uint64_t{0},
                            uint64_t{1} << 63,
                            0x7ff0000000000000,
                            0x7ff8000000000000,
                            random()};
    switch (random() % 5) {
        case 0: bytes.resize(below(bytes.size() + 1)); break;
        case 1: bytes.resize(bytes.size() + below(100)); break;
        case 2: {
            const uint64_t value = odd[below(std::size(odd))];
            const size_t size = random() % 2 == 0 ? 8 : 4;
            std::memcpy(&bytes[below(bytes.size() / 8) * 8 + (size == 4 ? 4 * below(2) : 0)],
                        &value, size);
            break;
        }
        case 3: {  // one part of them where another was
            const size_t size = below(64), from = below(bytes.size() - size);
            std::memmove(&bytes[below(bytes.size() - size)], &bytes[from], size);
            break;
        }
        default: bytes[below(bytes.size())] ^= static_cast<std::byte>(1U << below(8));
    }
    return bytes;
}

void restores_or_refuses(const Settings& settings) {
    World world(stack(), settings);
    for (int i = 0; i < 50; ++i) world.step();
    ASSERT_FALSE(world.contacts().empty());
    const Snapshot good = world.snapshot();
    world.step();
    const uint64_t next = world.hash();
    std::mt19937_64 random(18);
    int refused = 0;
    const int cases = testing_support::scaled(4000);
    for (int i = 0; i < cases; ++i) {
        try {
            world.restore(Snapshot(good.origin(), good.equations(), damaged(good.bytes(), random)));
        } catch (const InputError&) {
            ++refused;
            continue;
        }
        try {
            world.contacts();
            world.step();
            world.contacts();
        } catch (const SimulationError&) {
        }
    }
    EXPECT_GT(refused, cases / 4);
    world.restore(Snapshot(good.origin(), good.equations(), good.bytes()));
    world.step();
    EXPECT_EQ(world.hash(), next);
}

// Contacts were taken with the numbers of their shapes as they were, which ended the process.
TEST(RestoreBytes, DamageIsRefusedOrHarmlessInTheAugmentedLagrangian) {
    restores_or_refuses(AugmentedLagrangian{.step = 2e-3});
}
TEST(RestoreBytes, DamageIsRefusedOrHarmlessInImpulses) {
    restores_or_refuses(Impulse{.step = 2e-3});
}
TEST(RestoreBytes, DamageIsRefusedOrHarmlessAmongSleepers) {
    restores_or_refuses(Impulse{.step = 2e-3, .sleep_after = 0.01});
}

}  // namespace
}  // namespace bristle
