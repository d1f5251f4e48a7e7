"""Who gets in and what it costs the others: places, tokens, floods, orders without end."""
import json
import os
import pathlib
import socket
import ssl
import stat
import struct
import time

from attacks_on_server import swing
from harness import HELD, NIGHTLY, attack, goes_on, operator, refused, viewer
from web_socket import PING, PONG, TEXT, Closed, WebSocket, connect_tcp, http

# What a connection says before it falls silent.
BEGINNINGS = {
    "nothing": b"",
    "half a request": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "half a line": b"GE",
    "half a WebSocket": b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n",
    "a page without end": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 3,
}


def silent(stage, view, count, begin=b""):
    """So many connections that say this and then nothing."""
    for _ in range(count):
        stream = connect_tcp(view.port)
        stage.stack.callback(stream.close)
        stream.sendall(begin)


@attack("server: places", cases=BEGINNINGS)
def two_hundred_connections_that_say(stage, what):
    view = stage.view("pendulum")
    silent(stage, view, 200, BEGINNINGS[what])
    with operator(view) as client, viewer(view) as other:
        assert http(view.port)[0] == 200
        goes_on(client)
        return goes_on(other)


@attack("server: places", cases=[16, 60])
def web_sockets_that_say_no_hello(stage, count):
    view = stage.view("pendulum")
    for _ in range(count):
        stage.stack.enter_context(WebSocket(view.port))
    with operator(view) as client, viewer(view) as other:
        goes_on(client)
        return goes_on(other)


@attack("server: places")
def viewers_that_take_all_places(stage):
    view = stage.view("pendulum")
    for number in range(16):
        stage.stack.enter_context(viewer(view, f"viewer {number}"))
    with WebSocket(view.port) as late:
        said = late.hello(view.viewer_token, "VIEWER", "late")["error"]
        assert "16 are connected already" in said, said
    with operator(view) as client:
        goes_on(client)
    return said


@attack("server: places", cases=["nothing", "half a greeting"])
def half_tls_handshakes(stage, what):
    view = stage.view("pendulum", "--listen", "0.0.0.0", "--port", "0")
    silent(stage, view, 150, b"" if what == "nothing" else b"\x16\x03\x01\x02\x00\x01\x00")
    tls = ssl.create_default_context(cafile=str(stage.folder / "state/bristle/certificate.pem"))
    with operator(view, tls=tls) as client:
        return goes_on(client)


@attack("server: places", NIGHTLY)
def connections_that_come_again_and_again(stage):
    view = stage.view("pendulum")
    with operator(view) as client:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            for _ in range(50):
                connect_tcp(view.port).close()
            with viewer(view):
                pass
        return goes_on(client)


# ---- Tokens ------------------------------------------------------------------------------------------------------------

@attack("server: tokens", cases=["", "Bearer", "Bearer wrong", "Basic {token}", "Bearer {token}0"])
def the_list_of_scenes_without_a_token(stage, header):
    recording = stage.folder / "out/private-1.mcap"
    view = stage.view(swing(stage))
    recording.parent.mkdir(exist_ok=True)
    recording.write_bytes(b"")
    headers = ["Authorization: " + header.format(token=view.token)] if header else []
    status, _, body = http(view.port, "/api/scenes", headers=headers)
    assert status == 401 and b"private" not in body and b"swing" not in body, (status, body)
    for token in (view.token, view.viewer_token):
        status, _, full = http(view.port, "/api/scenes", headers=["Authorization: Bearer " + token])
        assert status == 200 and b"swing.yaml" in full, (status, full)
    return body.decode().strip()


@attack("server: tokens")
def the_arguments_of_the_browser(stage):
    told = stage.folder / "told"
    script = stage.write("bin/xdg-open", f'#!/bin/sh\nprintf %s "$*" > "{told}.part"; mv "{told}.part" "{told}"\n')
    script.chmod(0o755)
    path, os.environ["PATH"] = os.environ["PATH"], f"{script.parent}:{os.environ['PATH']}"
    runtime = os.environ.pop("XDG_RUNTIME_DIR", None)
    try:
        view = stage.view("pendulum", "--open-browser")
    finally:
        os.environ["PATH"] = path
        if runtime is not None:
            os.environ["XDG_RUNTIME_DIR"] = runtime
    limit = time.monotonic() + 10
    while not told.exists():
        assert time.monotonic() < limit, "no browser was started"
        time.sleep(0.02)
    argument = told.read_text()
    assert view.token not in argument, argument
    page = pathlib.Path(argument.removeprefix("file://"))
    assert view.token in page.read_text() and stat.S_IMODE(page.stat().st_mode) == 0o600
    view.end()
    assert not page.exists()
    return HELD


