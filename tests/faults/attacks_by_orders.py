"""Orders as somebody gives them who has not read the code: at the wrong moment, far too many, far too large, by several at once."""
import json
import threading
import time

from attacks_on_server import fine_mesh, swing
from harness import HELD, NIGHTLY, attack, goes_on, operator, refused, viewer
from web_socket import PROTOCOL, TEXT, Closed, WebSocket


def replays(stage):
    done = stage.call("replay", "--check", "a.mcap", timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return HELD


@attack("server: orders", cases=["paused", "running"])
def what_was_added_is_undone(stage, how):
    """Paused, it failed: the step of the edit was the present one."""
    view = stage.view(swing(stage), "--record", "a.mcap")
    with operator(view) as client:
        client.do("pause" if how == "paused" else "run")
        for _ in range(3):
            client.do("add_body", kind="SPHERE", size=[0.1], position=[5, 0, 3])
            client.ask("grab", body=3, at=[0, 0, 0], to=[5, 0, 4])
        for _ in range(3):
            client.do("undo")
        assert "nothing was added" in client.ask("undo")["error"]
        client.do("run")
        goes_on(client)
    view.end()
    return replays(stage)


# ---- Whatever the protocol names -------------------------------------------------------------------------------------------

def messages_of_the_protocol():
    """Its messages, as {name: {field: (kind, is_repeated)}}, by reading the file as a stranger would."""
    found, name = {}, None
    for line in PROTOCOL.read_text().splitlines():
        words = line.split("//")[0].replace(";", " ").replace("{", " { ").replace("}", " } ").split()
        if words[:1] == ["message"]:
            name = words[1]
            found[name] = {}
            words = words[3:]
        if name and "=" in words and words[0] not in ("enum", "reserved"):
            at = words.index("=")
            if at >= 2:
                found[name][words[at - 1]] = (words[at - 2], words[0] == "repeated")
    return found


MESSAGES = messages_of_the_protocol()
NUMBERS = [0, 1, 2, 3, -1, 0.5, 1e-300, 1e9, -1e9, 1e308, 4294967295, 4294967296, 18446744073709551615, 1e400]
TEXTS = ["", "fixed", "revolute", "arm", "pin.angle", "energy.total", "pendulum", "key w", "x" * 300, "\u202e", "\u009b31m", "=1+1", "\ud800",
         "../../etc/passwd", "KEYBOARD", "BODY", "JOINT", "FORCE", "BOX", "SPHERE", "CAPSULE", "CYLINDER", "SURFACE", "PLANE"]


def value(chance, kind, depth=0):
    if chance.random() < 0.05:
        return chance.choice([None, [], {}, "x", -1, True, [[]], {"a": 1}])
    if kind in ("double", "float", "uint32", "uint64"):
        return chance.choice(NUMBERS) if chance.random() < 0.5 else chance.randrange(4)
    if kind == "bool":
        return chance.random() < 0.5
    if kind in MESSAGES and depth < 4:
        return message(chance, kind, depth)
    return chance.choice(TEXTS)


def message(chance, name, depth=0):
    out = {}
    for field, (kind, is_repeated) in MESSAGES[name].items():
        if chance.random() < 0.15:
            continue
        if is_repeated:
            count = chance.choice([0, 1, 3, 3, 3, 4, 6, 70])
            out[field] = [value(chance, kind, depth + 1) for _ in range(count)]
        elif kind.endswith(">"):  # a map
            out[field] = {chance.choice(TEXTS): chance.choice(TEXTS) for _ in range(chance.randrange(3))}
        else:
            out[field] = value(chance, kind, depth + 1)
    return out


KINDS = [field for field, (kind, _) in MESSAGES["Order"].items() if field not in ("id", "hello", "open", "close")]


def is_answered(client, order):
    client.send_frame(TEXT, json.dumps(order).encode())
    until = time.monotonic() + 30
    while time.monotonic() < until:
        kind, payload = client.receive()
        if kind == TEXT and (answer := json.loads(payload).get("answer")) and answer["id"] in (0, order.get("id", 0)):
            return answer
    raise AssertionError(f"no answer to {order}")


@attack("server: orders", cases=range(6))
def made_of_the_protocol_at_random(stage, _):
    chance = stage.random
    view = stage.view(swing(stage), "--record", "a.mcap")
    with operator(view) as client:
        number, done = 10, 0
        for _ in range(250):
            number += 1
            kind = chance.choice(KINDS)
            answer = is_answered(client, {"id": number, kind: message(chance, MESSAGES["Order"][kind][0])})
            done += "error" not in answer
            if kind == "record":
                is_answered(client, {"id": (number := number + 1), "record": {"on": True}})
            time.sleep(0.005)
        assert done > 20, f"only {done} of 250 were good"
        client.last = number + 1
        client.do("pause")
        client.ask("step", count=1)
    view.end()
    for recording in stage.folder.rglob("*.mcap"):
        checked = stage.call("replay", "--check", recording, timeout=100)
        assert checked.returncode == 0 or "no keyframes" in checked.stdout, f"{recording.name}: {checked.stdout}{checked.stderr}"
    return HELD


NAMES = {"an escape": "\u009b31m", "a turn": "\u202egnorw", "a formula": "=1+1", "a delete": "\x7f", "a sum": "@SUM(A1)"}


@attack("server: orders", cases=NAMES)
def names_that_a_terminal_or_a_spreadsheet_obeys(stage, which):
    name = NAMES[which]
    view = stage.view(swing(stage), "--record", "a.mcap")
    with operator(view) as client:
        for what, fields in (("add_body", {"kind": "SPHERE", "size": [0.1], "position": [5, 0, 3]}),
                             ("add_spring", {"a": 0, "b": 1, "stiffness": 5}),
                             ("add_joint", {"type": "spherical", "a": 0, "b": 2, "at": [3, 0, 0.1]})):
            client.ask(what, name=name, **fields)
        client.ask("watch", quantities=[name + ".position.x"])
        client.ask("command", channel=name, value=1)
        goes_on(client, 0.1)
    view.end()
    said = "".join(view.log)
    for command in (("info", "a.mcap"), ("replay", "--check", "a.mcap"), ("export", "a.mcap", "--format", "scene", "--out", "-")):
        done = stage.call(*command)
        said += done.stdout + done.stderr
    assert not set("\u009b\u202e\x7f\x1b") & set(said), "it is told as it is"
    return HELD


# ---- Far too many ------------------------------------------------------------------------------------------------------------

@attack("server: orders")
def a_pause_when_far_too_much_waits(stage):
    view = stage.view(swing(stage))
    with operator(view) as client:
        client.do("pause")
        time.sleep(1)  # for the allowance
        for _ in range(4):
            client.say("step", count=10_000)
        for _ in range(350):
            client.say("step", count=10_000)
        began = time.monotonic()
        client.do("pause")
        assert time.monotonic() - began < 5
        client.do("run")
        return goes_on(client)


@attack("server: orders", NIGHTLY)
def speeds_without_a_step_between(stage):
    view = stage.view(swing(stage))
    with operator(view) as client:
        client.do("pause")
        before = view.memory()
        until = time.monotonic() + 20
        while time.monotonic() < until:
            client.ask("speed", value=stage.random.uniform(0.5, 2))
            client.ask("grab", body=1, at=[0, 0, 0], to=[1, 0, 2])
            for _ in range(5):
                client.ask("move", to=[stage.random.random(), 0, 2])
            time.sleep(0.05)  # more would be refused for their number
        grown = view.memory() - before
        assert grown < 40 << 20, f"{grown >> 20} MB more"
        client.do("speed", value=1)
        client.do("run")
        return goes_on(client)


@attack("server: orders", NIGHTLY)
def edits_of_a_fine_mesh_while_the_disk_is_slower(stage):
    """Each is a scene of some megabytes for the recorder: thousands of them waited."""
    fine_mesh(stage, 150)
    scene = stage.write("scene.yaml", "bodies:\n  b: {type: box, size: [1, 1, 1], mass: 1, position: [0, 0, 5]}\n"
                        "shapes:\n  fine: {type: mesh, file: fine.stl}\nsolver: {step: 10 ms}\n")
    view = stage.view(scene, "--record", "a.mcap")
    with operator(view) as client:
        client.do("pause")
        before, most, until = view.memory(), 0, time.monotonic() + 30
        for _ in range(600):
            client.ask("add_spring", a=0, b=1, stiffness=1)
            most = max(most, view.memory() - before)
            if time.monotonic() > until:
                break
        assert most < 400 << 20, f"{most >> 20} MB more"
    view.process.kill()
    view.process.wait(20)
    view.ended = 0, ""
    return HELD


# ---- By several ----------------------------------------------------------------------------------------------------------------

@attack("server: orders")
def histories_without_end_for_viewers(stage):
    view = stage.view(swing(stage))
    with operator(view) as client:
        # A past that takes long to compute again.
        client.do("speed", value=100)
        goes_on(client, 2)
        client.do("pause")
        computed = 0
        until = time.monotonic() + 6
        while time.monotonic() < until:
            with viewer(view, "greedy") as greedy:
                began = time.monotonic()
                while "error" not in (answer := greedy.ask("history", quantities=["pin.angle"] * 64)):
                    computed += time.monotonic() - began
                    began = time.monotonic()
            time.sleep(0.02)
        assert computed > 0 and "just now" in answer["error"], answer
        assert computed < 3, f"they had the processor for {computed:.2f} of 6 s"
        # The operator's own is not kept waiting by theirs.
        until = time.monotonic() + 10
        while "error" in (answer := client.ask("history", quantities=["pin.angle"])):
            assert time.monotonic() < until, answer
            time.sleep(0.05)
    return HELD


@attack("server: orders", cases=range(3))
def two_operators_who_take_the_seat_from_each_other(stage, _):
    view = stage.view(swing(stage), "--record", "a.mcap")
    trouble = []

    def steer(name, seed):
        import random
        chance = random.Random(seed)
        try:
            with WebSocket(view.port) as client:
                client.hello(view.token, client=name)
                client.state()
                for _ in range(60):
                    client.do("take")
                    for what, fields in (("grab", {"body": 1, "at": [0, 0, 0], "to": [1, 0, 2]}), ("record", {"on": chance.random() < 0.5}),
                                         ("add_body", {"kind": "BOX", "size": [0.1] * 3, "position": [chance.random() * 9, 0, 2]}),
                                         ("undo", {}), ("seek", {"time": chance.random()}), ("run", {}),
                                         ("remove", {"kind": "BODY", "index": chance.randrange(1, 9)}), ("release", {})):
                        if chance.random() < 0.6:
                            client.ask(what, **fields)
        except (Exception, Closed) as problem:
            trouble.append(repr(problem))
    threads = [threading.Thread(target=steer, args=(f"operator {n}", n + stage.random.randrange(1000))) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(80)
    assert not trouble, trouble
    with WebSocket(view.port) as client:
        client.hello(view.token, client="last")
        client.do("take")
        client.do("run")
        goes_on(client)
    view.end()
    for recording in stage.folder.rglob("*.mcap"):
        checked = stage.call("replay", "--check", recording, timeout=100)
        assert checked.returncode == 0 or "no keyframes" in checked.stdout, f"{recording.name}: {checked.stdout}{checked.stderr}"
    return HELD


# ---- Scenes whose steps are none -----------------------------------------------------------------------------------------------

@attack("server: orders", cases=["1e300", "1e-300", "1e7", "1e-15"])
def a_scene_with_a_step_that_is_none(stage, step):
    scene = stage.write("scene.yaml", f"bodies:\n  b: {{type: box, size: [1, 1, 1], mass: 1}}\nsolver: {{step: {step}}}\n")
    done = stage.call("view", scene, timeout=20)
    return refused(done)
