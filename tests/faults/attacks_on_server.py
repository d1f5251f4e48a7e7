"""The live server: what clients, logs and the machine do to it."""
import fcntl
import json
import os
import pathlib
import socket
import struct
import subprocess
import time

from harness import GATE, HELD, NIGHTLY, attack, goes_on, live_view, operator, refused, viewer
from web_socket import PING, PONG, TEXT, Closed, Refused, WebSocket, connect_tcp, http

SWING = """
title: A swing, a block and a spring
bodies:
  arm: {type: rod, from: [0, 0, 2], to: [1, 0, 2], mass: 2}
  block: {type: box, size: [0.4, 0.3, 0.2], mass: 5, position: [3, 0, 0.1]}
shapes:
  floor: {type: plane}
  block: {type: box, body: block, size: [0.4, 0.3, 0.2]}
joints:
  pin: {type: revolute, b: arm, at: [0, 0, 2], axis: y}
forces:
  coil: {type: spring, a: arm, b: block, at_a: [1, 0, 2], at_b: [3, 0, 0.2], stiffness: 50, damping: 5}
outputs:
  quantities: [pin.angle, coil.tension]
  plots:
    - {title: turn, y: [pin.angle]}
    - {title: pull, y: [coil.tension]}
    - {title: height, y: [block.position.z, arm.position.z]}
solver: {step: 2 ms}
"""


def swing(stage):
    return stage.write("swing.yaml", SWING)


# ---- Edits ---------------------------------------------------------------------------------------------------------

@attack("server: edits", cases=["JOINT 0", "BODY 1", "BODY 2", "FORCE 0"])
def what_plots_and_viewers_name_is_removed(stage, what):
    kind, index = what.split()
    view = stage.view(swing(stage), "--record", "a.mcap")
    with operator(view) as client, viewer(view) as other:
        other.do("watch", quantities=["pin.angle", "coil.tension", "block.position.z"], reactions=True)
        client.do("remove", kind=kind, index=int(index))
        goes_on(client)
        goes_on(other)
    view.end()
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stdout + done.stderr
    return HELD


@attack("server: edits", cases=range(3))
def random_orders_of_an_operator(stage, seed):
    random = stage.random
    view = stage.view(swing(stage), "--record", "a.mcap")
    orders = [
        lambda: ("remove", {"kind": random.choice(["BODY", "JOINT", "FORCE"]), "index": random.randrange(6)}),
        lambda: ("grab", {"body": random.randrange(6), "at": [0, 0, 0], "to": [random.random(), 0, 2]}),
        lambda: ("move", {"to": [random.random(), 0, 2]}),
        lambda: ("release", {}),
        lambda: ("add_body", {"kind": random.choice(["BOX", "SPHERE"]), "size": [0.2, 0.2, 0.2][:random.choice([1, 3])],
                              "position": [3 * random.random(), 0, 3]}),
        lambda: ("add_spring", {"a": random.randrange(6), "b": random.randrange(6), "stiffness": 20, "damping": 1}),
        lambda: ("add_joint", {"type": random.choice(["fixed", "revolute", "spherical", "distance", "gear"]),
                               "a": random.randrange(6), "b": random.randrange(6), "at": [0, 0, 1], "axis": [0, 1, 0]}),
        lambda: ("watch", {"quantities": random.sample(["pin.angle", "coil.tension", "energy.total", "nothing"], 2),
                           "reactions": True, "contours": True, "volumes": True}),
        lambda: ("seek", {"time": random.random()}),
        lambda: ("step", {"count": random.randrange(1, 20)}),
        lambda: ("run", {}),
        lambda: ("pause", {}),
        lambda: ("restart", {}),
        lambda: ("speed", {"value": random.choice([0.5, 1, 4])}),
    ]
    with operator(view) as client:
        for _ in range(150):
            what, fields = random.choice(orders)()
            client.ask(what, **fields)
    view.end()
    # What was recorded is what happened: replayed, it comes to the same bits.
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stdout + done.stderr
    return HELD


# ---- Logs and pipes ------------------------------------------------------------------------------------------------

def churn(view, times):
    for number in range(times):
        with viewer(view, f"visitor {number}"):
            pass
    with operator(view) as client:
        return goes_on(client)


