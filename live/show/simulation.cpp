#include "live/show/simulation.h"

#include "live/show/edits.h"
#include "live/show/hold.h"
#include "live/show/input_log.h"
#include "live/show/reach.h"
#include "live/show/sight.h"
#include "live/wire/ground_source.h"
#include "live/wire/scene_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

namespace bristle::live {
namespace {

constexpr double frames_a_second = 60;               // of simulated time, on the tape
constexpr uint64_t frames_a_ground = 4;              // on the tape: 15 a second
constexpr double between_taped_keyframes = 1;        // s, simulated
constexpr double between_keyframes = 1;              // s, simulated, at most …
constexpr double computing_between_keyframes = 0.1;  // … and of computing

constexpr auto longest_undo = std::chrono::seconds(1);  // of computing
constexpr uint64_t most_rows = 1000;                    // of a chronicle
constexpr size_t most_between_steps = 50000;            // inputs: some 15 minutes of a slider

constexpr size_t scenes_kept = 8;         // of moments
constexpr size_t bytes_of_a_body = 2000;  // of a model, with joints and shapes

using Stopwatch = std::chrono::steady_clock;
using Held = std::optional<Hold>;

// All there is to go on from.
struct Moment {
    uint64_t step;
    Snapshot state;
    Held held;
    uint32_t revision;                         // of the scene
    std::shared_ptr<const wire::Scene> scene;  // none of an older one: it is described again
    size_t weight;                             // bytes, about
};

uint64_t steps_in(double time, double step) {
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(time / step)));
}

bool is_edit(const Input& input) {
    return std::holds_alternative<AddBody>(input) || std::holds_alternative<AddSpring>(input)
        || std::holds_alternative<AddJoint>(input) || std::holds_alternative<Remove>(input);
}

// Computes the past again, and reads it off.
Curves curves_of(Simulation& again, uint64_t steps, const std::vector<std::string>& names,
                 double seconds) {
    Curves out;
    again.wish({.quantities = names, .looks = {}, .number = 0});
    const uint64_t stride = std::max<uint64_t>(1, (steps + most_rows - 1) / most_rows);
    const auto begin = Stopwatch::now();
    Frame frame;
    while (again.step() <= steps
           && std::chrono::duration<double>(Stopwatch::now() - begin).count() < seconds) {
        if (again.step() % stride == 0) {
            again.fill(frame);
            out.times.push_back(frame.time);
            out.values.insert(out.values.end(), frame.values.begin(), frame.values.end());
        }
        again.advance();
    }
    return out;
}

}  // namespace

struct Simulation::Impl {
    Impl(io::Scene from, const std::optional<Snapshot>& start)
        : source(std::make_shared<const io::Scene>(std::move(from))),
          world(source->model, source->solver),
          step_length(step_of(source->solver)),
          frame_stride(steps_in(1 / frames_a_second, step_length)),
          keyframe_stride(steps_in(between_taped_keyframes, step_length)) {
        if (start) world.restore(*start);
        start_time = world.time();
        describe(world.model());
        first_scene = scene;
        keep_moment();
    }

    // ---- The model, as it is told --------------------------------------------------------------------------

    void describe(const Model& model) {
        ground.take(model);
        scene = std::make_shared<wire::Scene>(scene_message(*source, model, ++last_revision));
    }
    // The description of a moment, all triangles included, would weigh more than its state: the newest ones and the first
    // are kept, the others are made again when somebody goes there.
    std::shared_ptr<const wire::Scene> scene_of(const Moment& m) const {
        if (m.revision == first_scene->revision()) return first_scene;
        if (m.revision == scene->revision()) return scene;
        if (m.scene) return m.scene;
        return std::make_shared<wire::Scene>(scene_message(*source, world.model_now(), m.revision));
    }

    // ---- Stepping ------------------------------------------------------------------------------------------

    // Beyond what was there before.
    bool is_new() const { return step >= last_step; }

