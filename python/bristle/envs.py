"""Environments for programs that learn to command a machine, in the style of Gymnasium, which is not needed.

    from bristle import envs

    env = envs.Excavator(task="fill")
    observation, info = env.reset(seed=1)
    while True:
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        if terminated or truncated:
            break

Many at once, in threads of C++ without the interpreter's lock:

    many = envs.Vector(64, task="fill", threads=2)
    observations, infos = many.reset(seed=1)
    observations, rewards, terminated, truncated, infos = many.step(actions)      # 64 x 3

docs/envs.md tells tasks, observations and rewards.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from bristle._bristle import InputError, Scene, _ExcavatorTasks, read_scene

__all__ = ["Box", "Excavator", "TASKS", "Vector"]

TASKS = ("reach", "level", "fill")


class Box:
    """Numbers between bounds: a space as those of gymnasium.spaces."""

    def __init__(self, low: Any, high: Any, dtype: Any = np.float32, seed: int | None = None) -> None:
        """Bounds of every number, of the same shape."""
        self.dtype = np.dtype(dtype)
        self.low = np.array(low, dtype=self.dtype)
        self.high = np.array(high, dtype=self.dtype)
        if self.low.shape != self.high.shape or not (self.low <= self.high).all():
            raise InputError("Box: low and high have the same shape, and low is not above high")
        self.shape = self.low.shape
        self._random = np.random.default_rng(seed)

    def seed(self, seed: int | None = None) -> None:
        """Of the samples to come."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        """Any point, each as likely."""
        return self._random.uniform(self.low, self.high).astype(self.dtype)

    def contains(self, x: Any) -> bool:
        """Whether it is a point of this space."""
        try:
            values = np.asarray(x, dtype=self.dtype)
        except (TypeError, ValueError):
            return False
        return values.shape == self.shape and bool(((values >= self.low) & (values <= self.high)).all())

    def __contains__(self, x: Any) -> bool:
        """The same as contains."""
        return self.contains(x)

    def __eq__(self, other: Any) -> bool:
        """The same bounds."""
        return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                and bool((self.low == other.low).all() and (self.high == other.high).all()))

    def __hash__(self) -> int:
        """Of the bounds."""
        return hash((self.shape, self.low.tobytes(), self.high.tobytes()))

    def __repr__(self) -> str:
        """Bounds and shape."""
        return f"Box({self.low.min():g}, {self.high.max():g}, {self.shape}, {self.dtype})"


def _space(low: np.ndarray, high: np.ndarray) -> Any:
    """Gymnasium's own box where it is installed, for what asks for its type."""
    try:
        from gymnasium import spaces
    except ImportError:
        return Box(low, high)
    return spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)


def _bounds(numbers: list[tuple[str, float, float]]) -> tuple[np.ndarray, np.ndarray]:
    return (np.array([n[1] for n in numbers], dtype=np.float32),
            np.array([n[2] for n in numbers], dtype=np.float32))


def _digging_scene() -> Path:
    """Where pip, a Debian package or a build folder has the scenes that come with Bristle."""
    package = Path(__file__).resolve().parent
    folders = [Path(own)] if (own := os.environ.get("BRISTLE_SCENES")) else []
    folders.append(package / "share" / "bristle" / "scenes")
    for above in package.parents:
        folders += [above / "scenes", above / "share" / "bristle" / "scenes"]
    for folder in folders:
        file = folder / "parts" / "excavator-digging.yaml"
        if file.is_file():
            return file
    raise InputError("the scenes that come with Bristle are not found; set BRISTLE_SCENES to their folder, or give scene=")


def _scene(scene: Scene | str | os.PathLike | None, parameters: dict[str, Any]) -> Scene:
    if isinstance(scene, Scene):
        if parameters:
            raise InputError("parameters are those of a file; give them to read_scene")
        return scene
    return read_scene(Path(scene) if scene is not None else _digging_scene(), **parameters)


def _seed(seed: int | None) -> int:
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    if seed < 0:
        raise InputError(f"seed is {seed}; it is not negative")
    return int(seed) & 0xFFFFFFFFFFFFFFFF


