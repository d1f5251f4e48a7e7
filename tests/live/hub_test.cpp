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
    const Json reply = guest.hello();
    EXPECT_EQ(reply["role"], "operator");
    EXPECT_EQ(reply["protocol"], protocol_version);
    EXPECT_EQ(reply["scene"], "counting");
    guest.wait_for_state([](const wire::State& s) { return s.step() > 10; });
    EXPECT_EQ(guest.scenes, 1);
    EXPECT_EQ(guest.scene.bodies_size(), 3);
    EXPECT_EQ(guest.state.poses_size(), 21);
    guest.event("controls");
    EXPECT_EQ(guest.event("recording")["on"], false);
    EXPECT_EQ(guest.event("viewers")["count"], 1);
    while (guest.event("timing")["compute"]["count"] == 0) {
    }
}

TEST(Hub, SaysThatNothingIsOpenInTheGallery) {
    Room room;
    Guest guest(room);
    EXPECT_TRUE(guest.hello()["scene"].is_null());
    EXPECT_TRUE(contains(guest.ask({{"do", "run"}}), "no scene is open"));
}

TEST(Hub, RefusesWhoHasNoTokenOrAWrongOne) {
    Room room;
    room.hub->open("counting", counting());
    for (const Json& token : {Json("wrong"), Json(""), Json("operator toke"), Json(7), Json()}) {
        Guest guest(room);
        const Json reply = guest.ask({{"do", "hello"},
                                      {"protocol", protocol_version},
                                      {"token", token},
                                      {"role", "viewer"},
                                      {"client", "x"}});
        EXPECT_TRUE(contains(reply, "token")) << reply;
        EXPECT_FALSE(guest.closing().empty());
        EXPECT_EQ(guest.scenes + guest.states, 0) << "nothing is shown to strangers";
        room.hub->disconnect(guest.id());
    }
}

TEST(Hub, NamesBothVersionsToAPageOfAnotherProtocol) {
    Room room;
    Guest guest(room);
    const Json reply = guest.ask({{"do", "hello"},
                                  {"protocol", 99},
                                  {"token", "operator token"},
                                  {"role", "viewer"},
                                  {"client", "x"}});
    EXPECT_TRUE(contains(reply, "99"));
    EXPECT_TRUE(contains(reply, std::to_string(protocol_version)));
    EXPECT_FALSE(guest.closing().empty());
}

TEST(Hub, ListensToNothingBeforeHello) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    EXPECT_TRUE(contains(guest.ask({{"do", "pause"}}), "hello"));
    EXPECT_FALSE(guest.closing().empty());
}

TEST(Hub, ClosesWhoDoesNotSayHello) {
    Room room({.hello = 0.02});
    Guest silent(room);
    silent.wait([&] { return silent.closing().empty() ? Json() : Json(true); });
}

TEST(Hub, AdmitsNoMoreThanTheLimit) {
    Room room({.clients = 2});
    std::string why;
    const Hub::ClientId first = room.connect();
    room.connect();
    EXPECT_EQ(room.hub->connect([] {}, why), 0);
    EXPECT_NE(why.find('2'), std::string::npos);
    room.hub->disconnect(first);
    EXPECT_NE(room.connect(), 0);
}

// ---- Roles ---------------------------------------------------------------------------------------

TEST(Hub, LetsOnlyTheOperatorSteer) {
    Room room;
    room.hub->open("counting", counting());
    Guest boss(room), viewer(room);
    boss.hello();
    EXPECT_EQ(viewer.hello("viewer", "viewer token", "other")["role"], "viewer");
    for (const char* what :
         {"run", "pause", "step", "speed", "seek", "restart", "command", "control", "grab", "move",
          "release", "add", "remove", "open", "close", "record"})
        EXPECT_TRUE(contains(viewer.ask({{"do", what}}), "only the operator")) << what;
    EXPECT_TRUE(contains(viewer.ask({{"do", "take"}}), "viewers"));
    EXPECT_EQ(viewer.ask({{"do", "ping"}})["ok"], true);
    EXPECT_EQ(viewer.ask({{"do", "watch"}, {"quantities", {"a"}}})["ok"], true);
}

TEST(Hub, GivesTheViewersTokenNoSeat) {
    Room room;
    Guest guest(room);
    const Json reply = guest.hello("operator", "viewer token");
    EXPECT_EQ(reply["role"], "viewer");
    EXPECT_EQ(reply["may_take"], false);
}

TEST(Hub, HasOneOperatorWhoseSeatCanBeTaken) {
    Room room;
    room.hub->open("counting", counting());
    Guest first(room), second(room);
    EXPECT_EQ(first.hello("operator", "operator token", "first")["role"], "operator");
    const Json reply = second.hello("operator", "operator token", "second");
    EXPECT_EQ(reply["role"], "viewer");
    EXPECT_EQ(reply["may_take"], true);
    EXPECT_TRUE(contains(second.ask({{"do", "pause"}}), "only the operator"));
    EXPECT_EQ(second.ask({{"do", "take"}})["ok"], true);
    EXPECT_EQ(second.event("role")["role"], "operator");
    EXPECT_EQ(first.event("role")["role"], "viewer");
    EXPECT_EQ(second.ask({{"do", "pause"}})["ok"], true);
    EXPECT_TRUE(contains(first.ask({{"do", "run"}}), "only the operator"));
}

