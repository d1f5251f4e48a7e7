// Far detection takes nothing from the heap once it has seen as many pairs.
#include "tests/collision/far_scenes.h"

#include <cstdlib>
#include <new>

namespace {

uint64_t allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
    ++allocations;
    void* p = nullptr;
    if (posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, size ? size : 1)
        != 0)
        throw std::bad_alloc();
    return p;
}

}  // namespace

// Not inlined: the compiler would see free() given what came from new, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
    return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t a) {
    return counted(size, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t a) {
    return counted(size, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    std::free(p);
}
[[gnu::noinline]] void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
    std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace bristle::collision {
namespace {

using namespace testing_support;

class FarAllocationTest : public FarTest {};

TEST_P(FarAllocationTest, IsOverAfterTheFirstSteps) {
    Random random(41);
    FarScene scene = unit_boxes(2000, random, {}, 1);
    scene.add({{-infinity, -infinity, -infinity}, {infinity, infinity, 0}}, true);
    const std::vector<Aabb> start = scene.boxes;
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    uint64_t before = allocations;
    far.reset(scene.objects);
    EXPECT_GT(allocations, before);
    size_t pairs = 0;
    std::vector<uint32_t> found;
    for (int step = 0; step < 120; ++step) {
        if (step == 40) before = allocations;
        far.update(scene.boxes);
        pairs += far.pairs().size();
        far.find_overlapping({{-3, -3, -3}, {3, 3, 3}}, found);
        far.find_hit({{0, 0, 100}, {0.01, 0, -1}}, found);
        // Far enough to be put in order several times, and back, so that pairs do not become more.
        if (step % 20 == 19)
            std::copy(start.begin(), start.end(), scene.boxes.begin());
        else
            move_a_little(scene, step % 20 == 10 ? 3.0 : 0.1, random);
    }
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_GT(pairs, 0u);
}

INSTANTIATE_TEST_SUITE_P(, FarAllocationTest, testing::ValuesIn(all_methods()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace bristle::collision
