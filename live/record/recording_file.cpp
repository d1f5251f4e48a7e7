#include "live/clock/clock.h"
#include "live/record/mcap_writer.h"
#include "live/record/recording_impl.h"
#include "live/wire/messages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace bristle::live {
namespace {

[[noreturn]] void fail(const mcap::Reader& reader, const std::string& what) {
    throw InputError(fmt::format("{}: {}", reader.path().string(), what));
}

std::string entry(const mcap::Entries& entries, const std::string& key) {
    const auto at = entries.find(key);
    return at == entries.end() ? std::string() : at->second;
}

template <class Number> Number number(const std::string& text, Number otherwise) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

// Nobody has computed so far, and nobody will again.
void demand_possible(uint64_t step) {
    constexpr uint64_t most_steps = 100'000'000'000;  // a day and more at a microsecond a step
    if (step > most_steps) throw InputError(fmt::format("step {} makes no sense", step));
}

// A name that cannot lead out of the folder it is unpacked in.
bool is_safe(const std::filesystem::path& name) {
    if (name.empty() || name.is_absolute() || !name.has_filename()) return false;
    return std::none_of(name.begin(), name.end(),
                        [](const auto& part) { return part == ".." || part == "."; });
}

}  // namespace

// ---- Opening ---------------------------------------------------------------------------------------------------

RecordingFile::Impl::Impl(const std::filesystem::path& file) : reader(file), timeline(1) {
    read_metadata();
    for (const auto& [id, channel] : reader.index().channels)
        for (size_t i = 0; i < topics.size(); ++i)
            if (channel.topic == topics[i]) channel_ids[i] = id;
    for (const mcap::Hole& hole : reader.holes()) first_hole = std::min(first_hole, hole.from);
    read_inputs();
}

RecordingFile::Impl::~Impl() {
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
}

void RecordingFile::Impl::read_metadata() {
    const auto& list = reader.index().metadata;
    const auto at = std::find_if(list.begin(), list.end(),
                                 [](const auto& info) { return info.name == metadata_name; });
    if (at == list.end())
        fail(reader, "this is no recording of bristle, or its beginning is damaged");
    const mcap::Entries entries = reader.metadata(*at);
    if (entry(entries, "checksum") != checksum_of(entries))
        fail(reader, fmt::format("byte {}: the metadata are damaged", at->offset));
    if (entry(entries, "format") != format_version)
        fail(reader, fmt::format("its format is {}, and this program knows {}; use a newer one",
                                 entry(entries, "format"), format_version));
    scene_name = entry(entries, "scene");
    scene_file = entry(entries, "file");
    step_length = number(entry(entries, "step length"), 0.0);
    if (!(step_length >= Clock::shortest_step && step_length <= Clock::longest_step))
        fail(reader, "the metadata have no step length that makes sense");
    timeline = Timeline(step_length);
    origin.step = number(entry(entries, "step"), 0.0);
    origin.solver = entry(entries, "solver");
    origin.seed = number(entry(entries, "seed"), uint64_t{0});
    unsaid = entry(entries, "unsaid");
    origin.start_time = number(entry(entries, "start time"), 0.0);
    if (!std::isfinite(origin.start_time)) fail(reader, "the metadata have no start time");
    for (const mcap::AttachmentInfo& info : reader.index().attachments) {
        if (info.name != start_file) continue;
        const std::string state = reader.attachment(info);
        const auto* data = reinterpret_cast<const std::byte*>(state.data());
        origin.start.emplace(number(entry(entries, "start origin"), uint64_t{0}),
                             number(entry(entries, "start equations"), uint64_t{0}),
                             std::vector<std::byte>(data, data + state.size()));
    }
    for (const auto& [key, value] : entries)
        if (key.starts_with(parameter_prefix))
            origin.overrides[key.substr(parameter_prefix.size())] = value;
}

