// glTF 2.0: a JSON document of numbered elements. Triangles hang below a tree of nodes:
//
//     scene → node (matrix) → mesh → primitive → accessors → buffer views → buffers (bytes)
//
// Elements are followed by number and checked where they are used; errors name the element by its JSON
// pointer. Every range is checked against the bytes that are really there before anything is reserved.
#include "io/gltf_document.h"
#include "io/gltf_materials.h"
#include "io/mesh_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace bristle::io {
namespace gltf {
namespace {

// A few nodes can repeat a large mesh many times: beyond those that are written out, as each takes a byte at least, more
// triangles than this are a mistake or malice.
constexpr size_t most_repeated_triangles = 1'000'000;
constexpr size_t most_triangles = size_t{1} << 25;

// Extensions a file may require that do not change where its triangles are, by how their names begin.
constexpr std::array<std::string_view, 5> harmless_extensions = {
    "KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"};

// ---- Accessors ---------------------------------------------------------------------------------

enum Component : size_t {
    int8 = 5120,
    uint8 = 5121,
    int16 = 5122,
    uint16 = 5123,
    uint32 = 5125,
    float32 = 5126
};

size_t size_of(Component component, const Element& at) {
    switch (component) {
        case int8:
        case uint8: return 1;
        case int16:
        case uint16: return 2;
        case uint32:
        case float32: return 4;
    }
    at.fail("expected 5120, 5121, 5122, 5123, 5125 or 5126");
}

// `count` elements of `width` components, each `stride` bytes after the one before.
struct Accessor {
    std::string_view bytes;
    size_t count, width, stride;
    Component component;
    bool is_normalized;

    double number(size_t element, size_t i) const {
        const size_t at = element * stride;
        const auto scaled = [&](double value, double largest) {
            return is_normalized ? std::max(value / largest, -1.0) : value;
        };
        switch (component) {
            case int8: return scaled(number_at<int8_t>(bytes, at + i), 127);
            case uint8: return scaled(number_at<uint8_t>(bytes, at + i), 255);
            case int16: return scaled(number_at<int16_t>(bytes, at + 2 * i), 32767);
            case uint16: return scaled(number_at<uint16_t>(bytes, at + 2 * i), 65535);
            case uint32: return scaled(number_at<uint32_t>(bytes, at + 4 * i), 4294967295.0);
            case float32: return number_at<float>(bytes, at + 4 * i);
        }
        return 0;
    }
};

// ---- Placing -----------------------------------------------------------------------------------

struct Affine {
    Mat3 linear = Mat3::identity();
    Vec3 shift;

    Vec3 operator*(Vec3 p) const { return shift + linear * p; }
    Affine operator*(const Affine& o) const { return {linear * o.linear, *this * o.shift}; }
    bool mirrors() const {
        return dot(linear.column(0), cross(linear.column(1), linear.column(2))) < 0;
    }
};

Affine transform_of(const Element& node) {
    if (const auto matrix = node.find("matrix")) {
        const auto m = matrix->numbers<16>();  // by columns
        if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
            matrix->fail("the last row is not 0 0 0 1, expected a matrix that keeps parallels");
        return {Mat3::columns({m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}),
                {m[12], m[13], m[14]}};
    }
    Affine result;
    if (const auto rotation = node.find("rotation")) {
        const auto r = rotation->numbers<4>();  // x, y, z, w
        const double length = std::hypot(std::hypot(r[0], r[1]), std::hypot(r[2], r[3]));
        if (!(std::abs(length - 1) < 0.01)) rotation->fail("expected a unit quaternion");
        result.linear = Quat{r[3], r[0], r[1], r[2]}.matrix();
    }
    if (const auto scale = node.find("scale")) {
        const auto s = scale->numbers<3>();
        result.linear = result.linear * Mat3::diagonal({s[0], s[1], s[2]});
    }
    if (const auto translation = node.find("translation")) {
        const auto t = translation->numbers<3>();
        result.shift = {t[0], t[1], t[2]};
    }
    return result;
}

// ---- The reader --------------------------------------------------------------------------------

class Reader {
  public:
    Reader(const Json& document, const Container& container, const std::filesystem::path& file,
           MeshFile& out)
        : name_(file.string()),
          folder_(file.parent_path()),
          out_(out),
          mesh_(out.mesh),
          root_(document, "", name_),
          binary_(container.binary),
          bytes_(container.json.size() + (binary_ ? binary_->size() : 0)),
          materials_(
              root_, folder_, [this](const Element& view) { return bytes_of(view); }, out.files,
              out.warnings) {}

