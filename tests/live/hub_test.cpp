#include "live/hub/hub.h"

#include "tests/live/room.h"

#include <gtest/gtest.h>

namespace bristle::live {
namespace {

// ---- Hello ---------------------------------------------------------------------------------------

TEST(Hub, TellsWhoHasTheTokenAllThereIs) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    const Json welcome = guest.hello();
    EXPECT_EQ(welcome["role"], "OPERATOR");
    EXPECT_EQ(welcome["protocol"], protocol_version);
    EXPECT_EQ(welcome["scene"], "counting");
    guest.wait_for_state([](const wire::State& s) { return s.step() > 10; });
    EXPECT_EQ(guest.scenes, 1);
    EXPECT_EQ(guest.scene.bodies_size(), 3);
    EXPECT_EQ(guest.state.poses_size(), 21);
    guest.event("controls");
    EXPECT_FALSE(guest.event("recording").contains("file"));
    EXPECT_EQ(guest.event("viewers")["count"], 1);
    while (guest.event("timing")["compute"]["count"] == 0) {
    }
}

TEST(Hub, SaysThatNothingIsOpenInTheGallery) {
    Room room;
    Guest guest(room);
    EXPECT_FALSE(guest.hello().contains("scene"));
    EXPECT_TRUE(contains(guest.ask("run"), "no scene is open"));
}

TEST(Hub, RefusesWhoHasNoTokenOrAWrongOne) {
    Room room;
    room.hub->open("counting", counting());
    for (const Json& token : {Json("wrong"), Json(""), Json("operator toke"), Json(7), Json()}) {
        Guest guest(room);
        const Json reply = guest.ask("hello", greeting("VIEWER", token, "x"));
        EXPECT_TRUE(contains(reply, "token")) << reply;
        EXPECT_FALSE(guest.closing().empty());
        EXPECT_EQ(guest.scenes + guest.states, 0) << "nothing is shown to strangers";
        room.hub->disconnect(guest.id());
    }
}

TEST(Hub, NamesBothVersionsToAPageOfAnotherProtocol) {
    Room room;
    Guest guest(room);
    Json later = greeting("VIEWER", "operator token", "x");
    later["protocol"] = 99;
    later["colour"] = "a field that this version does not know";
    const Json reply = guest.ask("hello", later);
    EXPECT_TRUE(contains(reply, "99"));
    EXPECT_TRUE(contains(reply, std::to_string(protocol_version)));
    EXPECT_FALSE(guest.closing().empty());
}

TEST(Hub, TellsAPageOfTheFirstProtocolToBeLoadedAgain) {
    Room room;
    const Hub::ClientId id = room.connect();
    room.hub->receive(id, R"({"id":1,"do":"hello","protocol":1,"token":"","role":"viewer"})");
    // Such a page shows why it was closed.
    EXPECT_NE(room.hub->closing(id).find("protocol " + std::to_string(protocol_version)),
              std::string::npos);
    EXPECT_NE(room.hub->closing(id).find("load"), std::string::npos);
}

TEST(Hub, ListensToNothingBeforeHello) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    EXPECT_TRUE(contains(guest.ask("pause"), "hello"));
    EXPECT_FALSE(guest.closing().empty());
}

TEST(Hub, ClosesWhoDoesNotSayHello) {
    Room room({.hello = 0.02});
    Guest silent(room);
    silent.wait([&] { return silent.closing().empty() ? Json() : Json(true); });
}

TEST(Hub, AdmitsNoMoreViewersThanTheLimit) {
    Room room({.clients = 2});
    Guest first(room), second(room), third(room), fourth(room);
    first.hello("VIEWER", "viewer token", "first");
    second.hello("VIEWER", "viewer token", "second");
    third.say("hello", greeting("VIEWER", "viewer token", "third"));
    EXPECT_EQ(third.closing(), "2 are connected already, and no more are allowed");
    room.hub->disconnect(first.id());
    EXPECT_EQ(fourth.hello("VIEWER", "viewer token", "fourth")["role"], "VIEWER");
}

