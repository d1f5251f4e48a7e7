// Crashed: the engine uses Eigen inside, compiled for 32-byte alignment; this program has 16 bytes, and the linker took
// the functions that allocate from here and those that free from there.
#include <bristle/bristle.h>

#include <Eigen/Dense>

#include <cstdio>

using namespace bristle;

int main() {
    const Eigen::MatrixXd own = Eigen::MatrixXd::Identity(7, 7);
    const Eigen::Index rank = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(own).rank();

    Model model;
    const auto rod = model.add(Body::rod(1.0, 1.0));
    model.add(Revolute{.a = model.ground(), .b = rod, .at = {0, 0, 0}, .axis = {0, 1, 0}});
    const World world(model, AugmentedLagrangian{});
    const int freedoms = mobility(world).degrees_of_freedom;
    std::printf("rank %d, %d degree of freedom\n", static_cast<int>(rank), freedoms);
    return rank == 7 && freedoms == 1 ? 0 : 1;
}
