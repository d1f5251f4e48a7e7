"""Environments: what Gymnasium asks of them, the same numbers whatever the threads, rewards by hand, mistakes."""

import sys
import threading
import types
import unittest
from pathlib import Path

import numpy as np

import bristle
from bristle import envs
from support import main

SCENES = Path(__file__).resolve().parents[2] / "scenes"
TASKS = envs.TASKS


def actions_of(many, count, seed=0):
    draw = np.random.default_rng(seed)
    return [draw.uniform(-1, 1, (len(many), len(many.action_names))) for _ in range(count)]


class Spaces(unittest.TestCase):
    def test_a_box_samples_within_its_bounds(self):
        box = envs.Box([-1, 0], [1, 2], seed=3)
        for _ in range(100):
            self.assertIn(box.sample(), box)
        self.assertEqual(box.sample().dtype, np.float32)
        box.seed(5)
        first = box.sample()
        box.seed(5)
        np.testing.assert_array_equal(box.sample(), first)

    def test_what_is_not_in_it(self):
        box = envs.Box([-1, -1], [1, 1])
        for other in ([2, 0], [0], [0, 0, 0], [np.nan, 0], "words", None):
            self.assertNotIn(other, box)
        self.assertIn([1, -1], box)

    def test_boxes_are_compared_by_their_bounds(self):
        self.assertEqual(envs.Box([0], [1]), envs.Box([0], [1]))
        self.assertNotEqual(envs.Box([0], [1]), envs.Box([0], [2]))
        with self.assertRaisesRegex(bristle.InputError, "low is not above high"):
            envs.Box([2], [1])

    def test_gymnasium_s_own_are_used_where_it_is(self):
        class Its:
            def __init__(self, low, high, dtype):
                self.low, self.high, self.dtype = low, high, dtype

        fake = types.ModuleType("gymnasium")
        fake.spaces = types.ModuleType("gymnasium.spaces")
        fake.spaces.Box = Its
        sys.modules["gymnasium"] = fake
        try:
            space = envs.Excavator("level").action_space
        finally:
            del sys.modules["gymnasium"]
        self.assertIsInstance(space, Its)
        self.assertEqual(space.low.tolist(), [-1, -1, -1])