void RecordingFile::Impl::read_inputs() {
    std::vector<RewindAt> rewinds;
    for_each(Topic::input, [&](const mcap::Message& m) {
        wire::Input message;
        if (!message.ParseFromArray(m.data.data(), static_cast<int>(m.data.size())))
            throw InputError("an input makes no sense");
        if (message.has_rewind()) {
            const uint64_t to = message.rewind().to(), computed = timeline.computed(m.log_time);
            if (to > computed) throw InputError("a rewind goes forward");
            if (!rewinds.empty() && computed < rewinds.back().computed)
                throw InputError("the rewinds are out of order");
            rewinds.push_back({computed, to});
            while (!inputs.empty() && inputs.back().step >= to) inputs.pop_back();
            return;
        }
        InputAt input = decode(message);
        demand_possible(input.step);
        if (!inputs.empty() && input.step < inputs.back().step)
            throw InputError("the inputs are out of order");
        inputs.push_back(std::move(input));
    });
    timeline = Timeline(step_length, rewinds);
}

void RecordingFile::Impl::for_each(Topic topic,
                                   const std::function<void(const mcap::Message&)>& look) {
    const uint16_t id = channel_id(topic);
    const auto& chunks = reader.index().chunks;
    for (size_t i = 0; i < chunks.size() && chunks[i].offset < first_hole; ++i) {
        if (!has(chunks[i], topic)) continue;
        try {
            const auto chunk = load(i);
            for (const mcap::Message& message : chunk->messages)
                if (message.channel == id) look(message);
        } catch (const InputError& error) {
            first_hole = chunks[i].offset;
            damage = error.what();
            return;
        }
    }
}

bool RecordingFile::Impl::has(const mcap::ChunkInfo& chunk, Topic topic) const {
    return channel_id(topic) != 0 && chunk.message_indexes.contains(channel_id(topic));
}

std::shared_ptr<const LoadedChunk> RecordingFile::Impl::load(size_t chunk) {
    const auto known = std::find_if(cache.begin(), cache.end(),
                                    [chunk](const auto& one) { return one->index == chunk; });
    if (known != cache.end()) {
        std::rotate(cache.begin(), known, known + 1);
        return cache.front();
    }
    auto loaded = std::make_shared<LoadedChunk>();
    loaded->index = chunk;
    loaded->bytes = reader.chunk(reader.index().chunks[chunk]);
    try {
        loaded->messages = mcap::records_in(loaded->bytes).messages;
    } catch (const mcap::Damage& damaged) {
        fail(reader, damaged.what);
    }
    for (size_t i = 0; i < loaded->messages.size(); ++i)
        if (loaded->messages[i].channel == channel_id(Topic::state)) loaded->frames.push_back(i);
    cache.insert(cache.begin(), loaded);
    size_t bytes = 0, kept = 0;
    for (; kept < cache.size() && (kept == 0 || bytes <= most_cached); ++kept)
        bytes += cache[kept]->bytes.size();
    cache.resize(kept);
    return loaded;
}

// ---- What is asked ---------------------------------------------------------------------------------------------

RecordingFile::RecordingFile(const std::filesystem::path& file)
    : impl_(std::make_unique<Impl>(file)) {}
RecordingFile::~RecordingFile() = default;
RecordingFile::RecordingFile(RecordingFile&&) noexcept = default;

const Recorder::Origin& RecordingFile::origin() const { return impl_->origin; }
const std::string& RecordingFile::scene_name() const { return impl_->scene_name; }
double RecordingFile::step_length() const { return impl_->step_length; }
bool RecordingFile::is_finished() const { return impl_->reader.is_finished(); }
const std::vector<InputAt>& RecordingFile::inputs() const { return impl_->inputs; }

std::vector<RecordedChannel> RecordingFile::channels() const {
    const mcap::Index& index = impl_->reader.index();
    std::vector<RecordedChannel> out;
    for (const auto& [id, channel] : index.channels) {
        RecordedChannel one{.topic = channel.topic};
        if (const auto at = index.schemas.find(channel.schema); at != index.schemas.end())
            one.schema = at->second.name;
        if (const auto at = index.messages.find(id); at != index.messages.end())
            one.messages = at->second;
        out.push_back(std::move(one));
    }
    return out;
}

