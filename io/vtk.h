// Surfaces, lines and points with numbers on them, as XML files of VTK: ParaView reads them.
//
//     write_vtp("out/contacts-000012.vtp", contacts, 0.4);
//
// Numbers are written as they are in memory (appended, raw, 64-bit floats): no digit is lost, and nothing is
// larger than it must be. Text in them is only the names. A file is written whole, or std::runtime_error says
// what the system said.
#pragma once

#include <bristle/math.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bristle::io {

// One number, vector or tensor of every point or cell.
struct VtkArray {
    std::string name;
    std::string unit;  // empty: it has none
    uint32_t components = 1;
    std::variant<std::vector<double>, std::vector<int32_t>> values;
};

struct VtkPolyData {
    enum class Cells : uint8_t { points = 1, lines = 2, triangles = 3 };  // the number of corners

    Cells kind = Cells::points;
    std::vector<Vec3> points;
    std::vector<uint32_t> corners;  // of every cell; of points none: each is one
    std::vector<VtkArray> of_points, of_cells;

    size_t cells() const;
};
void write_vtp(const std::filesystem::path&, const VtkPolyData&, double time);

// Files that belong together, each with the name of its block; relative to this file.
struct VtkBlock {
    std::string name, file;
};
void write_vtm(const std::filesystem::path&, const std::vector<VtkBlock>&);

// Files over time. After every one that is added it is whole, so that it can be looked at while it grows.
class PvdFile {
  public:
    // Throws InputError if it cannot be made.
    explicit PvdFile(std::filesystem::path);
    void add(double time, const std::string& file);  // relative to this one

  private:
    void end();

    std::filesystem::path path_;
    std::ofstream out_;
    std::streampos end_;  // of the last line that stays
};

// The array of what `of` says of each item: a number, a vector or a tensor; ids, indices and flags are whole
// numbers, -1 for no id.
template <class Item, class Of>
VtkArray vtk_array(std::string name, std::string unit, const std::vector<Item>& items, Of of) {
    using Value = std::remove_cvref_t<std::invoke_result_t<Of, const Item&>>;
    VtkArray array{.name = std::move(name), .unit = std::move(unit), .components = 1, .values = {}};
    if constexpr (std::floating_point<Value>) {
        auto& values = array.values.template emplace<0>();
        for (const Item& item : items) values.push_back(std::invoke(of, item));
    } else if constexpr (std::same_as<Value, Vec3>) {
        array.components = 3;
        auto& values = array.values.template emplace<0>();
        for (const Item& item : items) {
            const Vec3 v = std::invoke(of, item);
            values.insert(values.end(), {v.x, v.y, v.z});
        }
    } else if constexpr (std::same_as<Value, Mat3>) {
        array.components = 9;
        auto& values = array.values.template emplace<0>();
        for (const Item& item : items)
            for (const Vec3 row : std::invoke(of, item).row)
                values.insert(values.end(), {row.x, row.y, row.z});
    } else {
        auto& values = array.values.template emplace<1>();
        for (const Item& item : items) {
            const Value value = std::invoke(of, item);
            if constexpr (requires { value.index; })
                values.push_back(static_cast<int32_t>(value.index));
            else
                values.push_back(static_cast<int32_t>(value));
        }
    }
    return array;
}

}  // namespace bristle::io
