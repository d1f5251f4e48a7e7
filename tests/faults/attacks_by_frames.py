"""Bytes that are nearly WebSocket: each connection is to end or to be answered, and no other is to notice."""
import contextlib
import os
import select
import struct
import time

from harness import HELD, NIGHTLY, attack, goes_on, operator, viewer
from view import PENDULUM
from web_socket import BINARY, CLOSE, PING, PONG, TEXT, Closed, WebSocket, connect_tcp, http


def frame(first, payload=b"", second=None, mask=b"\1\2\3\4", length=None):
    """Its first byte as it is, and whatever length is said."""
    length = len(payload) if length is None else length
    said = struct.pack("!B", length) if length < 126 else struct.pack("!BH", 126, length) if length < 65536 else struct.pack("!BQ", 127, length)
    said = bytes([said[0] | (0x80 if mask else 0)]) + said[1:]
    if second is not None:
        said = second
    return bytes([first]) + said + mask + bytes(byte ^ mask[i % 4] if mask else byte for i, byte in enumerate(payload))


FINAL = 0x80
ORDER = b'{"id": 5, "ping": {}}'
CROOKED = {
    "no mask": frame(FINAL | TEXT, ORDER, mask=b""),
    "reserved bit 1": frame(FINAL | 0x40 | TEXT, ORDER),
    "reserved bit 3": frame(FINAL | 0x10 | TEXT, ORDER),
    "a kind that is none": frame(FINAL | 3, ORDER),
    "a control kind that is none": frame(FINAL | 11, b""),
    "a ping in pieces": frame(PING, b"x"),
    "a ping of 126 bytes": frame(FINAL | PING, b"x" * 126),
    "a close of one byte": frame(FINAL | CLOSE, b"\3"),
    "a close of no such code": frame(FINAL | CLOSE, struct.pack("!H", 1005)),
    "a close with no UTF-8": frame(FINAL | CLOSE, struct.pack("!H", 1000) + b"\xff\xfe"),
    "a piece of nothing": frame(0, ORDER),
    "a text inside a text": frame(TEXT, b'{"id"') + frame(FINAL | TEXT, ORDER),
    "2^63 bytes": frame(FINAL | TEXT, b"", length=2**63),
    "2^64 - 1 bytes": frame(FINAL | TEXT, b"", length=2**64 - 1),
    "2^40 bytes": frame(FINAL | TEXT, b"x" * 1000, length=2**40),
    "a length in too many bytes": frame(FINAL | TEXT, ORDER, second=struct.pack("!BQ", 0x80 | 127, len(ORDER))),
    "no UTF-8": frame(FINAL | TEXT, b'{"id": 5, "ping": "\xff\xc0\x80"}'),
    "half a letter at the end": frame(FINAL | TEXT, b'{"id": 5} \xe2\x82'),
    "a surrogate": frame(FINAL | TEXT, b'{"id": 5, "watch": {"quantities": ["\xed\xa0\x80"]}}'),
    "an escaped half surrogate": frame(FINAL | TEXT, b'{"id": 5, "watch": {"quantities": ["\\ud800"]}}'),
    "a zero in the text": frame(FINAL | TEXT, b'{"id": 5, "ping": {}}\0\0'),
    "a zero in a name": frame(FINAL | TEXT, b'{"id": 5, "ping\\u0000": {}}'),
    "nothing": frame(FINAL | TEXT, b""),
    "only blanks": frame(FINAL | TEXT, b" " * 60000),
    "binary": frame(FINAL | BINARY, ORDER),
    "binary in a thousand pieces": frame(BINARY, b"x") + frame(0, b"x") * 1000 + frame(FINAL, b""),
    "a text in a thousand pieces that is too long": frame(TEXT, b'{"id": 5, "ping": {') + frame(0, b" " * 100) * 1000 + frame(FINAL, b"}}"),
    "a close, and then more": frame(FINAL | CLOSE, struct.pack("!H", 1000)) + frame(FINAL | TEXT, ORDER) * 100,
    "HTTP again": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "deep lists": frame(FINAL | TEXT, b'{"id":5,"ping":' + b"[" * 50000),
    "deep objects": frame(FINAL | TEXT, b'{"a":' * 10000),
    "a number of 60,000 digits": frame(FINAL | TEXT, b'{"id": 5, "speed": {"value": ' + b"9" * 60000 + b"}}"),
    "a number of 60,000 decimals": frame(FINAL | TEXT, b'{"id": 5, "speed": {"value": 1.' + b"0" * 60000 + b"1e-5}}"),
    "a name 10,000 times": frame(FINAL | TEXT, b"{" + b'"a":1,' * 10000 + b'"id":5,"ping":{}}'),
    "10,000 names": frame(FINAL | TEXT, b"{" + b",".join(b'"%x":1' % i for i in range(6000)) + b"}"),
    "an id that is negative": frame(FINAL | TEXT, b'{"id": -1, "ping": {}}'),
    "an id with decimals": frame(FINAL | TEXT, b'{"id": 5.5, "ping": {}}'),
    "an id beyond all": frame(FINAL | TEXT, b'{"id": 4294967296, "ping": {}}'),
    "an id that ends all ids": frame(FINAL | TEXT, b'{"id": 4294967295, "ping": {}}') + frame(FINAL | TEXT, b'{"id": 4294967295, "ping": {}}'),
}


