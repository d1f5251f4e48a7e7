#include "live/show/session.h"

#include "live/clock/real_time.h"
#include "live/show/edits.h"
#include "live/show/latest.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bristle::live {
namespace {

constexpr size_t most_orders = 1024;
// What ends something has places of its own: however much waits, it can be stopped and let go.
constexpr size_t places_for_ends = 64;
constexpr Nanoseconds between_frames = 1'000'000'000 / 60;
constexpr Nanoseconds between_statistics = 250'000'000;
constexpr Nanoseconds longest_sleep = 5'000'000;  // so that orders do not wait in slow motion

bool ends_something(const Order& order) {
    const auto* input = std::get_if<Input>(&order);
    return std::holds_alternative<Pause>(order) || std::holds_alternative<Record>(order)
        || (input != nullptr && std::holds_alternative<ReleaseGrab>(*input));
}

// Of a device, which waits for no answer.
bool is_outdated(const Order& earlier, const Order& later) {
    const auto *before = std::get_if<Input>(&earlier), *now = std::get_if<Input>(&later);
    return before != nullptr && now != nullptr && replaces(*now, *before);
}

}  // namespace

struct Session::Impl {
    struct Waiting {
        Order order;
        Done done;
    };

    Impl(std::unique_ptr<Show> what, Options with)
        : show(std::move(what)), options(std::move(with)), clock(show->step_length()) {
        scene = show->scene();
        show->set_patience([this] { return goes_on(); });
        thread = std::thread([this] { loop(); });
    }
    ~Impl() {
        {
            const std::lock_guard lock(mutex);
            is_ending = true;
        }
        wake.notify_one();
        thread.join();
    }

    // ---- On the session's thread -----------------------------------------------------------------------------

    void loop() {
        if (options.scheduling == Scheduling::real_time)
            if (const std::string refused = use_real_time_scheduling();
                !refused.empty() && options.warn)
                options.warn(refused);
        if (options.begin == Begin::running) clock.start(wall_now());
        guarded([this] { publish(); });
        while (!is_ending)
            guarded([this] {
                carry_out_orders();
                if (clock.is_running())
                    serve_tick();
                else
                    wait_for_orders();
            });
    }

    // The door of this thread: whatever comes to it is told and stops the clock, and orders are still taken.
    template <class Work> void guarded(const Work& work) {
        try {
            work();
        } catch (const std::exception& error) {
            stop_for(error.what());
        }
    }
    void stop_for(const std::string& why) {
        trouble = why;
        if (clock.is_running()) clock.stop(wall_now());
    }

    void wait_for_orders() {
        if (is_changed) publish();
        std::unique_lock lock(mutex);
        wake.wait(lock, [this] { return is_ending || !orders.empty(); });
    }

    void serve_tick() {
        const Nanoseconds now = wall_now();
        if (now < clock.next_tick()) {
            sleep_until(std::min(clock.next_tick(), now + longest_sleep));
            if (wall_now() < clock.next_tick()) return;
        }
        clock.wake(wall_now());
        while (clock.is_due() && advance()) {
            clock.stepped(wall_now());
            if (has_orders) break;
        }
        clock.finish_tick(wall_now());
        if (wall_now() - published >= between_frames) publish();
    }

    // False if it cannot go on: then it stands still.
    bool advance() {
        is_changed = true;
        try {
            if (show->advance()) return true;
            is_at_end = true;
        } catch (
            const Stopped&) {  // NOLINT(bugprone-empty-catch): a pause or the end is on its way
        } catch (const std::exception& error) {  // also of a user's functions
            stop_for(error.what());
            return false;
        }
        clock.stop(wall_now());
        return false;
    }

    void carry_out_orders() {
        if (!has_orders) return;
        {
            const std::lock_guard lock(mutex);
            carrying.swap(orders);
            has_orders = false;
        }
        for (const Waiting& waiting : carrying) {
            std::string error;
            try {
                std::visit([this](const auto& order) { carry_out(order); }, waiting.order);
            } catch (const std::exception& problem) {
                error = problem.what();
            }
            is_changed = true;
            if (waiting.done) waiting.done(error);
        }
        carrying.clear();
        if (is_changed && !clock.is_running()) publish();
    }

    void carry_out(const Run&) {
        if (is_at_end) show->go_to(show->first_time());
        is_at_end = false;
        trouble.clear();
        clock.start(wall_now());
    }
    void carry_out(const Pause&) {
        --pauses;
        clock.stop(wall_now());
    }
    void carry_out(const StepOnce& step) {
        clock.stop(wall_now());
        trouble.clear();
        uint32_t done = 0;
        while (done < step.count && goes_on() && advance()) {
            ++done;
            if (wall_now() - published >= between_frames) publish();
        }
        if (!trouble.empty()) throw SimulationError(trouble);
        if (!goes_on())
            throw Stopped("stopped after " + std::to_string(done) + " of "
                          + std::to_string(step.count) + " steps");
    }
    void carry_out(const SetSpeed& order) { clock.set_speed(order.speed, wall_now()); }
    void carry_out(const GoTo& order) {
        const bool was_running = clock.is_running();
        clock.stop(wall_now());
        is_at_end = false;
        trouble.clear();
        show->go_to(order.time);
        if (was_running) clock.start(wall_now());
    }
    void carry_out(const Undo&) {
        const bool was_running = clock.is_running();
        clock.stop(wall_now());
        trouble.clear();
        show->undo();
        if (was_running) clock.start(wall_now());
    }
    void carry_out(const Wishes& wishes) const { show->wish(wishes); }
    void carry_out(const Record& record) {
        show->record(record.tape);
        is_recorded = record.tape != nullptr;
    }
    void carry_out(const LookAt& order) const { order.look(*show); }
    void carry_out(const Input& input) const { show->apply(input); }