STEERED = """
bodies:
  cart: {type: box, size: [1, 1, 1], mass: 1, position: [0, 0, 0]}
joints:
  rail: {type: prismatic, b: cart, at: [0, 0, 0], axis: x}
drives:
  push: {joint: rail, control: speed}
gravity: [0, 0, 0]
solver: {step: 2 ms}
"""


def steered(stage, token=""):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    stage.write("inputs/cart.yaml", "channels:\n  push: {drive: push, scale: 1}\n"
                f"devices:\n  program: {{type: udp, port: {port}{token}}}\n")
    return stage.view(stage.write("cart.yaml", STEERED)), port


def moves_by(client, port, datagram):
    """Whether the cart moves while a program says this."""
    def place():
        client.do("watch", quantities=["cart.position.x"])
        return client.value()
    before = place()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(20):
            sender.sendto(datagram, ("127.0.0.1", port))
            time.sleep(0.02)
    return place() - before > 1e-4


@attack("server: tokens", cases=["none", "a wrong one", "the viewers'"])
def a_local_program_that_steers_beside_the_operator(stage, which):
    view, port = steered(stage)
    word = {"none": "", "a wrong one": "wrong", "the viewers'": view.viewer_token}[which]
    with operator(view) as client:
        said = {"push": 0.5, **({"token": word} if word else {})}
        assert not moves_by(client, port, json.dumps(said).encode()), "it was heard"
        assert moves_by(client, port, json.dumps({"push": 0.5, "token": view.token}).encode())
        assert moves_by(client, port, f"token {view.token}\npush 0.5".encode())
    with viewer(view) as client:
        assert moves_by(client, port, b"push 0.5"), "with nobody in the seat, programs steer"
    return HELD


@attack("server: tokens")
def a_local_program_without_the_token_of_the_mapping(stage):
    view, port = steered(stage, ", token: sesame")
    with viewer(view) as client:
        assert not moves_by(client, port, b"push 0.5"), "it was heard"
        assert not moves_by(client, port, f"token {view.token}\npush 0.5".encode()), "the mapping says another"
        assert moves_by(client, port, b"token sesame\npush 0.5")
    return HELD


# ---- Floods ------------------------------------------------------------------------------------------------------------

FLOODS = {
    "pings": (PING, b"", 1),
    "pings with bytes": (PING, b"x" * 125, 1),
    "pongs that nobody asked for": (PONG, b"", 1),
    "empty fragments": (0, b"", 0),
    "messages": (TEXT, b"{}", 1),
    "long messages": (TEXT, b" " * 60000, 1),
}


