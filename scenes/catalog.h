// The examples a person can run by name: a model, what to draw of it and how long to watch.
#pragma once

#include <bristle/model.h>

#include <functional>
#include <string>
#include <vector>

namespace bristle::scenes {

struct Scene {
    Model model;
    double duration = 10, step = 1e-3;
    // A line between two points of bodies, in their frames.
    struct Link {
        BodyId body;
        Vec3 from, to;
    };
    std::vector<Link> links;
    struct Point {
        std::string name;
        BodyId body;
        Vec3 local;
    };
    std::vector<Point> points;    // whose paths are plotted
    std::vector<JointId> joints;  // whose reactions are plotted
    std::vector<DriveId> drives;  // whose efforts are plotted
};

struct CatalogEntry {
    std::string name, about;
    std::function<Scene()> build;
};
const std::vector<CatalogEntry>& catalog();
// nullptr if there is none of that name.
const CatalogEntry* find_scene(const std::string& name);

}  // namespace bristle::scenes
