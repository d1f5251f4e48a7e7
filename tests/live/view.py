"""A running `bristle view` with a small page, for tests that talk to it from outside."""
import gzip
import os
import pathlib
import re
import signal
import subprocess
import threading

BRISTLE = "bristle"  # set by who uses this: the program
PAGE = b"<!doctype html><title>Bristle</title><script type=module src=./assets/index-1.js></script>"
SCRIPT = b"console.log('x');\n" * 100
PENDULUM = """
title: A pendulum for ever
bodies:
  rod: {type: rod, from: [0, 0, 0], to: [1, 0, 0], mass: 1}
joints:
  pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}
solver: {step: 2 ms}
duration: 1e6
"""


class View:
    """A running `bristle view`."""

    def __init__(self, folder, *arguments, stderr=subprocess.PIPE, environment=None, **options):
        pages = pathlib.Path(folder, "pages")
        if not pages.exists():
            (pages / "assets").mkdir(parents=True)
            (pages / "index.html").write_bytes(PAGE)
            (pages / "assets/index-1.js").write_bytes(SCRIPT)
            (pages / "assets/index-1.js.gz").write_bytes(gzip.compress(SCRIPT))
            (pages / ".secret").write_text("no")
            pathlib.Path(folder, "beside.txt").write_text("no")
        environment = dict(os.environ, BRISTLE_PAGES=str(pages), XDG_STATE_HOME=os.path.join(folder, "state"),
                           **(environment or {}))
        self.process = subprocess.Popen([BRISTLE, "view", *arguments], cwd=folder, env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=stderr, **options)
        self.said, self.ended = "", None
        while "Ctrl-C" not in self.said:
            line = self.process.stdout.readline()
            if not line:
                _, trouble = self.process.communicate()
                raise RuntimeError(trouble)
            self.said += line
        # Nobody may wait for us to read what it logs.
        self.log = []
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr or []))
        self.reader.start()
        self.token = re.search(r"^Open +\S+#token=(\w+)", self.said, re.M)[1]
        self.viewer_token = re.search(r"^Share +\S+#token=(\w+)", self.said, re.M)[1]
        self.port = int(re.search(r":(\d+)/#", self.said)[1])

    def end(self):
        """Its exit code and last words; once more, the same."""
        if self.ended is not None:
            return self.ended
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        rest = "" if self.process.stdout.closed else self.process.stdout.read()
        code = self.process.wait(20)
        self.reader.join()
        self.process.stdout.close()
        if self.process.stderr:
            self.process.stderr.close()
        self.ended = code, rest
        return self.ended

    def memory(self):  # bytes
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024
