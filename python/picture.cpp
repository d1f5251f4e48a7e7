// Pictures of a world as arrays; bristle/_render.py makes files and videos of them.
#include <bristle/picture.h>

#include "python/parts.h"
#include "python/world_handle.h"

#include <cstring>

namespace bristle::python {
namespace {

using Poses = py::array_t<double, py::array::c_style | py::array::forcecast>;

struct PictureGround {
    std::shared_ptr<const Painter::Ground> ground;
};

// The world's model as it stands, in the colours of the scene it is from.
io::Scene seen(const World& world, const io::Scene* as) {
    io::Scene scene;
    if (as != nullptr) scene = *as;
    scene.model = world.model_now();
    return scene;
}

std::vector<Pose> poses_of(const Poses& rows) {
    if (rows.ndim() != 2 || rows.shape(1) != 7)
        throw InputError("poses have seven numbers a body, as World.poses");
    static_assert(sizeof(Pose) == 7 * sizeof(double));
    std::vector<Pose> out(static_cast<size_t>(rows.shape(0)));
    std::memcpy(static_cast<void*>(out.data()), rows.data(), out.size() * sizeof(Pose));
    return out;
}

py::array_t<uint8_t> array_of(const Picture& picture) {
    py::array_t<uint8_t> out({size_t{picture.height}, size_t{picture.width}, size_t{3}});
    std::copy(picture.rgb.begin(), picture.rgb.end(), out.mutable_data());
    return out;
}

}  // namespace

void add_picture(py::module_& m) {
    py::class_<PictureGround>(m, "_PictureGround");
    py::class_<Painter>(m, "_Painter")
        .def(py::init([](const WorldHandle& world, uint32_t width, uint32_t height, Vec3 from,
                         double distance) {
            return Painter(seen(world.idle(), world.seen_as().get()),
                           {width, height, from, distance});
        }))
        .def("keep_in_picture",
             [](Painter& self, const Poses& poses) { self.keep_in_picture(poses_of(poses)); })
        .def("ground_of",
             [](Painter& self, const WorldHandle& world) {
                 return PictureGround{self.ground_of(world.idle())};
             })
        .def("take_ground",
             [](Painter& self, const PictureGround& of) { self.take_ground(*of.ground); })
        .def("paint", [](const Painter& self, const Poses& poses) {
            const std::vector<Pose> at = poses_of(poses);
            Picture picture;
            {
                const py::gil_scoped_release unlocked;
                picture = self.paint(at);
            }
            return array_of(picture);
        });
    m.def("_png", [](const py::array_t<uint8_t, py::array::c_style | py::array::forcecast>& rows) {
        if (rows.ndim() != 3 || rows.shape(2) != 3)
            throw InputError("a picture has rows of pixels of three numbers: red, green, blue");
        Picture picture{static_cast<uint32_t>(rows.shape(1)),
                        static_cast<uint32_t>(rows.shape(0)),
                        {rows.data(), rows.data() + rows.size()}};
        return py::bytes(png_of(picture));
    });
}

}  // namespace bristle::python
