#include "live/devices/devices.h"

#include <bristle/error.h>

#include "live/devices/channels.h"
#include "live/devices/device_evdev.h"
#include "live/show/session.h"
#include "live/show/simulation.h"
#include "tests/live/scenes.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pty.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>
#include <thread>

namespace bristle::live {
namespace {

using namespace std::chrono_literals;

struct Taken : ControlSink {
    std::vector<std::pair<std::string, double>> controls;
    std::vector<std::string> complaints;
    void control(std::string_view control, double value) override {
        controls.emplace_back(control, value);
    }
    bool may_steer(std::string_view token) override { return token == admitted; }
    void complain(const std::string& what) override { complaints.push_back(what); }
    std::string admitted;
};
using Controls = std::vector<std::pair<std::string, double>>;

// What all devices said.
class Listener {
  public:
    DeviceListener callbacks() {
        return {
            .control =
                [this](std::string_view, std::string_view control, double value) {
                    change([&] { values_[std::string(control)] = value; });
                },
            .release = [this](std::string_view) { change([&] { ++releases_, values_.clear(); }); },
            .tell = [this](const std::string& what) { change([&] { told_ += what + "\n"; }); }};
    }
    // Waits; long, because the machine may be busy.
    bool becomes(const std::string& control, double value) {
        return wait([&] { return values_.contains(control) && values_[control] == value; });
    }
    bool is_told(const std::string& what) {
        return wait([&] { return told_.find(what) != std::string::npos; });
    }
    bool is_released(int times) {
        return wait([&] { return releases_ >= times; });
    }
    std::map<std::string, double> values() {
        const std::lock_guard lock(mutex_);
        return values_;
    }
    std::string told() {
        const std::lock_guard lock(mutex_);
        return told_;
    }

  private:
    template <typename Function> void change(Function function) {
        const std::lock_guard lock(mutex_);
        function();
        changed_.notify_all();
    }
    template <typename Condition> bool wait(Condition condition) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 20s, condition);
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, double> values_;
    std::string told_;
    int releases_ = 0;
};

// ---- evdev ----------------------------------------------------------------------------------------

input_event event(uint16_t type, uint16_t code, int32_t value) {
    input_event e{};
    e.type = type;
    e.code = code;
    e.value = value;
    return e;
}

EvdevDecoder wheel_with_pedals() {
    EvdevDecoder decoder;
    decoder.add_axis(ABS_WHEEL, {.minimum = 0, .maximum = 65535});
    decoder.add_axis(ABS_GAS, {.minimum = 0, .maximum = 255});
    decoder.add_axis(ABS_X, {.minimum = -128, .maximum = 127, .flat = 15});
    for (const uint16_t code : {KEY_W, KEY_SPACE, BTN_TRIGGER, BTN_THUMB, BTN_TOP})
        decoder.add_key(code);
    return decoder;
}

TEST(Evdev, GivesPositionsOfAxesPedalsButtonsAndKeys) {
    EvdevDecoder decoder = wheel_with_pedals();
    Taken taken;
    for (const input_event& e :
         {event(EV_ABS, ABS_WHEEL, 65535), event(EV_ABS, ABS_WHEEL, 0), event(EV_ABS, ABS_GAS, 0),
          event(EV_ABS, ABS_GAS, 255), event(EV_ABS, ABS_X, 14), event(EV_ABS, ABS_X, -1000),
          event(EV_KEY, KEY_W, 1), event(EV_KEY, KEY_W, 2), event(EV_KEY, KEY_W, 0),
          event(EV_KEY, BTN_TOP, 1), event(EV_KEY, KEY_SPACE, 1), event(EV_ABS, ABS_Y, 7),
          event(EV_KEY, KEY_A, 1), event(EV_REL, REL_X, 9), event(EV_SYN, SYN_REPORT, 0)})
        EXPECT_TRUE(decoder.take(e, taken));
    EXPECT_EQ(taken.controls, (Controls{{"axis wheel", 1},
                                        {"axis wheel", -1},
                                        {"axis gas", 0},
                                        {"axis gas", 1},
                                        {"axis x", 0},
                                        {"axis x", -1},
                                        {"key w", 1},
                                        {"key w", 1},
                                        {"key w", 0},
                                        {"button 2", 1},
                                        {"key space", 1}}));
}

TEST(Evdev, AsksAgainAfterRecordsWereLost) {
    EvdevDecoder decoder = wheel_with_pedals();
    Taken taken;
    EXPECT_TRUE(decoder.take(event(EV_SYN, SYN_DROPPED, 0), taken));
    EXPECT_TRUE(decoder.take(event(EV_KEY, KEY_W, 1), taken));  // half of a report
    EXPECT_FALSE(decoder.take(event(EV_SYN, SYN_REPORT, 0), taken));
    EXPECT_TRUE(taken.controls.empty());
    EXPECT_TRUE(decoder.take(event(EV_KEY, KEY_W, 1), taken));
    EXPECT_EQ(taken.controls.size(), 1u);
}

TEST(Evdev, ReadsRecordsFromAFileUntilItEnds) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_NONBLOCK), 0);
    File from(ends[0]), to(ends[1]);
    EvdevDecoder decoder = wheel_with_pedals();
    Taken taken;
    bool lost = false;
    EXPECT_TRUE(read_events(from.get(), decoder, taken, lost));  // nothing there
    std::vector<input_event> events;
    for (int i = 0; i < 100; ++i) {
        events.push_back(event(EV_ABS, ABS_GAS, i));
        events.push_back(event(EV_SYN, SYN_REPORT, 0));
    }
    const size_t size = events.size() * sizeof(input_event);
    ASSERT_EQ(write(to.get(), events.data(), size), ssize_t(size));
    EXPECT_TRUE(read_events(from.get(), decoder, taken, lost));
    EXPECT_EQ(taken.controls.size(), 100u);
    EXPECT_EQ(taken.controls.back(), std::pair(std::string("axis gas"), 99.0 / 255));
    EXPECT_FALSE(lost);
    to.close();
    EXPECT_FALSE(read_events(from.get(), decoder, taken, lost));
}

