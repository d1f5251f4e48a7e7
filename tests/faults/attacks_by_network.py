"""Connections that are cut, slow, torn and spoilt: nobody else notices, and what was done stays done."""
import contextlib
import socket
import time

from attacks_on_server import swing
from harness import GATE, HELD, NIGHTLY, attack, goes_on, operator
from proxy import Proxy
from view import View
from web_socket import Closed, Refused, WebSocket


def work_through(view, proxy):
    """An operator's minute, as far as it goes."""
    with contextlib.suppress(Closed, Refused, OSError, AssertionError, ValueError, KeyError, IndexError, UnicodeDecodeError):
        with WebSocket(proxy.port) as client:
            client.stream.settimeout(2)
            client.hello(view.token, client="far away")
            for number in range(6):
                client.do("add_body", kind="SPHERE", size=[0.1], position=[number, 0, 3])
                client.do("watch", quantities=["pin.angle"], reactions=True)
                client.ask("grab", body=1, at=[0, 0, 0], to=[1, 0, 2])
                client.do("step", count=2)
                client.do("run")


def stands(stage, view):
    """That another one gets the seat and steers, and that the recording is what happened."""
    with WebSocket(view.port) as client:
        client.hello(view.token, client="near by")
        client.do("take")  # the other may not be known to be gone
        client.do("run")
        goes_on(client, 0.1)
    view.end()
    done = stage.call("replay", "--check", "a.mcap")
    assert done.returncode == 0, done.stdout + done.stderr
    return HELD


def through(stage, **faults):
    view = stage.view(swing(stage), "--record", "a.mcap")
    with Proxy(view.port, **faults) as proxy:
        work_through(view, proxy)
    return stands(stage, view)


@attack("network", cases=[1, 150, 400])
def cut_on_the_way_up_after(stage, count):
    return through(stage, cut_up=count)


@attack("network", cases=[1, 3000])
def cut_on_the_way_down_after(stage, count):
    return through(stage, cut_down=count)


@attack("network", NIGHTLY, cases=range(20))
def cut_on_the_way_up_somewhere(stage, _):
    return through(stage, cut_up=stage.random.randrange(1, 2500))


@attack("network", NIGHTLY, cases=range(20))
def cut_on_the_way_down_somewhere(stage, _):
    return through(stage, cut_down=stage.random.randrange(1, 20000))


@attack("network", NIGHTLY, cases=range(40))
def a_bit_is_turned_on_the_way_up(stage, seed):
    return through(stage, spoil=stage.random.randrange(0, 2000), seed=seed)


@attack("network", NIGHTLY, cases=[(0.002, 1), (0.02, 65536), (0.2, 65536), (0.0, 1), (0.0, 7), (0.01, 1000)])
def slow_and_in_pieces(stage, how):
    delay, piece = how
    return through(stage, delay=delay, piece=piece)


@attack("network", GATE)
def a_line_that_stands_still_and_goes_on(stage):
    view = stage.view(swing(stage), "--record", "a.mcap")
    with Proxy(view.port) as proxy, WebSocket(proxy.port) as client:
        client.hello(view.token, client="far away")
        client.state()
        proxy.is_stalled = True
        client.say("add_body", kind="SPHERE", size=[0.1], position=[1, 0, 3])
        time.sleep(1)
        proxy.is_stalled = False
        client.do("ping")
        goes_on(client, 0.1)
    return stands(stage, view)


@attack("network", NIGHTLY, cases=range(4))
def a_seat_that_is_lost_and_found(stage, _):
    """The same page comes again and again, over a line that breaks."""
    view = stage.view(swing(stage), "--record", "a.mcap")
    with operator(view) as client:
        client.do("ping")
    for _ in range(10):
        with Proxy(view.port, cut_up=stage.random.randrange(300, 2000)) as proxy:
            work_through(view, proxy)
    return stands(stage, view)


# ---- What is no HTTP -----------------------------------------------------------------------------------------------------

GOOD = b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
       b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"


@attack("network", NIGHTLY, cases=range(40))
def requests_with_random_changes(stage, _):
    view: View = stage.view("pendulum")
    for _ in range(25):
        data = bytearray(GOOD)
        for _ in range(stage.random.randrange(1, 6)):
            at = stage.random.randrange(len(data))
            what = stage.random.randrange(3)
            if what == 0:
                data[at] = stage.random.randrange(256)
            elif what == 1:
                del data[at:at + stage.random.randrange(1, 10)]
            else:
                data[at:at] = stage.random.randbytes(stage.random.randrange(1, 50))
        with socket.create_connection(("127.0.0.1", view.port)) as stream, contextlib.suppress(OSError):
            stream.sendall(bytes(data))
            stream.settimeout(0.02)
            stream.recv(100)
    with operator(view) as client:
        return goes_on(client, 0.1)
