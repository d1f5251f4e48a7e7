#include "tests/collision/overlap_oracle.h"

#include <cstdio>

namespace bristle::collision {
namespace {

using namespace testing_support;

TEST(IntersectionAgainstCgalAtLength, TenThousandRandomPairsShareWhatTheyShould) {
    Random random(1);
    OverlapErrors all;
    for (int i = 0; i < 10000; ++i) {
        const SolidPair p = random_pair(random);
        const OverlapErrors e = compare(p.a, p.b, overlap(p.a, p.b), exact_overlap(p.a, p.b));
        EXPECT_TRUE(is_good(e)) << i << ": " << text_of(e);
        all.take(e);
    }
    EXPECT_GT(all.compared, 8000);
    std::puts(text_of(all).c_str());
}

}  // namespace
}  // namespace bristle::collision