TEST(Evdev, TakesAnyRecordsWithoutHarm) {
    std::mt19937 random(3);
    EvdevDecoder decoder = wheel_with_pedals();
    decoder.add_axis(ABS_Z, {.minimum = 5, .maximum = 5});
    decoder.add_axis(ABS_RZ, {.minimum = INT32_MIN, .maximum = INT32_MAX, .flat = INT32_MAX});
    Taken taken;
    for (int i = 0; i < 100'000; ++i)
        decoder.take(event(uint16_t(random() % 8), uint16_t(random() % 800), int32_t(random())),
                     taken);
    EXPECT_GT(taken.controls.size(), 10u);
    for (const auto& [name, value] : taken.controls) {
        EXPECT_LE(std::abs(value), 1) << name;
        if (std::abs(value) > 1) break;
    }
}

TEST(Evdev, TellsWhyADeviceCannotBeOpened) {
    Listener listener;
    const Devices devices({{"wheel", EvdevSettings{.name = "no such device", .path = {}}},
                           {"file", EvdevSettings{.name = "", .path = "/dev/null"}},
                           {"gone", EvdevSettings{.name = "", .path = "/dev/input/no such"}}},
                          listener.callbacks());
    EXPECT_TRUE(listener.is_told("wheel: there is no input device 'no such device'"));
    EXPECT_TRUE(
        listener.is_told("file: /dev/null is no input device; expected one of /dev/input/event*"));
    EXPECT_TRUE(
        listener.is_told("gone: cannot open /dev/input/no such (No such file or directory)"));
}

// ---- Serial ---------------------------------------------------------------------------------------

TEST(Serial, ReadsNamesAndValuesOrColumns) {
    Taken taken;
    read_line("boom=0.5, stick=-1e-1 bucket=+1\r", {}, taken);
    EXPECT_EQ(taken.controls, (Controls{{"boom", 0.5}, {"stick", -0.1}, {"bucket", 1}}));
    taken.controls.clear();
    read_line("1;2,3", {"a", "b", "c"}, taken);
    EXPECT_EQ(taken.controls, (Controls{{"a", 1}, {"b", 2}, {"c", 3}}));
    read_line("", {"a"}, taken);
    EXPECT_TRUE(taken.complaints.empty());
    taken.controls.clear();
    // All or nothing: the other values might be of other columns.
    for (const char* line :
         {"1 2", "1 2 3 4", "1 x 3", "1,nan,3", "1,inf,3", "1,1e999,3", "1,=2,3"})
        read_line(line, {"a", "b", "c"}, taken);
    for (const char* line : {"boom", "boom=", "=1", "boom=1x", "boom=1 \x1b[2J"})
        read_line(line, {}, taken);
    EXPECT_TRUE(taken.controls.empty());
    EXPECT_EQ(taken.complaints.size(), 12u);
    EXPECT_EQ(taken.complaints.back().find('\x1b'), std::string::npos);
}

// The two ends of a pseudo-terminal: ours, and the path of the device's.
struct Terminal {
    File ours;
    std::string path;
    Terminal() {
        int ours_file = -1, theirs = -1;
        std::array<char, 128> name{};
        if (openpty(&ours_file, &theirs, name.data(), nullptr, nullptr) != 0)
            throw InputError("no terminal");
        close(theirs);
        ours = File(ours_file);
        path = name.data();
    }
    void send(const std::string& text) const {
        ASSERT_EQ(write(ours.get(), text.data(), text.size()), ssize_t(text.size()));
    }
};

TEST(Serial, IsReadLostAndFoundAgain) {
    const auto link =
        std::filesystem::path(testing::TempDir()) / fmt::format("bristle serial {}", getpid());
    std::filesystem::remove(link);
    Listener listener;
    const Devices devices({{"panel", SerialSettings{.path = link, .baud = 9600}}},
                          listener.callbacks());
    EXPECT_TRUE(listener.is_told("panel: cannot open"));
    for (int time = 1; time <= 2; ++time) {
        const Terminal terminal;
        std::filesystem::create_symlink(terminal.path, link);
        // Again and again, since what comes before it is opened is thrown away.
        std::atomic<bool> is_done = false;
        std::jthread sender([&] {
            while (!is_done) {
                terminal.send("rest of a line=9\nlever=0.25 pedal=1\n");
                std::this_thread::sleep_for(20ms);
            }
        });
        EXPECT_TRUE(listener.becomes("lever", 0.25));
        EXPECT_TRUE(listener.becomes("pedal", 1));
        is_done = true;
        sender.join();
        terminal.send("\n" + std::string(5000, 'x') + "\nlever=-0.5\n");
        EXPECT_TRUE(listener.becomes("lever", -0.5));
        std::filesystem::remove(link);
    }
    EXPECT_TRUE(listener.is_released(2));
    EXPECT_TRUE(listener.is_told("its controls are released"));
}

// ---- UDP ------------------------------------------------------------------------------------------

TEST(Udp, ReadsObjectsAndLines) {
    std::optional<double> sequence;
    Taken taken;
    EXPECT_TRUE(read_datagram(R"( {"boom": 0.5, "left wheel": -2})", sequence, taken));
    EXPECT_TRUE(read_datagram("boom 1\nleft wheel -3\r\n\n", sequence, taken));
    EXPECT_EQ(taken.controls,
              (Controls{{"boom", 0.5}, {"left wheel", -2}, {"boom", 1}, {"left wheel", -3}}));
    taken.controls.clear();
    for (const char* text : {"", " ", "{", "{}", "[1]", "{\"a\": \"b\"}", "{\"a\": null}",
                             "{\"a\": [1]}", "{\"a\": 1e999}", "{\"a\": 1} x", "a", "a b", "a nan",
                             "a inf", "a 1e999", "a 1\nb", " 1", "{\"a\": true}"})
        EXPECT_FALSE(read_datagram(text, sequence, taken)) << text;
    EXPECT_FALSE(read_datagram(std::string(1400, '['), sequence, taken));
    EXPECT_FALSE(read_datagram(R"({"a":)" + std::string(1390, '['), sequence, taken));
    EXPECT_TRUE(taken.controls.empty());
}

TEST(Udp, DropsWhatIsOlder) {
    std::optional<double> sequence;
    Taken taken;
    EXPECT_TRUE(read_datagram(R"({"sequence": 5, "boom": 0.5})", sequence, taken));
    EXPECT_FALSE(read_datagram(R"({"sequence": 4, "boom": 0.4})", sequence, taken));
    EXPECT_FALSE(read_datagram(R"({"sequence": 5, "boom": 0.4})", sequence, taken));
    EXPECT_TRUE(read_datagram("sequence 6\nboom 0.6", sequence, taken));
    EXPECT_EQ(taken.controls, (Controls{{"boom", 0.5}, {"boom", 0.6}}));
}

// It made all that followed too old, for ever.
TEST(Udp, TakesNoOrderFromWhatSaysNothing) {
    std::optional<double> sequence;
    Taken taken;
    EXPECT_FALSE(read_datagram(R"({"sequence": 1e308})", sequence, taken));
    EXPECT_FALSE(read_datagram("sequence 1e308", sequence, taken));
    EXPECT_TRUE(read_datagram(R"({"sequence": 1, "boom": 0.5})", sequence, taken));
    EXPECT_EQ(taken.controls, (Controls{{"boom", 0.5}}));
}

// Sends to a port that was free a moment ago.
struct Sender {
    File socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    sockaddr_in to{};
    Sender() {
        to.sin_family = AF_INET;
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const File probe(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        socklen_t size = sizeof to;
        EXPECT_EQ(bind(probe.get(), reinterpret_cast<sockaddr*>(&to), size), 0);
        EXPECT_EQ(getsockname(probe.get(), reinterpret_cast<sockaddr*>(&to), &size), 0);
    }
    uint16_t port() const { return ntohs(to.sin_port); }
    void send(const std::string& text) const {
        sendto(socket.get(), text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&to),
               sizeof to);
    }
};

TEST(Udp, TakesTheNewestAndLetsGoWhenItIsSilent) {
    const Sender sender;
    Listener listener;
    const Devices devices({{"program", UdpSettings{.port = sender.port(), .timeout = 0.2}}},
                          listener.callbacks());
    ASSERT_TRUE(listener.is_told("program: found, UDP 127.0.0.1"));
    for (int i = 1; i <= 100; ++i)
        sender.send(fmt::format(R"({{"sequence": {}, "boom": {}}})", i, i));
    EXPECT_TRUE(listener.becomes("boom", 100));
    EXPECT_TRUE(listener.is_released(1));
    EXPECT_TRUE(listener.is_told("program: silent for 0.2 s"));
    // A program that was started again counts from the beginning.
    sender.send(R"({"sequence": 1, "boom": 7})");
    EXPECT_TRUE(listener.becomes("boom", 7));
}

TEST(Udp, IsNotKeptAliveByWhatItDoesNotUnderstand) {
    const Sender sender;
    Listener listener;
    const Devices devices({{"program", UdpSettings{.port = sender.port(), .timeout = 0.2}}},
                          listener.callbacks());
    ASSERT_TRUE(listener.is_told("found"));
    sender.send("boom 1");
    ASSERT_TRUE(listener.becomes("boom", 1));
    std::atomic<bool> is_done = false;
    const std::jthread noise([&] {
        while (!is_done) {
            sender.send("nonsense");
            std::this_thread::sleep_for(5ms);
        }
    });
    EXPECT_TRUE(listener.is_released(1));
    is_done = true;
}

TEST(Udp, SurvivesMalformedOversizedAndRandomDatagrams) {
    const Sender sender;
    Listener listener;
    const Devices devices({{"program", UdpSettings{.port = sender.port(), .timeout = 60}}},
                          listener.callbacks());
    ASSERT_TRUE(listener.is_told("found"));
    sender.send(std::string(1401, ' ') + "boom 1");
    EXPECT_TRUE(listener.is_told("a datagram of 1407 bytes was dropped; at most 1400"));
    std::mt19937 random(11);
    const std::string good = R"({"sequence": 1, "boom": 0.5, "stick": -0.25})";
    for (int i = 0; i < 5000; ++i) {
        std::string text = i % 2 ? good : "boom 0.5\nstick -0.25";
        for (size_t changes = random() % 8; changes > 0; --changes)
            text[random() % text.size()] = char(random());
        if (random() % 4 == 0) text.resize(random() % (text.size() + 1));
        if (random() % 50 == 0) text.append(random() % 60'000, char(random()));
        sender.send(text);
        if (i % 64 == 0) std::this_thread::sleep_for(1ms);
    }
    for (int i = 0; i < 50 && !listener.values().contains("after all"); ++i) {
        sender.send("after all 1");
        std::this_thread::sleep_for(20ms);
    }
    EXPECT_TRUE(listener.becomes("after all", 1));
    for (const auto& [name, value] : listener.values()) EXPECT_TRUE(std::isfinite(value)) << name;
    EXPECT_LT(listener.told().size(), 2000u);  // told now and then, not each
}

// Any program of the machine steered beside the operator, whatever it was.
TEST(Udp, HearsOnlyWhoMaySteer) {
    Taken taken;
    taken.admitted = "sesame";
    std::optional<double> sequence;
    for (const char* text : {R"({"boom": 1})", "boom 1", R"({"boom": 1, "token": "wrong"})",
                             R"({"boom": 1, "token": 3})", "token Sesame\nboom 1"})
        EXPECT_FALSE(read_datagram(text, sequence, taken)) << text;
    EXPECT_EQ(taken.complaints.size(), 5u);
    EXPECT_TRUE(taken.controls.empty());
    EXPECT_TRUE(read_datagram(R"({"boom": 1, "token": "sesame"})", sequence, taken));
    EXPECT_TRUE(read_datagram("token sesame\nboom 2", sequence, taken));
    EXPECT_EQ(taken.controls, (Controls{{"boom", 1}, {"boom", 2}}));
}

TEST(Udp, NeedsTheTokenOfItsMapping) {
    const Sender sender;
    Listener listener;
    const Devices devices({{"program", UdpSettings{.port = sender.port(), .token = "sesame"}}},
                          listener.callbacks());
    ASSERT_TRUE(listener.is_told("found"));
    sender.send("boom 1");
    EXPECT_TRUE(listener.is_told("a datagram was dropped"));
    sender.send("token sesame\nboom 2");
    EXPECT_TRUE(listener.becomes("boom", 2));
}

TEST(Udp, WaitsForAPortThatIsTaken) {
    const Sender sender;
    File taken(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(bind(taken.get(), reinterpret_cast<const sockaddr*>(&sender.to), sizeof sender.to),
              0);
    Listener listener;
    const Devices devices({{"program", UdpSettings{.port = sender.port()}},
                           {"wrong", UdpSettings{.address = "nowhere", .port = 1}}},
                          listener.callbacks());
    EXPECT_TRUE(listener.is_told("program: cannot listen on UDP 127.0.0.1"));
    EXPECT_TRUE(listener.is_told("wrong: 'nowhere' is no address"));
    taken.close();
    EXPECT_TRUE(listener.is_told("program: found"));
}

TEST(Devices, SteerASession) {
    const Sender sender;
    io::Scene scene = workshop();
    const auto channels = std::make_shared<Channels>(
        scene.model,
        fmt::format("devices: {{program: {{type: udp, port: {}, timeout: 0.3}}}}", sender.port()),
        "mapping");
    const BodyId cart = scene.model.body("cart");
    Session session(std::make_unique<Simulation>(std::move(scene)), {});
    Listener listener;
    const auto devices = connect_devices(
        channels, [&](const Input& input) { session.post(input); }, listener.callbacks().tell);
    ASSERT_TRUE(listener.is_told("found"));
    Frame frame;
    const auto place = [&] {
        return frame.poses.empty() ? -2 : double(frame.poses[7 * cart.index]);
    };
    for (int i = 0; i < 1000 && place() < -1.9; ++i) {
        sender.send("push 0.4");
        std::this_thread::sleep_for(10ms);
        session.take(frame);
    }
    EXPECT_GT(place(), -1.9);
    ASSERT_TRUE(listener.is_told("silent"));
    EXPECT_EQ(channels->list()[0].value, 0);
}

TEST(Devices, EndAtOnce) {
    const Sender sender;
    Listener listener;
    const auto begin = std::chrono::steady_clock::now();
    {
        const Devices devices({{"a", UdpSettings{.port = sender.port(), .timeout = never}},
                               {"b", SerialSettings{.path = "/nowhere"}},
                               {"c", EvdevSettings{.name = "nobody", .path = {}}}},
                              listener.callbacks());
        EXPECT_TRUE(listener.is_told("a: found"));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

}  // namespace
}  // namespace bristle::live