@attack("server: logs")
def a_log_in_a_pipe_that_nobody_reads(stage):
    read, write = os.pipe()
    fcntl.fcntl(read, 1031, 4096)  # F_SETPIPE_SZ
    view = stage.view("pendulum", stderr=write)
    os.close(write)
    churn(view, 100)
    os.close(read)
    return HELD


@attack("server: logs")
def a_log_on_a_full_disk(stage):
    with open("/dev/full", "wb", buffering=0) as full:
        return churn(stage.view("pendulum", stderr=full), 5)


@attack("server: logs")
def a_log_whose_reader_is_gone(stage):
    read, write = os.pipe()
    view = stage.view("pendulum", stderr=write)
    os.close(write)
    os.close(read)
    return churn(view, 5)


@attack("server: logs")
def standard_output_whose_reader_is_gone(stage):
    view = stage.view("pendulum")
    view.process.stdout.close()
    return churn(view, 3)


@attack("server: logs")
def names_with_terminal_escapes_in_the_log(stage):
    view = stage.view("pendulum")
    with WebSocket(view.port) as client:
        client.ask("hello", **client.greeting("\x1b]0;owned\x07\x1b[2J", "VIEWER", "\x1b[31m"))
    time.sleep(0.1)
    view.end()
    assert "\x1b" not in "".join(view.log)
    return HELD


# ---- Who gets in -----------------------------------------------------------------------------------------------------

@attack("server: who gets in", cases=["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
                                      "[::2]", "", "10.0.0.1", "[localhost", "LOCALHOST.:1"])
def a_page_whose_name_was_turned_to_our_address(stage, host):
    view = stage.view("pendulum")
    for target in ("/api/scenes", "/"):
        status, _, body = http(view.port, target, host=host or " ", headers=["Authorization: Bearer " + view.token])
        assert status in (400, 421) and b"scenes" not in body, (status, body)
    token = ["Authorization: Bearer " + view.token]
    for good in (f"localhost:{view.port}", "127.0.0.1:1", "[::1]:2"):
        assert http(view.port, "/api/scenes", host=good, headers=token)[0] == 200, good
    return HELD


def fine_mesh(stage, cells):
    """A closed box whose top is a grid, as binary STL."""
    triangles = []
    for i in range(cells):
        for k in range(cells):
            x, y, d = i / cells, k / cells, 1 / cells
            triangles += [(x, y, 1, x + d, y, 1, x + d, y + d, 1), (x, y, 1, x + d, y + d, 1, x, y + d, 1),
                          (x, y, 0, x + d, y + d, 0, x + d, y, 0), (x, y, 0, x, y + d, 0, x + d, y + d, 0)]
    for k in range(cells):
        a, b = k / cells, (k + 1) / cells
        triangles += [(a, 0, 0, b, 0, 0, b, 0, 1), (a, 0, 0, b, 0, 1, a, 0, 1),
                      (a, 1, 0, b, 1, 1, b, 1, 0), (a, 1, 0, a, 1, 1, b, 1, 1),
                      (0, a, 0, 0, b, 1, 0, b, 0), (0, a, 0, 0, a, 1, 0, b, 1),
                      (1, a, 0, 1, b, 0, 1, b, 1), (1, a, 0, 1, b, 1, 1, a, 1)]
    data = b"\0" * 80 + struct.pack("<I", len(triangles))
    data += b"".join(struct.pack("<12fH", 0, 0, 0, *t, 0) for t in triangles)
    return stage.write("fine.stl", data)


@attack("server: bounds", NIGHTLY)
def edits_of_a_scene_with_a_fine_mesh(stage):
    fine_mesh(stage, 150)
    scene = stage.write("scene.yaml", "bodies:\n  b: {type: box, size: [1, 1, 1], mass: 1, position: [0, 0, 5]}\n"
                        "shapes:\n  fine: {type: mesh, file: fine.stl}\nsolver: {step: 10 ms}\n")
    view = stage.view(scene)
    with operator(view) as client:
        before = view.memory()
        for _ in range(400):
            client.ask("add_spring", a=0, b=1, stiffness=1, damping=0.1)
            client.do("step", count=101)  # a moment is kept after each second
        grown = view.memory() - before
        assert grown < 450 << 20, f"{grown >> 20} MB more"
    return HELD