    void read() {
        check_version();
        struct Visit {
            size_t node;
            Affine parent;
        };
        std::vector<Visit> open;
        for (const size_t node : first_nodes()) open.push_back({node, {}});
        std::reverse(open.begin(), open.end());
        std::vector<bool> visited(open.empty() ? 0 : root_.at("nodes").size());
        while (!open.empty()) {
            const Visit visit = open.back();
            open.pop_back();
            const Element node = root_.at("nodes").at(visit.node);
            if (visited[visit.node])
                node.fail("met twice on the way down, expected a tree of nodes");
            visited[visit.node] = true;
            const Affine place = visit.parent * transform_of(node);
            if (const auto mesh = node.find("mesh"))
                add_mesh(root_.at("meshes").at(mesh->whole()), place);
            if (const auto children = node.find("children"))
                for (size_t i = children->size(); i-- > 0;)
                    open.push_back({children->at(i).whole(), place});
        }
        take_painting();
    }

  private:
    void check_version() const {
        const Element version = root_.at("asset").at("version");
        if (version.text().rfind("2.", 0) != 0)
            version.fail(fmt::format("glTF {}, expected 2.0", version.text().substr(0, 20)));
        const auto required = root_.find("extensionsRequired");
        for (size_t i = 0; required && i < required->size(); ++i) {
            const Element extension = required->at(i);
            const auto begins = [&](std::string_view known) {
                return extension.text().rfind(known, 0) == 0;
            };
            if (std::none_of(harmless_extensions.begin(), harmless_extensions.end(), begins))
                extension.fail(
                    fmt::format("the extension {} is not supported, expected a file "
                                "exported without it",
                                extension.text().substr(0, 60)));
        }
    }

    // Those of the default scene; of the first if none is the default; without scenes those that are
    // nobody's children.
    std::vector<size_t> first_nodes() const {
        std::vector<size_t> first;
        if (const auto scenes = root_.find("scenes")) {
            const auto nodes = scenes->at(whole_or(root_.find("scene"), 0)).find("nodes");
            for (size_t i = 0; nodes && i < nodes->size(); ++i)
                first.push_back(nodes->at(i).whole());
            return first;
        }
        const Element nodes = root_.at("nodes");
        std::vector<bool> is_child(nodes.size());
        for (size_t i = 0; i < nodes.size(); ++i) {
            const auto children = nodes.at(i).find("children");
            for (size_t k = 0; children && k < children->size(); ++k)
                if (const size_t child = children->at(k).whole(); child < is_child.size())
                    is_child[child] = true;
        }
        for (size_t i = 0; i < is_child.size(); ++i)
            if (!is_child[i]) first.push_back(i);
        return first;
    }

    // Its vertices are merged within the mesh only: bodies that touch stay apart.
    void add_mesh(const Element& mesh, const Affine& place) {
        TriangleMesh part;
        const Element primitives = mesh.at("primitives");
        for (size_t i = 0; i < primitives.size(); ++i) {
            const size_t vertices = part.vertices.size(), triangles = part.triangles.size();
            add_primitive(primitives.at(i), part, mesh);
            paint(primitives.at(i), part, vertices, triangles, place);
        }
        merge_vertices(part, 0);
        const auto start = static_cast<uint32_t>(mesh_.vertices.size());
        for (const Vec3 p : part.vertices) {
            mesh_.vertices.push_back(place * p);
            if (!is_finite(mesh_.vertices.back()))
                mesh.fail("a vertex is moved to infinity by its nodes, expected finite places");
        }
        const bool mirrors = place.mirrors();
        for (auto t : part.triangles) {
            if (mirrors) std::swap(t[1], t[2]);
            mesh_.triangles.push_back({start + t[0], start + t[1], start + t[2]});
        }
    }

    // Of all that is read, before any of it is merged: what is seen has it all.
    void demand_room(size_t triangles, size_t vertices, const Element& mesh) {
        triangles_ += triangles;
        vertices_ += vertices;
        const size_t most =
            std::min(most_triangles, most_repeated_triangles + bytes_ + buffer_bytes_);
        if (triangles_ > most || vertices_ > 3 * most)
            mesh.fail(fmt::format("more than {} triangles with this mesh, expected fewer", most));
    }

