"""Disks that are slow, and disks that say too late that they could not write."""
import os
import pathlib
import subprocess
import time

from harness import HELD, NIGHTLY, attack, goes_on, operator, refused
from view import PENDULUM

SOURCE = pathlib.Path(__file__).with_name("bad_disk.c")


def bad_disk(stage, **how):
    """The environment of a program whose disk is like that."""
    library = stage.folder / "bad_disk.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True)
    return {"LD_PRELOAD": str(library), **{f"BAD_DISK_{name.upper()}": str(value) for name, value in how.items()}}


@attack("disk", NIGHTLY, cases=[(0.5, 2), (1, 3)])
def a_slow_one_does_not_slow_the_simulation(stage, waits):
    write, sync = waits
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap",
                      environment=bad_disk(stage, write=write, sync=sync))
    with operator(view) as client:
        client.do("run")
        first, began = client.state()["time"], time.monotonic()
        while time.monotonic() < began + 2:
            last = client.state()["time"]
        pace = (last - first) / (time.monotonic() - began)
        # A simulation that waited for a chunk each fifth of a second would have less than 0.3.
        assert pace > 0.4, f"{pace:.2f} of real time"
        client.do("add_body", kind="SPHERE", size=[0.1], position=[5, 0, 0])
        goes_on(client)
    view.end()
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stdout + done.stderr
    return HELD


@attack("disk")
def one_that_fails_to_sync_ends_a_recording(stage):
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap", environment=bad_disk(stage, fails=1))
    with operator(view) as client:
        client.do("run")
        told = client.event("recording")
        while "trouble" not in told:
            told = client.event("recording")
        assert "Input/output error" in told["trouble"], told
        goes_on(client)
    return told["trouble"]


@attack("disk", cases=["run", "study"])
def one_that_fails_to_sync_keeps_the_old_result(stage, command):
    scene = stage.write("pendulum.yaml", PENDULUM.replace("mass: 1", "mass: m").replace("duration: 1e6", "parameters: {m: 1}"))
    extra = ["--set", "m=1:2:3", "--quantities", "energy.total"] if command == "study" else []
    assert stage.call(command, scene, "--time", "0.1", *extra).returncode == 0
    before = {file: file.read_bytes() for file in (stage.folder / "out").iterdir()}
    done = stage.call(command, scene, "--time", "0.2", *extra, env=dict(os.environ, **bad_disk(stage, fails=1)))
    assert {file: file.read_bytes() for file in (stage.folder / "out").iterdir()} == before, "the old one is gone"
    return refused(done, "Input/output error", code=1)
