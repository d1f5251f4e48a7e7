"""What would end the interpreter with a crash: objects without their constructor, threads that compute while it ends."""

import subprocess
import sys
import unittest

import bristle
from support import main, pendulum

STEPPING = """
import threading, time, bristle
model = bristle.Model()
rod = model.add(bristle.Body.rod(1.0, 1.0).named("rod"))
pin = model.add(bristle.Revolute(a=model.ground(), b=rod, at=[0, 0, 0], axis=[0, 1, 0], name="pin"))
FORCE
world = bristle.World(model)

def work():
    while True:
        WORK

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
    world = bristle.World(model)
time.sleep(0.15)
"""
CALLED = "model.add(bristle.UserForce(apply=lambda now, out: out.add_torque(rod, [0, 0.1, 0]), bodies=[rod]))"
ENDS = {
    "steps": ("", "try: world.step()\n        except bristle.SimulationError: pass"),
    "long runs": ("", "try: world.advance_to(world.time + 1e3)\n        except bristle.SimulationError: pass"),
    "own worlds": ("", "own = bristle.World(model); own.advance_to(0.01)"),
    "forces in Python": (CALLED, "own = bristle.World(model); own.advance_to(0.01)"),
    "assembling": ("", "bristle.assembled(model)"),
}


class Ends(unittest.TestCase):
    def test_the_interpreter_ends_while_threads_compute(self):
        for name, (force, work) in ENDS.items():
            for attempt in range(3):
                with self.subTest(name, attempt=attempt):
                    code = STEPPING.replace("FORCE", force).replace("WORK", work)
                    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))


class WithoutConstructor(unittest.TestCase):
    def classes(self):
        return [value for value in vars(bristle).values()
                if isinstance(value, type) and not issubclass(value, BaseException)
                and value.__module__.startswith("bristle")]

    def test_nothing_can_be_asked_of_it(self):
        """pybind11 made room for the value and left it as it was."""
        self.assertGreater(len(self.classes()), 40)
        for cls in self.classes():
            try:
                empty = cls.__new__(cls)
            except TypeError:
                continue
            for name in dir(cls):
                if name.startswith("__") and name not in ("__repr__", "__eq__", "__hash__", "__len__", "__int__"):
                    continue
                with self.subTest(cls=cls.__name__, name=name):
                    try:
                        found = getattr(empty, name)
                        if callable(found):
                            found()
                    except (TypeError, AttributeError, ValueError, bristle.InputError):
                        pass
            del empty

    def test_it_is_taken_nowhere(self):
        model, rod, pin = pendulum()
        for cls in (bristle.Body, bristle.Revolute, bristle.Spring, bristle.Drive, bristle.Shape):
            with self.assertRaisesRegex(TypeError, "__init__"):
                model.add(cls.__new__(cls))
        with self.assertRaises(TypeError):
            bristle.World(bristle.Model.__new__(bristle.Model))
        with self.assertRaisesRegex(TypeError, "__init__"):
            model.remove(bristle.BodyId.__new__(bristle.BodyId))

    def test_a_constructor_that_looks_at_itself_first(self):
        class Mine(bristle.Body):
            def __init__(self):
                self.mass * 2
                super().__init__()

        with self.assertRaisesRegex(TypeError, "__init__"):
            Mine()


if __name__ == "__main__":
    main()
