#include "live/record/playback.h"

#include "live/clock/clock.h"
#include "live/record/recording_impl.h"
#include "live/wire/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace bristle::live {
namespace {

constexpr double usual_spacing = 1.0 / 60;  // s, if there are too few frames to tell

// A frame in the file.
struct Place {
    std::shared_ptr<const LoadedChunk> chunk;
    size_t message = 0;
    uint64_t step = 0;
};

// A message by its place in the file.
struct Spot {
    size_t chunk = 0, message = 0;
    auto operator<=>(const Spot&) const =
        default;  // NOLINT(modernize-use-nullptr): it is the compiler's
};

bool is_coherent_field(const wire::Field& f) {
    const auto is_side = [](uint32_t points) { return points >= 2 && points <= 65536; };
    return is_side(f.columns()) && is_side(f.rows())
        && uint64_t{f.columns()} * f.rows() == static_cast<uint64_t>(f.heights_size())
        && f.unit() > 0 && std::isfinite(f.unit()) && f.spacing_x() > 0 && f.spacing_y() > 0
        && std::isfinite(f.spacing_x() + f.spacing_y()) && f.stride() > 0 && f.last_x() > 0
        && f.last_y() > 0;
}

// Whether all that parts and triangles point to is there: who draws the scene does not ask again.
bool is_coherent(const wire::Scene& scene) {
    const auto is_among = [](uint32_t i, int count) { return i < static_cast<uint32_t>(count); };
    return std::all_of(
               scene.parts().begin(), scene.parts().end(),
               [&](const wire::Part& part) {
                   return is_among(part.body(), scene.bodies_size())
                       && (part.kind() != wire::Part::SURFACE
                           || is_among(part.surface(), scene.surfaces_size()))
                       && (part.kind() != wire::Part::FIELD
                           || is_among(part.surface(), scene.fields_size()))
                       && (!part.has_paint() || is_among(part.paint(), scene.paints_size()));
               })
        && std::all_of(scene.fields().begin(), scene.fields().end(), is_coherent_field)
        && std::all_of(scene.surfaces().begin(), scene.surfaces().end(),
                       [&](const wire::Surface& surface) {
                           const int vertices = surface.vertices_size() / 3,
                                     places = surface.image_places_size();
                           return (places == 0 || places == 2 * vertices)
                               && std::all_of(
                                      surface.triangles().begin(), surface.triangles().end(),
                                      [&](uint32_t corner) { return is_among(corner, vertices); });
                       })
        && std::all_of(scene.paints().begin(), scene.paints().end(), [&](const wire::Paint& p) {
               const int images = scene.images_size();
               return (!p.has_color_image() || is_among(p.color_image(), images))
                   && (!p.has_surface_image() || is_among(p.surface_image(), images))
                   && (!p.has_normal_image() || is_among(p.normal_image(), images))
                   && (!p.has_glow_image() || is_among(p.glow_image(), images));
           });
}

}  // namespace

struct Playback::Impl {
    explicit Impl(const std::filesystem::path& path) : file(path), recording(*file.impl_) {
        const auto& chunks = recording.reader.index().chunks;
        for (size_t i = 0; i < chunks.size(); ++i)
            if (recording.has(chunks[i], Topic::state)) frame_chunks.push_back(i);
        find_spacing();
        const std::optional<Place> end = last_until(std::numeric_limits<int64_t>::max());
        if (!end || !first)
            throw InputError(
                fmt::format("{}: there are no frames in it to show; it ended before "
                            "anything was recorded",
                            path.string()));
        last = std::max(end->step, *first);
        go_to(*first);
    }

    double time_of(uint64_t step) const {
        return recording.origin.start_time + static_cast<double>(step) * recording.step_length;
    }

    // ---- Finding frames ----------------------------------------------------------------------------------------

    // Null for a chunk that is damaged: its frames are missing.
    std::shared_ptr<const LoadedChunk> chunk(size_t i) {
        try {
            return recording.load(i);
        } catch (const InputError&) {
            return {};
        }
    }
    uint64_t computed(const mcap::Message& message) const {
        return recording.timeline.computed(message.log_time);
    }

    // The first frame that counts, and how far apart they usually are.
    void find_spacing() {
        stride = std::max<uint64_t>(
            1, static_cast<uint64_t>(std::llround(usual_spacing / recording.step_length)));
        for (const size_t i : frame_chunks) {
            const auto loaded = chunk(i);
            if (!loaded) continue;
            std::vector<uint64_t> steps, gaps;
            for (const size_t k : loaded->frames)
                if (const uint64_t at = computed(loaded->messages[k]);
                    recording.timeline.counts(at))
                    steps.push_back(recording.timeline.stretch_at(at).step_of(at));
            if (!first && !steps.empty()) first = steps.front();
            for (size_t k = 1; k < steps.size(); ++k)
                if (steps[k] > steps[k - 1]) gaps.push_back(steps[k] - steps[k - 1]);
            if (gaps.size() < 3) continue;
            std::nth_element(gaps.begin(), gaps.begin() + gaps.size() / 2, gaps.end());
            const double most = 0.5 * Clock::longest_step / recording.step_length;
            stride =
                std::min(gaps[gaps.size() / 2], std::max<uint64_t>(1, static_cast<uint64_t>(most)));
            return;
        }
    }