def what_comes_back(client, seconds=1.0):
    """Until it is quiet or closed: whether it is closed, and what was said."""
    said = b""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            kind, payload = client.receive()
        except (Closed, OSError, IndexError, struct.error):
            return True, said
        if kind == TEXT:
            said += payload
            if b'"answer"' in payload:
                return False, said
    return False, said


@attack("network: frames", NIGHTLY, cases=CROOKED)
def a_viewer_whose_frames_are_crooked(stage, which):
    view = stage.view(stage.write("pendulum.yaml", PENDULUM))
    with operator(view) as client, viewer(view) as hostile:
        hostile.stream.settimeout(3)
        with contextlib.suppress(OSError):
            hostile.stream.sendall(CROOKED[which])
        is_closed, said = what_comes_back(hostile)
        assert is_closed or said or which in ("2^40 bytes", "deep lists", "deep objects"), "neither an answer nor an end"
        assert view.memory() < 400 << 20, f"{view.memory() >> 20} MB"
        return goes_on(client)


@attack("network: frames", NIGHTLY, cases=list(CROOKED)[:17])
def a_stranger_whose_frames_are_crooked(stage, which):
    """Before any hello: no word of what is shown may come back."""
    view = stage.view(stage.write("pendulum.yaml", PENDULUM))
    with operator(view) as client, WebSocket(view.port) as hostile:
        hostile.stream.settimeout(3)
        with contextlib.suppress(OSError):
            hostile.stream.sendall(CROOKED[which])
        _, said = what_comes_back(hostile, 0.5)
        assert b"welcome" not in said and b"pendulum" not in said, said
        return goes_on(client)


@attack("network: frames")
def a_viewer_and_then_another_with_all_of_them(stage):
    """In one server, one after the other: the quick form of the above."""
    view = stage.view(stage.write("pendulum.yaml", PENDULUM))
    with operator(view) as client:
        for name, data in CROOKED.items():
            with viewer(view, name) as hostile:
                hostile.stream.settimeout(3)
                with contextlib.suppress(OSError):
                    hostile.stream.sendall(data)
                what_comes_back(hostile, 0.05)
        return goes_on(client)


# ---- Bytes that are nearly HTTP --------------------------------------------------------------------------------------------

