#include "live/wire/json.h"

#include <bristle/error.h>

#include "live/wire/protocol.pb.h"

#include <gtest/gtest.h>

namespace bristle::live {
namespace {

std::string error_of(const std::string& text) {
    wire::Order order;
    try {
        read_json(text, order);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Json, ReadsWhatTheSchemaSays) {
    wire::Order order;
    read_json(R"({"id": 7, "add_body": {"kind": "CAPSULE", "size": [0.5, 1], "position": [0, 0, 2],
                  "name": "Ä"}})",
              order);
    EXPECT_EQ(order.id(), 7u);
    ASSERT_TRUE(order.has_add_body());
    EXPECT_EQ(order.add_body().kind(), wire::Part::CAPSULE);
    EXPECT_EQ(order.add_body().size_size(), 2);
    EXPECT_EQ(order.add_body().position(2), 2);
    EXPECT_EQ(order.add_body().name(), "Ä");
    EXPECT_FALSE(order.add_body().has_density());

    read_json(R"({"id": 8, "open": {"scene": "x", "parameters": {"n": "3", "length": "2 m"}}})",
              order);
    EXPECT_FALSE(order.has_add_body());
    EXPECT_EQ(order.open().parameters().at("length"), "2 m");
}

TEST(Json, SaysWhichFieldIsWrongAndWhatItMayBe) {
    const std::pair<const char*, const char*> wrong[] = {
        {R"({"run": {}})", "'id' is missing"},
        {R"({"id": 1.5, "run": {}})", "'id' must be a whole number from 0 to 4294967295"},
        {R"({"id": "1", "run": {}})", "'id' must be a whole number"},
        {R"({"id": 1, "dance": {}})", "there is no 'dance', but id, hello, run"},
        {R"({"id": 1, "run": {}, "pause": {}})", "there are 'run' and 'pause': one at a time"},
        {R"({"id": 1, "run": {"fast": 1}})", "run: there is no 'fast', but nothing"},
        {R"({"id": 1, "run": null})", "'run' must be an object"},
        {R"({"id": 1, "speed": {}})", "speed: 'value' is missing"},
        {R"({"id": 1, "speed": {"value": "NaN"}})", "speed: 'value' must be a number"},
        {R"({"id": 1, "record": {"on": 1}})", "record: 'on' must be true or false"},
        {R"({"id": 1, "move": {"to": 3}})", "move: 'to' must be a list"},
        {R"({"id": 1, "move": {"to": [0, "x", 0]}})", "move: 'to[1]' must be a number"},
        {R"({"id": 1, "remove": {"kind": 0, "index": 1}})",
         "remove: 'kind' must be BODY, JOINT or FORCE"},
        {R"({"id": 1, "open": {"scene": "a\nb"}})", "open: 'scene' must be a text without control"},
        {R"({"id": 1, "open": {"scene": "a", "parameters": {"n": 3}}})",
         "open: 'parameters.n' must be a text of at most 200 bytes"},
        {R"([1])", "one JSON object"},
        {R"({"id": 1e999})", "no JSON"},
    };
    for (const auto& [text, expected] : wrong)
        EXPECT_NE(error_of(text).find(expected), std::string::npos)
            << text << " got " << error_of(text);
}

TEST(Json, KeepsWhatCameBeforeAMistake) {
    wire::Order order;
    EXPECT_THROW(read_json(R"({"id": 7, "hello": {"protocol": 99, "x": 1}})", order), InputError);
    EXPECT_EQ(order.id(), 7u);
    EXPECT_EQ(order.hello().protocol(), 99u);
}

TEST(Json, CanReadEveryFieldOfEveryOrder) {
    // Types that the reader does not know would be a mistake of ours.
    const auto* kinds = wire::Order::descriptor()->oneof_decl(0);
    for (int i = 0; i < kinds->field_count(); ++i) {
        const auto* type = kinds->field(i)->message_type();
        for (int k = 0; k < type->field_count(); ++k) {
            wire::Order order;
            const std::string text = R"({"id": 1, ")" + kinds->field(i)->name() + R"(": {")"
                                   + type->field(k)->name() + R"(": [[]]}})";
            EXPECT_THROW(read_json(text, order), InputError) << text;
        }
    }
}

TEST(Json, WritesAllButWhatIsLeftOut) {
    wire::FromServer message;
    message.mutable_recording();
    EXPECT_EQ(to_json(message), R"({"recording":{}})");
    message.mutable_role()->set_role(wire::OPERATOR);
    EXPECT_EQ(to_json(message), R"({"role":{"role":"OPERATOR","why":""}})");
    message.mutable_timing()->set_steps(uint64_t{1} << 40u);
    const std::string timing = to_json(message);
    EXPECT_NE(timing.find(R"("steps":1099511627776)"), std::string::npos) << timing;
    message.mutable_controls()->add_keyboard("key w");
    EXPECT_EQ(to_json(message),
              R"({"controls":{"channels":[],"gamepad":[],"keyboard":["key w"],"mouse":[]}})");
}

TEST(Json, ReplacesWhatIsNoText) {
    wire::FromServer message;
    message.mutable_recording()->set_file("out/\xff.mcap");
    EXPECT_EQ(to_json(message), "{\"recording\":{\"file\":\"out/\xef\xbf\xbd.mcap\"}}");
}

}  // namespace
}  // namespace bristle::live
