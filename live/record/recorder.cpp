#include "live/record/recorder.h"

#include "io/read_file.h"
#include "live/record/mcap_writer.h"
#include "live/record/recording_format.h"
#include "live/record/ring.h"
#include "live/wire/messages.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.pb.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace bristle::live {
namespace {

using namespace std::chrono_literals;
using Stopwatch = std::chrono::steady_clock;

constexpr size_t frame_room = 128, event_room = 4096;
constexpr size_t most_waiting = 64u << 20;  // bytes of scenes and states that wait to be written
// A chunk is written when it is this large or has this many frames, whatever the wall clock says …
constexpr size_t largest_chunk = 1u << 20;
constexpr int frames_a_chunk = 64;
// … and when its first message is this old. The rest of half a second is for a busy machine.
constexpr auto oldest_message = 150ms;
constexpr auto between_syncs = 1s;
constexpr size_t least_whole = 16u << 10;  // bytes, that the ground is taken to have
constexpr auto shortest_nap = 1ms, longest_nap = 16ms;

struct RewindTo {
    uint64_t step;
};
struct Keyframe {
    uint64_t step;
    double time;
    uint64_t hash;
    Snapshot state;
};
using Event = std::variant<std::monostate, std::shared_ptr<const wire::Scene>, InputAt, RewindTo,
                           Keyframe, GroundNews>;

// Both rings number what they hold, so that the order of the calls is the order of the file.
template <class What> struct Numbered {
    uint64_t number = 0;
    What what;
};

// What a scene or a state takes in memory; the others are small, and their number is bounded.
size_t weight_of(const Event& event) {
    if (const auto* scene = std::get_if<std::shared_ptr<const wire::Scene>>(&event))
        return (*scene)->SpaceUsedLong();
    if (const auto* keyframe = std::get_if<Keyframe>(&event)) return keyframe->state.bytes().size();
    if (const auto* ground = std::get_if<GroundNews>(&event)) return ground->weight();
    return 0;
}

// ---- The files of the scene ----------------------------------------------------------------------------------

constexpr uintmax_t largest_attachment = uintmax_t{1} << 32;  // bytes, as of the largest mesh

// Relative to the deepest folder that holds them all, so that they find each other wherever they are put.
std::vector<mcap::Attachment> attachments_of(const io::Scene& scene) {
    std::vector<std::filesystem::path> files;
    for (const auto& file : scene.files) {
        auto full = std::filesystem::absolute(file).lexically_normal();
        if (std::find(files.begin(), files.end(), full) == files.end())
            files.push_back(std::move(full));
    }
    // What is made in code and no file can say can be looked at, and not computed again.
    if (!scene.unsaid.empty()) return {};
    if (files.empty()) return {{scene.name + ".yaml", "application/yaml", io::scene_text(scene)}};
    std::filesystem::path folder = files.front().parent_path();
    for (const auto& file : files)
        while (*file.lexically_relative(folder).begin() == "..") folder = folder.parent_path();
    std::vector<mcap::Attachment> out;
    for (const auto& file : files) {
        const bool is_text = file.extension() == ".yaml" || file.extension() == ".yml";
        out.push_back({file.lexically_relative(folder).generic_string(),
                       is_text ? "application/yaml" : "application/octet-stream",
                       io::read_file(file, largest_attachment)});
    }
    return out;
}

// With the state at the start, if it has its own.
std::vector<mcap::Attachment> all_attachments(const io::Scene& scene,
                                              const Recorder::Origin& origin) {
    std::vector<mcap::Attachment> out = attachments_of(scene);
    if (origin.start) {
        const auto& bytes = origin.start->bytes();
        out.push_back({std::string(start_file),
                       "application/octet-stream",
                       {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    }
    return out;
}

mcap::Entries metadata_of(const io::Scene& scene, const Recorder::Origin& origin,
                          const std::vector<mcap::Attachment>& attachments) {
    const bool has_file = scene.unsaid.empty();
    mcap::Entries entries = {{"format", std::string(format_version)},
                             {"scene", scene.name},
                             {"title", scene.title},
                             {"file", has_file ? attachments.front().name : ""},
                             {"step length", fmt::format("{}", step_of(scene.solver))},
                             {"step", fmt::format("{}", origin.step)},
                             {"solver", origin.solver},
                             {"seed", fmt::format("{}", origin.seed)}};
    if (!has_file) entries["unsaid"] = fmt::format("{}", fmt::join(scene.unsaid, "\n"));
    if (origin.start) {
        entries["start time"] = fmt::format("{}", origin.start_time);
        entries["start origin"] = fmt::format("{}", origin.start->origin());
        entries["start equations"] = fmt::format("{}", origin.start->equations());
    }
    for (const auto& [name, value] : origin.overrides)
        entries[std::string(parameter_prefix) + name] = value;
    entries["checksum"] = checksum_of(entries);
    return entries;
}

// ---- Schemas -------------------------------------------------------------------------------------------------

void add_channels(mcap::Writer& writer) {
    google::protobuf::FileDescriptorSet set;
    wire::Scene::descriptor()->file()->CopyTo(set.add_file());
    const std::string description = set.SerializeAsString();
    const std::array<std::string, topics.size()> types = {
        wire::Scene::descriptor()->full_name(), wire::Input::descriptor()->full_name(),
        wire::Keyframe::descriptor()->full_name(), wire::State::descriptor()->full_name(),
        wire::Ground::descriptor()->full_name()};
    for (size_t i = 0; i < topics.size(); ++i) {
        const auto id = static_cast<uint16_t>(i + 1);
        writer.add(mcap::Schema{id, types[i], "protobuf", description});
        writer.add(mcap::Channel{id, id, std::string(topics[i]), "protobuf"});
    }
}

}  // namespace

struct Recorder::Impl {
    Impl(const std::filesystem::path& file, const io::Scene& scene, const Origin& origin,
         const std::vector<mcap::Attachment>& attachments, Behind when_behind)
        : step_length(step_of(scene.solver)),
          behind(when_behind),
          writer(file, "bristle", attachments, metadata_name,
                 metadata_of(scene, origin, attachments)) {
        add_channels(writer);
        bytes = writer.size();
        syncing = std::thread([this] { sync(); });
        writing = std::thread([this] { write(); });
    }
    ~Impl() { stop(); }

    // ---- The simulation's thread ---------------------------------------------------------------------------

    void put(Event event) {
        // After the end nobody takes anything any more.
        if (is_ending.load(std::memory_order_relaxed)) return;
        const size_t weight = weight_of(event);
        Numbered<Event>* slot = events.back();
        for (; slot == nullptr || waiting.load(std::memory_order_relaxed) > most_waiting;
             slot = events.back()) {
            if (is_ending.load(std::memory_order_relaxed)) return;
            std::this_thread::sleep_for(shortest_nap);
        }
        waiting.fetch_add(weight, std::memory_order_relaxed);
        slot->number = number++;
        slot->what = std::move(event);
        events.push();
    }
    void put(const Frame& frame) {
        Numbered<Frame>* slot = frames.back();
        for (; slot == nullptr && behind == Behind::wait; slot = frames.back())
            std::this_thread::sleep_for(shortest_nap / 4);
        if (slot == nullptr) {
            lost_frames.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        slot->number = number++;
        slot->what = frame;
        frames.push();
    }

    void stop() {
        if (!writing.joinable()) return;
        is_ending.store(true, std::memory_order_release);
        writing.join();
        {
            const std::lock_guard guard(mutex);
            is_over = true;
        }
        over.notify_all();
        syncing.join();
    }

    // ---- The recorder's own threads --------------------------------------------------------------------------

    // Beside the writing, for a disk may take long.
    void sync() {
        std::unique_lock guard(mutex);
        while (!over.wait_for(guard, between_syncs, [this] { return is_over; })) {
            guard.unlock();
            guarded([this] { writer.sync(); });
            guard.lock();
        }
    }

    void write() {
        Stopwatch::duration nap = shortest_nap;
        for (;;) {
            const bool is_last = is_ending.load(std::memory_order_acquire);
            const bool found = take_all();
            guarded([this, is_last] {
                if (is_last)
                    writer.finish();
                else if (has_messages && Stopwatch::now() - first_message > oldest_message)
                    write_chunk();
                bytes.store(writer.size(), std::memory_order_relaxed);
            });
            if (is_last) return;
            nap = found ? Stopwatch::duration(shortest_nap)
                        : std::min<Stopwatch::duration>(2 * nap, longest_nap);
            if (!found) std::this_thread::sleep_for(nap);
        }
    }
    // After the first failure all that comes is thrown away, so that the simulation never waits for it.
    template <class Work> void guarded(const Work& work) {
        if (has_failed) return;
        try {
            work();
        } catch (const std::exception& error) {
            fail(error.what());
        }
    }
    void fail(const std::string& why) {
        const std::lock_guard guard(mutex);
        if (failure.empty()) failure = why;
        has_failed = true;
    }
    std::string trouble() {
        const std::lock_guard guard(mutex);
        return failure;
    }

    bool take_all() {
        const uint64_t before = next;
        for (;;) {
            if (Numbered<Frame>* frame = frames.front(); frame && frame->number == next) {
                guarded([&] { keep(frame->what); });
                frames.pop();
            } else if (Numbered<Event>* event = events.front(); event && event->number == next) {
                guarded([&] { std::visit([this](const auto& what) { keep(what); }, event->what); });
                waiting.fetch_sub(weight_of(event->what), std::memory_order_relaxed);
                event->what = std::monostate();
                events.pop();
            } else {
                return next != before;
            }
            ++next;
            if (has_messages && Stopwatch::now() - first_message > oldest_message)
                guarded([this] { write_chunk(); });
        }
    }

    void write_chunk() {
        writer.write_chunk();
        has_messages = false;
        frames_in_chunk = 0;
    }

    // ---- Messages --------------------------------------------------------------------------------------------

    void keep(std::monostate) {}
    void keep(const std::shared_ptr<const wire::Scene>& scene) {
        mirror.take(*scene);
        add(Topic::scene, last_step, static_cast<double>(last_step) * step_length, *scene);
    }
    void keep(const InputAt& input) {
        add(Topic::input, input.step, static_cast<double>(input.step) * step_length, encode(input));
    }
    // Takes a step of log time of its own, so that no other message has the time of both before and after. Frames come every few
    // steps: what went back between two of them has nothing to take back.
    void keep(const RewindTo& rewind) {
        if (rewind.step > last_step) return;
        wire::Input message;
        message.set_step(last_step);
        message.mutable_rewind()->set_to(rewind.step);
        shift += static_cast<int64_t>(last_step) + 1 - static_cast<int64_t>(rewind.step);
        last_step = rewind.step;
        is_whole_due = true;  // what was told in between does not count
        add(Topic::input, rewind.step, static_cast<double>(rewind.step) * step_length, message);
    }
    void keep(const Keyframe& keyframe) {
        wire::Keyframe message;
        message.set_step(keyframe.step);
        message.set_time(keyframe.time);
        message.set_hash(keyframe.hash);
        message.set_origin(keyframe.state.origin());
        message.set_equations(keyframe.state.equations());
        const auto& state = keyframe.state.bytes();
        message.set_state(state.data(), state.size());
        add(Topic::keyframe, keyframe.step, keyframe.time, message);
    }
    // All of it now and then, so that who goes somewhere has not far to look for it: after twice as many bytes as that takes.
    void keep(const GroundNews& news) {
        mirror.take(news);
        const bool is_whole = is_whole_due || since_whole > 2 * size_of_whole;
        const GroundNews told = mirror.since(is_whole ? 0 : written_ground);
        if (told.is_empty()) return;
        encode(told, ground);
        add(Topic::ground, news.step, news.time, ground);
        written_ground = mirror.version();
        if (is_whole) {
            is_whole_due = false;
            size_of_whole = std::max(text.size(), least_whole);
            since_whole = 0;
        } else {
            since_whole += text.size();
        }
    }
    void keep(const Frame& frame) {
        encode(frame, state);
        add(Topic::state, frame.step, frame.time, state);
        if (++frames_in_chunk >= frames_a_chunk) write_chunk();
    }

    void add(Topic topic, uint64_t step, double time, const google::protobuf::Message& message) {
        last_step = std::max(last_step, step);
        text.clear();
        if (!message.AppendToString(&text))
            throw std::runtime_error("a message of more than 2 GB cannot be recorded");
        if (!has_messages) first_message = Stopwatch::now();
        has_messages = true;
        const auto nanoseconds = [](double seconds) {
            return static_cast<uint64_t>(std::llround(std::max(0.0, seconds) * 1e9));
        };
        // By the last step, since what is kept late (an input of the past) must not go back in time.
        const auto computed = static_cast<double>(static_cast<int64_t>(last_step) + shift);
        writer.add(channel_of(topic), nanoseconds(computed * step_length), nanoseconds(time), text);
        if (writer.pending() >= largest_chunk) write_chunk();
    }

    double step_length;
    Behind behind;

    Ring<Numbered<Frame>> frames{frame_room};
    Ring<Numbered<Event>> events{event_room};
    uint64_t number = 0;  // of the simulation's thread: of the next element
    std::atomic<uint64_t> lost_frames = 0, bytes = 0;
    std::atomic<size_t> waiting = 0;  // bytes of events
    std::atomic<bool> is_ending = false;

    // Of the writing thread.
    mcap::Writer writer;
    uint64_t next = 0, last_step = 0;
    int64_t shift = 0;  // computed steps = step + shift
    bool has_messages = false;
    int frames_in_chunk = 0;
    Stopwatch::time_point first_message;
    wire::State state;
    GroundMirror mirror;
    wire::Ground ground;
    uint64_t written_ground = 0;  // version
    bool is_whole_due = true;
    size_t size_of_whole = 0, since_whole = 0;  // bytes
    std::string text;

    std::mutex mutex;
    std::string failure;  // the first
    std::atomic<bool> has_failed = false;
    std::condition_variable over;
    bool is_over = false;
    std::thread syncing, writing;
};

Recorder::Recorder(const std::filesystem::path& file, const io::Scene& scene, const Origin& origin,
                   Behind behind)
    : impl_(std::make_unique<Impl>(file, scene, origin, all_attachments(scene, origin), behind)) {}
Recorder::~Recorder() = default;

void Recorder::finish() {
    impl_->stop();
    if (const std::string failure = trouble(); !failure.empty()) throw std::runtime_error(failure);
}

std::string Recorder::trouble() const { return impl_->trouble(); }

uint64_t Recorder::lost_frames() const { return impl_->lost_frames; }
uint64_t Recorder::bytes() const { return impl_->bytes; }

void Recorder::scene(const std::shared_ptr<const wire::Scene>& scene) { impl_->put(Event(scene)); }
void Recorder::input(const InputAt& input) { impl_->put(Event(input)); }
void Recorder::rewind(uint64_t to_step) { impl_->put(Event(RewindTo{to_step})); }
void Recorder::frame(const Frame& frame) { impl_->put(frame); }
void Recorder::ground(GroundNews&& news) { impl_->put(Event(std::move(news))); }
void Recorder::keyframe(uint64_t step, double time, uint64_t hash, Snapshot state) {
    impl_->put(Event(Keyframe{step, time, hash, std::move(state)}));
}

}  // namespace bristle::live
