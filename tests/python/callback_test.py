"""Python functions that the solver calls, threads, Ctrl-C and memory."""

import gc
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import bristle
from support import four_bar, main, pendulum


HERE = Path(__file__).resolve().parent


class Forces(unittest.TestCase):
    def test_drag_in_python_gives_the_terminal_speed(self):
        model = bristle.Model()
        ball = model.add(bristle.Body.sphere(0.1, 0.5).at([0, 0, 100]))

        def drag(now, out):
            v = now.twist(ball).linear
            out.add_force(ball, -0.02 * np.linalg.norm(v) * v, now.pose(ball).position)

        model.add(bristle.UserForce(apply=drag, bodies=[ball], name="drag"))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=5e-3))
        world.advance_to(6.0)
        terminal = np.sqrt(0.5 * 9.81 / 0.02)
        self.assertAlmostEqual(-world.twist(ball).linear[2], terminal * np.tanh(9.81 * 6 / terminal), places=3)

    def test_laws_targets_and_efforts_may_be_python_functions(self):
        model, _, pin = pendulum()
        model.add(bristle.JointSpring(joint=pin, law=lambda angle, rate: 3.0 * angle + 0.1 * rate))
        other, _, other_pin = pendulum()
        other.add(bristle.JointSpring(joint=other_pin, stiffness=3.0, damping=0.1))
        a, b = (bristle.World(m, bristle.AugmentedLagrangian(step=1e-3)) for m in (model, other))
        a.advance_to(0.5)
        b.advance_to(0.5)
        self.assertAlmostEqual(a.coordinate(pin), b.coordinate(other_pin), places=6)

        model, _, pin = pendulum()
        model.add(bristle.Drive(joint=pin, target=lambda t: 0.5 * np.sin(2 * t)))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
        world.advance_to(1.0)
        self.assertAlmostEqual(world.coordinate(pin), 0.5 * np.sin(2.0), places=5)

        model, _, pin = pendulum()
        model.gravity = [0, 0, 0]
        model.add(bristle.Motor(joint=pin, effort=lambda t: 2.0))
        world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-3))
        world.advance_to(0.5)
        self.assertAlmostEqual(world.coordinate_rate(pin), 3.0, places=4)  # h² of the rotation

    def test_a_table_stays_in_cpp(self):
        law = bristle.table([(0, 0), (1, 2)])
        self.assertIsInstance(law, bristle.ForceLaw)
        self.assertEqual(law(0.5, 0.0), 1.0)
        self.assertIsInstance(bristle.JointSpring(joint=bristle.JointId(0), law=law).law, bristle.ForceLaw)

    def test_exceptions_come_out_unchanged_and_the_state_stays(self):
        class Trouble(Exception):
            pass

        trouble = Trouble("in the force")
        for make in (
            lambda f: bristle.UserForce(apply=lambda now, out: f(now.time)),
            lambda f: bristle.Motor(joint=bristle.JointId(0), effort=f),
            lambda f: bristle.Drive(joint=bristle.JointId(0), target=f),
            lambda f: bristle.JointSpring(joint=bristle.JointId(0), law=lambda x, v: f(0)),
        ):
            is_bad = [False]

            def number(time):
                if is_bad[0]:
                    raise trouble
                return 0.0

            model, _, _ = pendulum()
            model.add(make(number))
            world = bristle.World(model)
            world.advance_to(0.05)
            before = world.hash()
            is_bad[0] = True
            with self.assertRaises(Trouble) as caught:
                world.step()
            self.assertIs(caught.exception, trouble)
            self.assertEqual(world.hash(), before)
            is_bad[0] = False
            world.step()
            self.assertAlmostEqual(world.time, 0.051)

    def test_a_function_must_return_a_number(self):
        model, _, pin = pendulum()
        model.add(bristle.Motor(joint=pin, effort=lambda t: "much"))
        with self.assertRaisesRegex(TypeError, "returned 'much'; it must return a number"):
            bristle.World(model).step()

    def test_a_force_cannot_keep_what_it_was_lent(self):
        model, rod, _ = pendulum()
        kept = []
        model.add(bristle.UserForce(apply=lambda now, out: kept.append((now, out))))
        world = bristle.World(model)
        world.step()
        with self.assertRaisesRegex(bristle.InputError, "only while"):
            kept[0][0].pose(rod)
        with self.assertRaisesRegex(bristle.InputError, "only while"):
            kept[0][1].add_force(rod, [0, 0, 1], [0, 0, 0])

    def test_a_force_cannot_step_its_own_world(self):
        model, rod, _ = pendulum()
        worlds = []
        model.add(bristle.UserForce(apply=lambda now, out: worlds and worlds[0].step()))
        worlds.append(bristle.World(model))
        with self.assertRaisesRegex(bristle.SimulationError, "in the middle of a step"):
            worlds[0].step()
        worlds.clear()