    void add_primitive(const Element& primitive, TriangleMesh& part, const Element& mesh) {
        enum Mode : size_t { triangles = 4, strip = 5, fan = 6 };
        const size_t mode = whole_or(primitive.find("mode"), triangles);
        const auto position = primitive.at("attributes").find("POSITION");
        if (mode > fan) primitive.at("mode").fail("expected 0 to 6");
        if (mode < triangles || !position) return;
        const Accessor places = accessor(position->whole(), "VEC3");
        const auto indices = primitive.find("indices");
        const std::optional<Accessor> order =
            indices ? std::optional(accessor(indices->whole(), "SCALAR")) : std::nullopt;
        if (order && order->component != uint8 && order->component != uint16
            && order->component != uint32)
            indices->fail(
                "indices of this type, expected unsigned whole numbers (5121, 5123, 5125)");
        const size_t corners = order ? order->count : places.count;
        if (mode == triangles && corners % 3 != 0)
            primitive.fail(fmt::format("{} corners, expected three for every triangle", corners));
        demand_room(mode == triangles ? corners / 3 : corners, places.count, mesh);

        const auto start = static_cast<uint32_t>(part.vertices.size());
        add_vertices(places, *position, part);
        const auto corner = [&](size_t i) {
            const auto v = order ? static_cast<size_t>(order->number(i, 0)) : i;
            if (v >= places.count)
                indices->fail(
                    fmt::format("index {} is {}, but there are {} vertices", i, v, places.count));
            return start + static_cast<uint32_t>(v);
        };
        const size_t stride = mode == triangles ? 3 : 1;
        for (size_t i = 0; i + 2 < corners; i += stride) {
            const bool is_odd = mode == strip && i % 2 == 1;
            part.triangles.push_back({corner(mode == fan ? 0 : i), corner(i + (is_odd ? 2 : 1)),
                                      corner(i + (is_odd ? 1 : 2))});
        }
    }

    static void add_vertices(const Accessor& places, const Element& position, TriangleMesh& part) {
        part.vertices.reserve(part.vertices.size() + places.count);
        for (size_t i = 0; i < places.count; ++i) {
            const Vec3 p{places.number(i, 0), places.number(i, 1), places.number(i, 2)};
            if (!is_finite(p))
                position.fail(fmt::format("vertex {} is ({}, {}, {}), expected finite numbers", i,
                                          p.x, p.y, p.z));
            part.vertices.push_back(p);
        }
    }

