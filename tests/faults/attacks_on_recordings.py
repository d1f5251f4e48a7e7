"""Recordings: full disks, flipped bits, signals, crooked files."""
import hashlib
import os
import resource
import signal
import struct
import time
import zlib

from harness import HELD, NIGHTLY, attack, goes_on, operator, refused
from view import PENDULUM


def recorded(stage, seconds="2"):
    scene = stage.write("pendulum.yaml", PENDULUM)
    done = stage.call("record", scene, "--time", seconds, "--out", "a.mcap", "--quiet")
    assert done.returncode == 0, done.stderr
    return stage.folder / "a.mcap"


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


@attack("recordings: disk")
def the_disk_is_full_while_it_is_recorded(stage):
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap", preexec_fn=small_files)
    with operator(view) as client:
        client.do("speed", value=20)
        told = client.event("recording")
        while "trouble" not in told:
            told = client.event("recording")
        assert "File too large" in told["trouble"], told
        assert "nothing is recorded" in client.ask("record", on=False)["error"]
        goes_on(client)
    view.end()
    assert any("the recording has ended" in line for line in view.log)
    return told["trouble"]


@attack("recordings: disk")
def a_recording_without_a_server_on_a_full_disk(stage):
    scene = stage.write("pendulum.yaml", PENDULUM)
    done = stage.call("record", scene, "--time", "100", "--out", "a.mcap", preexec_fn=small_files)
    return refused(done, "File too large", code=1)


@attack("recordings: signals", cases=[signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGINT])
def a_signal_finishes_the_recording(stage, number):
    scene = stage.write("pendulum.yaml", PENDULUM)
    process = stage.start("record", scene, "--out", "a.mcap", "--speed", "1", "--quiet")
    while not (stage.folder / "a.mcap").exists():
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(number)
    assert process.wait(20) == 128 + number
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stderr
    return HELD


def flips(stage, count, seed):
    file = recorded(stage)
    good = file.read_bytes()
    stage.random.seed(seed)
    for _ in range(count):
        data = bytearray(good)
        at = stage.random.randrange(len(data))
        data[at] ^= 1 << stage.random.randrange(8)
        file.write_bytes(data)
        done = stage.call("replay", "--check", file)
        assert done.returncode in (1, 2), f"byte {at}: exit code {done.returncode}: {done.stdout}"
        assert (done.stderr + done.stdout).strip(), f"byte {at}: nothing is said"
        assert file.read_bytes() == data, "the check has changed the file"
    return HELD


@attack("recordings: damage", cases=range(4))
def flipped_bits_are_told(stage, seed):
    return flips(stage, 10, seed)


@attack("recordings: damage", NIGHTLY, cases=range(4, 120))
def more_flipped_bits_are_told(stage, seed):
    return flips(stage, 1, seed)


@attack("recordings: damage", cases=[1, 20, 300, 0.5, 0.9])
def a_torn_file_is_checked_shown_and_repaired(stage, cut):
    file = recorded(stage)
    data = file.read_bytes()
    torn = data[:int(len(data) * cut)] if cut < 1 else data[:-cut]
    file.write_bytes(torn)
    said = refused(stage.call("replay", "--check", file), code=1)
    stage.call("info", file)
    assert file.read_bytes() == torn, "looking has changed the file"
    done = stage.call("repair", file)
    assert done.returncode == 0, done.stderr
    done = stage.call("replay", "--check", file)
    assert done.returncode == 0, done.stderr + done.stdout
    return said


@attack("recordings: two at once", cases=range(4))
def two_recorders_of_one_name(stage, _):
    scene = stage.write("pendulum.yaml", PENDULUM)
    both = [stage.start("record", scene, "--out", "a.mcap", "--time", "1", "--quiet") for _ in range(2)]
    codes = sorted(process.wait(30) for process in both)
    assert codes == [0, 2], codes
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stderr
    assert not list(stage.folder.glob("*.part"))
    return HELD


# ---- Files that are made to be slow --------------------------------------------------------------------------------

def rewritten_summary(data, change):
    """The same file with another summary: its records are given to `change`, and the checksums are made right."""
    summary_at, offsets_at = struct.unpack_from("<QQ", data, len(data) - 8 - 20)
    records, at = [], summary_at
    while at < len(data) - 8 - 29:
        length = struct.unpack_from("<Q", data, at + 1)[0]
        records.append(bytes(data[at:at + 9 + length]))
        at += 9 + length
    body = b"".join(change(records))
    footer = b"\x02" + struct.pack("<QQQ", 20, summary_at, summary_at + len(body))
    crc = zlib.crc32(body + footer)
    return bytes(data[:summary_at]) + body + footer + struct.pack("<I", crc) + bytes(data[-8:])


@attack("recordings: bounds", cases=[100, 20_000])
def an_index_that_names_a_chunk_many_times(stage, times):
    file = recorded(stage)
    data = file.read_bytes()

    def repeat(records):
        chunk = next(r for r in records if r[0] == 8)
        return [r for r in records if r[0] not in (8, 14)] + [chunk] * times
    file.write_bytes(rewritten_summary(data, repeat))
    began = time.monotonic()
    done = stage.call("info", file, timeout=20)
    stage.call("replay", "--check", file, timeout=20)
    assert time.monotonic() - began < 5
    assert "whole" not in done.stdout.splitlines()[-1]
    return HELD