    // Those of the past that belong to this step.
    void repeat_inputs() {
        while (cursor < log.size() && log.step(cursor) <= step) {
            be_patient();
            const auto before = scene;
            carry_out(log[cursor++].input);
            put_input_on_tape(before);
        }
    }
    void advance() {
        repeat_inputs();
        const auto start = Stopwatch::now();
        world.step();
        computing += std::chrono::duration<double>(Stopwatch::now() - start).count();
        ++step;
        const bool was_there = step <= last_step;
        last_step = std::max(last_step, step);
        if (tape && !was_there) put_on_tape();
        const double elapsed = static_cast<double>(step - moments.back().step) * step_length;
        if (step > moments.back().step
            && (computing > computing_between_keyframes || elapsed >= between_keyframes))
            keep_moment();
    }

    void be_patient() const {
        if (goes_on && !goes_on()) throw Stopped(fmt::format("stopped at {:g} s", world.time()));
    }

    void put_on_tape() {
        if (step % frame_stride == 0) {
            if (step / frame_stride % frames_a_ground == 0) put_ground();
            fill(taped);
            tape->frame(taped);
        }
        if (step % keyframe_stride == 0 || keyframe_is_due) put_keyframe();
    }
    void put_ground() {
        if (ground.is_empty()) return;
        GroundNews news;
        taped_ground = tell_ground(taped_ground, news);
        tape->ground(std::move(news));
    }
    uint64_t tell_ground(uint64_t since, GroundNews& news) const {
        news.step = step;
        news.revision = scene->revision();
        return ground.tell(world, since, news);
    }
    // The last one that was carried out, unless it is there already.
    void put_input_on_tape(const std::shared_ptr<const wire::Scene>& scene_before) {
        if (!tape || cursor <= taped_inputs) return;
        taped_inputs = cursor;
        tape->input(log[cursor - 1]);
        if (scene != scene_before) tape->scene(scene);
    }
    void put_keyframe() {
        keyframe_is_due = false;
        tape->keyframe(step, world.time(), world.hash(), world.snapshot());
    }

    // ---- The past ------------------------------------------------------------------------------------------

    void keep_moment() {
        computing = 0;
        // A snapshot also holds the model, if it is not the one of the moment before.
        const size_t model = model_has_changed ? bytes_of_a_body * world.poses().size() : 0;
        model_has_changed = false;
        Snapshot state = world.snapshot();
        const size_t weight = state.bytes().size() + model;
        moments.push_back({step, std::move(state), *held, scene->revision(), scene, weight});
        memory += weight;
        if (memory > most_memory) thin_out();
        const size_t count = moments.size();
        if (count > scenes_kept) moments[count - scenes_kept - 1].scene.reset();
    }
    // Every other one of the older half goes; the first one stays.
    void thin_out() {
        const size_t half = moments.size() / 2;
        std::vector<Moment> kept;
        for (size_t i = 0; i < moments.size(); ++i)
            if (i >= half || i % 2 == 0) kept.push_back(std::move(moments[i]));
        moments = std::move(kept);
        count_memory();
    }
    void count_memory() {
        memory = 0;
        for (const Moment& m : moments) memory += m.weight;
    }

    void go_to(uint64_t wanted) {
        if (wanted < step || moment_before(wanted).step > step) restore(moment_before(wanted));
        while (step < wanted) {
            be_patient();
            advance();
        }
    }
    const Moment& moment_before(uint64_t wanted) const {
        const auto after =
            std::upper_bound(moments.begin(), moments.end(), wanted,
                             [](uint64_t value, const Moment& m) { return value < m.step; });
        return *std::prev(after);
    }
    void restore(const Moment& m) {
        world.restore(m.state);
        step = m.step;
        *held = m.held;
        scene = scene_of(m);
        ground.take(world.model());
        // A moment is kept before the inputs of its step are carried out.
        cursor = log.first_from(step);
    }
    // What lies ahead did not happen.
    void forget_what_is_ahead() {
        if (cursor == log.size() && is_new()) return;
        log.resize(cursor);
        taped_inputs = std::min(taped_inputs, cursor);
        while (moments.back().step > step) moments.pop_back();
        count_memory();
        last_step = step;
        if (tape) tape->rewind(step);
    }

