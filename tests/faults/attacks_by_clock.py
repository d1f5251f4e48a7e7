"""Clocks that jump: by the hand of the user or a time server, or because the machine slept."""
import json
import os
import pathlib
import signal
import subprocess
import time

from harness import HELD, NIGHTLY, attack, goes_on, operator
from view import PENDULUM

SOURCE = pathlib.Path(__file__).with_name("bad_clock.c")
DAY = 86400
JUMPS = {"a day on": DAY, "a day back": -DAY, "to 1970": DAY - int(time.time()), "to 2100": 4102444800 - int(time.time())}


class Clock:
    """What a program is told to be the time of day, until it is told otherwise: by so many seconds wrong."""

    def __init__(self, stage):
        library = stage.folder / "bad_clock.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True)
        self.file = stage.write("clock", "0")
        self.environment = {"LD_PRELOAD": str(library), "BAD_CLOCK": str(self.file)}

    def jump(self, to):
        # At once: an empty one would be another time.
        beside = self.file.with_suffix(".new")
        beside.write_text(str(to))
        beside.rename(self.file)

    def __enter__(self):
        self.before = dict(os.environ)
        os.environ.update(self.environment)

    def __exit__(self, *_):
        os.environ.clear()
        os.environ.update(self.before)


@attack("clocks", NIGHTLY, cases=JUMPS)
def the_wall_clock_jumps_while_it_is_recorded(stage, how):
    clock = Clock(stage)
    with clock:
        view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap")
    with operator(view) as client:
        goes_on(client)
        clock.jump(JUMPS[how])
        began, first = time.monotonic(), client.state()["time"]
        while time.monotonic() < began + 2:
            last = client.state()["time"]
        assert abs(last - first - 2) < 1, f"2 s became {last - first:.2f} s"
        client.do("pause")
        client.do("record", on=False)
    view.end()
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stdout + done.stderr
    return HELD


@attack("clocks", NIGHTLY, cases=JUMPS)
def a_recording_without_a_server_while_the_clock_jumps(stage, how):
    clock = Clock(stage)
    scene = stage.write("pendulum.yaml", PENDULUM)
    with clock:
        process = stage.start("record", scene, "--out", "a.mcap", "--time", "1.5", "--speed", "1", "--quiet")
    time.sleep(0.5)
    clock.jump(JUMPS[how])
    assert process.wait(30) == 0
    info = json.loads(stage.call("info", "a.mcap", "--json").stdout)
    assert info["damage"] == "" and abs(info["time"] - 1.5) < 0.02, info
    assert stage.call("replay", "--check", "a.mcap").returncode == 0
    return HELD


@attack("clocks", NIGHTLY, cases=JUMPS)
def a_machine_whose_clock_is_wrong_from_the_start(stage, how):
    clock = Clock(stage)
    clock.jump(JUMPS[how])
    with clock:
        view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap")
    with operator(view) as client:
        goes_on(client, 1)
    view.end()
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stdout + done.stderr
    return HELD


@attack("clocks", NIGHTLY, cases=[0.5, 3, 10])
def a_machine_that_slept(stage, seconds):
    """All clocks have gone on without it: the time is given up, and not computed at once."""
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap")
    with operator(view) as client:
        goes_on(client)
        before = client.state()["time"]
        view.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        view.process.send_signal(signal.SIGCONT)
        began = time.monotonic()
        while time.monotonic() < began + 1.5:
            after = client.state()["time"]
        assert 0.5 < after - before < 3.5, f"{after - before:.1f} s were computed"
    view.end()
    assert stage.call("replay", "--check", "a.mcap").returncode == 0
    return HELD