class Threads(unittest.TestCase):
    def test_two_worlds_run_in_two_threads(self):
        def run(out):
            world = bristle.World(four_bar())
            world.advance_to(1.0)
            out.append(world.hash())

        alone, together = [], []
        run(alone)
        threads = [threading.Thread(target=run, args=(together,)) for _ in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(together, alone * 2)

    def test_the_lock_is_free_while_a_world_runs(self):
        world = bristle.World(four_bar(), bristle.AugmentedLagrangian(step=1e-4))
        done = []
        thread = threading.Thread(target=lambda: (world.advance_to(5.0), done.append(True)))
        thread.start()
        turns = 0
        while not done and turns < 1_000_000:
            turns += 1
        thread.join()
        self.assertGreater(turns, 1000)

    def test_python_forces_work_in_threads(self):
        model, rod, _ = pendulum()
        model.add(bristle.UserForce(apply=lambda now, out: out.add_torque(rod, [0, np.sin(now.time), 0])))
        hashes = []

        def run():
            world = bristle.World(model)
            world.advance_to(0.3)
            hashes.append(world.hash())

        threads = [threading.Thread(target=run) for _ in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(hashes), 2)
        self.assertEqual(hashes[0], hashes[1])


# By the processor's time, which other programs do not take.
INTERRUPTED = """
import signal, time, bristle
from support import pendulum
model, rod, pin = pendulum()
world = bristle.World(model, bristle.AugmentedLagrangian(step=1e-4))
signal.signal(signal.SIGPROF, signal.default_int_handler)
signal.setitimer(signal.ITIMER_PROF, 0.3)
start = time.process_time()
try:
    world.advance_to(1e6)
except KeyboardInterrupt:
    waited = time.process_time() - start
    before = world.time
    world.step()
    print(waited, world.time - before)
"""


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_a_long_run_within_a_fifth_of_a_second(self):
        run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60,
                             cwd=HERE)
        self.assertEqual(run.stderr, "")
        waited, step = map(float, run.stdout.split())
        self.assertLess(waited, 0.3 + 0.2)
        self.assertAlmostEqual(step, 1e-4, places=9)

    def test_ctrl_c_from_outside(self):
        code = INTERRUPTED.replace("signal.setitimer(signal.ITIMER_PROF, 0.3)", "print('ready', flush=True)")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=HERE) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            time.sleep(0.3)
            sent = time.perf_counter()
            process.send_signal(signal.SIGINT)
            waited, step = map(float, process.stdout.read().split())
            self.assertLess(time.perf_counter() - sent, 5.0)  # with the end of the interpreter, on a busy machine
            self.assertAlmostEqual(step, 1e-4, places=9)
        self.assertEqual(process.returncode, 0)


class Memory(unittest.TestCase):
    def test_a_thousand_worlds_leave_nothing(self):
        def use(count):
            for _ in range(count):
                model, rod, pin = pendulum()
                model.add(bristle.UserForce(apply=lambda now, out: out.add_torque(rod, [0, 0.1, 0]), bodies=[rod]))
                model.add(bristle.Drive(joint=pin, target=lambda t: t, max_effort=1.0))
                world = bristle.World(model)
                poses = world.poses
                world.step()
                world.snapshot(), world.entities(), world.model.bodies, poses.sum()
            gc.collect()

        use(100)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        use(1000)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        # A world is about 30 KB: a thousand that stayed would be 30 MB.
        self.assertLess(grown, 3000, "kB")


if __name__ == "__main__":
    main()