TEST(Hub, GivesALostConnectionItsSeatAgain) {
    Room room;
    room.hub->open("counting", counting());
    Guest before(room);
    before.hello("operator", "operator token", "the same page");
    Guest other(room);
    other.hello("operator", "operator token", "another page");
    // The old connection hangs: nobody has noticed yet that it is dead.
    Guest after(room);
    EXPECT_EQ(after.hello("operator", "operator token", "the same page")["role"], "operator");
    EXPECT_EQ(before.event("role")["role"], "viewer");
    // Noticed at once.
    room.hub->disconnect(after.id());
    Guest again(room);
    EXPECT_EQ(again.hello("operator", "operator token", "the same page")["role"], "operator");
}

TEST(Hub, LetsGoOfWhatALostOperatorHolds) {
    Room room;
    room.hub->open("counting", counting());
    Guest boss(room), viewer(room);
    boss.hello();
    viewer.hello("viewer", "viewer token", "other");
    boss.wait_for_state([](const wire::State&) { return true; });
    EXPECT_EQ(boss.ask({{"do", "grab"}, {"body", 1}, {"at", {0, 0, 0}}, {"to", {0, 0, 1}}})["ok"],
              true);
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
    EXPECT_EQ(guest.ask({{"do", "pause"}})["ok"], true);
    guest.wait_for_state([](const wire::State& s) { return !s.transport().is_running(); });
    const uint64_t step = guest.state.step();
    EXPECT_EQ(guest.ask({{"do", "step"}, {"count", 7}})["ok"], true);
    guest.wait_for_state([&](const wire::State& s) { return s.step() == step + 7; });
    EXPECT_EQ(guest.ask({{"do", "seek"}, {"time", 0.05}})["ok"], true);
    guest.wait_for_state([](const wire::State& s) { return s.step() == 50; });
    EXPECT_EQ(guest.ask({{"do", "restart"}})["ok"], true);
    guest.wait_for_state([](const wire::State& s) { return s.step() == 0; });
    EXPECT_EQ(guest.ask({{"do", "speed"}, {"value", 10}})["ok"], true);
    EXPECT_EQ(guest.ask({{"do", "run"}})["ok"], true);
    guest.wait_for_state([](const wire::State& s) { return s.transport().speed() == 10; });
}

TEST(Hub, SendsTheNewSceneBeforeItsStates) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    guest.wait_for_state([](const wire::State&) { return true; });
    const Json body = {{"kind", "box"}, {"size", {1, 1, 1}}, {"position", {0, 0, 5}}};
    EXPECT_EQ(guest.ask({{"do", "add"}, {"body", body}})["ok"], true);
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
    const std::pair<Json, const char*> wrong[] = {
        {{{"do", "dance"}}, "dance"},
        {{{"do", 7}}, "do"},
        {{{"do", "step"}, {"count", 0}}, "count"},
        {{{"do", "step"}, {"count", -1}}, "count"},
        {{{"do", "step"}, {"count", 1.5}}, "count"},
        {{{"do", "speed"}}, "value"},
        {{{"do", "speed"}, {"value", "fast"}}, "value"},
        {{{"do", "speed"}, {"value", 1000}}, "value"},
        {{{"do", "seek"}, {"time", 1e300}}, "time"},
        {{{"do", "grab"}, {"body", 3}, {"at", at}, {"to", at}}, "body"},
        {{{"do", "grab"}, {"body", 0}, {"at", at}, {"to", at}}, "ground"},
        {{{"do", "grab"}, {"body", -1}, {"at", at}, {"to", at}}, "body"},
        {{{"do", "grab"}, {"body", 4294967297}, {"at", at}, {"to", at}}, "body"},
        {{{"do", "grab"}, {"body", 1}, {"at", {0, 0}}, {"to", at}}, "at"},
        {{{"do", "grab"}, {"body", 1}, {"at", at}, {"to", {0, "x", 0}}}, "to"},
        {{{"do", "add"}}, "body"},
        {{{"do", "add"}, {"body", 1}}, "body"},
        {{{"do", "add"}, {"body", {{"kind", "cat"}}}}, "kind"},
        {{{"do", "add"}, {"body", {{"kind", "box"}, {"size", {1, 1}}}}}, "size"},
        {{{"do", "add"}, {"body", {{"kind", "box"}, {"size", {1, 1, -1}}}}}, "size"},
        {{{"do", "add"},
          {"body",
           {{"kind", "sphere"}, {"size", {1}}, {"position", at}, {"orientation", {1, 0, 0}}}}},
         "orientation"},
        {{{"do", "add"}, {"spring", {{"a", 0}, {"b", 9}, {"stiffness", 1}}}}, "spring.b"},
        {{{"do", "add"}, {"joint", {{"type", "knot"}, {"a", 0}, {"b", 1}}}}, "knot"},
        {{{"do", "remove"}, {"kind", "body"}, {"index", 0}}, "ground"},
        {{{"do", "remove"}, {"kind", "joint"}, {"index", 0}}, "joint"},
        {{{"do", "remove"}, {"kind", "force"}, {"index", 0}}, "spring"},
        {{{"do", "remove"}, {"kind", "sky"}, {"index", 0}}, "kind"},
        {{{"do", "command"}, {"channel", "x"}, {"value", 1}}, "steered"},
        {{{"do", "open"}, {"scene", "../../etc/passwd"}}, "gallery"},
        {{{"do", "open"}, {"scene", std::string(300, 'x')}}, "200"},
        {{{"do", "open"}, {"scene", "counting"}, {"parameters", {{"a", {1}}}}}, "a"},
        {{{"do", "watch"}, {"quantities", "all"}}, "quantities"},
        {{{"do", "watch"}, {"quantities", std::vector<std::string>(65, "q")}}, "64"},
        {{{"do", "hello"}}, "already"},
    };
    for (const auto& [message, name] : wrong) {
        const Json reply = guest.ask(message);
        EXPECT_TRUE(contains(reply, name)) << message << " got " << reply;
    }
    EXPECT_TRUE(guest.closing().empty());
}