    // The last frame that counts, not after this step.
    std::optional<Place> last_until(uint64_t step) {
        const auto& stretches = recording.timeline.stretches();
        auto after = std::upper_bound(
            stretches.begin(), stretches.end(), step,
            [](uint64_t value, const Stretch& s) { return value < s.begin_step(); });
        while (after != stretches.begin()) {
            const Stretch& stretch = *std::prev(after);
            const uint64_t until = std::min(step, stretch.end_step - 1);
            std::optional<Place> place = last_in_file(stretch.computed_at(until));
            if (!place) return {};
            const uint64_t at = computed(place->chunk->messages[place->message]);
            if (at >= stretch.begin) {
                place->step = stretch.step_of(at);
                return place;
            }
            // Nothing of the stretches between was shown.
            after =
                std::upper_bound(stretches.begin(), std::prev(after), at,
                                 [](uint64_t value, const Stretch& s) { return value < s.begin; });
        }
        return {};
    }
    // The last frame of the file, whether it counts or not, when so many steps were computed.
    std::optional<Place> last_in_file(uint64_t until) {
        const auto& chunks = recording.reader.index().chunks;
        auto after = std::partition_point(frame_chunks.begin(), frame_chunks.end(), [&](size_t i) {
            return recording.timeline.computed(chunks[i].first_time) <= until;
        });
        while (after != frame_chunks.begin()) {
            const auto loaded = chunk(*--after);
            if (!loaded) continue;
            const auto beyond = std::partition_point(
                loaded->frames.begin(), loaded->frames.end(),
                [&](size_t k) { return computed(loaded->messages[k]) <= until; });
            if (beyond != loaded->frames.begin()) return Place{loaded, *std::prev(beyond), 0};
        }
        return {};
    }

    // ---- Showing them ------------------------------------------------------------------------------------------

    void go_to(uint64_t step) {
        playhead = std::clamp(step, *first, last);
        std::optional<Place> place = last_until(playhead);
        if (!place) return;
        if (shown.chunk && place->chunk->index == shown.chunk->index
            && place->message == shown.message)
            return;
        shown = std::move(*place);
        const std::string_view data = shown.chunk->messages[shown.message].data;
        wire::State message;
        if (!message.ParseFromArray(data.data(), static_cast<int>(data.size())))
            throw InputError(fmt::format("{}: the frame of step {} makes no sense",
                                         recording.reader.path().string(), shown.step));
        decode(message, frame);
        if (!scene || scene->revision() != frame.revision) find_scene();
        find_ground();
    }

    // All that counts between what is shown and what the mirror has, or the last message that tells all of it.
    void find_ground() {
        const auto& chunks = recording.reader.index().chunks;
        const Spot here{shown.chunk->index, shown.message};
        std::vector<GroundNews> missing;
        bool is_complete = false;
        for (size_t i = here.chunk + 1; i-- > 0 && !is_complete;) {
            const bool is_beyond =
                mirrored && Spot{i, std::numeric_limits<size_t>::max()} < *mirrored;
            if (is_beyond && *mirrored <= here) break;
            if (!recording.has(chunks[i], Topic::ground)) continue;
            const auto loaded = chunk(i);
            if (!loaded) continue;
            for (size_t k = i == here.chunk ? here.message : loaded->messages.size();
                 k-- > 0 && !is_complete;) {
                if (mirrored && *mirrored <= here && Spot{i, k} <= *mirrored) {
                    is_complete = true;
                    break;
                }
                if (std::optional<GroundNews> news = ground_in(loaded->messages[k])) {
                    is_complete = news->is_whole;
                    missing.push_back(std::move(*news));
                }
            }
        }
        // Gone back beyond all that was told: it is as in the scene.
        const bool is_continued = mirrored && *mirrored <= here;
        if (!is_continued && (missing.empty() || !missing.back().is_whole))
            missing.push_back({.is_whole = true});
        mirror.take(*scene);
        for (size_t i = missing.size(); i-- > 0;) mirror.take(missing[i]);
        mirrored = here;
    }
    std::optional<GroundNews> ground_in(const mcap::Message& m) const {
        if (m.channel != recording.channel_id(Topic::ground)
            || !recording.timeline.counts(computed(m)))
            return {};
        wire::Ground message;
        GroundNews news;
        if (!message.ParseFromArray(m.data.data(), static_cast<int>(m.data.size()))) return {};
        try {
            decode(message, news);
        } catch (const InputError&) {  // what makes no sense is missing
            return {};
        }
        return news;
    }

