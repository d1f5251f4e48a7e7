#include "live/record/foxglove.h"

#include <bristle/error.h>

#include "live/picture/light.h"
#include "live/picture/solid.h"
#include "live/record/foxglove.pb.h"
#include "live/record/mcap_writer.h"
#include "live/wire/ground.h"
#include "live/wire/protocol.pb.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace bristle::live {
namespace {

namespace pb = google::protobuf;

constexpr size_t chunk_size = 1u << 20;  // bytes
constexpr uint16_t transforms_id = 1, scene_id = 2, values_id = 3;
constexpr const char* world_frame = "world";

void put_time(pb::Timestamp& out, double seconds) {
    const auto nanoseconds = std::llround(seconds * 1e9);
    out.set_seconds(nanoseconds / 1'000'000'000);
    out.set_nanos(static_cast<int32_t>(nanoseconds % 1'000'000'000));
}

// With all that it stands on.
void put_files(pb::FileDescriptorSet& set, const pb::FileDescriptor& file,
               std::set<std::string>& done) {
    if (!done.insert(file.name()).second) return;
    for (int i = 0; i < file.dependency_count(); ++i) put_files(set, *file.dependency(i), done);
    file.CopyTo(set.add_file());
}
std::string description_of(const pb::FileDescriptor& file) {
    pb::FileDescriptorSet set;
    std::set<std::string> done;
    put_files(set, file, done);
    return set.SerializeAsString();
}

// ---- Values --------------------------------------------------------------------------------------------

// A word as protobuf and paths of Foxglove have them.
std::string identifier(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool is_word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        out += is_word ? c : '_';
    }
    // Messages of ours are called Of_…, see below.
    if (out.empty() || (out[0] >= '0' && out[0] <= '9') || out.starts_with("Of_"))
        out.insert(0, "_");
    return out;
}
// Protobuf refuses two names in a message that are the same without underscores and capitals: in JSON they might be.
std::string folded(std::string_view name) {
    std::string out;
    for (const char c : name)
        if (c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

// Quantities as messages in messages: what is before a dot is a message, what is behind the last one a number.
class ValueSchema {
  public:
    explicit ValueSchema(const std::vector<std::string>& quantities) {
        file_.set_name("bristle/values.proto");
        file_.set_package("bristle");
        file_.set_syntax("proto3");
        pb::DescriptorProto& top = *file_.add_message_type();
        top.set_name("Values");
        for (const std::string& quantity : quantities) add(top, quantity);
        built_ = pool_.BuildFile(file_);
        if (built_ == nullptr) throw std::logic_error("the schema of the values is none");
        message_.reset(factory_.GetPrototype(built_->message_type(0))->New());
    }
    const pb::FileDescriptor& file() const { return *built_; }

    // What is not finite stays out: a gap.
    std::string message(std::span<const double> values) {
        message_->Clear();
        for (size_t i = 0; i < std::min(values.size(), steps_.size()); ++i) {
            if (!std::isfinite(values[i])) continue;
            pb::Message* at = message_.get();
            for (size_t k = 0; k + 1 < steps_[i].size(); ++k)
                at = at->GetReflection()->MutableMessage(
                    at, at->GetDescriptor()->FindFieldByName(steps_[i][k]));
            at->GetReflection()->SetDouble(
                at, at->GetDescriptor()->FindFieldByName(steps_[i].back()), values[i]);
        }
        return message_->SerializeAsString();
    }

  private:
    void add(pb::DescriptorProto& top, const std::string& quantity) {
        pb::DescriptorProto* at = &top;
        std::string type = ".bristle.Values";
        auto& steps = steps_.emplace_back();
        for (size_t begin = 0;;) {
            const size_t dot = quantity.find('.', begin);
            const bool is_last = dot == std::string::npos;
            const std::string word =
                identifier(std::string_view(quantity).substr(begin, is_last ? dot : dot - begin));
            const std::string name = is_last ? add_number(*at, type, word)
                                             : group(*at, type, word, quantity.substr(0, dot));
            steps.push_back(name);
            if (is_last) break;
            for (pb::DescriptorProto& nested : *at->mutable_nested_type())
                if (nested.name() == "Of_" + name) at = &nested;
            type += ".Of_" + name;
            begin = dot + 1;
        }
    }
    // `type`: of the message `in`; `object`: what of the quantity's name stands for the message within it.
    std::string group(pb::DescriptorProto& in, const std::string& type, const std::string& word,
                      const std::string& object) {
        const auto [known, is_new] = groups_.try_emplace(object);
        if (!is_new) return known->second;
        pb::FieldDescriptorProto& field = new_field(in, type, word);
        field.set_type(pb::FieldDescriptorProto::TYPE_MESSAGE);
        field.set_type_name(type + ".Of_" + field.name());
        in.add_nested_type()->set_name("Of_" + field.name());
        return known->second = field.name();
    }
    std::string add_number(pb::DescriptorProto& in, const std::string& type,
                           const std::string& word) {
        pb::FieldDescriptorProto& field = new_field(in, type, word);
        field.set_type(pb::FieldDescriptorProto::TYPE_DOUBLE);
        // A zero is a value, and what is not there is none.
        field.set_proto3_optional(true);
        field.set_oneof_index(in.oneof_decl_size());
        in.add_oneof_decl()->set_name("_" + field.name());
        return field.name();
    }
    // With a number behind the word if another one has it.
    pb::FieldDescriptorProto& new_field(pb::DescriptorProto& in, const std::string& type,
                                        const std::string& word) {
        std::string name = word;
        for (int count = 2; !taken_.insert(type + '.' + folded(name)).second; ++count)
            name = fmt::format("{}_{}", word, count);
        pb::FieldDescriptorProto& field = *in.add_field();
        field.set_name(name);
        field.set_json_name(name);
        field.set_label(pb::FieldDescriptorProto::LABEL_OPTIONAL);
        // Some numbers are protobuf's own.
        int number = in.field_size();
        if (number >= 19000) number += 1000;
        field.set_number(number);
        return field;
    }

    pb::FileDescriptorProto file_;
    std::map<std::string, std::string> groups_;    // fields of objects, by their own names
    std::set<std::string> taken_;                  // names of fields, folded, behind their messages
    std::vector<std::vector<std::string>> steps_;  // of every quantity, from the outside
    pb::DescriptorPool pool_;
    const pb::FileDescriptor* built_ = nullptr;
    pb::DynamicMessageFactory factory_;
    std::unique_ptr<pb::Message> message_;
};

// ---- Scenes --------------------------------------------------------------------------------------------

void put(foxglove::Vector3& out, double x, double y, double z) {
    out.set_x(x);
    out.set_y(y);
    out.set_z(z);
}
void put(foxglove::Quaternion& out, Quat q) {
    out.set_w(q.w);
    out.set_x(q.x);
    out.set_y(q.y);
    out.set_z(q.z);
}
void put(foxglove::Pose& out, const Pose& pose) {
    put(*out.mutable_position(), pose.position.x, pose.position.y, pose.position.z);
    put(*out.mutable_orientation(), pose.orientation);
}
void put(foxglove::Point3& out, Vec3 p) {
    out.set_x(p.x);
    out.set_y(p.y);
    out.set_z(p.z);
}

class EntityBuilder {
  public:
    EntityBuilder(const wire::Scene& scene, foxglove::SceneEntity& entity)
        : scene_(scene), entity_(entity) {}

    // `drawn`: as triangles; none of planes.
    void add(const wire::Part& part, const DrawnPart* drawn) {
        const Pose pose = pose_of(part);
        const Vec3 linear = drawn != nullptr ? drawn->paint.color : Vec3{0.45, 0.48, 0.52};
        const auto color = screen_color(linear);
        const auto size = [&](int i) { return i < part.size_size() ? part.size(i) : 0.0; };
        const auto paint = [&](foxglove::Color& out) {
            out.set_r(color[0] / 255.0);
            out.set_g(color[1] / 255.0);
            out.set_b(color[2] / 255.0);
            out.set_a(opacity_of(part));
        };
        const auto ball = [&](Vec3 at, double radius) {
            foxglove::SpherePrimitive& out = *entity_.add_spheres();
            put(*out.mutable_pose(), {pose * at, pose.orientation});
            put(*out.mutable_size(), 2 * radius, 2 * radius, 2 * radius);
            paint(*out.mutable_color());
        };
        const auto cylinder = [&](double radius, double length) {
            foxglove::CylinderPrimitive& out = *entity_.add_cylinders();
            put(*out.mutable_pose(), pose);
            put(*out.mutable_size(), 2 * radius, 2 * radius, length);
            out.set_bottom_scale(1);
            out.set_top_scale(1);
            paint(*out.mutable_color());
        };
        const auto box = [&](const Pose& at, double x, double y, double z) {
            foxglove::CubePrimitive& out = *entity_.add_cubes();
            put(*out.mutable_pose(), at);
            put(*out.mutable_size(), x, y, z);
            paint(*out.mutable_color());
        };
        switch (part.kind()) {
            case wire::Part::SPHERE: return ball({}, size(0));
            case wire::Part::BOX: return box(pose, size(0), size(1), size(2));
            case wire::Part::CYLINDER: return cylinder(size(0), size(1));
            case wire::Part::CAPSULE:
                cylinder(size(0), size(1));
                ball({0, 0, 0.5 * size(1)}, size(0));
                return ball({0, 0, -0.5 * size(1)}, size(0));
            case wire::Part::PLANE: {
                // Of the size of what stands on it, and thin: its upper side is the plane.
                const double width = 4 * extent(), height = 1e-3 * width;
                return box({pose * Vec3{0, 0, -0.5 * height}, pose.orientation}, width, width,
                           height);
            }
            // As it was at the start.
            case wire::Part::FIELD: {
                const wire::Field& field = scene_.fields(static_cast<int>(part.surface()));
                if (!field.is_away()) surface(surface_of(field, heights_of(field)), pose, paint);
                return;
            }
            case wire::Part::SURFACE:
                surface(scene_.surfaces(static_cast<int>(part.surface())), pose, paint);
                return;
            default:
                if (drawn != nullptr) triangles(drawn->solid, paint);
        }
    }

  private:
    using Paint = std::function<void(foxglove::Color&)>;

    double opacity_of(const wire::Part& part) const {
        if (!part.has_paint()) return part.finish() == wire::Part::GLASS ? 0.5 : 1;
        const wire::Paint& paint = scene_.paints(static_cast<int>(part.paint()));
        return paint.is_clear() && paint.color_size() == 4 ? paint.color(3) : 1;
    }
    double extent() const {
        double size = 1;
        for (int i = 0; i < std::min(scene_.low_size(), scene_.high_size()); ++i)
            size = std::max(size, static_cast<double>(scene_.high(i) - scene_.low(i)));
        return size;
    }
    void surface(const wire::Surface& surface, const Pose& pose, const Paint& paint) {
        foxglove::TriangleListPrimitive& out = *entity_.add_triangles();
        put(*out.mutable_pose(), pose);
        paint(*out.mutable_color());
        for (int i = 0; i + 2 < surface.vertices_size(); i += 3)
            put(*out.add_points(),
                Vec3{surface.vertices(i), surface.vertices(i + 1), surface.vertices(i + 2)});
        for (const uint32_t corner : surface.triangles()) out.add_indices(corner);
    }
    // In the frame of the body.
    void triangles(const Solid& solid, const Paint& paint) {
        foxglove::TriangleListPrimitive& out = *entity_.add_triangles();
        put(*out.mutable_pose(), Pose{});
        paint(*out.mutable_color());
        for (const auto& corners : solid.corners)
            for (const Vec3 corner : corners) put(*out.add_points(), corner);
    }

    const wire::Scene& scene_;
    foxglove::SceneEntity& entity_;
};

// Of the frames of all bodies, and nothing for those that are gone. A frame needs a name of its own; a body may have none, that of
// another body or that of the world. What is gone keeps its name, so that nobody else's changes.
std::vector<std::string> frame_names(const wire::Scene& scene) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (int i = 0; i < scene.bodies_size(); ++i) {
        const wire::Body& body = scene.bodies(i);
        const std::string word = i == 0              ? world_frame
                               : body.name().empty() ? fmt::format("body {}", i)
                                                     : body.name();
        std::string name = word;
        for (int count = 2; !taken.insert(name).second; ++count)
            name = fmt::format("{} {}", word, count);
        names.push_back(body.is_gone() ? "" : name);
    }
    return names;
}

// Beside the file, of this process alone.
std::filesystem::path beside(const std::filesystem::path& file) {
    std::filesystem::path out = file;
    out += fmt::format(".{}.part", getpid());
    return out;
}

}  // namespace

struct FoxgloveFile::Impl {
    Impl(const std::filesystem::path& out, const std::vector<std::string>& quantities)
        : file(out),
          part(beside(out)),
          values(quantities),
          writer(part, "bristle", {}, "bristle export", {{"format", "foxglove"}}) {
        const auto& ours = *foxglove::SceneUpdate::descriptor()->file();
        add_channel(transforms_id, "/tf", "foxglove.FrameTransforms", description_of(ours));
        add_channel(scene_id, "/scene", "foxglove.SceneUpdate", description_of(ours));
        if (!quantities.empty())
            add_channel(values_id, "/values", "bristle.Values", description_of(values.file()));
    }
    ~Impl() {
        std::error_code ignored;
        if (!is_finished) std::filesystem::remove(part, ignored);
    }

    void add_channel(uint16_t id, const char* topic, const char* schema, std::string description) {
        writer.add(mcap::Schema{id, schema, "protobuf", std::move(description)});
        writer.add(mcap::Channel{id, id, topic, "protobuf"});
    }
    void add(uint16_t channel, double time, std::string_view data) {
        const auto at = static_cast<uint64_t>(std::llround(std::max(0.0, time) * 1e9));
        writer.add(channel, at, at, data);
        if (writer.pending() >= chunk_size) writer.write_chunk();
    }

    void write(const wire::Scene& scene, double time) {
        names = frame_names(scene);
        foxglove::SceneUpdate update;
        foxglove::SceneEntityDeletion& all = *update.add_deletions();
        put_time(*all.mutable_timestamp(), time);
        all.set_type(foxglove::SceneEntityDeletion::ALL);
        std::vector<foxglove::SceneEntity> entities(static_cast<size_t>(scene.bodies_size()));
        for (size_t i = 0; i < entities.size(); ++i) {
            put_time(*entities[i].mutable_timestamp(), time);
            entities[i].set_frame_id(names[i]);
            entities[i].set_id(names[i]);
            entities[i].set_frame_locked(true);
        }
        const std::vector<DrawnPart> drawn = drawn_parts(scene);
        auto solid = drawn.begin();
        for (const wire::Part& part : scene.parts()) {
            if (names[part.body()].empty()) continue;  // nor is it drawn
            const bool is_drawn = part.kind() != wire::Part::PLANE;
            EntityBuilder(scene, entities[part.body()]).add(part, is_drawn ? &*solid++ : nullptr);
        }
        for (size_t i = 0; i < entities.size(); ++i)
            if (!names[i].empty()) *update.add_entities() = std::move(entities[i]);
        add(scene_id, time, update.SerializeAsString());
    }

    void write(const Frame& frame, std::span<const double> numbers) {
        transforms.clear_transforms();
        for (size_t body = 1; 7 * (body + 1) <= frame.poses.size() && body < names.size(); ++body) {
            if (names[body].empty()) continue;
            const float* const p = &frame.poses[7 * body];
            foxglove::FrameTransform& out = *transforms.add_transforms();
            put_time(*out.mutable_timestamp(), frame.time);
            out.set_parent_frame_id(world_frame);
            out.set_child_frame_id(names[body]);
            put(*out.mutable_translation(), p[0], p[1], p[2]);
            put(*out.mutable_rotation(), Quat{p[3], p[4], p[5], p[6]});
        }
        add(transforms_id, frame.time, transforms.SerializeAsString());
        if (!numbers.empty()) add(values_id, frame.time, values.message(numbers));
        ++frames;
    }

    std::filesystem::path file, part;
    ValueSchema values;
    mcap::Writer writer;
    foxglove::FrameTransforms transforms;
    std::vector<std::string> names;  // of frames, by body; of what is gone, none
    size_t frames = 0;
    bool is_finished = false;
};

FoxgloveFile::FoxgloveFile(const std::filesystem::path& file,
                           const std::vector<std::string>& quantities)
    : impl_(std::make_unique<Impl>(file, quantities)) {}
FoxgloveFile::~FoxgloveFile() = default;

void FoxgloveFile::scene(const wire::Scene& scene, double time) { impl_->write(scene, time); }
void FoxgloveFile::frame(const Frame& frame, std::span<const double> values) {
    impl_->write(frame, values);
}
void FoxgloveFile::finish() {
    impl_->writer.finish();
    impl_->writer.sync();
    std::filesystem::rename(impl_->part, impl_->file);
    impl_->is_finished = true;
}
size_t FoxgloveFile::frames() const { return impl_->frames; }

}  // namespace bristle::live
