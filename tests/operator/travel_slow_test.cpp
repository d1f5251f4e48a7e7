// Driving to twenty random places on the site, one after the other.
#include "tests/operator/goals.h"

namespace bristle::machines {
namespace {

TEST(Travel, ReachesTwentyRandomGoalsOnTheSite) { testing_support::drive_to_random_goals(11, 20); }

}  // namespace
}  // namespace bristle::machines