TEST(Hub, OpensAnotherSceneWhileTheOldOneRuns) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room), viewer(room);
    guest.hello();
    viewer.hello("viewer", "viewer token", "other");
    EXPECT_EQ(guest.ask({{"do", "open"}, {"scene", "broken"}})["ok"], true);
    EXPECT_EQ(viewer.event("opening")["scene"], "broken");
    EXPECT_NE(std::string(viewer.event("failed")["error"]).find("trouble"), std::string::npos);
    viewer.wait_for_state([](const wire::State&) { return true; });

    EXPECT_EQ(
        guest.ask({{"do", "open"}, {"scene", "counting"}, {"parameters", {{"bodies", 5}}}})["ok"],
        true);
    EXPECT_EQ(viewer.event("opened")["scene"], "counting");
    viewer.wait_for_state([](const wire::State& s) { return s.poses_size() == 35; });
    EXPECT_EQ(guest.ask({{"do", "close"}})["ok"], true);
    EXPECT_EQ(viewer.event("closed")["scene"], "counting");
    EXPECT_TRUE(contains(guest.ask({{"do", "run"}}), "no scene"));
}

TEST(Hub, RecordsWhenAsked) {
    Room room;
    room.hub->open("counting", counting());
    Guest guest(room);
    guest.hello();
    EXPECT_EQ(guest.event("recording")["on"], false);
    EXPECT_TRUE(contains(guest.ask({{"do", "record"}, {"on", false}}), "nothing"));
    EXPECT_EQ(guest.ask({{"do", "record"}, {"on", true}})["ok"], true);
    EXPECT_EQ(guest.event("recording")["file"], "out/counting-1.mcap");
    guest.wait_for_state([](const wire::State& s) { return s.transport().is_recorded(); });
    EXPECT_TRUE(contains(guest.ask({{"do", "record"}, {"on", true}}), "already"));
    EXPECT_EQ(guest.ask({{"do", "record"}, {"on", false}})["ok"], true);
    EXPECT_EQ(guest.event("recording")["on"], false);
}

// ---- Watching ------------------------------------------------------------------------------------

TEST(Hub, WatchesWhatAllClientsWantTogether) {
    Room room;
    room.hub->open("counting", counting());
    Guest one(room), two(room);
    one.hello("viewer", "viewer token", "one");
    two.hello("viewer", "viewer token", "two");
    EXPECT_EQ(one.ask({{"do", "watch"}, {"quantities", {"a", "b"}}})["ok"], true);
    EXPECT_EQ(two.ask({{"do", "watch"}, {"quantities", {"b", "c"}}})["ok"], true);
    EXPECT_EQ(one.event("watched")["quantities"], Json({"a", "b"}));
    const Json all = one.event("watched");
    EXPECT_EQ(all["quantities"], Json({"a", "b", "c"}));
    one.wait_for_state([&](const wire::State& s) {
        return s.watch() == all["number"].get<uint32_t>() && s.values_size() == 3;
    });
    const Json refused = one.ask({{"do", "watch"}, {"quantities", {"a", "bad name"}}});
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
    one.hello("viewer", "viewer token", "one");
    two.hello("viewer", "viewer token", "two");
    const auto has = [](bool contours, bool volumes) {
        return [=](const wire::State& s) {
            return (s.contours_size() == 6) == contours
                && (s.shared_volumes().triangles_size() == 12) == volumes;
        };
    };
    one.ask({{"do", "watch"}, {"quantities", Json::array()}, {"contours", true}});
    two.wait_for_state(has(true, false));
    two.ask({{"do", "watch"}, {"quantities", Json::array()}, {"volumes", true}});
    one.wait_for_state(has(true, true));
    room.hub->disconnect(one.id());
    two.wait_for_state(has(false, true));
    two.ask({{"do", "watch"}, {"quantities", Json::array()}});
    two.wait_for_state(has(false, false));
}

}  // namespace
}  // namespace bristle::live
