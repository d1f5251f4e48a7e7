"""kill -9 at random moments of recording, running, exporting and studying: nothing that was there is lost, and what is there
can be read, by us and by others."""
import fcntl
import json
import pathlib
import re
import signal
import subprocess
import time

from attacks_on_results import LONG
from harness import HELD, NIGHTLY, attack
from view import PENDULUM

READER = pathlib.Path(__file__).parents[1] / "live/read_recording.mjs"
MODULES = pathlib.Path(__file__).parents[2] / "web"
OF_EACH = 125
SHORT = LONG.replace("mass: 1}", "mass: m}") + "parameters: {m: 1}\n"


def read_by_others(file):
    """By @mcap/core, all checksums compared; where the page is not built there is none."""
    if not (MODULES / "node_modules/@mcap/core").exists():
        return
    done = subprocess.run(["node", str(READER), str(MODULES), str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def killed(stage, wait, *arguments):
    process = stage.start(*arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    process.wait(20)


@attack("kills", NIGHTLY, cases=range(OF_EACH))
def a_recording_is_killed(stage, _):
    scene, file = stage.write("pendulum.yaml", PENDULUM), stage.folder / "a.mcap"
    process = stage.start("record", scene, "--out", file, "--speed", "1", "--quiet")
    while not file.exists():
        time.sleep(0.001)
    began, waited = time.monotonic(), withheld(process)
    time.sleep(stage.random.uniform(0, 1.0))
    elapsed, waited = time.monotonic() - began, withheld(process) - waited
    process.send_signal(signal.SIGKILL)
    process.wait(20)
    before = file.read_bytes()
    info = json.loads(stage.call("info", file, "--json").stdout)
    lost = elapsed - waited - info["time"]
    assert lost < 0.5, f"{lost:.2f} s are lost"
    assert stage.call("replay", "--check", file).returncode == 1 and file.read_bytes() == before
    assert stage.call("repair", file).returncode == 0
    if info["keyframes"] > 0:
        done = stage.call("replay", "--check", file)
        assert done.returncode == 0, done.stdout + done.stderr
    read_by_others(file)
    return HELD


def withheld(process):
    """Seconds the threads of a process could have run, but the machine ran something else."""
    tasks = pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[1]) for task in tasks) * 1e-9


def whole_lines(file):
    text = file.read_text()
    columns = text.splitlines()[0].count(",") if text else 0
    # The last one may be cut by a kill within the copy of a page.
    return all(line.count(",") == columns for line in text.splitlines()[:-1])


def results(stage, name):
    return [stage.folder / f"out/{name}.{kind}" for kind in ("csv", "html")]


def old_or_new(stage, command, *extra):
    """Both results are the old ones or the new ones, whenever the second run is killed."""
    scene = stage.write("scene.yaml", SHORT)
    name = "scene-study" if command == "study" else "scene"
    assert stage.call(command, scene, *extra, "--time", "0.2").returncode == 0
    old = [f.read_bytes() for f in results(stage, name)]
    began = time.monotonic()
    assert stage.call(command, scene, *extra, "--time", "0.4").returncode == 0
    took = time.monotonic() - began
    new = [f.read_bytes() for f in results(stage, name)]
    assert stage.call(command, scene, *extra, "--time", "0.2").returncode == 0
    killed(stage, stage.random.uniform(0, 1.1 * took), command, scene, *extra, "--time", "0.4")
    for file in results(stage, name):
        with open(file) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # until the names are given
    found = [f.read_bytes() for f in results(stage, name)]
    assert found[0] in (old[0], new[0]), "the table is neither the old one nor the new one"
    is_new = [timeless(found[1]) == timeless(new[1]), found[0] == new[0]]
    assert is_new[0] or timeless(found[1]) == timeless(old[1]), "the report is neither the old one nor the new one"
    assert is_new[0] == is_new[1], "one of the two is new, the other old"
    assert stage.call(command, scene, *extra, "--time", "0.2").returncode == 0, "what is left over is in the way"
    return HELD


def timeless(page):
    """Without what was measured: how long it took differs each time."""
    return re.search(rb"simulated time.{0,60}", page)[0] if b"simulated time" in page else re.sub(rb"[0-9.]+ m?s\b", b"", page)


@attack("kills", NIGHTLY, cases=range(OF_EACH))
def a_run_is_killed(stage, number):
    if number % 2:
        return old_or_new(stage, "run")
    scene = stage.write("scene.yaml", LONG)
    killed(stage, stage.random.uniform(0, 0.6), "run", scene)
    table = stage.folder / "out/scene.csv"
    assert not table.exists() or whole_lines(table), "the table has torn lines"
    assert not (stage.folder / "out/scene.html").exists()
    return HELD


@attack("kills", NIGHTLY, cases=range(OF_EACH))
def a_study_is_killed(stage, _):
    return old_or_new(stage, "study", "--set", "m=1:2:3", "--quantities", "energy.total")


FORMATS = ["csv", "json", "vtk", "csv"]


@attack("kills", NIGHTLY, cases=range(OF_EACH))
def an_export_is_killed(stage, number):
    format = FORMATS[number % len(FORMATS)]
    scene = stage.write("pendulum.yaml", PENDULUM)
    assert stage.call("record", scene, "--time", "3", "--out", "b.mcap", "--quiet").returncode == 0
    before = (stage.folder / "b.mcap").read_bytes()
    if format == "vtk":
        killed(stage, stage.random.uniform(0, 0.5), "export", "b.mcap", "--format", "vtk", "--out", "vtk")
        for file in (stage.folder / "vtk").rglob("*.vtp"):
            assert file.read_bytes().endswith(b"</VTKFile>\n"), f"{file.name} is torn"
        for all_frames in (stage.folder / "vtk").glob("*.pvd"):
            for named in re.findall(r'file="([^"]+)"', all_frames.read_text()):
                assert (stage.folder / "vtk" / named).exists(), f"{named} is named and not there"
    else:
        out = stage.write(f"out.{format}", "old\n")
        whole = stage.call("export", "b.mcap", "--format", format, "--out", "-").stdout
        killed(stage, stage.random.uniform(0, 0.2), "export", "b.mcap", "--format", format, "--out", out)
        assert out.read_text() in ("old\n", whole), "it is neither the old one nor the new one"
    assert (stage.folder / "b.mcap").read_bytes() == before
    if number % 10 == 0:
        read_by_others(stage.folder / "b.mcap")
    return HELD