class Vector:
    """Excavators side by side, each with a world of its own.

    What one does follows from its seed and its actions alone, whatever the number of threads. One that ends begins anew
    in the same step, as Gymnasium's AutoresetMode.SAME_STEP.
    """

    metadata = {"render_modes": [], "autoreset_mode": "SameStep"}
    render_mode = None

    def __init__(self, n: int, threads: int | None = None, task: str = "fill", *,
                 scene: Scene | str | os.PathLike | None = None, steps_an_action: int = 10,
                 time_limit: float = 12.0, copy: bool = True, **parameters: Any) -> None:
        """n machines; threads: as many as there are processors, if none are said. A scene file or scene has other ones than
        the excavator on loam; parameters are those of its file. An action holds for so many steps, an episode lasts so many
        seconds. copy=False: step gives arrays that the next step writes again.
        """
        count = threads if threads is not None else len(os.sched_getaffinity(0))
        self._tasks = _ExcavatorTasks(_scene(scene, parameters), task, n, count, steps_an_action, time_limit, True)
        self.task = task
        self.num_envs = n
        self.copy = copy
        self.observation_names = tuple(name for name, _, _ in self._tasks.observation)
        self.action_names = tuple(name for name, _, _ in self._tasks.action)
        self.action_time = self._tasks.action_time
        low, high = _bounds(self._tasks.observation)
        self.single_observation_space = _space(low, high)
        self.observation_space = _space(np.tile(low, (n, 1)), np.tile(high, (n, 1)))
        low, high = _bounds(self._tasks.action)
        self.single_action_space = _space(low, high)
        self.action_space = _space(np.tile(low, (n, 1)), np.tile(high, (n, 1)))
        self._terminated = self._tasks.terminated.view(np.bool_)
        self._truncated = self._tasks.truncated.view(np.bool_)
        self._successes = self._tasks.successes.view(np.bool_)
        self._observations = self._tasks.observations
        self._last = self._tasks.last_observations
        self._rewards, self._returns = self._tasks.rewards, self._tasks.returns
        self._times, self._loads = self._tasks.times, self._tasks.loads

    def __len__(self) -> int:
        """How many there are."""
        return self.num_envs

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins all anew; without a seed by chance. Observations, n rows, and what else there is to know."""
        if options:
            raise InputError(f"reset: there is no option {', '.join(options)}")
        self._tasks.reset(_seed(seed))
        return self._given(self._observations), self._info()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Levers of all, n rows: observations, rewards, terminated, truncated, infos.

        infos has "load" (kg), and "time", "return", "success" of the episodes that are on or just ended; where some ended,
        "final_obs" has what they saw last, and "_final_obs" which they are.
        """
        actions = np.asarray(actions, dtype=np.float32)
        if actions.shape != (self.num_envs, len(self.action_names)):
            raise InputError(f"step: actions are {self.num_envs} x {len(self.action_names)}, not {actions.shape}")
        self._tasks.step(actions)
        info = self._info()
        ended = self._terminated | self._truncated
        if ended.any():
            info["final_obs"] = self._last.copy()
            info["_final_obs"] = ended
        return (self._given(self._observations), self._given(self._rewards), self._given(self._terminated),
                self._given(self._truncated), info)

    def close(self) -> None:
        """There is nothing to close."""

    def hashes(self) -> list[int]:
        """Of the state of every world."""
        return [self._tasks.hash(i) for i in range(self.num_envs)]

    def _given(self, values: np.ndarray) -> np.ndarray:
        return values.copy() if self.copy else values

    def _info(self) -> dict[str, Any]:
        return {"load": self._given(self._loads), "time": self._given(self._times),
                "return": self._given(self._returns), "success": self._given(self._successes)}


class Excavator:
    """One excavator that is commanded by its levers, as gymnasium.Env."""

    metadata = {"render_modes": []}
    render_mode = None
    spec = None

    def __init__(self, task: str = "fill", *, scene: Scene | str | os.PathLike | None = None,
                 steps_an_action: int = 10, time_limit: float = 12.0, **parameters: Any) -> None:
        """As Vector's."""
        self._tasks = _ExcavatorTasks(_scene(scene, parameters), task, 1, 1, steps_an_action, time_limit, False)
        self.task = task
        self.observation_names = tuple(name for name, _, _ in self._tasks.observation)
        self.action_names = tuple(name for name, _, _ in self._tasks.action)
        self.action_time = self._tasks.action_time
        self.observation_space = _space(*_bounds(self._tasks.observation))
        self.action_space = _space(*_bounds(self._tasks.action))
        self._seeds = np.random.default_rng()
        self._is_on = False

    @property
    def unwrapped(self) -> Excavator:
        """Itself."""
        return self

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode: what is seen, and what else there is to know. The same seed, the same episode; without one the
        next of those that followed from the last.
        """
        if options:
            raise InputError(f"reset: there is no option {', '.join(options)}")
        if seed is not None:
            self._seeds = np.random.default_rng(_seed(seed))
        self._tasks.reset_one(0, int(self._seeds.integers(0, 2**63)))
        self._is_on = True
        return self._tasks.observations[0].copy(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Levers, −1 … 1: what is seen, reward, terminated, truncated, infos."""
        if not self._is_on:
            raise InputError("step: reset the environment first; its episode has ended or has not begun")
        action = np.asarray(action, dtype=np.float32)
        if action.shape != (len(self.action_names),):
            raise InputError(f"step: an action has {len(self.action_names)} numbers: {', '.join(self.action_names)}")
        self._tasks.step(action)
        terminated, truncated = bool(self._tasks.terminated[0]), bool(self._tasks.truncated[0])
        self._is_on = not (terminated or truncated)
        return self._tasks.observations[0].copy(), float(self._tasks.rewards[0]), terminated, truncated, self._info()

    def render(self) -> None:
        """Nothing: make a world of the scene to look at one."""

    def close(self) -> None:
        """There is nothing to close."""

    def hash(self) -> int:
        """Of the state of its world."""
        return self._tasks.hash(0)

    def _info(self) -> dict[str, Any]:
        return {"load": float(self._tasks.loads[0]), "time": float(self._tasks.times[0]),
                "return": float(self._tasks.returns[0]), "success": bool(self._tasks.successes[0])}
