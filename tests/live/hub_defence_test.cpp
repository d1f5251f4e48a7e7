// What strangers, mistakes and bad connections do to the hub.
#include "live/hub/hub.h"
#include "live/wire/tokens.h"
#include "tests/live/room.h"

#include <gtest/gtest.h>

namespace bristle::live {
namespace {

// ---- What should not come in ---------------------------------------------------------------------

TEST(Hub, RefusesWhatWasSaidBefore) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    guest.ask("ping");
    for (const int id : {1, 2}) {
        guest.texts.clear();
        room.hub->receive(guest.id(), Json({{"id", id}, {"pause", Json::object()}}).dump());
        guest.read();
        EXPECT_TRUE(contains(guest.last_answer(), "already"));
    }
    guest.wait_for_state([](const wire::State& s) { return s.transport().is_running(); });
}

TEST(Hub, RefusesWhatIsNoMessage) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    std::string deep(1000, '[');
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]"), std::string("null"), deep,
          std::string("{\"id\": 9, \"ping\": {}} extra"), std::string("{\"id\": 1e999}"),
          std::string("{\"id\": -1, \"ping\": {}}"), std::string("{\"ping\": {}}"),
          std::string("{\"id\": 9, \"open\": {\"scene\": \"\xff\xfe\"}}"), std::string("\0\0\0", 3),
          "{\"id\": 9, \"x\": " + deep + std::string(1000, ']') + "}"}) {
        guest.texts.clear();
        room.hub->receive(guest.id(), text);
        guest.read();
        ASSERT_FALSE(guest.texts.empty()) << text;
        EXPECT_TRUE(contains(guest.last_answer(), "")) << text;
        EXPECT_LT(guest.texts.back().dump().size(), 500u);
    }
    EXPECT_TRUE(is_done(guest.ask("ping")));
}

TEST(Hub, ClosesWhoSendsTooMuchAtOnce) {
    Room room({.message = 1000});
    Guest guest(room);
    guest.hello();
    room.hub->receive(guest.id(), std::string(1001, ' '));
    guest.read();
    EXPECT_TRUE(contains(guest.last_answer(), "1000"));
    EXPECT_NE(guest.closing(), "");
}

TEST(Hub, ClosesWhoSendsBinaryMessages) {
    Room room;
    Guest guest(room);
    guest.hello();
    room.hub->receive_binary(guest.id());
    guest.read();
    EXPECT_TRUE(contains(guest.last_answer(), "binary"));
    EXPECT_NE(guest.closing(), "");
}

TEST(Hub, SlowsDownWhoTalksTooMuchAndThenClosesIt) {
    Room room({.rate = 100, .burst = 20});
    Guest guest(room), other(room);
    guest.hello();
    other.hello("VIEWER", "viewer token", "other");
    for (int i = 0; i < 30; ++i) guest.say("ping");
    guest.read();
    EXPECT_TRUE(contains(guest.last_answer(), "too many messages"));
    EXPECT_EQ(guest.closing(), "");
    // It is heard again once it has been quiet.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(is_done(guest.ask("ping")));
    for (int i = 0; i < 100; ++i) guest.say("ping");
    EXPECT_EQ(guest.closing(), "too many messages");
    EXPECT_TRUE(is_done(other.ask("ping")));
}

// ---- Who does not read -----------------------------------------------------------------------------

TEST(Hub, KeepsOneStateForAClientThatDoesNotRead) {
    Room room;
    room.hub->open("counting", counting(1000));
    Guest reader(room), sleeper(room);
    reader.hello();
    sleeper.say("hello", greeting("VIEWER", "viewer token", "sleeper"));
    reader.wait_for_state([](const wire::State& s) { return s.step() > 100; });
    const size_t at_first = room.hub->waiting_bytes(sleeper.id());
    const int states_before = reader.states;
    for (int i = 0; i < 10'000; ++i) {
        room.tasks.run();
        room.hub->tick();
        reader.read();
        if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_GT(reader.states, states_before + 30) << "the other one was served all the time";
    // Numbers get longer as time goes on; nothing adds up.
    EXPECT_LT(room.hub->waiting_bytes(sleeper.id()), at_first + 2000);
    EXPECT_EQ(sleeper.closing(), "");
    sleeper.read();
    EXPECT_EQ(sleeper.states, 1) << "the newest, and only that";
}

TEST(Hub, ClosesAConnectionThatLeavesTooMuchUnread) {
    Room room({.rate = 1e6, .burst = 1e6, .most_waiting = 20'000});
    room.hub->open("counting", counting());
    Guest sleeper(room), other(room);
    sleeper.hello();
    other.hello("VIEWER", "viewer token", "other");
    for (int i = 0; i < 10'000 && sleeper.closing().empty(); ++i) sleeper.say("ping");
    EXPECT_NE(sleeper.closing().find("too much"), std::string::npos);
    EXPECT_LE(room.hub->waiting_bytes(sleeper.id()), 20'000u);
    EXPECT_TRUE(is_done(other.ask("ping")));
}

TEST(Hub, MayEndWithOrdersUnderWay) {
    for (int i = 0; i < 20; ++i) {
        Room room;
        room.hub->open("counting", counting());
        Guest guest(room);
        guest.hello();
        guest.say("open", {{"scene", "counting"}});
        for (int k = 0; k < 50; ++k) guest.say("step");
        guest.say("record", {{"on", true}});
        guest.say("close");
        if (i % 2 == 0) room.tasks.run();
        room.hub.reset();
        room.tasks.run();
    }
}

// ---- Tokens ----------------------------------------------------------------------------------------

TEST(Tokens, AreLongAndNeverTheSame) {
    const std::string token = random_token();
    EXPECT_EQ(token.size(), 32u);
    EXPECT_NE(token, random_token());
    EXPECT_TRUE(is_same_token(token, token));
    EXPECT_FALSE(is_same_token(token.substr(1), token));
    EXPECT_FALSE(is_same_token("", ""));
}

}  // namespace
}  // namespace bristle::live