    // What takes long ends when somebody says pause, or all ends.
    bool goes_on() const { return !is_ending && pauses == 0; }

    // Large meshes may take long: at most a tenth of the time, unless it stands still.
    void fill_shared_volumes(Frame& frame) {
        const Nanoseconds now = wall_now();
        if (!clock.is_running() || now >= next_shared) {
            show->fill_shared_volumes(shared);
            const Nanoseconds end = wall_now();
            next_shared = end + 9 * (end - now);
        }
        frame.shared_volumes = shared;
    }

    void publish() {
        const Nanoseconds now = wall_now();
        Frame& frame = frames.slot();
        is_changed = false;
        try {
            show->fill(frame);
            fill_shared_volumes(frame);
            gather_ground();
        } catch (
            const std::exception& error) {  // the frame is an older one then, with this trouble
            stop_for(error.what());
        }
        const ClockStatistics& statistics = clock.statistics();
        Transport& transport = frame.transport;
        transport.is_running = clock.is_running();
        transport.is_repeating = show->is_repeating();
        transport.speed = clock.speed();
        transport.lag = clock.lag(now);
        transport.first = show->first_time();
        transport.last = show->last_time();
        transport.overruns = statistics.overruns;
        transport.slipped = static_cast<double>(statistics.slipped) * 1e-9;
        transport.busy = clock.busy();
        transport.is_recorded = is_recorded;
        transport.trouble = trouble;
        const auto newest = show->scene();
        if (newest != scene || now - told >= between_statistics || !clock.is_running()) {
            const std::lock_guard lock(mutex);
            scene = newest;
            shown_statistics = statistics;
            shown_solver = show->solver();
            told = now;
        }
        frames.publish();
        published = now;
    }

    // Only as often as somebody takes it; and what it is when all stands still, for then nobody would ask again.
    void gather_ground() {
        if (!is_ground_wanted && clock.is_running()) return;
        const std::lock_guard lock(ground_mutex);
        if (show->scene() != scene) ground_version = 0;  // there may be other fields
        ground_version = show->ground(ground_version, ground);
        is_ground_wanted = false;
    }

    std::unique_ptr<Show> show;
    Options options;
    Clock clock;
    std::string trouble;
    bool is_at_end = false, is_recorded = false, is_changed = false;
    Nanoseconds published = 0, told = 0;  // when
    Nanoseconds next_shared = 0;
    uint64_t ground_version = 0;
    Surface shared;
    std::vector<Waiting> carrying;

    // ---- Between threads ---------------------------------------------------------------------------------------

    Latest<Frame> frames;
    std::mutex mutex;  // held for moments only
    std::condition_variable wake;
    std::vector<Waiting> orders;
    std::atomic<bool> has_orders = false, is_ending = false;
    std::atomic<int> pauses = 0;  // that were asked for and not carried out
    std::mutex ground_mutex;      // held while it is gathered, and to take it
    GroundNews ground;
    std::atomic<bool> is_ground_wanted = true;
    std::shared_ptr<const wire::Scene> scene;
    ClockStatistics shown_statistics;
    SolverStatistics shown_solver;

    std::thread thread;  // the last to begin and the first to end
};

Session::Session(std::unique_ptr<Show> show, Options options)
    : impl_(std::make_unique<Impl>(std::move(show), std::move(options))) {}
Session::~Session() = default;

bool Session::post(Order order, Done done) {
    {
        const std::lock_guard lock(impl_->mutex);
        auto& orders = impl_->orders;
        // Devices say more than a busy simulation takes: their newest value counts.
        if (!done && orders.size() >= most_orders / 2) {
            const auto same = std::find_if(orders.rbegin(), orders.rend(), [&](const auto& other) {
                return !other.done && is_outdated(other.order, order);
            });
            if (same != orders.rend()) orders.erase(std::next(same).base());
        }
        if (orders.size() >= most_orders + (ends_something(order) ? places_for_ends : 0))
            return false;
        if (std::holds_alternative<Pause>(order)) ++impl_->pauses;
        orders.push_back({std::move(order), std::move(done)});
        impl_->has_orders = true;
    }
    impl_->wake.notify_one();
    return true;
}

bool Session::take(Frame& frame) {
    const Frame* newest = impl_->frames.take();
    if (newest) frame = *newest;
    return newest != nullptr;
}

bool Session::take_ground(uint32_t revision, GroundNews& news) {
    const std::lock_guard lock(impl_->ground_mutex);
    if (impl_->ground.is_empty() || impl_->ground.revision > revision) return false;
    news.clear();
    std::swap(news, impl_->ground);
    impl_->is_ground_wanted = true;
    return true;
}

std::shared_ptr<const wire::Scene> Session::scene() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->scene;
}

ClockStatistics Session::statistics() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->shown_statistics;
}

SolverStatistics Session::solver() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->shown_solver;
}

}  // namespace bristle::live
