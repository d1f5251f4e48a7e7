"""Attacks and faults, one by one, and a table of how they ended.

An attack is a function with a name, a group and maybe several cases; it does its worst to the real program and returns
what it saw: HELD, or what the refusal said. Anything it raises is a failure. `tools/faults` runs them.
"""
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import view as live_view  # noqa: E402
from web_socket import WebSocket  # noqa: E402

HELD = "held"
ATTACKS = []
GATE, NIGHTLY = "gate", "nightly"
LONGEST = 120  # s, of an attack


def attack(group, tier=GATE, cases=(None,)):
    """Registers a function; with cases, it is one attack for each of them."""
    def register(function):
        title = function.__name__.replace("_", " ")
        for case in cases:
            name = title if case is None else f"{title}: {getattr(case, '__name__', case)}"
            ATTACKS.append((group, tier, name, function, case))
        return function
    return register


class Stage:
    """A folder of its own, the program, and servers that are ended when the attack is over."""

    def __init__(self, folder, seed):
        self.folder = pathlib.Path(folder)
        self.random = random.Random(seed)
        self.stack = contextlib.ExitStack()

    def call(self, *arguments, timeout=60, **options):
        options = {"cwd": self.folder, "capture_output": True, "text": True, **options}
        done = subprocess.run([live_view.BRISTLE, *map(str, arguments)], timeout=timeout, **options)
        assert done.returncode >= 0, f"ended by signal {-done.returncode}"
        return done

    def start(self, *arguments, **options):
        options = {"cwd": self.folder, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen([live_view.BRISTLE, *map(str, arguments)], **options)
        self.stack.callback(end, process)
        return process

    def view(self, *arguments, **options):
        """`bristle view`; when the attack is over it must still be there, and end well."""
        view = live_view.View(str(self.folder), *map(str, arguments), **options)
        self.stack.callback(self.end_well, view)
        return view

    @staticmethod
    def end_well(view):
        died = None if view.ended else view.process.poll()
        code, _ = view.end()
        assert died is None, f"the server had ended with {died}: {''.join(view.log[-3:])}"
        assert code == 0, f"the server ended with {code}: {''.join(view.log[-3:])}"

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


def end(process):
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.communicate()


def refused(done, *words, code=2):
    """That a command said no in a way one can use."""
    said = done.stderr + done.stdout
    assert done.returncode == code, f"exit code {done.returncode}: {said[-300:]}"
    for word in words:
        assert word in said, f"'{word}' is not in: {said[-300:]}"
    return said.strip().splitlines()[0][:160] if said.strip() else "refused"


def operator(view, **options):
    client = WebSocket(view.port, **options)
    welcome = client.hello(view.token, client="operator")
    assert welcome["role"] == "OPERATOR", welcome
    if "scene" in welcome:
        client.state()  # before it, there is nothing to steer
    return client


def viewer(view, name="viewer", **options):
    client = WebSocket(view.port, **options)
    client.hello(view.viewer_token, "VIEWER", name)
    return client


def goes_on(client, seconds=0.3):
    """That the simulation moves."""
    before = client.state()["step"]
    limit = time.monotonic() + 10
    end_at = time.monotonic() + seconds
    step = before
    while time.monotonic() < end_at or (step <= before and time.monotonic() < limit):
        step = client.state()["step"]
    assert step > before, "the simulation has stopped"
    return HELD


class TooLong(Exception):
    """No OSError as TimeoutError is: attacks pass over those."""


def too_long(*_):
    raise TooLong(f"it took more than {LONGEST} s")


def run_one(function, case, seed):
    folder = tempfile.mkdtemp(prefix="bristle-fault-")
    stage = Stage(folder, seed)
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(LONGEST)
    try:
        with stage.stack:
            result = function(stage) if case is None else function(stage, case)
        return result or HELD, None
    except Exception:  # whatever it was, it is a row of the table
        return None, "\n".join(traceback.format_exc().splitlines()[-4:])
    finally:
        signal.alarm(0)
        subprocess.run(["chmod", "-R", "u+w", folder], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def run(attacks, seed, verbose):
    groups, failures = {}, []
    for number, (group, _, name, function, case) in enumerate(attacks):
        began = time.monotonic()
        result, trouble = run_one(function, case, seed + number)
        taken = time.monotonic() - began
        row = groups.setdefault(group, [0, 0, 0, 0.0])
        row[0 if result == HELD else 1 if result else 2] += 1
        row[3] += taken
        if trouble:
            failures.append((group, name, trouble))
        if verbose or trouble:
            print(f"{'FAILED' if trouble else 'ok':6} {taken:6.2f} s  {group}: {name}"
                  + (f"  [{result}]" if verbose and result not in (HELD, None) else ""), flush=True)
    print_table(groups)
    for group, name, trouble in failures[:12]:
        print(f"\n{group}: {name}\n{trouble}")
    return 1 if failures else 0


def print_table(groups):
    print(f"\n| {'':24} | attacks | held | refused | failed |      s |\n|{'-' * 26}|--------:|-----:|--------:|-------:|-------:|")
    total = [0, 0, 0, 0.0]
    for group, row in groups.items():
        print(f"| {group:24} | {sum(row[:3]):7} | {row[0]:4} | {row[1]:7} | {row[2]:6} | {row[3]:6.1f} |")
        total = [a + b for a, b in zip(total, row)]
    print(f"| {'together':24} | {sum(total[:3]):7} | {total[0]:4} | {total[1]:7} | {total[2]:6} | {total[3]:6.1f} |")