    // What was added of a part since it had so many vertices and triangles.
    void paint(const Element& primitive, const TriangleMesh& part, size_t vertices,
               size_t triangles, const Affine& place) {
        if (!materials_.has_any() || part.triangles.size() == triangles) return;
        const auto material = primitive.find("material");
        const std::optional<size_t> which =
            material ? std::optional(material->whole()) : std::nullopt;
        const auto [known, is_new] = surfaces_.try_emplace(which);
        PaintedSurface& surface = known->second;
        if (is_new && which) surface.paint = materials_.paint(*which);
        const auto start = static_cast<uint32_t>(surface.vertices.size());
        for (size_t i = vertices; i < part.vertices.size(); ++i) {
            const Vec3 p = place * part.vertices[i];
            surface.vertices.push_back(
                {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
        }
        add_image_places(primitive, which ? materials_.places_of(*which) : 0,
                         part.vertices.size() - vertices, surface);
        const auto number = [&](uint32_t v) { return start + v - static_cast<uint32_t>(vertices); };
        const bool mirrors = place.mirrors();
        for (size_t i = triangles; i < part.triangles.size(); ++i) {
            const auto& t = part.triangles[i];
            surface.triangles.push_back(
                {number(t[0]), number(t[mirrors ? 2 : 1]), number(t[mirrors ? 1 : 2])});
        }
    }

    // Of a surface that has images, for every vertex: where a primitive says nothing, the corner.
    void add_image_places(const Element& primitive, size_t set, size_t count,
                          PaintedSurface& surface) {
        const MeshPaint& p = surface.paint;
        if (!p.color_image && !p.surface_image && !p.normal_image && !p.glow_image) return;
        const auto found = primitive.at("attributes").find(fmt::format("TEXCOORD_{}", set).c_str());
        const std::optional<Accessor> places =
            found ? std::optional(accessor(found->whole(), "VEC2")) : std::nullopt;
        if (places && places->count != count)
            found->fail(fmt::format("{} places, expected one for each of {} vertices",
                                    places->count, count));
        for (size_t i = 0; i < count; ++i) {
            const auto at = [&](size_t k) {
                const double value = places ? places->number(i, k) : 0;
                return std::isfinite(value) ? static_cast<float>(value) : 0.0F;
            };
            surface.image_places.push_back({at(0), at(1)});
        }
    }

    void take_painting() {
        if (surfaces_.empty()) return;
        auto painting = std::make_shared<Painting>();
        for (auto& [material, surface] : surfaces_)
            painting->surfaces.push_back(std::move(surface));
        painting->images = materials_.take_images();
        out_.painting = std::move(painting);
    }

    Accessor accessor(size_t index, const char* type) {
        const Element element = root_.at("accessors").at(index);
        if (element.find("sparse"))
            element.fail(
                "sparse accessors are not supported, expected a file exported without them");
        if (element.at("type").text() != type)
            element.at("type").fail(fmt::format("\"{}\", expected \"{}\"",
                                                element.at("type").text().substr(0, 20), type));
        const auto normalized = element.find("normalized");
        Accessor a{};
        a.count = element.at("count").whole();
        a.width = std::string_view(type) == "VEC3" ? 3 : std::string_view(type) == "VEC2" ? 2 : 1;
        a.component = static_cast<Component>(element.at("componentType").whole());
        a.is_normalized = normalized && normalized->flag() && a.component != float32;
        const size_t size = a.width * size_of(a.component, element.at("componentType"));

        const Element view = root_.at("bufferViews").at(element.at("bufferView").whole());
        a.stride = whole_or(view.find("byteStride"), size);
        if (a.stride < size || a.stride > 252)
            view.fail(fmt::format("a stride of {} bytes, expected {} to 252", a.stride, size));
        const std::string_view bytes = bytes_of(view);
        const size_t offset = whole_or(element.find("byteOffset"), 0);
        if (a.count == 0 || offset > bytes.size() || bytes.size() - offset < size
            || a.count - 1 > (bytes.size() - offset - size) / a.stride)
            element.fail(
                fmt::format("{} elements of {} bytes from byte {}, expected at least one and "
                            "all within the {} bytes of its view",
                            a.count, size, offset, bytes.size()));
        a.bytes = bytes.substr(offset);
        return a;
    }

    std::string_view bytes_of(const Element& view) {
        const std::string_view bytes = buffer(view.at("buffer").whole());
        const size_t offset = whole_or(view.find("byteOffset"), 0),
                     length = view.at("byteLength").whole();
        if (offset > bytes.size() || length > bytes.size() - offset)
            view.fail(
                fmt::format("{} bytes from byte {}, expected all within the {} bytes of its buffer",
                            length, offset, bytes.size()));
        return bytes.substr(offset, length);
    }

    std::string_view buffer(size_t index) {
        const Element element = root_.at("buffers").at(index);
        const auto uri = element.find("uri");
        if (!uri) {
            if (index == 0 && binary_) return *binary_;
            element.fail("no \"uri\", expected one, as there is no binary chunk for it");
        }
        buffers_.resize(root_.at("buffers").size());
        if (!buffers_[index]) {
            buffers_[index] = bytes_of_uri(*uri, folder_, out_.files);
            buffer_bytes_ += buffers_[index]->size();
            if (buffer_bytes_ >= size_t{1} << 32)
                uri->fail("more than 4 GiB of buffers with this one");
        }
        return *buffers_[index];
    }

    std::string name_;
    std::filesystem::path folder_;
    MeshFile& out_;
    TriangleMesh& mesh_;
    size_t triangles_ = 0, vertices_ = 0;  // read, of all nodes
    Element root_;
    std::optional<std::string_view> binary_;
    std::vector<std::optional<std::string>> buffers_;  // read when first used
    size_t bytes_, buffer_bytes_ = 0;                  // of the file, and of its buffers elsewhere
    Materials materials_;
    std::map<std::optional<size_t>, PaintedSurface> surfaces_;  // by their materials
};

}  // namespace
}  // namespace gltf

void read_gltf(std::string_view bytes, const std::filesystem::path& file, MeshFile& out) {
    const gltf::Container container = gltf::open_container(bytes, file.string());
    const gltf::Json document = gltf::parse(container, file.string());
    gltf::Reader(document, container, file, out).read();
}

}  // namespace bristle::io
