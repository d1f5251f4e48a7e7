"""Bristle: multibody dynamics with contact.

Describe a mechanism (Model), put it in motion (World), look at it. Names are those of the C++
interface; SI units, z up, and vectors are anything with three numbers.

    import bristle

    model = bristle.Model()
    rod = model.add(bristle.Body.rod(1.0, 1.0))
    pin = model.add(bristle.Revolute(a=model.ground(), b=rod, at=[0, 0, 0], axis=[0, 1, 0]))
    world = bristle.World(model, bristle.AugmentedLagrangian(step=5e-3))
    world.advance_to(1.0)
    print(world.pose(rod).position, world.reaction(pin).force)

A scene file, or any world, with what it did over time:

    result = bristle.simulate(bristle.read_scene("four-bar.yaml", length=1.2))
    result.plot(file="four-bar.png")

In the browser, as a video, in a recording, and as a scene file:

    bristle.view(model)
    bristle.render(model, "pendulum.mp4", until=10)
    bristle.record(model, "pendulum.mcap", until=10)
    model.save("pendulum.yaml")
"""

from bristle import _bristle
from bristle._bristle import *  # noqa: F403
from bristle._bristle import __version__
from bristle._render import Picture, Video, render
from bristle._show import record, show, view
from bristle._simulate import Result, simulate
from bristle._terrain import terrain, terrain_of_points

__all__ = [name for name in dir(_bristle) if not name.startswith("_")]
__all__ += ["Picture", "Result", "Video", "__version__", "record", "render", "show", "simulate",
            "terrain", "terrain_of_points", "view"]
