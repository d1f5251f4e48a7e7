"""Models, worlds and scenes in the browser and in a file."""

from __future__ import annotations

from os import PathLike

from bristle._bristle import AugmentedLagrangian, InputError, Model, Recording, Scene, View, World


def _world_of(what: Model | World | Scene, settings) -> World:
    if isinstance(what, Model):
        return World(what, AugmentedLagrangian() if settings is None else settings)
    if settings is not None:
        raise InputError("settings belong to a model: a world and a scene have theirs")
    return what.world() if isinstance(what, Scene) else what


def show(
    what: Model | World | Scene,
    settings=None,
    title: str = "",
    port: int | None = None,
    address: str = "127.0.0.1",
    paused: bool = False,
    record: str | PathLike | None = None,
) -> View:
    """Serves the page of the viewer from this process: the View has its address, and a notebook shows it.

    A model is simulated with these settings; a world goes on from where it is, as a copy. See World.show.
    """
    title = title or (what.title or what.name if isinstance(what, Scene) else "")
    return _world_of(what, settings).show(title, port, address, paused, record)


def record(
    what: Model | World | Scene,
    file: str | PathLike,
    until: float | None = None,
    settings=None,
    title: str = "",
) -> Recording:
    """Computes a model, a scene or a world until that time (s) and records it to a new file. See World.record.

    Of a scene the time is its duration, if none is given.
    """
    if until is None:
        if not isinstance(what, Scene):
            raise InputError("record: until which time (s)? give `until`")
        until = what.duration
    title = title or (what.title or what.name if isinstance(what, Scene) else "")
    return _world_of(what, settings).record(file, until, title)
