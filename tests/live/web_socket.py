"""A WebSocket client made of a socket and nothing else, so that tests can also do what no browser does."""
import base64
import errno
import json
import os
import pathlib
import re
import socket
import ssl
import struct
import time

PROTOCOL = pathlib.Path(__file__).parents[2] / "live/wire/protocol.proto"
PROTOCOL_VERSION = int(re.search(r"PROTOCOL_VERSION = (\d+)", PROTOCOL.read_text())[1])
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Refused(Exception):
    """The server answered, but not with a WebSocket."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status, self.body = status, body


class Closed(Exception):
    def __init__(self, code, reason):
        super().__init__(f"{code}: {reason}")
        self.code, self.reason = code, reason


def connect_tcp(port, tls=None, host="127.0.0.1", receive_buffer=None):
    raw = socket.socket()
    if receive_buffer:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    raw.settimeout(20)
    raw.connect((host, port))
    return tls.wrap_socket(raw, server_hostname=host) if tls else raw


def http(port, target="/", method="GET", headers=(), tls=None, body=b"", host=None):
    """(status, headers, body) of a request, sent as it is written."""
    with connect_tcp(port, tls) as stream:
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Connection: close", *headers]
        stream.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        answer = b""
        while chunk := stream.recv(65536):
            answer += chunk
    head, _, rest = answer.partition(b"\r\n\r\n")
    first, *others = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in others), rest


def answer_to(port, garbage):
    """What comes back for bytes that are no request: nothing if the server closes before it has read them all."""
    with connect_tcp(port) as stream:
        try:
            stream.sendall(garbage)
            stream.shutdown(socket.SHUT_WR)
            return stream.recv(1000)
        except OSError as closed:
            if closed.errno not in (errno.ECONNRESET, errno.EPIPE, errno.ENOTCONN):
                raise
            return b""


class WebSocket:
    def __init__(self, port, origin=None, target="/live", tls=None, receive_buffer=None):
        self.stream = connect_tcp(port, tls, receive_buffer=receive_buffer)
        self.buffer = b""
        self.last = 0
        self.events = []  # that came and were not asked for yet
        lines = [f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version: 13"]
        if origin is not None:
            lines.append("Origin: " + origin)
        self.stream.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        if status != 101:
            try:
                while True:
                    self.fill()
            except Closed:
                self.stream.close()
            raise Refused(status, self.buffer.decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()

    def fill(self):
        try:
            chunk = self.stream.recv(65536)
        except (ConnectionResetError, ssl.SSLError):
            chunk = b""
        if not chunk:
            raise Closed(1006, "")
        self.buffer += chunk

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send_frame(self, kind, payload, masked=True, length=None):
        length = len(payload) if length is None else length
        bit = 0x80 if masked else 0
        if length < 126:
            head = struct.pack("!BB", 0x80 | kind, bit | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x80 | kind, bit | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, bit | 127, length)
        # A mask of zeros is a mask.
        try:
            self.stream.sendall(head + (b"\0\0\0\0" if masked else b"") + payload)
        except (BrokenPipeError, ConnectionResetError):
            pass  # closed by the other side: receive() tells

    def receive(self):
        """(kind, bytes) of the next message; pings are answered. Raises Closed at the end."""
        while True:
            first, second = self.take(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", self.take(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self.take(8))
            payload = self.take(length)
            kind = first & 15
            if kind == PING:
                self.send_frame(PONG, payload)
            elif kind == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if payload else 1005
                raise Closed(code, payload[2:].decode())
            elif kind in (TEXT, BINARY):
                return kind, payload

    def say(self, what, **fields):
        self.last += 1
        self.send_frame(TEXT, json.dumps({"id": self.last, what: fields}).encode())
        return self.last

    def ask(self, what, **fields):
        """The answer; states that come meanwhile are passed over, and do not make it wait for longer."""
        number = self.say(what, **fields)
        end = time.monotonic() + self.stream.gettimeout()
        while True:
            if time.monotonic() > end:
                raise TimeoutError(f"{what}: there is no answer")
            kind, payload = self.receive()
            if kind == TEXT:
                message = json.loads(payload)
                if "answer" not in message:
                    self.events.append(message)
                elif message["answer"]["id"] == number:
                    return message["answer"]

    def do(self, what, **fields):
        """What must not be refused."""
        answer = self.ask(what, **fields)
        if "error" in answer:
            raise AssertionError(f"{what}: {answer['error']}")

    @staticmethod
    def greeting(token, role, client):
        return {"protocol": PROTOCOL_VERSION, "token": token, "role": role, "client": client}

    def hello(self, token, role="OPERATOR", client="test"):
        """What it is welcomed with, or the answer if it is not."""
        answer = self.ask("hello", **self.greeting(token, role, client))
        return answer.get("welcome", answer)

    def event(self, name):
        for message in self.events:
            if name in message:
                self.events.remove(message)
                return message[name]
        while True:
            kind, payload = self.receive()
            if kind == TEXT:
                message = json.loads(payload)
                if name in message:
                    return message[name]

    def state(self):
        """The next state, as the numbers of its first fields."""
        while True:
            kind, payload = self.receive()
            if kind == BINARY and payload[0] == (2 << 3 | 2):
                _, at = varint(payload, 1)
                return state_fields(payload[at:])

    def value(self):
        """What is watched first, once it was asked for."""
        number = [message["watched"]["number"] for message in self.events if "watched" in message][-1]
        while (state := self.state())["watch"] != number:
            pass
        return state["values"][0]

    def states_in(self, seconds):
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            self.state()
            count += 1
        return count


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def state_fields(data):
    """Time, step and revision of a State of protocol.proto."""
    fields, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            (value,) = struct.unpack_from("<d", data, at)
            at += 8
        else:
            length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        fields[number] = value
    return {"time": fields.get(1, 0.0), "step": fields.get(2, 0), "revision": fields.get(3, 0),
            "poses": len(fields.get(4, b"")) // 28, "watch": fields.get(10, 0),
            "values": struct.unpack(f"<{len(fields.get(9, b'')) // 8}d", fields.get(9, b""))}