class One(unittest.TestCase):
    def test_it_steps_from_reset_to_its_end(self):
        env = envs.Excavator("fill", time_limit=0.5)
        seen, info = env.reset(seed=1)
        self.assertIn(seen, env.observation_space)
        self.assertEqual(info["load"], 0)
        steps = 0
        while True:
            seen, reward, terminated, truncated, info = env.step(env.action_space.sample())
            steps += 1
            self.assertIn(seen, env.observation_space)
            self.assertIsInstance(reward, float)
            if terminated or truncated:
                break
        self.assertTrue(truncated)
        self.assertEqual(steps, 10)  # of 0.05 s
        with self.assertRaisesRegex(bristle.InputError, "reset the environment first"):
            env.step([0, 0, 0])

    def test_the_same_seed_is_the_same_episode(self):
        def run(env, seed):
            seen = [env.reset(seed=seed)[0]]
            for action in actions_of(_Sized(1, 4), 8):
                seen.append(env.step(action[0])[0])
            return np.array(seen), env.hash()

        first, second = envs.Excavator("reach"), envs.Excavator("reach")
        a, hash_a = run(first, 7)
        b, hash_b = run(second, 7)
        np.testing.assert_array_equal(a, b)
        self.assertEqual(hash_a, hash_b)
        c, _ = run(second, 8)
        self.assertFalse(np.array_equal(a, c))
        d, _ = run(second, 7)  # whatever was before
        np.testing.assert_array_equal(a, d)

    def test_rewards_of_reach_are_the_way_to_the_goal(self):
        env = envs.Excavator("reach")
        names = env.observation_names
        goal = [names.index(f"goal {way}") for way in ("ahead", "left", "up")]
        seen, _ = env.reset(seed=3)
        began, total, cost = 10 * np.linalg.norm(seen[goal]), 0, 0
        for action in actions_of(_Sized(1, 4), 12, seed=2):
            seen, reward, terminated, *_ = env.step(action[0])
            total += reward
            cost += 0.01 * float((action[0].astype(np.float32) ** 2).sum()) * env.action_time
            if terminated:
                total -= 1
                break
        self.assertAlmostEqual(total, began - 10 * np.linalg.norm(seen[goal]) - cost, places=4)

    def test_rewards_of_level_are_progress_less_what_is_off_the_line(self):
        env = envs.Excavator("level")
        at = env.observation_names.index
        seen, _ = env.reset(seed=3)
        ahead, line = 10 * seen[at("tip ahead")], 10 * (seen[at("tip up")] + seen[at("goal up")])
        self.assertAlmostEqual(10 * seen[at("goal ahead")], -3, places=4)
        self.assertAlmostEqual(line, 10 * seen[at("tip up")], places=4)
        for action in actions_of(_Sized(1, 3), 10, seed=2):
            seen, reward, *_ = env.step(action[0])
            now, off = 10 * seen[at("tip ahead")], abs(10 * seen[at("tip up")] - line)
            self.assertAlmostEqual(reward, ahead - now - 4 * off * env.action_time, places=4)
            ahead = now

    def test_a_scripted_dig_fills_the_bucket(self):
        env = envs.Excavator("fill", time_limit=12)
        env.reset(seed=2)
        total = 0
        script = [((-0.6, 0, 0), 2), ((0, 0.8, 0.1), 3.2), ((0.1, 0.2, 1), 2.4), ((1, 0, 0.5), 8)]
        ended = False
        for levers, seconds in script:
            for _ in range(round(seconds / env.action_time)):
                if ended:
                    break
                _, reward, terminated, truncated, info = env.step(levers)
                total += reward
                ended = terminated or truncated
        self.assertTrue(ended)
        self.assertGreater(info["load"], 200)
        self.assertAlmostEqual(info["return"], total, places=9)
        self.assertGreater(total, 0.1)  # it is up with it

    def test_a_load_that_is_not_lifted_is_not_counted(self):
        env = envs.Excavator("fill", time_limit=3)
        env.reset(seed=2)
        ended = False
        step = 0
        while not ended:
            levers = (-0.6, 0, 0) if step < 24 else (0, 0.8, 0.2)
            _, _, terminated, truncated, info = env.step(levers)
            ended = terminated or truncated
            step += 1
        self.assertGreater(info["load"], 50)
        self.assertAlmostEqual(info["return"], 0, places=6)

    def test_mistakes(self):
        with self.assertRaisesRegex(bristle.InputError, "no task 'fly'; there are reach, level and fill"):
            envs.Excavator("fly")
        env = envs.Excavator("level")
        with self.assertRaisesRegex(bristle.InputError, "reset the environment first"):
            env.step([0, 0, 0])
        env.reset(seed=1)
        with self.assertRaisesRegex(bristle.InputError, "an action has 3 numbers: oil.boom"):
            env.step([0, 0])
        before = env.hash()
        with self.assertRaisesRegex(bristle.InputError, "lever oil.stick of machine 0 is no number"):
            env.step([0, np.nan, 0])
        self.assertEqual(env.hash(), before)
        with self.assertRaisesRegex(bristle.InputError, "no option wind"):
            env.reset(options={"wind": 1})
        with self.assertRaisesRegex(bristle.InputError, "not negative"):
            env.reset(seed=-1)
        with self.assertRaisesRegex(bristle.InputError, "must have earth"):
            envs.Excavator("fill", scene=SCENES / "excavator.yaml")
        with self.assertRaisesRegex(bristle.InputError, "no stick"):
            envs.Excavator("level", scene=SCENES / "loader.yaml")
        with self.assertRaisesRegex(bristle.InputError, "time_limit is 0"):
            envs.Excavator("level", time_limit=0)

    def test_levers_beyond_their_ends_count_as_at_them(self):
        one, two = envs.Excavator("level"), envs.Excavator("level")
        one.reset(seed=1)
        two.reset(seed=1)
        for _ in range(3):
            a, *_ = one.step([1, -1, 0])
            b, *_ = two.step([1e30, -7, 0])
        np.testing.assert_array_equal(a, b)


