"""`bristle view` as the network meets it: pages, WebSockets, strangers, floods, sleepers, TLS.

    server_test.py path/to/bristle

In every test the simulation must have gone on when it ends.
"""
import gzip
import hashlib
import json
import os
import pathlib
import socket
import ssl
import stat
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import view  # noqa: E402
from view import PAGE, SCRIPT, View  # noqa: E402
from web_socket import BINARY, TEXT, Closed, Refused, WebSocket, answer_to, connect_tcp, http  # noqa: E402

view.BRISTLE = os.path.abspath(sys.argv.pop(1))


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.view = View(cls.folder.name, "pendulum")

    @classmethod
    def tearDownClass(cls):
        code, _ = cls.view.end()
        cls.folder.cleanup()
        assert code == 0, (code, "".join(cls.view.log))

    def setUp(self):
        self.before = self.step()

    def tearDown(self):
        self.assertIsNone(self.view.process.poll(), "the server has ended")
        self.assertGreater(self.step(after=self.before), self.before, "the simulation has stopped")

    def step(self, after=-1):
        """The step it is at; waits a while for one after this."""
        with self.socket() as client:
            client.hello(self.view.viewer_token, "VIEWER", "looks at the step")
            end = time.monotonic() + 5
            while (step := client.state()["step"]) <= after and time.monotonic() < end:
                pass
            return step

    def socket(self, **options):
        return WebSocket(self.view.port, **options)

    def http(self, *arguments, **options):
        return http(self.view.port, *arguments, **options)