// Places were counted when a connection came, before any token: sixteen who said nothing shut the operator out.
TEST(Hub, KeepsThePlacesOfTokenHoldersFromStrangers) {
    Room room({.clients = 2, .operators = 1, .strangers = 3});
    std::vector<Hub::ClientId> silent;
    for (int i = 0; i < 50; ++i) silent.push_back(room.connect());
    Guest boss(room), viewer(room), other(room);
    EXPECT_EQ(boss.hello()["role"], "OPERATOR");
    viewer.hello("VIEWER", "viewer token", "viewer");
    other.hello("VIEWER", "viewer token", "other");
    const auto is_open = [&](Hub::ClientId id) { return room.hub->closing(id).empty(); };
    EXPECT_LE(std::count_if(silent.begin(), silent.end(), is_open), 3);
    // Nor do viewers take those of the operator, who always gets in again.
    Guest again(room);
    EXPECT_EQ(again.hello("OPERATOR", "operator token", "page")["role"], "OPERATOR");
    EXPECT_TRUE(is_done(again.ask("ping")));
}

TEST(Hub, CountsPingsAndPongsAsMessages) {
    Room room({.rate = 100, .burst = 20});
    Guest guest(room), other(room);
    guest.hello("VIEWER", "viewer token", "guest");
    other.hello("VIEWER", "viewer token", "other");
    for (int i = 0; i < 15; ++i) room.hub->receive_control(guest.id());
    EXPECT_EQ(guest.closing(), "");
    for (int i = 0; i < 60; ++i) room.hub->receive_control(guest.id());
    EXPECT_EQ(guest.closing(), "too many messages");
    EXPECT_TRUE(is_done(other.ask("ping")));
}

// ---- Roles ---------------------------------------------------------------------------------------

TEST(Hub, LetsOnlyTheOperatorSteer) {
    Room room;
    room.hub->open("counting", counting());
    Guest boss(room), viewer(room);
    boss.hello();
    EXPECT_EQ(viewer.hello("VIEWER", "viewer token", "other")["role"], "VIEWER");
    const Json nothing = Json::object(), at = {0, 0, 0};
    const std::pair<const char*, Json> orders[] = {
        {"run", nothing},
        {"pause", nothing},
        {"step", nothing},
        {"speed", {{"value", 1}}},
        {"seek", {{"time", 0}}},
        {"restart", nothing},
        {"command", {{"channel", "x"}, {"value", 1}}},
        {"control", {{"device", "KEYBOARD"}, {"control", "w"}, {"value", 1}}},
        {"grab", {{"body", 1}, {"at", at}, {"to", at}}},
        {"move", {{"to", at}}},
        {"release", nothing},
        {"add_body", {{"kind", "SPHERE"}, {"size", {1}}, {"position", at}}},
        {"add_spring", {{"a", 0}, {"b", 1}, {"stiffness", 1}}},
        {"add_joint", {{"type", "fixed"}, {"a", 0}, {"b", 1}, {"at", at}}},
        {"remove", {{"kind", "BODY"}, {"index", 1}}},
        {"open", {{"scene", "counting"}}},
        {"close", nothing},
        {"record", {{"on", true}}}};
    for (const auto& [what, with] : orders)
        EXPECT_TRUE(contains(viewer.ask(what, with), "only the operator")) << what;
    EXPECT_TRUE(contains(viewer.ask("take"), "viewers"));
    EXPECT_TRUE(is_done(viewer.ask("ping")));
    EXPECT_TRUE(is_done(viewer.ask("watch", {{"quantities", {"a"}}})));
}

TEST(Hub, GivesTheViewersTokenNoSeat) {
    Room room;
    Guest guest(room);
    const Json reply = guest.hello("OPERATOR", "viewer token");
    EXPECT_EQ(reply["role"], "VIEWER");
    EXPECT_EQ(reply["may_take"], false);
}

TEST(Hub, HasOneOperatorWhoseSeatCanBeTaken) {
    Room room;
    room.hub->open("counting", counting());
    Guest first(room), second(room);
    EXPECT_EQ(first.hello("OPERATOR", "operator token", "first")["role"], "OPERATOR");
    const Json reply = second.hello("OPERATOR", "operator token", "second");
    EXPECT_EQ(reply["role"], "VIEWER");
    EXPECT_EQ(reply["may_take"], true);
    EXPECT_TRUE(contains(second.ask("pause"), "only the operator"));
    EXPECT_TRUE(is_done(second.ask("take")));
    EXPECT_EQ(second.event("role")["role"], "OPERATOR");
    EXPECT_EQ(first.event("role")["role"], "VIEWER");
    EXPECT_TRUE(is_done(second.ask("pause")));
    EXPECT_TRUE(contains(first.ask("run"), "only the operator"));
}

