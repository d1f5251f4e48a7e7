// A recording, as far as it can be read. The scene in it is not built: that is the other fuzzer's.
#include "live/record/mcap_reader.h"
#include "live/record/playback.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    const auto file = fuzz::file_of(fuzz::text(data, size), "fuzz.mcap");
    fuzz::tried([&] {
        const live::mcap::Reader reader(file);
        reader.check();
    });
    fuzz::tried([&] {
        const live::RecordingFile recording(file);
        recording.damage();
        for (const live::RecordedKeyframe& k : recording.keyframes()) recording.state(k);
        recording.for_each_frame([](const live::Frame&) {});
    });
    fuzz::tried([&] {
        live::Playback playback(file);
        live::GroundNews ground;
        for (int i = 0; i < 50 && playback.advance(); ++i) playback.ground(0, ground);
        playback.go_to(playback.first_time());
    });
    return fuzz::tried([&] { live::repair(file); });
}
