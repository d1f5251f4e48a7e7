"""Recordings that somebody made to do harm: slow to read, large in memory, without sense."""
import resource
import struct
import time

import crafted
from harness import HELD, NIGHTLY, attack, goes_on, operator

NANOSECONDS = 10_000_000  # a step
LONGEST = 15  # s of computing


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (1500 << 20, 1500 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))


def look(stage, data, **options):
    """Whatever it is, the commands that read it end soon, in little memory, and with words."""
    file = stage.write("crafted.mcap", data)
    for command in (("info",), ("replay", "--check"), ("export", "--format", "csv", "--out", "-")):
        began = time.monotonic()
        done = stage.call(command[0], file, *command[1:], timeout=100, preexec_fn=limited, **options)
        assert done.returncode in (0, 1, 2), f"{command[0]}: exit code {done.returncode} after {time.monotonic() - began:.1f} s"
        assert (done.stdout + done.stderr).strip(), f"{command[0]} says nothing"
    assert file.read_bytes() == data, "looking has changed the file"
    return file


def shown(stage, file):
    """Shown or refused, the server stays, and shows something else."""
    (stage.folder / "out").mkdir(exist_ok=True)
    file = file.rename(stage.folder / "out" / file.name)
    view = stage.view("pendulum", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3000 << 20, 3000 << 20)))
    with operator(view) as client:
        client.do("open", scene="out/crafted.mcap")
        wait_for(client, lambda e: "opened" in e or "failed" in e)
        client.ask("run")
        time.sleep(0.3)
        client.ask("seek", time=1e8)
        client.do("open", scene="pendulum")
        wait_for(client, lambda e: e.get("opened", {}).get("scene") == "pendulum")
        return goes_on(client)


def wait_for(client, is_it):
    until = time.monotonic() + 15
    while not any(map(is_it, client.events)):
        assert time.monotonic() < until, "it is neither opened nor refused"
        client.ask("ping")
        time.sleep(0.02)


def frames(*steps):
    return crafted.chunk(crafted.channels() + crafted.message(crafted.SCENE, 0, crafted.scene())
                         + b"".join(crafted.message(crafted.STATE, min(step * NANOSECONDS, 2**63), crafted.state(step))
                                    for step in steps))


@attack("recordings: crafted", cases=["falling", "rising", "the same"])
def a_hundred_thousand_rewinds(stage, how):
    count = 100_000
    to = {"falling": lambda i: count - i, "rising": lambda i: i, "the same": lambda i: 0}[how]
    records = crafted.channels() + crafted.message(crafted.SCENE, 0, crafted.scene()) \
        + crafted.message(crafted.STATE, 0, crafted.state(0)) \
        + b"".join(crafted.message(crafted.INPUT, (count + i) * NANOSECONDS, crafted.rewind(count, to(i))) for i in range(count)) \
        + crafted.message(crafted.STATE, 2 * count * NANOSECONDS, crafted.state(1))
    return shown(stage, look(stage, crafted.recording(crafted.chunk(records))))


@attack("recordings: crafted")
def chunks_that_unpack_to_a_thousand_times_more_and_are_none(stage):
    lie = crafted.chunk(b"", packed=crafted.zeros(250 << 20), size=250 << 20, crc=1)
    # The first byte is wrong, so that each is found by looking for it.
    data = crafted.recording(crafted.chunk(crafted.channels()), *[b"\xff" + lie for _ in range(400)])
    look(stage, data)
    return HELD


@attack("recordings: crafted")
def a_small_file_of_a_large_chunk(stage):
    honest = crafted.chunk(b"", packed=crafted.zeros(250 << 20), size=250 << 20, crc=crafted.zlib.crc32(bytes(250 << 20)))
    look(stage, crafted.recording(crafted.chunk(crafted.channels()), honest))
    return HELD


@attack("recordings: crafted", NIGHTLY)
def chunks_of_all_the_schemas_there_can_be(stage):
    schemas = b"".join(crafted.record(3, struct.pack("<H", i) + bytes(12)) for i in range(65536))
    look(stage, crafted.recording(*[crafted.chunk(schemas)] * 40))
    return HELD


@attack("recordings: crafted", NIGHTLY)
def a_million_records_that_are_none(stage):
    look(stage, crafted.recording(crafted.record(2, b"") * 1_000_000, frames(0, 1, 2)))
    return HELD


@attack("recordings: crafted", cases=["inf", "nan", "1e300", "1e-300", "-1", "0", "", "1e7", "0x1p-3"])
def steps_that_are_none(stage, length):
    return shown(stage, look(stage, crafted.recording(frames(0, 1, 2, 3, 4, 5), step_length=length)))


@attack("recordings: crafted", cases=["inf", "nan", "-1e308", "1e308"])
def starts_that_are_none(stage, when):
    return shown(stage, look(stage, crafted.recording(frames(0, 1, 2, 3, 4, 5), start_time=when)))


