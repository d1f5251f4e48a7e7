"""What people get wrong in a scene file or on the command line, and what they are told: none of it is called good.

    mistakes_test.py path/to/bristle
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BRISTLE = os.path.abspath(sys.argv.pop(1))

ARM = ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\n"
       "joints: {A: {type: revolute, b: arm, at: [0,0,0], axis: y}}\n")

# A scene, and how the first thing that is said of it begins.
IN_SCENES = [
    ("bodies: {a: {type: point, mass: 2 mm}}",
     "1:33: mass is '2 mm', which is in m; expected a number in kg"),
    ("bodies: {a: {type: sphere, radius: 1 kg, mass: 2}}",
     "1:36: radius is '1 kg', which is in kg; expected a number in m"),
    ("bodies: {a: {typ: sphere, radius: 0.1, mass: 2}}",
     "1:14: unknown key 'typ'; did you mean 'type'?"),
    (ARM + "drives: {m: {joint: A, target: 90}}",
     "3:32: warning: target is 90 rad, 14.3 turns; write 90 deg if degrees are meant, or 90 rad"),
    (ARM + "drives: {m: {joint: A, target: 60 rpm}}",
     "3:32: target is '60 rpm', which is in rad/s; expected a number in rad"),
    (ARM + "drives: {m: {joint: A, control: speed, target: 60 deg}}",
     "3:48: target is '60 deg', which is in rad; expected a number in rad/s"),
    (ARM + "drives: {m: {joint: A, target: 0.1 m}}",
     "3:32: target is '0.1 m', which is in m; expected a number in rad"),
    (ARM + "solver: {step: 5}",
     "a step of 5 s is hardly meant; steps are about 1 to 10 ms: write 5 ms, if that is meant"),
    (ARM + "solver: {step: 5 mm}",
     "3:16: step is '5 mm', which is in m; expected a number in s"),
    (ARM + "duration: 1 us",
     "its duration of 1e-06 s is shorter than a step of 0.001 s"),
    ("bodies: {ball: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1]}}\nshapes: {floor: {type: plane}}",
     "'ball' has no shape that can touch and falls through 'floor'; give it `material: default`, or a shape"),
    ("bodies: {c: {type: box, size: [100,100,100], density: 1000, position: [0,0,60], material: default}, b: {type: sphere, radius: 0.1, mass: 1, position: [0,0,111], material: default}}\nshapes: {floor: {type: plane}}",
     "'c' is 100 m large, as a house; write 100 mm, if that is meant"),
    (ARM + "drives: {m: {joint: A, target: 0}}\nlimits: {m: {joint: A, min: -1, max: 1}}",
     "a drive and a limit are both called 'm': 'm.effort' is that of the drive"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1, velocity: [0,0,3]}}\njoints: {A: {type: revolute, b: arm, at: [0,0,0], axis: y}}",
     "body 'arm' was given (0, 0, 3) m/s and (0, 0, 0) rad/s and starts with (0, 0, 0) m/s and (0, -4.5, 0) rad/s: its joints change 100 % of it; give all bodies of a loop their velocities, or a joint its `rate`"),
    (ARM + "limits: {s: {joint: A, min: -90, max: 90}}",
     "3:29: warning: min is -90 rad, -14.3 turns; write -90 deg if degrees are meant, or -90 rad"),
    (ARM + "limits: {s: {joint: A, min: 1, max: -1}}",
     "3:10: limit 's': min 1 is not below max -1"),
    (ARM + "limits: {s: {joint: A, min: 0.5, max: 1}}",
     "limit 's' starts 0.5 beyond its stop; move the joint's start or the limit"),
    ("bodies: {a: {type: box, size: [1,1,1], mass: 1, rotation: {axis: y, angle: 30}}}",
     "1:76: warning: angle is 30 rad, 4.77 turns; write 30 deg if degrees are meant, or 30 rad"),
    (ARM + "drives: {m: {joint: A, control: speed, target: 2 Hz}}",
     "3:48: target is '2 Hz', which is in Hz; expected a number in rad/s"),
    ("parameters: {l: {value: 400, unit: mm}}\nbodies: {a: {type: sphere, radius: l, mass: 1}}",
     "1:25: l is 400 in SI, that is 400 m, whatever its unit says; expected value: 400 mm, unit: m"),
    ("parameters: {l: {value: 0.4 kg, unit: m}}\nbodies: {a: {type: sphere, radius: l, mass: 1}}",
     "1:25: l is '0.4 kg', which is in kg; expected m, its unit"),
    ("parameters: {l: {value: 0.4, unit: m}}\nbodies: {a: {type: sphere, radius: 0.1, mass: l}}",
     "2:47: mass is 'l', which is in m; expected a number in kg"),
    ("parameters: {l: 2 m + 3 kg}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1}}",
     "1:27: l: m and kg are added; expected the same dimension"),
    ("gravity: [0,0,9.81]\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}",
     "gravity [0, 0, 9.81] points up, for z points up; write [0, 0, -9.81]"),
    ("gravity: 9.81\nbodies: {a: {type: sphere, radius: 0.1, mass: 1}}",
     "1:10: gravity is '9.81'; expected three numbers [x, y, z] in m/s^2"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,-1], material: default}}\nshapes: {floor: {type: plane}}",
     "'a' and 'ground' start 1.1 m inside each other and will be thrown apart"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, density: 1000}}",
     "1:13: mass and density are both given; expected one of them"),
    ("bodies: {a: {type: sphere, radius: 0.1}}",
     "1:13: mass or density is missing; expected one of them"),
    ("bodies: {a: {type: sphere, radius: 0.01, mass: 0.2, material: default}}",
     "'a': 0.2 kg in its shapes' volume are 4.77e+04 kg/m³; steel has 7800, water 1000, foam 30"),
    ("bodies: {a: {type: sphere, radius: 0.1, density: 7.8, material: default}}",
     "1:50: warning: density is 7.8 kg/m^3, lighter than foam; write 7.8 g/cm^3 if that is meant, or 7.8 kg/m^3"),
    ("bodies: {a: {type: sphere, radius: 0.1, density: 7.8 g/m^3, material: default}}",
     "'a': 3.27e-05 kg in its shapes' volume are 0.0078 kg/m³; steel has 7800, water 1000, foam 30"),
    ("materials: {s: {static_friction: 30 deg, kinetic_friction: 0.3}}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, material: s}}",
     "1:34: static_friction is '30 deg', which is in rad; expected a number without a unit"),
    ("materials: {s: {static_friction: 0.3, kinetic_friction: 0.6}}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, material: s}}",
     "1:13: material 's': kinetic friction 0.6 is larger than static friction 0.3"),
    ("materials: {s: {static_friction: 0.3}}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, material: s}}",
     "1:13: material 's': kinetic friction 0.6 is larger than static friction 0.3"),
    ("materials: {s: {young: 210}}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, material: s}}",
     "material 's': its elastic modulus is 210 Pa, softer than jelly; write 210 GPa, if that is meant"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {s: {type: spring, b: a, at_a: [0,0,2], at_b: [0,0,1], stiffness: 5 N/mm/m}}",
     "2:75: stiffness is '5 N/mm/m', which is in Pa; expected a number in N/m"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {s: {type: spring, b: a, at_a: [0,0,2], at_b: [0,0,1], stiffness: 5 N}}",
     "2:75: stiffness is '5 N', which is in N; expected a number in N/m"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {s: {type: spring, b: a, at_a: [0,0,2], at_b: [0,0,1], free_length: 1}}",
     "spring 's' does nothing: it has neither stiffness nor damping nor a law"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {f: {type: force, body: a, force: [sqrt(-1), 0, 0]}}",
     "2:44: force is -nan; expected a number or an expression"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {f: {type: force, body: a, force: [sqrt(0.5 - t), 0, 0]}}",
     "a component of 'f' is no number at t = 0.6 s: the run fails there"),
    (ARM + "drives: {m: {joint: A, target: sqrt(0.5 - t)}}",
     "the target of 'm' is no number at t = 0.6 s: the run fails there"),
    ("bodies: {a: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: a, at: [0,0,0], axis: y}, B: {type: revolute, b: a, at: [3,0,0], on_b: [1,0,0], axis: y}}",
     "the model cannot be assembled: joint 'A' (revolute) by 1 m, joint 'B' (revolute) by 1 m stay apart at the nearest place found. No motion of the"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: arn, at: [0,0,0], axis: y}}",
     "2:33: unknown body 'arn'; did you mean 'arm'?"),
    ("bodis: {a: {type: point, mass: 1}}",
     "1:1: unknown key 'bodis'; did you mean 'bodies'?"),
    ("bodies:\n\ta: {type: point, mass: 1}",
     "2:3: this is not YAML: a tab at the start of the line; expected blanks"),
    ("bodies: {a: {type: point, mass: 1}, a: {type: point, mass: 2}}",
     "1:37: 'a' is given twice; first in line 1"),
    ("bodies: {a: {type: point, mass: 1}",
     "2:1: this is not YAML: end of map flow not found; expected ',' or '}'"),
    ("title: nothing",
     "there is no body"),
    ("bodies: {a: {type: point, mass: 1, position: [0 0 1]}}",
     "1:46: position is a list of 1; expected three numbers [x, y, z] in m"),
    ("bodies: {a: {type: point, mass: 1, position: [0, 1]}}",
     "1:46: position is a list of 2; expected three numbers [x, y, z] in m"),
    ("bodies: {a: {type: point, mass: '1,5'}}",
     "1:35: mass: unexpected ','; expected an operator"),
    ("bodies: {a: {type: point, mass: 1 kgg}}",
     "1:35: mass: unknown unit 'kgg'; did you mean 'kg'?"),
    ("bodies: {a: {type: point, mass: -1}}",
     "1:33: mass is -1; expected a number in kg above 0"),
    ("bodies: {a: {type: point, mass: 0}}",
     "1:33: mass is 0; expected a number in kg above 0"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, a: arm, b: arm, at: [0,0,0], axis: y}}",
     "2:10: joint 'A' (revolute): joins a body to itself"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: arm, at: [0,0,500], axis: y}}",
     "joint 'A' is 500 m from the centre of 'arm', which is 0.58 m large"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: arm, at: [0,0,0], axis: Y}}",
     "2:57: axis is 'Y'; expected x, y, z, -x, -y, -z or a direction [x, y, z]"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: arm, at: [0,0,0], axis: [0,0,0]}}",
     "2:57: axis has no length; expected x, y, z, -x, -y, -z or a direction [x, y, z]"),
    ("bodies: {a: {type: box, size: [1,1,1], mass: 1, position: [0,0,0.2], material: default}}\nshapes: {floor: {type: plane}}",
     "'a' and 'ground' start 0.3 m inside each other and will be thrown apart"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, material: steal}}",
     "1:60: unknown material 'steal'; expected the name of a material that is defined before it is used"),
    ("bodies: {a: {mass: 1, inertia: [1, 1, 5]}}",
     "1:10: body 'a': principal moments of inertia 1, 1, 5 belong to no body; each must be at most the sum of the other two"),
    ("bodies: {a: {mass: 1, inertia: [1000, 1000, 1000], position: [0.1,0,0]}}",
     "'a': its inertia is that of a body of 77.5 m, in a model of 0.1 m"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, rotation: [0,0,0,0]}}",
     "1:10: body 'a': orientation is not a rotation; give a quaternion of length one"),
    (ARM + "outputs: {quantities: [arm.positon]}",
     "3:24: quantity 'arm.positon': body 'arm' has no 'positon', but position, velocity, angular_velocity, acceleration, body_velocity,"),
    (ARM + "outputs: {plots: [{y: [arm.position.x, A.angle]}]}",
     "3:40: A.angle is in rad; expected m, as the first of the plot"),
    (ARM + "solver: impulses",
     "3:9: unknown type of solver 'impulses'; did you mean 'impulse'?"),
    (ARM + "drives: {m: {joint: A, target: 0}, n: {joint: A, target: 1}}",
     "3:36: drive 'n': the joint has a drive already"),
    (ARM + "drives: {m: {joint: A, target: 0, max_effort: 100 W}}",
     "3:47: max_effort is '100 W', which is in W; expected a number in N*m"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {f: {type: force, body: a, force: [5 kg, 0, 0]}}",
     "2:44: force is '5 kg', which is in kg; expected a number in N"),
    ("bodies: {a: {type: mesh, file: nothere.stl, mass: 1}}",
     "1:32: there is no file nothere.stl; expected a path relative to the folder of this file"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1}}\nshapes: {g: {type: height_field, columns: 2, rows: 2, spacing: 1, heights: [0,0,0]}}",
     "2:10: shape 'g': 3 heights for 2 columns and 2 rows"),
    (ARM + "duration: 10 m",
     "3:11: duration is '10 m', which is in m; expected a number in s"),
    ("bodies: {a: {type: point, mass: 1, velocity: [5 m, 0, 0]}}",
     "1:47: velocity is '5 m', which is in m; expected a number in m/s"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, angular_velocity: [0, 5 m/s, 0]}}",
     "1:72: angular_velocity is '5 m/s', which is in m/s; expected a number in rad/s"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: fixed, b: arm, at: [0,0,0]}}",
     "nothing can move"),
    ("materials: {s: {restitution: 2}}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, material: s}}",
     "1:30: restitution is 2; expected a number from 0 to 1"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1]}}\nshapes: {a skin: {type: sphere, radius: 0.1}, floor: {type: plane, position: [0,0,-1]}}",
     "'a' has no shape that can touch and falls through 'a skin'; give it `material: default`, or a shape"),
    ("planar: ja\nbodies: {a: {type: sphere, radius: 0.1, mass: 1}}",
     "1:9: planar is 'ja'; expected true (the x-z plane) or its normal: x, y, z or [x, y, z]"),
    ("planar: true\nbodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: arm, at: [0,0,0], axis: x}}",
     "3:10: joint 'A' (revolute): in a planar model its axis must be the normal of the plane"),
    ("include: [nope.yaml]\nbodies: {a: {type: sphere, radius: 0.1, mass: 1}}",
     "1:11: there is no file nope.yaml; expected a path relative to the folder of this file"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1}}\njoints: {A: {type: screw, b: a, at: [0,0,0], axis: z, lead: 5 deg}}",
     "2:61: lead is '5 deg', which is in rad; expected a number in m"),
    ("bodies: {a: {type: cylinder, diameter: 0.1, length: 1, mass: 1}}",
     "1:30: unknown key 'diameter'; expected type, radius, length, mass, density, material, group, mask, position, rotation, velocity, angular_velocity, color"),
    ("bodies: {a: {type: box, size: 1, mass: 1}}",
     "1:31: size is '1'; expected three numbers [x, y, z] in m above 0"),
    ("bodies: {a: {type: box, size: [1,1,1], mass: 1, rotation: [0, 90, 0]}}",
     "1:59: rotation is a list of 3; expected {axis: …, angle: …}, two directions as {z: …, x: …}, a list of these, or [w, x, y, z]"),
    ("bodies: {a: {type: box, size: [400, 300, 200], mass: 5, position: [0,0,1000], material: default}}\nshapes: {floor: {type: plane}}",
     "'a' is 400 m large, as a house; write 400 mm, if that is meant"),
    ("bodies: {a: {type: sphere radius: 0.1, mass: 1}}",
     "1:33: this is not YAML: end of map flow not found; expected ',' or '}'"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default, group: 2, mask: 2}}\nshapes: {floor: {type: plane}}",
     "'a' falls through everything: its group and mask leave nothing to touch"),
    # What somebody who had not written the reader got wrong.
    ("bodies:\n  a: {type: point, mass: 1}\n b: {type: point, mass: 1}",
     "3:2: this is not YAML: end of map not found; expected a key as far from the margin as those above"),
    ("bodies:\n  a:\n    type: point\n    mass 1",
     "4:5: unknown key 'mass 1'; did you mean 'mass'?"),
    ("bodies:\n  a: {type: point, mass: 1, position: {x: 0, y: 0, z: 1}}",
     "2:39: position is a map; expected three numbers [x, y, z] in m"),
    ("bodies:\n  a: {type:point, mass: 1}",
     "2:7: 'type:point' has no blank behind its colon; expected 'type: point'"),
    ("bodies: {a: {type: point, mass: .nan}}",
     "1:33: mass: '.nan' is no number to compute with; expected a finite one"),
    ("bodies: {a: {type: point, mass: NaN}}",
     "1:33: mass: 'NaN' is no number to compute with; expected a finite one"),
    ("bodies: {a: {type: point, mass: inf}}",
     "1:33: mass: 'inf' is no number to compute with; expected a finite one"),
    ("parameters: {infinity_mass: 2}\nbodies: {a: {type: point, mass: infinity_mas}}",
     "2:33: mass: unknown name 'infinity_mas'; did you mean 'infinity_mass'?"),
    ("bodies: {a: {type: rod, from: [0,0,0], to: [0,0,0], mass: 1}}",
     "1:10: rod: its two ends coincide; give two different points"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: arm, axis: y}}",
     "2:13: at, on_a or on_b is missing; expected one of them"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: hinge, b: arm, at: [0,0,0], axis: y}}",
     "2:20: unknown type of joint 'hinge'; did you mean 'revolute'?"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: ball, b: arm, at: [0,0,0]}}",
     "2:20: unknown type of joint 'ball'; did you mean 'spherical'?"),
    ("bodies: {c: {type: rod, from: [0,0,0], to: [0,0,0.4], mass: 1}, k: {type: rod, from: [0,0,0.4], to: [1,0,0.8], mass: 2}}\njoints:\n  A: {type: revolute, b: c, at: [0,0,0], axis: y}\n  B: {type: revolute, a: c, b: k, at: [0,5,0.4], axis: y}",
     "joint 'B' is 5 m from the centre of 'c', which is 0.23 m large"),
    (ARM + "drives: {m: {joint: arm, target: 1}}",
     "3:21: unknown joint 'arm'; expected the name of a joint that is defined before it is used"),
    (ARM + "drives: {m: {joint: A, control: velocity, target: 1}}",
     "3:33: control is 'velocity'; did you mean 'speed'?"),
    (ARM + "drives: {m: {joint: A, speed: 1}}",
     "3:24: unknown key 'speed'; expected joint, control, target, max_effort, max_speed or for"),
    (ARM + "drives: {m: {joint: A, target: sin(2*pi*time)}}",
     "3:41: target: unknown name 'time'; expected t, a parameter above, a function or a number"),
    (ARM + "drives: {m: {joint: A, target: {table: [[0, 0], [2, 1], [1, 2]]}}}",
     "3:57: a row of the table does not come after the last; expected increasing first numbers"),
    (ARM + "drives: {m: {joint: A, target: {table: [[0, 0]]}}}",
     "3:40: the table is too short; expected two rows or more"),
    (ARM + "limits: {s: {joint: A}}",
     "limit 's' stops nothing: it has neither min nor max"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {s: {type: spring, b: a, at_a: [0,0,1], at_b: [0,0,1], stiffness: 5}}",
     "spring 's' starts without a length, and so without a direction; move one of its ends"),
    ("bodies: {a: {type: point, mass: 1, position: [0,0,1]}}\nforces: {f: {type: force, body: a, force: [1/t, 0, 0]}}",
     "2:43: force is inf at the start; expected finite numbers"),
    ("materials: {s: {friction: 0.5}}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}",
     "1:17: unknown key 'friction'; expected young, poisson, foundation, restitution, static_friction, kinetic_friction, viscous_friction, rolling_resistanc"),
    ("materials: {default: {static_friction: 0.1, kinetic_friction: 0.1}}\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}",
     "1:13: there is a material 'default' already; expected a name of its own"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}\nno_contact: [a, ground]",
     "3:14: a pair is 'a'; expected two bodies [a, b]"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}\nsolver: {type: impulse, iteration: 10}",
     "3:25: unknown key 'iteration'; did you mean 'iterations'?"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}\noutputs: {quantity: [a.position]}",
     "3:11: unknown key 'quantity'; did you mean 'quantities'?"),
    (ARM + "rotors: {r: {joint: A, inertia: 1 kg}}",
     "3:33: inertia is '1 kg', which is in kg; expected a number in kg*m^2"),
    ("bodies: {'b {i}': {for: {i: -3}, type: point, mass: 1}}",
     "1:29: i is -3; expected a count of at least 0"),
    ("bodies: {'b {i}': {for: [0, 1, 2], type: point, mass: 1}}",
     "1:25: for is a list of 3; expected {i: n} or {i: [first, last]}"),
    ("bodies: {'b {i}': {for: {i: [3, 1]}, type: point, mass: 1}}",
     "1:29: i goes from 3 to 1; expected [first, last], the last not below the first"),
    ("bodies: {'b {i}': {for: {i: [1, 2, 3]}, type: point, mass: 1}}",
     "1:29: i is a list of 3; expected a count n or [first, last]"),
    ("include: [{file: part.yaml}, {file: part.yaml}]",
     "part.yaml:2:10: part.yaml is included more than once and makes body 'p' again; expected a prefix with each"),
    ("include: [{file: part.yaml, prefix: 'x ', set: {lenght: 2}}]",
     "1:49: no parameter 'lenght' to set; did you mean 'length'?"),
    ("gravity: [0, -9.81, 0]\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}",
     "gravity [0, -9.81, 0] points along the floor, for z points up; write [0, 0, -9.81], if that is meant"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, velocity: [3000, 0, 0], position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}",
     "'a' starts with 3000 m/s and goes 3 m in a step of 0.001 s, 15 times its size"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, angular_velocity: [0, 3000, 0]}}",
     "'a' starts with 3000 rad/s and turns by 3 rad in a step of 0.001 s; write 3000 rpm, if that is meant, or a smaller step"),
    ("bodies: {arm: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\njoints: {A: {type: revolute, b: arm, at: [0,0,0], axis: y}, B: {type: revolute, b: arm, at: [0,0,0], axis: y}}",
     "joints 'A' and 'B' join the same bodies at the same place in the same way; one of them will do"),
    ("bodies: {a: {type: torus, radius: 0.1, tube: 0.2, mass: 1}}",
     "1:10: torus: its tube is 0.2 m with a radius of 0.1 m; the radius must be at least the tube, or it cuts itself"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, color: #ff0000}}",
     "2:1: this is not YAML: end of map flow not found; expected ',' or '}'; a # begins a remark, so colours need quotes: \"#ff8800\""),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, columns: 3, rows: 3, spacing: 1, height: 0.1*sin(z)}}",
     "2:83: height: unknown name 'z'; expected x, y, a parameter above, a function or a number"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, columns: 3, rows: 3, spacing: 1, height: log(x)}}",
     "2:75: height is -inf at x = 0, y = 0; expected a finite number"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, columns: 3, rows: 3, spacing: 1, height: x, body: a}}",
     "'g' is a height field on 'a', which moves; leave out its body, if it is ground"),
    ("planar: true\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {p: {type: plane, rotation: {axis: x, angle: 20 deg}}}",
     "3:10: shape 'p': in a planar model a plane must be perpendicular to the model's plane, so that it is seen as a line; turn the shape, or its body"),
    (ARM + "duration: 1000000",
     "its duration of 1e+06 s, 11.6 days, takes 1.0e+09 steps"),
    ("gravity: [0, 0, -981]\nbodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {floor: {type: plane}}",
     "gravity is 981 m/s², 100 times that of the earth"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, columns: 3, rows: 3, spacing: 1, height: 2 kg}}",
     "2:75: height is '2 kg', which is in kg; expected a number in m"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, columns: 3, rows: 3, spacing: 1, height: 2 kg*x}}",
     "2:75: height is '2 kg*x', which is in m*kg; expected a number in m"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, columns: 3, rows: 3, size_x: 10 s, height: x}}",
     "2:63: size_x is '10 s', which is in s; expected a number in m"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, image: part.yaml, size_x: 10, low: 0, high: 5}}",
     "2:41: part.yaml: it is no PNG image; expected one, grey, of 8 or 16 bits"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, image: part.yaml, size_x: 10}}",
     "2:41: low and high are missing, the heights of black and white; expected for example low: 0 and high: 10"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, survey: part.yaml, spacing: 1}}",
     "2:42: part.yaml:1: \"parameters:\" is no number, and no column is called x;"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, survey: part.yaml}}",
     "2:42: spacing is missing, or columns and rows; expected how fine the grid over the survey is"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, height: x, spacing: 1}}",
     "2:13: columns and rows are missing; expected for example columns: 50 and rows: 50"),
    ("bodies: {a: {type: sphere, radius: 0.1, mass: 1, position: [0,0,1], material: default}}\nshapes: {g: {type: height_field, columns: 3, rows: 3, spacing: 1, height: x, heights: [0]}}",
     "2:13: heights and height are both given; expected one of them"),
]

ON_THE_COMMAND_LINE = [
    (["runn", "pendulum"], "there is no command 'runn'; did you mean 'run'?"),
    (["run", "pendulm"], "did you mean 'pendulum'?"),
    (["run", "pendulum", "--step", "5 mm"], "'5 mm' is in m; expected a time"),
    (["run", "pendulum", "--step", "fast"], "expected a time, as in 0.005 or '5 ms'"),
    (["run", "pendulum", "--time", "-1"], "no time above 0"),
    (["run", "pendulum", "--set", "lenght=2"], "did you mean 'length'?"),
    (["run", "pendulum", "--set", "length"], "write it as name=value"),
    (["run", "block-on-incline", "--set", "angle=20 mm"], "angle is set to '20 mm', which is in m; expected rad"),
]


def call(*arguments, **options):
    return subprocess.run([BRISTLE, *arguments], capture_output=True, text=True, timeout=60, **options)


class Mistakes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_each_in_a_scene_is_told_and_none_is_good(self):
        self.assertGreaterEqual(len(IN_SCENES), 60)
        pathlib.Path(self.folder, "part.yaml").write_text("parameters: {length: 1}\nbodies: {p: {type: point, mass: 1}}\n")
        names = []
        for number, (text, _) in enumerate(IN_SCENES):
            names.append(f"{number}.yaml")
            pathlib.Path(self.folder, names[-1]).write_text(text + "\n")
        done = call("check", "--json", *names, cwd=self.folder)
        for line, name, (text, message) in zip(done.stdout.splitlines(), names, IN_SCENES, strict=True):
            found = json.loads(line)
            said = (found["mistakes"] + found["warnings"] + [""])[0].removeprefix(name).removeprefix(":").strip()
            with self.subTest(text):
                self.assertNotEqual(found["verdict"], "good")
                self.assertEqual(said[:len(message)], message)

    def test_each_on_the_command_line_is_told(self):
        for arguments, message in ON_THE_COMMAND_LINE:
            with self.subTest(arguments):
                done = call(*arguments, cwd=self.folder)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)

    def test_a_run_warns_as_check_does(self):
        path = pathlib.Path(self.folder, "falls.yaml")
        path.write_text("bodies: {ball: {type: sphere, radius: 0.1, density: 7.8, position: [0, 0, 1]}}\n"
                        "shapes: {floor: {type: plane}}\nduration: 0.01\n")
        done = call("run", str(path), "--out", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("falls.yaml:1:53: warning: density is 7.8 kg/m^3", done.stderr)
        self.assertIn("'ball' has no shape that can touch and falls through 'floor'", done.stderr)

    def test_times_have_units(self):
        done = call("run", "pendulum", "--step", "5 ms", "--time", "0.5 min", "--json", "--out", self.folder)
        self.assertEqual(json.loads(done.stdout)["steps"], 6000)


if __name__ == "__main__":
    unittest.main()