class Pages(Server):
    def test_the_page_is_served_and_may_only_use_its_own(self):
        status, headers, body = self.http("/")
        self.assertEqual((status, body), (200, PAGE))
        self.assertTrue(headers["Content-Type"].startswith("text/html"))
        self.assertIn("script-src 'self';", headers["Content-Security-Policy"])
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Cache-Control"], "no-cache")
        self.assertEqual(self.http("/index.html?x=1")[2], PAGE)

    def test_files_are_compressed_for_those_who_accept_it(self):
        status, headers, body = self.http("/assets/index-1.js")
        self.assertEqual((status, body), (200, SCRIPT))
        self.assertNotIn("Content-Encoding", headers)
        status, headers, body = self.http("/assets/index-1.js", headers=["Accept-Encoding: br, gzip;q=0.9"])
        self.assertEqual(headers["Content-Encoding"], "gzip")
        self.assertEqual(gzip.decompress(body), SCRIPT)
        self.assertIn("javascript", headers["Content-Type"])
        self.assertIn("immutable", headers["Cache-Control"])
        self.assertNotIn("Content-Encoding", self.http("/assets/index-1.js", headers=["Accept-Encoding: gzip;q=0"])[1])

    def test_what_is_known_is_not_sent_again(self):
        tag = self.http("/")[1]["ETag"]
        status, _, body = self.http("/", headers=["If-None-Match: " + tag])
        self.assertEqual((status, body), (304, b""))

    def test_head_has_no_body(self):
        status, headers, body = self.http("/", method="HEAD")
        self.assertEqual((status, int(headers["Content-Length"]), body), (200, len(PAGE), b""))

    def test_nothing_leads_out_of_the_folder(self):
        for target in ("/../beside.txt", "/assets/../../beside.txt", "/%2e%2e/beside.txt", "/..%2fbeside.txt",
                       "//etc/passwd", "/etc/passwd", "/.secret", "/assets/", "/assets", "/index.html/", "/\\..\\x",
                       "/index.html%00.js", "http://127.0.0.1/../beside.txt"):
            status, _, body = self.http(target)
            self.assertEqual(status, 404, target)
            self.assertNotIn(b"no\n", body)

    def test_only_reading_is_allowed(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
            status, headers, _ = self.http("/", method=method, headers=["Content-Length: 3"], body=b"abc")
            self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"), method)

    def test_the_gallery_is_listed(self):
        self.assertEqual(self.http("/api/scenes")[0], 401)
        status, headers, body = self.http("/api/scenes", headers=["Authorization: Bearer " + self.view.viewer_token])
        self.assertEqual((status, headers["Content-Type"]), (200, "application/json"))
        self.assertIn("four-bar", [scene["name"] for scene in json.loads(body)["scenes"]])
        self.assertEqual(json.loads(self.http("/api/health")[2]), {"ok": True})

    def test_what_is_no_http_is_refused(self):
        for garbage in (b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                        b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 20000 + b"\r\n\r\n", os.urandom(5000)):
            self.assertNotIn(b"200 OK", answer_to(self.view.port, garbage))


class Sockets(Server):
    def test_a_scene_comes_and_then_states_sixty_times_a_second(self):
        with self.socket(origin=f"http://127.0.0.1:{self.view.port}") as client:
            reply = client.hello(self.view.token)
            self.assertEqual((reply["role"], reply["scene"]), ("OPERATOR", "pendulum"))
            kind, payload = client.receive()
            self.assertEqual((kind, payload[0]), (BINARY, 1 << 3 | 2), "the scene comes first")
            self.assertIn("channels", client.event("controls"))
            client.state()
            self.assertGreater(client.states_in(1), 20)

    def test_pages_of_other_sites_may_not_connect(self):
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{self.view.port}.evil.example",
                       f"http://localhost:{self.view.port}"):
            with self.assertRaises(Refused) as refused:
                WebSocket(self.view.port, origin=origin)
            self.assertEqual(refused.exception.status, 403, origin)

    def test_it_is_at_live_and_nowhere_else(self):
        with self.assertRaises(Refused) as refused:
            WebSocket(self.view.port, target="/elsewhere")
        self.assertEqual(refused.exception.status, 404)

    def test_a_wrong_token_is_refused_with_a_reason(self):
        for token in ("", "wrong", self.view.token[:-1], self.view.token + "0"):
            with self.socket() as client:
                self.assertIn("token", client.hello(token)["error"])
                with self.assertRaises(Closed) as closed:
                    client.receive()
                self.assertEqual(closed.exception.code, 1008)
                self.assertIn("token", closed.exception.reason)

    def test_a_token_in_the_address_opens_nothing(self):
        with self.assertRaises(Refused):
            WebSocket(self.view.port, target="/live?token=" + self.view.token)

    def test_who_says_nothing_is_closed(self):
        with self.socket() as client:
            with self.assertRaises(Closed) as closed:
                client.receive()
            self.assertIn("hello", closed.exception.reason)

    def test_too_long_a_message_closes_with_1009(self):
        with self.socket() as client:
            client.hello(self.view.viewer_token, "VIEWER")
            client.send_frame(TEXT, b" " * 70000)
            with self.assertRaises(Closed) as closed:
                while True:
                    client.receive()
            self.assertEqual(closed.exception.code, 1009)

    def test_a_frame_that_claims_to_be_huge_is_not_waited_for(self):
        for length in (1 << 31, (1 << 63) - 1):
            with self.socket() as client:
                client.hello(self.view.viewer_token, "VIEWER")
                client.send_frame(TEXT, b"x" * 100, length=length)
                with self.assertRaises(Closed) as closed:
                    while True:
                        client.receive()
                self.assertEqual(closed.exception.code, 1009)

    def test_binary_unmasked_and_invalid_frames_are_refused(self):
        for kind, payload, masked, code in ((BINARY, b"abc", True, 1008), (TEXT, b"{}", False, 1002),
                                            (TEXT, b"\xff\xfe", True, 1007), (7, b"", True, 1002)):
            with self.socket() as client:
                client.hello(self.view.viewer_token, "VIEWER")
                client.send_frame(kind, payload, masked=masked)
                with self.assertRaises(Closed) as closed:
                    while True:
                        client.receive()
                self.assertEqual(closed.exception.code, code)

    def test_a_flood_is_answered_and_then_closed(self):
        with self.socket() as client:
            client.hello(self.view.viewer_token, "VIEWER")
            refused = 0
            with self.assertRaises(Closed) as closed:
                for _ in range(5000):
                    client.say("ping")
                while True:
                    kind, payload = client.receive()
                    refused += kind == TEXT and b"too many messages" in payload
            self.assertIn(closed.exception.code, (1008, 1006))

    def test_viewers_beyond_the_limit_are_told_so(self):
        clients = [self.socket() for _ in range(17)]
        try:
            answers = [c.hello(self.view.viewer_token, "VIEWER", str(i)) for i, c in enumerate(clients)]
            self.assertNotIn("error", answers[15])
            self.assertIn("16 are connected already", answers[16]["error"])
        finally:
            for client in clients:
                client.stream.close()

    def test_an_operator_steers_and_gets_its_seat_again(self):
        with self.socket() as client:
            self.assertEqual(client.hello(self.view.token, client="tab")["role"], "OPERATOR")
            client.do("pause")
            time.sleep(0.1)
            client.say("ping")
            client.do("step", count=5)
            # The connection is lost without a word.
        with self.socket() as again:
            self.assertEqual(again.hello(self.view.token, client="tab")["role"], "OPERATOR")
            again.do("run")

    def test_who_does_not_read_delays_nobody_and_costs_nothing(self):
        sleepers = [self.socket(receive_buffer=4096) for _ in range(3)]
        for number, sleeper in enumerate(sleepers):
            sleeper.say("hello", **sleeper.greeting(self.view.viewer_token, "VIEWER", str(number)))
        with self.socket() as reader:
            reader.hello(self.view.viewer_token, "VIEWER", "reader")
            reader.states_in(2)
            before = self.view.memory()
            states = reader.states_in(4)
            self.assertLess(self.view.memory() - before, 3 << 20)
            self.assertGreater(states, 100)
        for sleeper in sleepers:
            sleeper.stream.close()


