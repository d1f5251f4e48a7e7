"""A machine that gives less than one expects: no streams, few descriptors, little memory, folders that are gone or cannot be written,
clients that stand still."""
import os
import resource
import signal
import socket
import struct
import subprocess
import time

from attacks_by_network import stands
from harness import HELD, NIGHTLY, attack, end, goes_on, live_view, operator, refused, viewer
from view import PENDULUM
from web_socket import TEXT, Closed, WebSocket

SHORT = PENDULUM.replace("1e6", "2")
STREAMS = ["0", "1", "2", "01", "02", "12", "012"]


def without(streams):
    """What the child does before it becomes the program."""
    def close():
        for stream in streams:
            os.close(int(stream))
    return close


def whole(stage, name):
    done = stage.call("replay", "--check", name)
    assert done.returncode == 0, done.stdout + done.stderr


@attack("machine", cases=STREAMS)
def a_recording_without_standard_streams(stage, closed):
    """No file may get the number of one that was closed: what is said would be written into it."""
    scene = stage.write("short.yaml", SHORT)
    pages = stage.write("pages/index.html", "<!doctype html>").parent
    port = socket.socket()
    port.bind(("127.0.0.1", 0))
    number = port.getsockname()[1]
    port.close()
    view = subprocess.Popen([live_view.BRISTLE, "view", str(scene), "--record", "a.mcap", "--port", str(number)], cwd=stage.folder,
                            env=dict(os.environ, BRISTLE_PAGES=str(pages)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            preexec_fn=without(closed))
    stage.stack.callback(end, view)
    for _ in range(5):  # each is a line of the log
        wait_for(number)
        with WebSocket(number) as client:
            client.say("hello", **client.greeting("wrong", "VIEWER", "x"))
    view.send_signal(signal.SIGINT)
    assert view.wait(20) in (0, 130)
    whole(stage, "a.mcap")
    done = subprocess.run([live_view.BRISTLE, "record", str(scene), "--time", "0.5", "--out", "b.mcap"], cwd=stage.folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=without(closed), timeout=60)
    assert done.returncode in (0, 1), done.returncode
    whole(stage, "b.mcap")
    return HELD


def wait_for(port):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
    raise AssertionError("nobody listens")


@attack("machine", cases=["csv", "json"])
def a_table_to_standard_output_that_is_closed(stage, kind):
    scene = stage.write("short.yaml", SHORT)
    stage.call("record", scene, "--time", "0.2", "--out", "a.mcap")
    done = subprocess.run([live_view.BRISTLE, "export", "a.mcap", "--format", kind, "--out", "-"], cwd=stage.folder, stderr=subprocess.PIPE,
                          preexec_fn=without("1"), timeout=60, text=True)
    assert done.returncode == 1 and "cannot write" in done.stderr, f"{done.returncode}: {done.stderr}"
    return done.stderr.strip()


@attack("machine", cases=[12, 16, 24])
def few_descriptors(stage, count):
    """Whoever cannot be let in waits; nobody else notices."""
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
    scene = stage.write("pendulum.yaml", PENDULUM)
    try:
        view = stage.view(scene, "--record", "a.mcap", preexec_fn=limit)
    except RuntimeError as refusal:
        assert "open files" in str(refusal), refusal
        return str(refusal).strip().splitlines()[-1]
    crowd = [socket.create_connection(("127.0.0.1", view.port), 5) for _ in range(40)]
    time.sleep(0.3)
    for connection in crowd:
        connection.close()
    with operator(view) as client:
        goes_on(client)
    view.end()
    whole(stage, "a.mcap")
    return HELD


@attack("machine", cases=[1, 8, 64])
def files_that_may_not_grow(stage, kilobytes):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10, kilobytes << 10))
    scene = stage.write("long.yaml", SHORT.replace("duration: 2", "duration: 60"))
    first = refused(stage.call("record", scene, "--out", "a.mcap", preexec_fn=limit), "too large", code=1)
    assert stage.call("replay", "--check", "a.mcap").returncode == 1
    refused(stage.call("run", scene, "--out", "new", preexec_fn=limit), code=1)
    return first


@attack("machine", cases=["run", "record"])
def a_folder_that_was_removed(stage, command):
    scene = stage.write("short.yaml", SHORT)
    stage.write("gone/file", "")
    done = stage.call(command, scene, preexec_fn=lambda: (os.chdir("gone"), os.remove("file"), os.rmdir("../gone")))
    return refused(done)


# ---- Clients that stand still --------------------------------------------------------------------------------------------

@attack("machine", NIGHTLY)
def clients_that_stop_reading_and_go_on(stage):
    """A browser whose tab sleeps: it gets the newest state then, not all of those that it missed."""
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap")
    with operator(view) as client, viewer(view, receive_buffer=4096) as sleeper:
        before = view.memory()
        until = time.monotonic() + 8
        while time.monotonic() < until:
            client.state()
        assert view.memory() - before < 20 << 20, "it keeps what is not read"
        now = client.state()["step"]
        began = time.monotonic()
        while sleeper.state()["step"] < now:
            assert time.monotonic() < began + 3, "it does not catch up"
    return HELD


@attack("machine")
def clients_that_are_gone_without_a_word(stage):
    """Reset in the middle of a message, and in the middle of being written to."""
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap")
    with operator(view) as client:
        for i in range(40):
            guest = viewer(view, f"guest {i % 8}")
            guest.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if i % 2:
                guest.stream.sendall(b"\x81\xfe\x00\xff\0\0\0\0{")
            guest.stream.close()
        goes_on(client)
    return stands(stage, view)


@attack("machine")
def a_client_that_closes_one_direction(stage):
    view = stage.view(stage.write("pendulum.yaml", PENDULUM))
    with operator(view) as client:
        half = viewer(view, "half")
        half.stream.shutdown(socket.SHUT_WR)
        try:
            while True:
                half.receive()
        except (Closed, OSError):
            pass
        half.stream.close()
        return goes_on(client)


@attack("machine")
def an_operator_that_is_stopped_while_it_holds(stage):
    """Its hand lets go when the connection is found to be dead; another may take the seat at once."""
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap")
    dead = operator(view)
    dead.do("grab", body=1, at=[0, 0, 0], to=[1, 0, 1])
    with WebSocket(view.port) as client:
        client.hello(view.token, client="another")
        client.do("take")
        client.do("run")
        goes_on(client)
    dead.stream.close()
    view.end()
    whole(stage, "a.mcap")
    return HELD


@attack("machine")
def signals_again_and_again(stage):
    """Stopped and woken fifty times, while a client says something."""
    view = stage.view(stage.write("pendulum.yaml", PENDULUM), "--record", "a.mcap")
    with operator(view) as client:
        for _ in range(50):
            view.process.send_signal(signal.SIGSTOP)
            client.send_frame(TEXT, b'{"id": %d, "ping": {}}' % (client.last + 1))
            client.last += 1
            time.sleep(0.005)
            view.process.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        goes_on(client)
    view.end()
    whole(stage, "a.mcap")
    return HELD