TEST(Hub, GivesALostConnectionItsSeatAgain) {
    Room room;
    room.hub->open("counting", counting());
    Guest before(room);
    before.hello("OPERATOR", "operator token", "the same page");
    Guest other(room);
    other.hello("OPERATOR", "operator token", "another page");
    // The old connection hangs: nobody has noticed yet that it is dead.
    Guest after(room);
    EXPECT_EQ(after.hello("OPERATOR", "operator token", "the same page")["role"], "OPERATOR");
    EXPECT_EQ(before.event("role")["role"], "VIEWER");
    // Noticed at once.
    room.hub->disconnect(after.id());
    Guest again(room);
    EXPECT_EQ(again.hello("OPERATOR", "operator token", "the same page")["role"], "OPERATOR");
}

TEST(Hub, LetsGoOfWhatALostOperatorHolds) {
    Room room;
    room.hub->open("counting", counting());
    Guest boss(room), viewer(room);
    boss.hello();
    viewer.hello("VIEWER", "viewer token", "other");
    boss.wait_for_state([](const wire::State&) { return true; });
    EXPECT_TRUE(is_done(boss.ask("grab", {{"body", 1}, {"at", {0, 0, 0}}, {"to", {0, 0, 1}}})));
    viewer.wait_for_state([](const wire::State& s) { return s.grab_size() > 0; });
    room.hub->disconnect(boss.id());
    viewer.wait_for_state([](const wire::State& s) { return s.grab_size() == 0; });
}

// ---- Orders --------------------------------------------------------------------------------------

TEST(Hub, RunsPausesStepsAndSeeks) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    guest.wait_for_state([](const wire::State& s) { return s.step() > 100; });
    EXPECT_TRUE(is_done(guest.ask("pause")));
    guest.wait_for_state([](const wire::State& s) { return !s.transport().is_running(); });
    const uint64_t step = guest.state.step();
    EXPECT_TRUE(is_done(guest.ask("step", {{"count", 7}})));
    guest.wait_for_state([&](const wire::State& s) { return s.step() == step + 7; });
    EXPECT_TRUE(is_done(guest.ask("seek", {{"time", 0.05}})));
    guest.wait_for_state([](const wire::State& s) { return s.step() == 50; });
    EXPECT_TRUE(is_done(guest.ask("restart")));
    guest.wait_for_state([](const wire::State& s) { return s.step() == 0; });
    EXPECT_TRUE(is_done(guest.ask("speed", {{"value", 10}})));
    EXPECT_TRUE(is_done(guest.ask("run")));
    guest.wait_for_state([](const wire::State& s) { return s.transport().speed() == 10; });
}

TEST(Hub, SendsTheNewSceneBeforeItsStates) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    guest.wait_for_state([](const wire::State&) { return true; });
    const Json body = {{"kind", "BOX"}, {"size", {1, 1, 1}}, {"position", {0, 0, 5}}};
    EXPECT_TRUE(is_done(guest.ask("add_body", body)));
    guest.wait_for_state([](const wire::State& s) { return s.poses_size() == 28; });
    EXPECT_EQ(guest.scene.bodies_size(), 4);
    EXPECT_EQ(guest.scenes, 2);
}