    // The one that was told last before the frame, of its revision.
    void find_scene() {
        const auto& chunks = recording.reader.index().chunks;
        for (size_t i = shown.chunk->index + 1; i-- > 0;) {
            if (!recording.has(chunks[i], Topic::scene)) continue;
            const auto loaded = chunk(i);
            if (!loaded) continue;
            size_t k = i == shown.chunk->index ? shown.message : loaded->messages.size();
            while (k-- > 0) {
                const mcap::Message& m = loaded->messages[k];
                if (m.channel != recording.channel_id(Topic::scene)) continue;
                auto found = std::make_shared<wire::Scene>();
                if (!found->ParseFromArray(m.data.data(), static_cast<int>(m.data.size()))
                    || !is_coherent(*found))
                    continue;
                if (scene && found->revision() != frame.revision) continue;
                found->set_is_recording(true);
                // Nothing of this can be computed from poses.
                found->clear_quantities();
                found->clear_plots();
                scene = std::move(found);
                return;
            }
        }
        if (!scene)
            throw InputError(
                fmt::format("{}: the description of the scene is lost; `bristle "
                            "replay --check` still computes the motion again",
                            recording.reader.path().string()));
    }

    uint64_t hash_of_shown() const {
        wire::Keyframe keyframe;
        for (const mcap::Message& m : shown.chunk->messages)
            if (m.channel == recording.channel_id(Topic::keyframe)
                && keyframe.ParseFromArray(m.data.data(), static_cast<int>(m.data.size()))
                && keyframe.step() == shown.step && recording.timeline.counts(computed(m)))
                return keyframe.hash();
        return 0;
    }

    RecordingFile file;
    RecordingFile::Impl& recording;
    std::vector<size_t> frame_chunks;  // that have frames
    std::optional<uint64_t> first;
    uint64_t last = 0, stride = 1, playhead = 0;
    Place shown;
    std::optional<Spot> mirrored;  // up to which the mirror is complete
    GroundMirror mirror;
    Frame frame;
    uint32_t watch = 0;
    std::shared_ptr<const wire::Scene> scene;
};

Playback::Playback(const std::filesystem::path& file) : impl_(std::make_unique<Impl>(file)) {}
Playback::~Playback() = default;

double Playback::step_length() const {
    return static_cast<double>(impl_->stride) * impl_->recording.step_length;
}
double Playback::time() const { return impl_->time_of(impl_->playhead); }
uint64_t Playback::step() const { return impl_->playhead; }
double Playback::first_time() const { return impl_->time_of(*impl_->first); }
double Playback::last_time() const { return impl_->time_of(impl_->last); }

bool Playback::advance() {
    if (impl_->playhead >= impl_->last) return false;
    impl_->go_to(impl_->playhead + impl_->stride);
    return true;
}

void Playback::go_to(double time) {
    if (!std::isfinite(time)) throw InputError("go to: the time is not a number");
    const double wanted =
        std::clamp(time, first_time(), last_time()) - impl_->recording.origin.start_time;
    const auto step = static_cast<uint64_t>(std::llround(wanted / impl_->recording.step_length));
    // The nearest frame: the last one not more than half a frame later.
    const std::optional<Place> place = impl_->last_until(step + impl_->stride / 2);
    impl_->go_to(place && place->step + impl_->stride > step ? place->step : step);
}

void Playback::apply(const Input&) {
    throw InputError("a recording cannot be steered; open its scene with `bristle view`");
}
bool Playback::is_repeating() const { return true; }
void Playback::record(std::shared_ptr<Tape> tape) {
    if (tape) throw InputError("this is a recording already; copy its file");
}
void Playback::wish(const Wishes& wishes) {
    if (!wishes.quantities.empty())
        throw InputError(
            fmt::format("a recording shows where bodies were; `bristle export` computes '{}'",
                        wishes.quantities.front()));
    impl_->watch = wishes.number;
}
void Playback::fill(Frame& frame) const {
    frame = impl_->frame;
    frame.values.clear();
    frame.watch = impl_->watch;
}
uint64_t Playback::ground(uint64_t since, GroundNews& news) const {
    GroundNews found = impl_->mirror.since(since);
    news.time = time();
    news.step = step();
    news.revision = impl_->scene->revision();
    const auto add = [](auto& to, auto& from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()),
                  std::make_move_iterator(from.end()));
    };
    add(news.places, found.places);
    add(news.tiles, found.tiles);
    add(news.heaps, found.heaps);
    return impl_->mirror.version();
}
void Playback::fill_shared_volumes(Surface& surface) const { surface = {}; }
std::shared_ptr<const wire::Scene> Playback::scene() const { return impl_->scene; }
uint64_t Playback::hash() const { return impl_->hash_of_shown(); }

}  // namespace bristle::live
