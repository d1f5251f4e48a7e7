"""Results: tables, reports and exports that others, or we ourselves, are about to overwrite."""
import os
import signal
import socket
import subprocess
import time

from harness import HELD, attack, end, refused

LONG = """
bodies:
  rod: {type: rod, from: [0, 0, 0], to: [1, 0, 0], mass: 1}
joints:
  pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}
duration: 1e5
"""


def recording(stage):
    done = stage.call("record", "pendulum", "--time", "0.5", "--out", "b.mcap")
    assert done.returncode == 0, done.stderr
    return (stage.folder / "b.mcap").read_bytes()


@attack("results", cases=["b.mcap", "./b.mcap", "link.mcap", "hard.mcap"])
def an_export_onto_its_recording(stage, out):
    before = recording(stage)
    os.symlink("b.mcap", stage.folder / "link.mcap")
    os.link(stage.folder / "b.mcap", stage.folder / "hard.mcap")
    said = refused(stage.call("export", "b.mcap", "--out", out), "it is what is read")
    assert (stage.folder / "b.mcap").read_bytes() == before
    return said


@attack("results")
def a_scene_exported_onto_itself(stage):
    scene = stage.write("scene.yaml", LONG)
    said = refused(stage.call("export", scene, "--format", "scene", "--out", scene), "it is what is read")
    assert scene.read_text() == LONG
    return said


@attack("results", cases=["csv", "json"])
def standard_output_that_others_wrote_to(stage, format):
    recording(stage)
    file = stage.write("all.txt", "before\n")
    with file.open("ab") as out:
        stage.call("export", "b.mcap", "--format", format, "--out", "-", capture_output=False, stdout=out, text=None)
    assert file.read_text().startswith("before\n") and file.stat().st_size > 100
    return HELD


@attack("results", cases=["csv", "json"])
def standard_output_that_is_a_socket(stage, format):
    recording(stage)
    ours, theirs = socket.socketpair()
    process = stage.start("export", "b.mcap", "--format", format, "--out", "-", stdout=theirs)
    theirs.close()
    got = b""
    while part := ours.recv(65536):
        got += part
    assert process.wait(20) == 0 and got.endswith(b"\n") and len(got) > 100
    return HELD


def wait_for(look, seconds=60):
    limit = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.02)


@attack("results", cases=["new folder", "old result there"])
def two_runs_into_one_folder(stage, where):
    scene = stage.write("scene.yaml", LONG)
    if where == "old result there":
        stage.call("run", scene, "--time", "0.1")
    first = stage.start("run", scene)
    growing = stage.folder / ("out/scene.csv" if where == "new folder" else "out/scene.csv.part")
    wait_for(lambda: growing.exists() and growing.stat().st_size > 5000)
    said = refused(stage.call("run", scene, "--time", "0.1"), "another program is writing it")
    first.send_signal(signal.SIGINT)
    assert first.wait(20) == 130
    return said


@attack("results", cases=[("run", signal.SIGKILL), ("run", signal.SIGTERM), ("study", signal.SIGKILL)])
def a_second_run_that_is_killed(stage, how):
    command, number = how
    scene = stage.write("scene.yaml", LONG.replace("mass: 1}", "mass: m}") + "parameters: {m: 1}\n")
    extra = ("--set", "m=1:2:3", "--quantities", "energy.total") if command == "study" else ()
    assert stage.call(command, scene, *extra, "--time", "0.1").returncode == 0
    name = "scene-study" if command == "study" else "scene"
    files = [stage.folder / f"out/{name}.{kind}" for kind in ("csv", "html")]
    before = [f.read_bytes() for f in files]
    second = stage.start(command, scene, *extra)
    wait_for(lambda: (stage.folder / f"out/{name}.csv.part").exists())
    time.sleep(0.1)
    second.send_signal(number)
    second.wait(20)
    if number == signal.SIGKILL:
        assert [f.read_bytes() for f in files] == before, "the old result is gone"
    assert stage.call(command, scene, *extra, "--time", "0.1").returncode == 0, "what is left over is in the way"
    assert [f.read_bytes() for f in files][0] == before[0]
    return HELD


@attack("results", cases=["csv", "json"])
def an_export_to_a_full_disk(stage, format):
    recording(stage)
    return refused(stage.call("export", "b.mcap", "--format", format, "--out", "/dev/full"), "No space left", code=1)