class Network(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, *arguments):
        view = View(self.folder, *arguments)
        self.addCleanup(lambda: view.process.poll() is None and view.end())
        return view

    def test_open_to_the_network_it_speaks_tls_with_a_certificate_of_its_own(self):
        view = self.start("pendulum", "--listen", "0.0.0.0", "--port", "0")
        self.assertIn("https://", view.said)
        folder = pathlib.Path(self.folder, "state/bristle")
        self.assertEqual(stat.S_IMODE((folder / "key.pem").stat().st_mode), 0o600)
        certificate = ssl.PEM_cert_to_DER_cert((folder / "certificate.pem").read_text())
        fingerprint = hashlib.sha256(certificate).hexdigest().upper()
        self.assertIn(":".join(fingerprint[i:i + 2] for i in range(0, 64, 2)), view.said)
        # It is valid for this address, not only known.
        tls = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
        self.assertEqual(http(view.port, tls=tls)[2], PAGE)
        with WebSocket(view.port, tls=tls, origin=f"https://127.0.0.1:{view.port}") as client:
            self.assertEqual(client.hello(view.token)["role"], "OPERATOR")
            self.assertGreater(client.states_in(1), 20)
        # Who speaks plainly, or something else, hears nothing of use and harms nobody.
        for garbage in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"x" * 500):
            self.assertNotIn(b"200 OK", answer_to(view.port, garbage))
        self.assertEqual(http(view.port, tls=tls)[0], 200)
        code, rest = view.end()
        self.assertEqual(code, 0)
        self.assertIn("wake-up", rest)
        # The next time it is the same one.
        again = self.start("pendulum", "--listen", "0.0.0.0", "--port", "0")
        self.assertEqual(http(again.port, tls=tls)[0], 200)

    def test_the_gallery_opens_scenes_by_name_only(self):
        view = self.start()
        with WebSocket(view.port) as client:
            self.assertNotIn("scene", client.hello(view.token))
            self.assertIn("gallery", client.ask("open", scene="/etc/passwd")["error"])
            client.do("open", scene="double-pendulum")
            self.assertEqual(client.event("opened")["scene"], "double-pendulum")
            self.assertEqual(client.state()["poses"], 3)
            client.do("open", scene="double-pendulum", parameters={"nonsense": "1"})
            self.assertIn("nonsense", client.event("failed")["error"])
            client.do("close")

    def test_a_taken_port_is_passed_over_unless_it_was_asked_for(self):
        first, second = self.start(), self.start()
        self.assertNotEqual(first.port, second.port)
        with self.assertRaisesRegex(RuntimeError, "--port"):
            View(self.folder, "--port", str(first.port))

    def test_what_is_recorded_can_be_viewed(self):
        view = self.start("pendulum", "--record", "take.mcap")
        with WebSocket(view.port) as client:
            client.hello(view.token)
            self.assertEqual(client.event("recording"), {"file": "take.mcap"})
            client.states_in(1)
            client.do("record", on=False)
            self.assertEqual(client.event("recording"), {})
            client.do("record", on=True)
            self.assertEqual(client.event("recording")["file"], "out/pendulum-1.mcap")
        self.assertEqual(view.end()[0], 0)
        for name in ("take.mcap", "out/pendulum-1.mcap"):
            view = self.start(name)
            with WebSocket(view.port) as client:
                client.hello(view.token)
                client.state()
                self.assertIn("record", client.ask("record", on=True)["error"])
            view.end()

    def test_mistakes_are_told(self):
        for arguments, text in ((("--listen", "nowhere"), "nowhere"), (("--certificate", "x.pem"), "--key"),
                                (("--certificate", "x.pem", "--key", "y.pem"), "x.pem"),
                                (("--record", "x.mcap"), "scene"), (("no-such-scene",), "no-such-scene")):
            with self.assertRaisesRegex(RuntimeError, text):
                View(self.folder, *arguments)


if __name__ == "__main__":
    unittest.main(verbosity=2)