std::string RecordingFile::damage() const {
    const mcap::Reader& reader = impl_->reader;
    if (reader.is_finished()) {
        std::string wrong = reader.check();
        return wrong.empty() ? impl_->damage : wrong;
    }
    const std::string name = reader.path().string();
    if (!impl_->damage.empty()) return impl_->damage;
    for (const mcap::Hole& hole : reader.holes())
        if (hole.to < reader.size())
            return fmt::format("{}, byte {}: {}", name, hole.from, hole.what);
    return fmt::format("{}, byte {}: it was not finished; {} bytes of a torn end", name,
                       reader.end(), reader.size() - reader.end());
}

io::Scene RecordingFile::scene() const {
    Impl& impl = *impl_;
    if (!impl.unsaid.empty())
        fail(impl.reader,
             "it can be looked at, but not computed again, for its model was made in "
             "code that no file can say:\n"
                 + impl.unsaid);
    if (impl.folder.empty()) impl.unpack();
    // Whoever made the recording, its scene gets the files that came with it, and none of this machine's.
    io::Scene scene =
        io::read_scene(impl.folder / impl.scene_file, impl.origin.overrides,
                       {.folders = {impl.folder}, .full_paths = io::Reach::FullPaths::of_copies});
    io::change_solver(scene, impl.origin.solver, impl.origin.step);
    return scene;
}

std::unique_ptr<Simulation> RecordingFile::simulation() const {
    auto simulation = std::make_unique<Simulation>(scene(), impl_->origin.start);
    simulation->repeat(impl_->inputs);
    return simulation;
}

void RecordingFile::Impl::unpack() {
    std::string pattern = (std::filesystem::temp_directory_path() / "bristle-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
        fail(reader, "cannot make a temporary folder for the scene's files");
    folder = pattern;
    for (const mcap::AttachmentInfo& info : reader.index().attachments) {
        if (!is_safe(info.name))
            fail(reader, fmt::format("byte {}: the attached file '{}' has no safe name",
                                     info.offset, info.name));
        const std::filesystem::path path = folder / info.name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream stream(path, std::ios::binary);
        stream << reader.attachment(info);
        if (!stream.flush()) fail(reader, fmt::format("cannot unpack '{}'", path.string()));
    }
    if (!is_safe(scene_file) || !std::filesystem::is_regular_file(folder / scene_file))
        fail(reader, "the scene's file is not attached, or damaged");
}

// ---- Keyframes and frames ----------------------------------------------------------------------------------------

std::vector<RecordedKeyframe> RecordingFile::keyframes() const {
    std::vector<RecordedKeyframe> out;
    impl_->for_each_keyframe([&](const wire::Keyframe& message) {
        out.push_back({message.step(), message.time(), message.hash()});
    });
    return out;
}

Snapshot RecordingFile::state(const RecordedKeyframe& wanted) const {
    std::optional<Snapshot> found;
    impl_->for_each_keyframe([&](const wire::Keyframe& message) {
        if (message.step() != wanted.step) return;
        const auto* data = reinterpret_cast<const std::byte*>(message.state().data());
        found.emplace(message.origin(), message.equations(),
                      std::vector<std::byte>(data, data + message.state().size()));
    });
    if (!found) fail(impl_->reader, fmt::format("there is no keyframe of step {}", wanted.step));
    return *found;
}

void RecordingFile::Impl::for_each_keyframe(
    const std::function<void(const wire::Keyframe&)>& look) {
    wire::Keyframe message;
    for_each(Topic::keyframe, [&](const mcap::Message& m) {
        if (!timeline.counts(timeline.computed(m.log_time))) return;
        if (!message.ParseFromArray(m.data.data(), static_cast<int>(m.data.size())))
            throw InputError("a keyframe makes no sense");
        demand_possible(message.step());
        look(message);
    });
}

void RecordingFile::for_each_frame(const std::function<void(const Frame&)>& look) const {
    wire::State message;
    Frame frame;
    impl_->for_each(Topic::state, [&](const mcap::Message& m) {
        if (!impl_->timeline.counts(impl_->timeline.computed(m.log_time))) return;
        if (!message.ParseFromArray(m.data.data(), static_cast<int>(m.data.size())))
            throw InputError("a frame makes no sense");
        decode(message, frame);
        look(frame);
    });
}

std::string repair(const std::filesystem::path& file) { return mcap::repair(file); }

}  // namespace bristle::live
