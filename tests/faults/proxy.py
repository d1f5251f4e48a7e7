"""A connection through somebody who cuts, delays, tears and spoils it."""
import random
import select
import socket
import threading
import time


class Proxy:
    """Listens on `port` and passes on to `target`. Counts are bytes of one direction; None: never."""

    def __init__(self, target, cut_up=None, cut_down=None, delay=0.0, piece=65536, spoil=None, seed=0):
        self.target, self.cut_up, self.cut_down = target, cut_up, cut_down
        self.delay, self.piece, self.spoil = delay, piece, spoil
        self.random = random.Random(seed)
        self.is_stalled = self.is_ended = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.threads = [threading.Thread(target=self.accept, daemon=True)]
        self.threads[0].start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_ended = True
        self.listener.close()

    def accept(self):
        while not self.is_ended:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        passed = {"up": 0, "down": 0}
        with client, socket.create_connection(("127.0.0.1", self.target)) as server:
            while not self.is_ended:
                if self.is_stalled:
                    time.sleep(0.02)
                    continue
                ready, _, _ = select.select([client, server], [], [], 0.1)
                for source in ready:
                    way, to, limit = ("up", server, self.cut_up) if source is client else ("down", client, self.cut_down)
                    try:
                        data = source.recv(self.piece)
                        if limit is not None:
                            data = data[:limit - passed[way]]
                        if not data:
                            return
                        to.sendall(self.spoilt(data, passed[way]) if way == "up" else data)
                    except OSError:
                        return
                    passed[way] += len(data)
                    if passed[way] == limit:
                        return
                    time.sleep(self.delay * self.random.random())

    def spoilt(self, data, at):
        """One bit of the byte at `spoil` is turned."""
        if self.spoil is None or not at <= self.spoil < at + len(data):
            return data
        changed = bytearray(data)
        changed[self.spoil - at] ^= 1 << self.random.randrange(8)
        return bytes(changed)