HOST = b"Host: 127.0.0.1\r\n"
UPGRADE = HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
REQUESTS = {
    "a body that is said to be longer than all": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 18446744073709551615\r\n\r\nx",
    "two lengths": b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "a negative length": b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
    "pieces and a length": b"GET / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\nGET /api/scenes HTTP/1.1\r\n\r\n",
    "pieces without end": b"GET / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + b"x" * 10000,
    "a thousand headers": b"GET / HTTP/1.1\r\n" + HOST + b"".join(b"X-%d: 1\r\n" % i for i in range(1000)) + b"\r\n",
    "a header of 1 MB": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * (1 << 20) + b"\r\n\r\n",
    "an address of 1 MB": b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a line feed in a header": b"GET / HTTP/1.1\r\n" + HOST + b"X: a\nSet-Cookie: b\r\n\r\n",
    "no end of the line": b"GET / HTTP/1.1\n" + b"Host: 127.0.0.1\n\n",
    "two hosts": b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "a whole address": b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "HTTP 0.9": b"GET /\r\n\r\n",
    "HTTP 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP 9.9": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    "a proxy": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + HOST + b"\r\n",
    "a hundred at once": (b"GET /api/health HTTP/1.1\r\n" + HOST + b"\r\n") * 100,
    "up": b"GET /../../../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    "up with percents": b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    "up with backslashes": b"GET /..\\..\\etc\\passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    "a zero in the address": b"GET /index.html\0.js HTTP/1.1\r\n" + HOST + b"\r\n",
    "what is hidden": b"GET /.secret HTTP/1.1\r\n" + HOST + b"\r\n",
    "what lies beside": b"GET /../beside.txt HTTP/1.1\r\n" + HOST + b"\r\n",
    "an upgrade without a key": b"GET /live HTTP/1.1\r\n" + UPGRADE + b"\r\n",
    "an upgrade with a crooked key": b"GET /live HTTP/1.1\r\n" + UPGRADE + b"Sec-WebSocket-Key: x\r\n\r\n",
    "an upgrade of version 99": b"GET /live HTTP/1.1\r\n" + UPGRADE.replace(b"13", b"99") + KEY + b"\r\n",
    "an upgrade by POST": b"POST /live HTTP/1.1\r\n" + UPGRADE + KEY + b"\r\n",
    "an upgrade with a body": b"GET /live HTTP/1.1\r\n" + UPGRADE + KEY + b"Content-Length: 5\r\n\r\nhello",
    "an upgrade from nowhere": b"GET /live HTTP/1.1\r\n" + UPGRADE + KEY + b"Origin: null\r\n\r\n",
    "an upgrade from a file": b"GET /live HTTP/1.1\r\n" + UPGRADE + KEY + b"Origin: file://\r\n\r\n",
    "an upgrade from two": b"GET /live HTTP/1.1\r\n" + UPGRADE + KEY + b"Origin: http://127.0.0.1\r\nOrigin: http://evil.example\r\n\r\n",
    "an upgrade to TLS": b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: TLS/1.2\r\nConnection: Upgrade\r\n\r\n",
    "a handshake of TLS": bytes.fromhex("16030100a5010000a10303") + os.urandom(158),
    "an expectation": b"PUT /live HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\nContent-Length: 1000000000000\r\n\r\n",
}


@attack("network: requests", NIGHTLY, cases=REQUESTS)
def requests_that_are_nearly_http(stage, which):
    view = stage.view(stage.write("pendulum.yaml", PENDULUM))
    with operator(view) as client:
        with connect_tcp(view.port) as stream:
            answer = b""
            with contextlib.suppress(OSError):
                stream.sendall(REQUESTS[which])
            until = time.monotonic() + 1.5
            with contextlib.suppress(OSError):
                while time.monotonic() < until and select.select([stream], [], [], 0.3)[0]:
                    if not (chunk := stream.recv(65536)):
                        break
                    answer += chunk
        for secret in (view.token.encode(), view.viewer_token.encode(), b"root:", b"\nno", b"Set-Cookie"):
            assert secret not in answer, answer[:300]
        # Whoever says what a browser would never say may be let in: it has no token yet.
        assert b"101 Switching" not in answer or which in ("an upgrade with a body", "an upgrade with a crooked key"), answer[:300]
        assert not which.startswith("two") or b" 400 " in answer, answer[:300]
        assert view.memory() < 400 << 20, f"{view.memory() >> 20} MB"
        assert http(view.port, "/api/health")[0] == 200
        goes_on(client)
    return answer.split(b"\r\n")[0].decode("ascii", "replace") or HELD