    // ---- The past of another -------------------------------------------------------------------------------

    std::vector<std::string> ids() const {
        std::vector<std::string> names;
        for (const Body& b : source->model.bodies()) names.push_back(b.name);
        for (const Drive& d : source->model.drives()) names.push_back(d.name);
        for (const Motor& m : source->model.motors()) names.push_back(m.name);
        for (const StatefulForce& f : source->model.stateful_forces()) names.push_back(f.name);
        return names;
    }

    bool catch_up(const Past& past, double seconds) {
        // Inputs name things by numbers: of another model they would mean something else.
        if (!past.inputs.empty() && past.ids != ids()) return false;
        for (InputAt i : past.inputs) {
            i.step = static_cast<uint64_t>(
                std::llround(static_cast<double>(i.step) * past.step_length / step_length));
            log.add(i);
        }
        const auto wanted =
            static_cast<uint64_t>(std::llround((past.time - start_time) / step_length));
        goes_on = [begin = Stopwatch::now(), seconds] {
            return std::chrono::duration<double>(Stopwatch::now() - begin).count() < seconds;
        };
        try {
            go_to(wanted);
        } catch (
            const std::
                exception&) {  // NOLINT(bugprone-empty-catch): it will tell when it runs there by itself
        }
        goes_on = nullptr;
        if (step == wanted) return true;
        restore(moments.front());
        forget_what_is_ahead();
        return false;
    }

    // ---- Undoing ---------------------------------------------------------------------------------------------

    void undo() {
        size_t edit = cursor;
        while (edit > 0 && !is_edit(log[edit - 1].input)) --edit;
        if (edit == 0) throw InputError("undo: nothing was added or removed");
        --edit;
        const uint64_t wanted = step, when = log.step(edit);
        // Ids are never used again, so what was added last is the last body; what held it does not hold it now.
        const auto added = static_cast<uint32_t>(world.model().bodies().size() - 1);
        const bool is_body = std::holds_alternative<AddBody>(log[edit].input);
        const auto names_it = [&](const Input& input) {
            const auto* grab = std::get_if<Grab>(&input);
            return is_body && grab != nullptr && grab->body.index == added;
        };
        std::vector<InputAt> others;
        for (size_t i = log.first_from(when); i < cursor; ++i) {
            InputAt input = log[i];
            // The hand that took hold of it has let go of what it held before.
            if (names_it(input.input)) input.input = ReleaseGrab{};
            if (i != edit) others.push_back(std::move(input));
        }
        // Also if that is now: its inputs are not carried out then.
        restore(moment_before(when));
        go_to(when);
        forget_what_is_ahead();
        for (const InputAt& input : others) log.add(input);
        repeat_to(wanted);
    }
    // As far as it goes in time.
    void repeat_to(uint64_t wanted) {
        const auto begin = Stopwatch::now();
        try {
            while (step < wanted && Stopwatch::now() - begin < longest_undo) advance();
            if (step == wanted) repeat_inputs();
        } catch (
            const std::
                exception&) {  // NOLINT(bugprone-empty-catch): it will tell when it runs there by itself
        }
        forget_what_is_ahead();
    }

    // ---- Inputs --------------------------------------------------------------------------------------------

    void apply(const Input& input) {
        check_values(input);
        // Of a new one: what is repeated was done once.
        if (const auto* grab = std::get_if<Grab>(&input)) check_reach(*scene, world.model(), *grab);
        if (cursor - log.first_from(step) >= most_between_steps)
            throw InputError(
                fmt::format("more than {} inputs while the simulation stands still: let it go on",
                            most_between_steps));
        const auto before = scene;
        carry_out_or_undo(input);
        forget_what_is_ahead();
        log.add({step, input});
        cursor = log.size();
        taped_inputs = std::min(taped_inputs, cursor - 1);
        put_input_on_tape(before);
    }