def flood(client, what, seconds):
    """As fast as the connection takes it; ends when the server closes it."""
    kind, payload, is_final = FLOODS[what]
    size = struct.pack("!BH", 0x80 | 126, len(payload)) if len(payload) > 125 else bytes([0x80 | len(payload)])
    if not is_final:
        client.stream.sendall(bytes([TEXT, 0x81]) + b"\0\0\0\0x")
    frame = bytes([(0x80 if is_final else 0) | kind]) + size + b"\0\0\0\0" + payload
    block = frame * max(1, 4096 // len(frame))
    client.stream.settimeout(0.2)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            client.stream.sendall(block)
        except TimeoutError:
            continue  # it is read slowly
        except OSError:
            return


@attack("server: floods", cases=FLOODS)
def a_viewer_that_sends_without_end(stage, what):
    view = stage.view("pendulum")
    with operator(view) as client:
        with viewer(view) as hostile:
            flood(hostile, what, 1.5)
        client.do("ping")
        began, first = time.monotonic(), client.state()
        while (last := client.state())["time"] < first["time"] + 0.5:
            assert time.monotonic() < began + 5, "it is far behind"
        assert last["step"] > first["step"]
    return HELD


@attack("server: floods")
def a_viewer_that_watches_more_than_its_share(stage):
    view = stage.view(swing(stage))
    with operator(view) as client, viewer(view) as greedy:
        names = [f"{body}.{what}.{axis}" for body in ("arm", "block") for what in ("position", "velocity", "acceleration")
                 for axis in "xyz"]
        said = greedy.ask("watch", quantities=[*names, "energy.total"])["error"]
        assert "16" in said, said
        # What the plots of the scene show is not counted.
        greedy.do("watch", quantities=["pin.angle", "coil.tension", "block.position.z", *names[:15]])
        client.do("watch", quantities=[*names, "energy.total", "contact.count"])
        return said


@attack("server: floods")
def quantities_that_are_misspelt(stage):
    view = stage.view(swing(stage))
    with operator(view) as client, viewer(view) as other:
        said = other.ask("watch", quantities=["pin.angel"])["error"]
        assert "did you mean 'pin.angle'?" in said, said
        for _ in range(100):
            other.ask("watch", quantities=["x" * 150])
        goes_on(client)
        return said


# ---- Orders without end ------------------------------------------------------------------------------------------------

@attack("server: bounds")
def ten_thousand_steps_are_stopped(stage):
    view = stage.view(swing(stage))
    with operator(view) as client:
        client.do("pause")
        first = client.say("step", count=10_000)
        client.say("pause")
        while True:
            kind, payload = client.receive()
            answer = json.loads(payload).get("answer", {}) if kind == TEXT else {}
            if answer.get("id") == first:
                assert "stopped after" in answer["error"], answer
                return answer["error"]


@attack("server: bounds")
def a_gallery_scene_with_far_too_many_rows(stage):
    view = stage.view()
    with operator(view) as client:
        before = view.memory()
        client.do("open", scene="wave", parameters={"rows": "490", "columns": "490"})
        said = client.event("failed")["error"]
        assert view.memory() - before < 100 << 20, "it was built"
        client.do("open", scene="pendulum")
        client.event("opened")
        goes_on(client)
    return said.splitlines()[0]


@attack("server: bounds", NIGHTLY)
def two_thousand_bodies_and_as_many_springs(stage):
    view = stage.view(stage.write("empty.yaml", "bodies:\n  b: {type: sphere, radius: 0.1, density: 1000, position: [0, 0, 50]}\n"
                                  "gravity: [0, 0, 0]\nsolver: {step: 10 ms}\n"))
    with operator(view) as client:
        client.do("pause")
        took = 0
        for number in range(2000):
            began = time.monotonic()
            client.do("add_body", kind="SPHERE", size=[0.1], position=[number, 0, 0])
            took = took * 0.9 + (time.monotonic() - began) * 0.1
        assert took < 0.1, f"{took * 1e3:.0f} ms for a body"
    return HELD


# ---- Reading -----------------------------------------------------------------------------------------------------------

@attack("files: extent", cases=["2e6", "1e15", "1e300"])
def loops_without_end(stage, count):
    scene = stage.write("many.yaml", f"bodies:\n  b{{i}}: {{for: {{i: {count}}}, type: sphere, radius: 1, density: 1}}\n")
    done = stage.call("check", scene, timeout=20)
    return refused(done, "turns")


@attack("files: extent", NIGHTLY)
def many_bodies_are_told_while_they_are_read(stage):
    scene = stage.write("many.yaml", "bodies:\n  b{i}: {for: {i: 990000}, type: sphere, radius: 1, density: 1}\n")
    process = stage.start("check", scene)
    said = b""
    while b"turns of its loops" not in said:
        part = os.read(process.stderr.fileno(), 4096)
        assert part, "it ended in silence"
        said += part
    return HELD


@attack("files: extent")
def random_triangles_under_a_ball(stage):
    corners = [[stage.random.uniform(-1, 1) for _ in range(9)] for _ in range(20_000)]
    stage.write("soup.stl", b"\0" * 80 + struct.pack("<I", len(corners))
                + b"".join(struct.pack("<12fH", 0, 0, 0, *c, 0) for c in corners))
    scene = stage.write("soup.yaml", "bodies:\n  b: {type: sphere, radius: 0.3, density: 1000, position: [0, 0, 1.2]}\n"
                        "shapes:\n  soup: {type: mesh, file: soup.stl}\n  b: {type: sphere, body: b, radius: 0.3}\n"
                        "solver: {step: 10 ms}\n")
    done = stage.call("run", scene, "--time", "1", timeout=60)
    assert done.returncode == 0, done.stderr
    return HELD