@attack("recordings: crafted", cases=[(9, 5, 3, 1), (0, 10**15, 10**16, 10**17, 10**18), (2**62, 2**62 + 1, 2**62 + 2), (5,),
                                      (0, 2**63, 0, 2**63)])
def frames_out_of_order_and_far_apart(stage, steps):
    return shown(stage, look(stage, crafted.recording(frames(*steps))))


@attack("recordings: crafted", cases=[10**11 + 1, 2**62, 2**64 - 1])
def a_keyframe_that_nobody_computed(stage, step):
    records = crafted.channels() + crafted.message(crafted.KEYFRAME, 0, crafted.keyframe(step))
    look(stage, crafted.recording(crafted.chunk(records)))
    return HELD


NAMES = {"a file for a folder": b"scene.yaml/b", "up": b"../out.txt", "from the root": b"/tmp/bristle-out.txt",
         "an escape": b"a\x1b]0;owned\x07", "a long one": b"a" * 5000, "a deep one": b"/".join([b"a"] * 3000), "no text": b"\xff",
         "none": b""}


@attack("recordings: crafted", cases=NAMES)
def names_of_attached_files(stage, which):
    attached = crafted.attachment(NAMES[which], b"x")
    file = stage.write("crafted.mcap", crafted.recording(frames(0, 1, 2), attached=attached))
    for command in ("info", "replay"):
        done = stage.call(command, file, *(["--check"] if command == "replay" else []))
        assert done.returncode in (0, 1, 2) and "\x1b" not in done.stdout + done.stderr, done.stderr
    assert not (stage.folder.parent / "out.txt").exists()
    return HELD


@attack("recordings: crafted", cases=range(8))
def messages_that_make_no_sense(stage, seed):
    chance = stage.random
    parts = [crafted.scene(), crafted.state(3), crafted.keyframe(2), crafted.rewind(3, 1), crafted.scene_with_field(), crafted.ground(3, heap=(1, 0, 2, 12))]

    def spoilt():
        data = bytearray(chance.choice(parts))
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        return bytes(data) + chance.randbytes(chance.choice([0, 0, 3, 40]))
    records = crafted.channels() + b"".join(
        crafted.message(chance.randrange(6), chance.choice([i, chance.randrange(2**64)]) * (1 if i % 2 else NANOSECONDS) % 2**64, spoilt())
        for i in range(60))
    return shown(stage, look(stage, crafted.recording(frames(0, 1, 2, 3), crafted.chunk(records))))


FIELDS = {"none": {}, "flat": {"rows": 1, "points": 40}, "empty": {"columns": 0, "points": 0}, "too few": {"points": 1599}, "huge": {"columns": 2**31, "rows": 2**31, "points": 9},
          "long": {"columns": 2, "rows": 65537}, "no spacing": {"spacing": 0.0}, "NaN": {"spacing": float("nan")}, "no unit": {"unit": 0.0}}


@attack("recordings: crafted", cases=list(FIELDS))
def fields_that_are_none(stage, which):
    records = crafted.channels() + crafted.message(crafted.SCENE, 0, crafted.scene_with_field(**FIELDS[which])) \
        + b"".join(crafted.message(channel, i * NANOSECONDS, data) for i in range(5)
                   for channel, data in ((crafted.GROUND, crafted.ground(i)), (crafted.STATE, crafted.state(i))))
    return shown(stage, look(stage, crafted.recording(crafted.chunk(records))))


TOLD = {"no columns": {"columns": 0}, "too wide": {"columns": 2**32 - 1}, "too few": {"points": 3}, "far tiles": {"tile": 2**32 - 1}, "no field": {"shape": 6},
        "a far heap": {"heap": (2**32 - 1, 0, 2, 12)}, "a heap of nobody's": {"heap": (0, 2**31, 2, 12)}, "a broken heap": {"heap": (0, 0, 5, 12)},
        "a large heap": {"heap": (0, 0, 2, 6_000_000)}}


@attack("recordings: crafted", cases=list(TOLD))
def ground_that_makes_no_sense(stage, which):
    """Twenty thousand times, none of them whole, and gone back in."""
    told = crafted.ground(**{"tile": 1, **TOLD[which]})
    count = 100 if len(told) > 10_000 else 20_000
    records = crafted.channels() + crafted.message(crafted.SCENE, 0, crafted.scene_with_field()) \
        + crafted.message(crafted.STATE, 0, crafted.state(0)) \
        + b"".join(crafted.message(crafted.GROUND, (1 + i) * NANOSECONDS, told) for i in range(count)) \
        + crafted.message(crafted.STATE, (count + 1) * NANOSECONDS, crafted.state(count + 1))
    return shown(stage, look(stage, crafted.recording(crafted.chunk(records))))