    // An input may be several changes, and what describes the model to others may fail behind them: whatever
    // throws, and wherever, all is as it was.
    void carry_out_or_undo(const Input& input) {
        if (!changes_model(input))
            return carry_out(input);  // a single number: nothing before it fails
        const Snapshot state = world.snapshot();
        const Held hand = *held;
        const auto scene_before = scene;
        const bool had_changed = model_has_changed;
        try {
            carry_out(input);
        } catch (...) {
            *held = hand;
            scene = scene_before;
            model_has_changed = had_changed;
            world.restore(state);
            throw;
        }
    }

    void carry_out(const Input& input) {
        std::visit([this](const auto& kind) { carry(kind); }, input);
    }
    void carry(const CommandDrive& c) { world.command(c.drive, c.value); }
    void carry(const CommandMotor& c) { world.command(c.motor, c.value); }
    void carry(const CommandInput& c) { world.command(c.force, c.input, c.value); }
    void carry(const Grab& g) {
        require(world.model(), g.body, "grab");
        if (g.body == Model::ground()) throw InputError("grab: the ground cannot be moved");
        carry(ReleaseGrab{});
        Hold hold{.body = g.body, .at = g.at, .to = g.to};
        hold.mass = held_mass(g);
        change([&](Model& model) { hold.force = add_hold(model, held, g.body); });
        *held = hold;
    }
    double held_mass(const Grab& g) const {
        const double mass = connected_mass(world.model(), g.body);
        if (!std::holds_alternative<Impulse>(source->solver)) return mass;
        // What hangs on it by joints resists besides, but its own is all that is sure.
        const Body& body = world.model().bodies()[g.body.index];
        return std::min(mass, bearable_mass(body, g.at, step_length));
    }
    void carry(const MoveGrab& m) {
        if (*held) (*held)->to = m.to;  // a hand that has let go may still move
    }
    void carry(const ReleaseGrab&) {
        if (!*held) return;
        const ForceId force = (*held)->force;
        change([force](Model& model) { model.remove(force); });
        held->reset();
    }
    void carry(const Remove& r) {
        if (*held && r.what == Removed{(*held)->body}) carry(ReleaseGrab{});
        edit(r);
    }
    template <class Edit> void carry(const Edit& e) { edit(e); }
    template <class Edit> void edit(const Edit& e) {
        change([&](Model& model) { change_model(model, e); });
        describe(world.model_now());
    }
    void change(const std::function<void(Model&)>& how) {
        world.change(how);
        model_has_changed = true;
    }

    void fill(Frame& frame) const {
        frame.time = world.time();
        frame.step = step;
        sight.fill(world, *scene, *held, frame);
    }

    const std::shared_ptr<const io::Scene> source;
    World world;
    double step_length, start_time = 0;
    uint64_t frame_stride, keyframe_stride;

    uint64_t step = 0, last_step = 0;  // now, and the furthest there was
    InputLog log;                      // all inputs, also those ahead
    size_t cursor = 0;                 // the first that is not carried out
    std::vector<Moment> moments;       // by step; the first is the start
    size_t memory = 0;                 // bytes, of moments
    double computing = 0;              // s, since the last moment
    bool model_has_changed = true;     // since the last moment
    std::shared_ptr<Held> held = std::make_shared<Held>();

    std::shared_ptr<const wire::Scene> scene, first_scene;
    uint32_t last_revision = 0;
    std::function<bool()> goes_on;

    std::shared_ptr<Tape> tape;
    size_t taped_inputs = 0;
    uint64_t taped_ground = 0;  // version
    bool keyframe_is_due = false;
    Frame taped;

    Sight sight;
    GroundSource ground;
};

Simulation::Simulation(io::Scene scene, const std::optional<Snapshot>& start)
    : impl_(std::make_unique<Impl>(std::move(scene), start)) {}
Simulation::~Simulation() = default;