class _Sized:
    """What actions_of asks of many."""

    def __init__(self, count, levers):
        self.count, self.action_names = count, "x" * levers

    def __len__(self):
        return self.count


class Many(unittest.TestCase):
    def test_threads_change_no_bit(self):
        for task in TASKS:
            with self.subTest(task=task):
                results = []
                for threads in (1, 3):
                    many = envs.Vector(5, threads, task, time_limit=0.5)
                    seen, _ = many.reset(seed=11)
                    rows = [seen]
                    for action in actions_of(many, 14):  # over an end
                        seen, rewards, *_ = many.step(action)
                        rows += [seen, rewards[:, None]]
                    results.append((np.hstack(rows), many.hashes()))
                np.testing.assert_array_equal(results[0][0], results[1][0])
                self.assertEqual(results[0][1], results[1][1])
                self.assertEqual(len(set(results[0][1])), 5)  # and each is another

    def test_what_ends_begins_anew(self):
        many = envs.Vector(3, 1, "level", time_limit=0.2)
        first, _ = many.reset(seed=1)
        self.assertEqual(first.shape, (3, len(many.observation_names)))
        at = many.observation_names.index("time")
        for step in range(1, 9):
            seen, rewards, terminated, truncated, info = many.step(np.zeros((3, 3)))
            self.assertEqual(truncated.all(), step % 4 == 0)
            self.assertFalse(terminated.any())
            if step % 4 == 0:
                self.assertTrue((info["final_obs"][:, at] > 0.99).all())
                self.assertTrue((seen[:, at] == 0).all())
                np.testing.assert_allclose(info["time"], 0.2)
            else:
                self.assertNotIn("final_obs", info)
                np.testing.assert_allclose(seen[:, at], 0.25 * (step % 4), atol=1e-6)

    def test_arrays_without_copies_show_the_present_and_outlive_it(self):
        many = envs.Vector(2, 1, "level", copy=False)
        seen, _ = many.reset(seed=1)
        before = seen.copy()
        again, *_ = many.step(np.ones((2, 3)))
        self.assertTrue(np.shares_memory(seen, again))
        self.assertFalse(np.array_equal(seen, before))
        with self.assertRaises(ValueError):
            seen[0, 0] = 1
        kept = again.copy()
        del many
        np.testing.assert_array_equal(again, kept)

    def test_the_interpreter_goes_on_meanwhile(self):
        many = envs.Vector(8, 1, "reach", steps_an_action=100)
        many.reset(seed=1)
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1

        other = threading.Thread(target=count)
        other.start()
        before = counted[0]
        many.step(np.zeros((8, 4)))
        during = counted[0] - before
        stop.set()
        other.join()
        self.assertGreater(during, 1000)

    def test_mistakes(self):
        many = envs.Vector(2, 1, "level")
        with self.assertRaisesRegex(bristle.InputError, "reset before the first step"):
            many.step(np.zeros((2, 3)))
        many.reset(seed=1)
        with self.assertRaisesRegex(bristle.InputError, r"actions are 2 x 3, not \(3, 2\)"):
            many.step(np.zeros((3, 2)))
        with self.assertRaisesRegex(bristle.InputError, "count is 0"):
            envs.Vector(0)
        with self.assertRaisesRegex(bristle.InputError, "threads is 0"):
            envs.Vector(1, 0)
        with self.assertRaises(bristle.SceneError):
            envs.Vector(1, 1, nonsense=3)


main()