TEST(Hub, ChecksWhatOrdersSay) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    guest.wait_for_state([](const wire::State&) { return true; });
    const Json at = {0, 0, 0};
    const struct {
        const char* what;
        Json with;
        const char* expected;
    } wrong[] = {
        {"dance", Json::object(), "dance"},
        {"step", {{"count", 0}}, "count"},
        {"step", {{"count", -1}}, "count"},
        {"step", {{"count", 1.5}}, "count"},
        {"speed", Json::object(), "value"},
        {"speed", {{"value", "fast"}}, "value"},
        {"speed", {{"value", 1000}}, "value"},
        {"seek", {{"time", 1e300}}, "time"},
        {"grab", {{"body", 3}, {"at", at}, {"to", at}}, "body"},
        {"grab", {{"body", 0}, {"at", at}, {"to", at}}, "ground"},
        {"grab", {{"body", -1}, {"at", at}, {"to", at}}, "body"},
        {"grab", {{"body", 4294967297}, {"at", at}, {"to", at}}, "body"},
        {"grab", {{"body", 1}, {"at", {0, 0}}, {"to", at}}, "at"},
        {"grab", {{"body", 1}, {"at", at}, {"to", {0, "x", 0}}}, "to"},
        {"add_body", 1, "add_body"},
        {"add_body", {{"kind", "cat"}}, "SPHERE, BOX"},
        {"add_body", {{"kind", "PLANE"}, {"size", Json::array()}, {"position", at}}, "kind"},
        {"add_body", {{"kind", "BOX"}, {"size", {1, 1}}, {"position", at}}, "'size' must be 3"},
        {"add_body", {{"kind", "BOX"}, {"size", {1, 1, -1}}, {"position", at}}, "size"},
        {"add_body", {{"kind", "BOX"}, {"size", {1, 1, 1}}}, "position"},
        {"add_body", {{"kind", "BOX"}, {"size", {1, 1, 1}}, {"position", {0, 0, 2e9}}}, "1e+09"},
        {"add_body",
         {{"kind", "SPHERE"}, {"size", {1}}, {"position", at}, {"orientation", {1, 0, 0}}},
         "orientation"},
        {"add_body",
         {{"kind", "SPHERE"}, {"size", {1}}, {"position", at}, {"density", 0}},
         "'density' must be a number from 0.001 to 100000"},
        {"add_spring", {{"a", 0}, {"b", 9}, {"stiffness", 1}}, "add_spring: 'b'"},
        {"add_spring", {{"a", 0}, {"b", 1}, {"stiffness", -1}}, "stiffness"},
        {"add_spring", {{"a", 0}, {"b", 1}}, "'stiffness' is missing"},
        {"add_joint", {{"type", "knot"}, {"a", 0}, {"b", 1}, {"at", at}}, "knot"},
        {"remove", {{"kind", "BODY"}, {"index", 0}}, "ground"},
        {"remove", {{"kind", "JOINT"}, {"index", 0}}, "joint"},
        {"remove", {{"kind", "FORCE"}, {"index", 0}}, "spring"},
        {"remove", {{"kind", "sky"}, {"index", 0}}, "kind"},
        {"command", {{"channel", "x"}, {"value", 1}}, "steered"},
        {"open", {{"scene", "../../etc/passwd"}}, "gallery"},
        {"open", {{"scene", std::string(300, 'x')}}, "200"},
        {"open", {{"scene", "counting"}, {"parameters", {{"a", {1}}}}}, "a"},
        {"watch", {{"quantities", "all"}}, "quantities"},
        {"watch", {{"quantities", std::vector<std::string>(65, "q")}}, "64"},
        {"grab", {{"boddy", 1}, {"at", at}, {"to", at}}, "there is no 'boddy', but body, at, to"},
        {"control",
         {{"device", "organ"}, {"control", "w"}, {"value", 1}},
         "'device' must be KEYBOARD, GAMEPAD or MOUSE"},
        {"hello", greeting("OPERATOR", "operator token", "page"), "already"},
    };
    for (const auto& [what, with, expected] : wrong) {
        const Json reply = guest.ask(what, with);
        EXPECT_TRUE(contains(reply, expected)) << what << " " << with << " got " << reply;
    }
    EXPECT_TRUE(guest.closing().empty());
}

TEST(Hub, OpensAnotherSceneWhileTheOldOneRuns) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room), viewer(room);
    guest.hello();
    viewer.hello("VIEWER", "viewer token", "other");
    EXPECT_TRUE(is_done(guest.ask("open", {{"scene", "broken"}})));
    EXPECT_EQ(viewer.event("opening")["scene"], "broken");
    EXPECT_NE(std::string(viewer.event("failed")["error"]).find("trouble"), std::string::npos);
    viewer.wait_for_state([](const wire::State&) { return true; });

    EXPECT_TRUE(
        is_done(guest.ask("open", {{"scene", "counting"}, {"parameters", {{"bodies", "5"}}}})));
    EXPECT_EQ(viewer.event("opened")["scene"], "counting");
    viewer.wait_for_state([](const wire::State& s) { return s.poses_size() == 35; });
    EXPECT_TRUE(is_done(guest.ask("close")));
    EXPECT_EQ(viewer.event("closed")["scene"], "counting");
    EXPECT_TRUE(contains(guest.ask("run"), "no scene"));
}