void Simulation::record(std::shared_ptr<Tape> tape) {
    impl_->tape = std::move(tape);
    if (!impl_->tape) return;
    impl_->tape->scene(impl_->first_scene);
    for (size_t i = 0; i < impl_->cursor; ++i) impl_->tape->input(impl_->log[i]);
    impl_->taped_inputs = impl_->cursor;
    if (impl_->scene != impl_->first_scene) impl_->tape->scene(impl_->scene);
    // A keyframe is kept before the inputs of its step: if there were some, at the end of the next one.
    const bool is_clean = impl_->cursor == 0 || impl_->log.step(impl_->cursor - 1) < impl_->step;
    if (is_clean)
        impl_->put_keyframe();
    else
        impl_->keyframe_is_due = true;
    impl_->taped_ground = 0;
    impl_->put_ground();
    impl_->fill(impl_->taped);
    impl_->tape->frame(impl_->taped);
}
void Simulation::repeat(const std::vector<InputAt>& inputs) {
    impl_->log = {};
    for (const InputAt& input : inputs) impl_->log.add(input);
    impl_->cursor = 0;
}
const World& Simulation::world() const { return impl_->world; }
double Simulation::step_length() const { return impl_->step_length; }
double Simulation::time() const { return impl_->world.time(); }
uint64_t Simulation::step() const { return impl_->step; }
double Simulation::first_time() const { return impl_->start_time; }
double Simulation::last_time() const {
    return impl_->start_time + static_cast<double>(impl_->last_step) * impl_->step_length;
}
bool Simulation::advance() {
    impl_->advance();
    return true;
}
void Simulation::go_to(double time) {
    if (!std::isfinite(time)) throw InputError("go to: the time is not a number");
    const double last = static_cast<double>(impl_->last_step);
    const double steps = (time - impl_->start_time) / impl_->step_length;
    impl_->go_to(static_cast<uint64_t>(std::llround(std::clamp(steps, 0.0, last))));
}
void Simulation::apply(const Input& input) { impl_->apply(input); }
void Simulation::set_patience(const std::function<bool()>& goes_on) { impl_->goes_on = goes_on; }
bool Simulation::is_repeating() const {
    return impl_->cursor < impl_->log.size() || !impl_->is_new();
}
void Simulation::wish(const Wishes& wishes) { impl_->sight.wish(world().model(), wishes); }
void Simulation::fill(Frame& frame) const { impl_->fill(frame); }
SolverStatistics Simulation::solver() const {
    const StepStatistics s = world().statistics();
    return {s.impact_steps, s.rough_steps, s.held_steps, describe(s.last_rough, world().model())};
}
void Simulation::fill_shared_volumes(Surface& surface) const {
    impl_->sight.fill_shared_volumes(world(), surface);
}
uint64_t Simulation::ground(uint64_t since, GroundNews& news) const {
    return impl_->ground.is_empty() ? since : impl_->tell_ground(since, news);
}
std::shared_ptr<const wire::Scene> Simulation::scene() const { return impl_->scene; }
uint64_t Simulation::hash() const { return impl_->world.hash(); }
Past Simulation::past() const {
    Past past{time(), impl_->step_length, {}, impl_->ids()};
    for (size_t i = 0; i < impl_->cursor; ++i) past.inputs.push_back(impl_->log[i]);
    return past;
}
bool Simulation::catch_up(const Past& past, double seconds) {
    return impl_->catch_up(past, seconds);
}
void Simulation::undo() { impl_->undo(); }
Show::Chronicle Simulation::chronicle() const {
    InputLog inputs = impl_->log;
    inputs.resize(impl_->cursor);
    return
        [source = impl_->source, start = impl_->moments.front().state, inputs = std::move(inputs),
         steps = step()](const std::vector<std::string>& quantities, double seconds) {
            Simulation again(*source, start);
            again.impl_->log = inputs;
            return curves_of(again, steps, quantities, seconds);
        };
}

}  // namespace bristle::live
