// A machine of a scene file that is steered by the names of its inputs, to see what it can do.
#pragma once

#include <bristle/scene.h>
#include <bristle/world.h>

#include <string>
#include <vector>

namespace bristle::validation::machine {

// Where a machine stands: what goes beside the included file of the machine.
struct Place {
    std::string file = "parts/excavator.yaml";
    io::Overrides set = {};
    // Empty: the file has its own.
    std::string ground = "shapes: {ground: {type: plane, material: ground}}\n";
    std::string more = {};  // other sections of the scene
    double slope = 0;       // rise over run of the ground …
    double uphill = 0;      // … and from which direction it comes down, rad about z from x
    double friction = 0.6;  // of steel on the ground
    std::vector<std::string> held = {};  // bodies that are fixed; then there is no ground
    double gravity = 9.81;
    double step = 5e-3;
    std::string solver = "augmented_lagrangian";
};

class Machine {
  public:
    explicit Machine(const Place&);

    World& world() { return world_; }
    const Model& model() const { return world_.model(); }
    // "oil.boom" is an input of the force "oil", or a drive of that name.
    void command(const std::string& input, double value);
    void run(double seconds);
    // Runs until it is so, or for so long; whether it was.
    template <class Is> bool run_until(double most, const Is& is) {
        for (const double end = world_.time() + most; world_.time() < end;) {
            if (is()) return true;
            world_.step();
        }
        return is();
    }

    double coordinate(const std::string& joint) const {
        return world_.coordinate(model().joint(joint));
    }
    double rate(const std::string& joint) const {
        return world_.coordinate_rate(model().joint(joint));
    }
    Vec3 point(const std::string& body, Vec3 local) const {
        return world_.point(model().body(body), local);
    }
    Vec3 position(const std::string& body) const { return point(body, {}); }
    double reading(const std::string& quantity) const;
    double mass() const;

  private:
    io::Scene scene_;
    World world_;
};

}  // namespace bristle::validation::machine