TEST(Hub, RecordsWhenAsked) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    EXPECT_FALSE(guest.event("recording").contains("file"));
    EXPECT_TRUE(contains(guest.ask("record", {{"on", false}}), "nothing"));
    EXPECT_TRUE(is_done(guest.ask("record", {{"on", true}})));
    EXPECT_EQ(guest.event("recording")["file"], "out/counting-1.mcap");
    guest.wait_for_state([](const wire::State& s) { return s.transport().is_recorded(); });
    EXPECT_TRUE(contains(guest.ask("record", {{"on", true}}), "already"));
    EXPECT_TRUE(is_done(guest.ask("record", {{"on", false}})));
    EXPECT_FALSE(guest.event("recording").contains("file"));
}

// ---- Watching ------------------------------------------------------------------------------------

// One viewer could use up what all may watch.
TEST(Hub, GivesAViewerAShareOfWhatIsWatched) {
    Room room;
    room.hub->open("counting", counting());
    Guest greedy(room), boss(room), other(room);
    greedy.hello("VIEWER", "viewer token", "greedy");
    boss.hello();
    other.hello("VIEWER", "viewer token", "other");
    const auto names = [](int count, const std::string& start) {
        std::vector<std::string> list;
        for (int i = 0; i < count; ++i) list.push_back(start + std::to_string(i));
        return Json({{"quantities", list}});
    };
    greedy.wait_for_state([](const wire::State&) { return true; });
    EXPECT_TRUE(contains(greedy.ask("watch", names(17, "g")), "16"));
    EXPECT_TRUE(is_done(greedy.ask("watch", names(16, "g"))));
    EXPECT_TRUE(is_done(boss.ask("watch", names(64, "b"))));
    EXPECT_TRUE(is_done(other.ask("watch", names(16, "o"))));
    boss.wait_for_state([](const wire::State& s) { return s.values_size() == 16 + 64 + 16; });
}

TEST(Hub, WatchesWhatAllClientsWantTogether) {
    Room room;
    room.hub->open("counting", counting());
    Guest one(room), two(room);
    one.hello("VIEWER", "viewer token", "one");
    two.hello("VIEWER", "viewer token", "two");
    EXPECT_TRUE(is_done(one.ask("watch", {{"quantities", {"a", "b"}}})));
    EXPECT_TRUE(is_done(two.ask("watch", {{"quantities", {"b", "c"}}})));
    EXPECT_EQ(one.event("watched")["quantities"], Json({"a", "b"}));
    const Json all = one.event("watched");
    EXPECT_EQ(all["quantities"], Json({"a", "b", "c"}));
    one.wait_for_state([&](const wire::State& s) {
        return s.watch() == all["number"].get<uint32_t>() && s.values_size() == 3;
    });
    const Json refused = one.ask("watch", {{"quantities", {"a", "bad name"}}});
    EXPECT_TRUE(contains(refused, "there is no quantity 'bad name'")) << refused;
    // What it watched before is still there; who leaves takes its own along.
    EXPECT_EQ(one.state.values_size(), 3);
    room.hub->disconnect(one.id());
    EXPECT_EQ(two.event("watched")["quantities"], Json({"a", "b"}));
    two.wait_for_state([](const wire::State& s) { return s.values_size() == 2; });
}

TEST(Hub, TellsContoursAndVolumesWhileSomebodyLooks) {
    Room room;
    room.hub->open("counting", counting());
    Guest one(room), two(room);
    one.hello("VIEWER", "viewer token", "one");
    two.hello("VIEWER", "viewer token", "two");
    const auto has = [](bool contours, bool volumes) {
        return [=](const wire::State& s) {
            return (s.contours_size() == 6) == contours
                && (s.shared_volumes().triangles_size() == 12) == volumes;
        };
    };
    one.ask("watch", {{"quantities", Json::array()}, {"contours", true}});
    two.wait_for_state(has(true, false));
    two.ask("watch", {{"quantities", Json::array()}, {"volumes", true}});
    one.wait_for_state(has(true, true));
    room.hub->disconnect(one.id());
    two.wait_for_state(has(false, true));
    two.ask("watch", {{"quantities", Json::array()}});
    two.wait_for_state(has(false, false));
}

}  // namespace
}  // namespace bristle::live
