// Names, rules between objects, loops, files and YAML itself.
#include "tests/scene/malformed.h"

namespace bristle::io {
namespace {

const Malformed cases[] = {
    {"UnknownBody", R"(bodies:
  crank: {type: point, mass: 1}
joints:
  A: {type: revolute, b: crnk, at: [0, 0, 0], axis: y}
)",
     R"(scene.yaml:4:26: unknown body 'crnk'; did you mean 'crank'?)"},
    {"UnknownBodyWithoutANearOne", R"(joints:
  A: {type: revolute, b: crank, at: [0, 0, 0], axis: y}
)",
     R"(scene.yaml:2:26: unknown body 'crank'; expected the name of a body that is defined before it is used)"},
    {"FailedBodyIsToldOnce", R"(bodies:
  crank: {type: point, mass: 0}
joints:
  A: {type: revolute, b: crank, at: [0, 0, 0], axis: y}
drives:
  d: {joint: A}
)",
     R"(scene.yaml:2:30: mass is 0; expected a number in kg above 0)"},
    {"UnknownMaterial", R"(materials: {steel: {}}
shapes:
  a: {type: plane, material: stel}
)",
     R"(scene.yaml:3:30: unknown material 'stel'; did you mean 'steel'?)"},
    {"UnknownJoint", R"(drives:
  d: {joint: A}
)",
     R"(scene.yaml:2:14: unknown joint 'A'; expected the name of a joint that is defined before it is used)"},
    {"GearBeforeItsJoints", R"(bodies: {a: {type: point, mass: 1}}
joints:
  g: {type: gear, first: A, second: B}
  A: {type: revolute, b: a, at: [0, 0, 0], axis: y}
  B: {type: prismatic, b: a, at: [0, 0, 0], axis: y}
)",
     R"(scene.yaml:3:26: unknown joint 'A'; expected the name of a joint that is defined before it is used
scene.yaml:3:37: unknown joint 'B'; expected the name of a joint that is defined before it is used)"},
    {"UnknownBodyInALoopIsToldOnce", R"(bodies:
  link {i}: {for: {i: 5}, type: point, mass: 1}
joints:
  J{i}: {for: {i: 5}, type: spherical, a: "link {i}", b: "link {i+1}", at: [0, 0, 0]}
)",
     R"(scene.yaml:4:58: unknown body 'link 5'; did you mean 'link 0'?)"},
    {"ConcavePolygon", R"(planar: true
shapes:
  star: {type: polygon, points: [[0, 0], [1, 0], [0.2, 0.2], [0, 1]]}
  line: {type: polygon, points: [[0, 0], [1, 0]]}
  odd: {type: polygon, points: [[0, 0], [1, 0], [1, 2, 3]]}
)",
     R"(scene.yaml:3:33: the polygon is not convex; expected corners around a convex outline, and compounds of several for others
scene.yaml:4:33: the polygon has too few points; expected three or more
scene.yaml:5:49: a point is a list of 3; expected two numbers [x, z])"},
    {"OutOfThePlane", R"(planar: true
bodies:
  a: {type: box, size: [1, 1, 1], mass: 1, velocity: [0, 1, 0]}
  b: {type: box, size: [1, 1, 1], mass: 1}
  c: {type: box, size: [1, 1, 1], mass: 1, rotation: {axis: x, angle: 30 deg}, material: default}
shapes:
  hills: {type: height_field, columns: 2, rows: 2, spacing: 1, heights: [0, 0, 0, 0]}
joints:
  A: {type: revolute, b: b, at: [0, 0, 0], axis: x}
)",
     R"(scene.yaml:3:3: body 'a': in a planar model its velocity must lie in the plane
scene.yaml:5:3: shape 'c': in a planar model a box must have an edge along the normal of the plane; turn the shape, or its body
scene.yaml:7:3: shape 'hills': a height field has no outline in a planar model; make it of boxes, cylinders, spheres, capsules, planes and convex polyhedra
scene.yaml:9:3: joint 'A' (revolute): in a planar model its axis must be the normal of the plane)"},
    {"BadPlane", R"(planar: maybe
)",
     R"(scene.yaml:1:9: planar is 'maybe'; expected true (the x-z plane) or its normal: x, y, z or [x, y, z])"},
    {"BadWord", R"(bodies: {a: {type: point, mass: 1}}
joints:
  A: {type: revolute, b: a, at: [0, 0, 0], axis: y}
drives:
  d: {joint: A, control: sped}
)",
     R"(scene.yaml:5:26: control is 'sped'; did you mean 'speed'?)"},
    {"BadWordWithoutANearOne", R"(friction_rule: best
)",
     R"(scene.yaml:1:16: friction_rule is 'best'; expected minimum, geometric_mean, mean or maximum)"},
    {"BadAxis", R"(bodies: {a: {type: point, mass: 1}}
joints:
  A: {type: revolute, b: a, at: [0, 0, 0], axis: w}
)",
     R"(scene.yaml:3:50: axis is 'w'; expected x, y, z, -x, -y, -z or a direction [x, y, z])"},
    {"ZeroAxis", R"(bodies: {a: {type: point, mass: 1}}
joints:
  A: {type: revolute, b: a, at: [0, 0, 0], axis: [0, 0, 0]}
)",
     R"(scene.yaml:3:50: axis has no length; expected x, y, z, -x, -y, -z or a direction [x, y, z])"},
    {"NoPlaceOfAJoint", R"(bodies: {a: {type: point, mass: 1}}
joints:
  A: {type: spherical, b: a}
)",
     R"(scene.yaml:3:6: at, on_a or on_b is missing; expected one of them)"},
    {"JointToItself", R"(bodies: {a: {type: point, mass: 1}}
joints:
  A: {type: spherical, a: a, b: a, at: [0, 0, 0]}
)",
     R"(scene.yaml:3:3: joint 'A' (spherical): joins a body to itself)"},
    {"TheModelsOwnChecks", R"(bodies:
  a: {mass: 1, inertia: [1, 1, 5]}
)",
     R"(scene.yaml:2:3: body 'a': principal moments of inertia 1, 1, 5 belong to no body; each must be at most the sum of the other two)"},
    {"CoincidentEnds", R"(bodies:
  a: {type: rod, from: [1, 0, 0], to: [1, 0, 0], mass: 1}
)",
     R"(scene.yaml:2:3: rod: its two ends coincide; give two different points)"},
    {"FrictionThatGrows", R"(materials:
  ice: {static_friction: 0.1, kinetic_friction: 0.2}
)",
     R"(scene.yaml:2:3: material 'ice': kinetic friction 0.2 is larger than static friction 0.1)"},
    {"BadRotation", R"(bodies:
  a: {type: point, mass: 1, rotation: {axis: x, angel: 1}}
)",
     R"(scene.yaml:2:49: unknown key 'angel'; did you mean 'angle'?)"},
    {"ShortQuaternion", R"(bodies:
  a: {type: point, mass: 1, rotation: [1, 0, 0]}
)",
     R"(scene.yaml:2:39: rotation is a list of 3; expected {axis: …, angle: …}, two directions as {z: …, x: …}, a list of these, or [w, x, y, z])"},
    {"ZeroQuaternion", R"(bodies:
  a: {type: point, mass: 1, rotation: [0, 0, 0, 0]}
)",
     R"(scene.yaml:2:3: body 'a': orientation is not a rotation; give a quaternion of length one)"},
    {"InertiaOfTwo", R"(bodies:
  a: {mass: 1, inertia: [1, 1]}
)",
     R"(scene.yaml:2:25: inertia is a list of 2; expected [Ixx, Iyy, Izz] or three rows of three in kg*m^2)"},
    {"SkewInertia", R"(bodies:
  a: {mass: 1, inertia: [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}
)",
     R"(scene.yaml:2:3: body 'a': inertia is not symmetric)"},
    {"TableThatDoesNotIncrease", R"(bodies: {a: {type: point, mass: 1}}
forces:
  s: {type: spring, b: a, at_a: [0, 0, 1], at_b: [0, 0, 0], law: {table: [[0, 0], [1, 5], [1, 6]]}}
)",
     R"(scene.yaml:3:91: a row of the table does not come after the last; expected increasing first numbers)"},
    {"ShortTable", R"(bodies: {a: {type: point, mass: 1}}
forces:
  s: {type: spring, b: a, at_a: [0, 0, 1], at_b: [0, 0, 0], law: {table: [[0, 0]]}}
)",
     R"(scene.yaml:3:74: the table is too short; expected two rows or more)"},
    {"LawAndStiffness", R"(bodies: {a: {type: point, mass: 1}}
forces:
  s: {type: spring, b: a, at_a: [0, 0, 1], at_b: [0, 0, 0], law: 5*x, stiffness: 5}
)",
     R"(scene.yaml:3:6: law and stiffness are both given; expected one of them)"},
    {"LawOfTime", R"(bodies: {a: {type: point, mass: 1}}
forces:
  s: {type: spring, b: a, at_a: [0, 0, 1], at_b: [0, 0, 0], law: 5*t}
)",
     R"(scene.yaml:3:68: law: unknown name 't'; expected x, v, a parameter above, a function or a number)"},
    {"TargetNotFiniteAtTheStart", R"(bodies: {a: {type: point, mass: 1}}
joints:
  A: {type: prismatic, b: a, at: [0, 0, 0], axis: x}
drives:
  d: {joint: A, target: 1/t}
)",
     R"(scene.yaml:5:25: target is inf at t = 0; expected a finite number)"},
    {"VariableThatIsALoopToo", R"(bodies: {a: {type: point, mass: 1}}
forces:
  f{x}: {for: {x: 2}, type: force, body: a, force: [x, 0, 0]}
)",
     R"(scene.yaml:3:53: force: 'x' is a variable here, and also a parameter or loop; give the other another name)"},
    {"LoopOverText", R"(bodies:
  a{i}: {for: 5, type: point, mass: 1}
)",
     R"(scene.yaml:2:15: for is '5'; expected {i: n} or {i: [first, last]})"},
    {"LoopOverHalves", R"(bodies:
  a{i}: {for: {i: 2.5}, type: point, mass: 1}
)",
     R"(scene.yaml:2:19: i is 2.5; expected an integer)"},
    {"AbsurdLoop", R"(bodies:
  a{i}: {for: {i: 1e9}, type: point, mass: 1}
)",
     R"(scene.yaml:2:19: i goes from 0 to 999999999; at most 1000000 turns)"},
    {"LoopNamedAsAParameter", R"(parameters: {i: 1}
bodies:
  a{i}: {for: {i: 2}, type: point, mass: 1}
)",
     R"(scene.yaml:3:16: a loop over 'i'; expected a name that no parameter or other loop has)"},
    {"NameWithAnUnknownVariable", R"(bodies:
  a{k}: {for: {i: 2}, type: point, mass: 1}
joints:
  A: {type: spherical, b: a0, at: [0, 0, 0]}
)",
     R"(scene.yaml:2:5: name: unknown name 'k'; expected a parameter above, a function or a number)"},
    {"NameOfTwoLines", R"(bodies:
  "a\nb": {type: point, mass: 1}
)",
     R"(scene.yaml:2:3: a name is long or has a control character; expected one line of at most 200 letters)"},
    {"ControlCharacterInQuotes", R"(duration: "\e[31m"
)",
     R"(scene.yaml:1:12: duration: unexpected '?'; expected a number, a name or '(')"},
    {"LongName", "bodies:\n  " + std::string(201, 'a') + ": {type: point, mass: 1}\n",
     R"(scene.yaml:2:3: a name is long or has a control character; expected one line of at most 200 letters)"},
    {"UnclosedName", R"(bodies:
  "a{i": {for: {i: 2}, type: point, mass: 1}
)",
     R"(scene.yaml:2:3: name 'a{i' has a { that is not closed; expected '}')"},
    {"BodiesAsAList", R"(bodies:
  - {type: point, mass: 1}
joints:
  A: {type: spherical, b: a, at: [0, 0, 0]}
)",
     R"(scene.yaml:2:3: bodies is a list of 1; expected a map, {name: {…}, …})"},
    {"PairsAsAMap", R"(no_contact: {a: b}
)",
     R"(scene.yaml:1:13: no_contact is a map; expected a list, [{…}, …])"},
    {"PairOfThree", R"(no_contact: [[ground, ground, ground]]
)",
     R"(scene.yaml:1:14: a pair is a list of 3; expected two bodies [a, b])"},
    {"BodyAsANumber", R"(bodies:
  a: 5
)",
     R"(scene.yaml:2:6: a body is '5'; expected a map, {…})"},
    {"UnknownSolver", R"(solver: augmented_lagrangean
)",
     R"(scene.yaml:1:9: unknown type of solver 'augmented_lagrangean'; did you mean 'augmented_lagrangian'?)"},
    {"SettingOfAnotherSolver", R"(solver: {type: baumgarte, newmark_beta: 0.25}
)",
     R"(scene.yaml:1:27: unknown key 'newmark_beta'; expected type, step, frequency or damping)"},
    {"TooManyThreads", R"(solver: {type: impulse, threads: 65}
)",
     R"(scene.yaml:1:34: threads is 65; expected an integer from 1 to 64)"},
    {"UnknownCorrection", R"(solver: {type: impulse, correction: substep}
)",
     R"(scene.yaml:1:37: correction is 'substep'; did you mean 'substeps'?)"},
    {"ZeroStep", R"(solver: {step: 0}
)",
     R"(scene.yaml:1:16: step is 0; expected a number in s above 0)"},
    {"UnknownQuantity", R"(bodies: {crank: {type: point, mass: 1}}
outputs: {quantities: [crank.positon]}
)",
     R"(scene.yaml:2:24: quantity 'crank.positon': body 'crank' has no 'positon', but position, velocity, angular_velocity, acceleration, body_velocity, body_angular_velocity, angular_momentum, spin, center, orientation, point(x, y, z), angular_momentum(x, y, z); did you mean 'position'?)"},
    {"PlotOfTwoUnits", R"(bodies: {crank: {type: point, mass: 1}}
outputs:
  plots: [{y: [crank.position.x, energy.total]}]
)",
     R"(scene.yaml:3:34: energy.total is in J; expected m, as the first of the plot)"},
    {"PlotOverAVector", R"(bodies: {crank: {type: point, mass: 1}}
outputs:
  plots: [{x: crank.position, y: energy.total}]
)",
     R"(scene.yaml:3:15: x is 3 numbers; expected one, as in crank.position.x)"},
    {"PlotWithoutACurve", R"(outputs:
  plots: [{title: Nothing}]
)",
     R"(scene.yaml:2:11: y is missing; expected for example y: [energy.kinetic, energy.potential])"},
    {"MissingInclude", R"(include: [nowhere.yaml]
joints:
  A: {type: spherical, b: arm, at: [0, 0, 0]}
)",
     R"(scene.yaml:1:11: there is no file nowhere/nowhere.yaml; expected a path relative to the folder of this file)"},
    {"MissingMesh", R"(shapes:
  a: {type: mesh, file: nowhere.stl}
)",
     R"(scene.yaml:2:25: there is no file nowhere/nowhere.stl; expected a path relative to the folder of this file)"},
    {"BadSyntax", R"(bodies:
  a: {type: point, mass: 1
)",
     R"(scene.yaml:3:1: this is not YAML: end of map flow not found; expected ',' or '}', for the { of line 2 is open)"},
    {"BadIndent", R"(bodies:
  a: 1
 b: 2
)",
     R"(scene.yaml:3:2: this is not YAML: end of map not found; expected a key as far from the margin as those above)"},
    {"TabIndent", "bodies:\n\ta: 1\n",
     R"(scene.yaml:2:3: this is not YAML: a tab at the start of the line; expected blanks)"},
    {"UnknownAlias", R"(bodies: *nothing
)",
     R"(scene.yaml:1:9: this is not YAML: the referenced anchor is not defined; expected &name above)"},
    {"AliasOfItself", R"(bodies: &a {b: *a}
)",
     R"(scene.yaml:1:16: an alias inside what it stands for)"},
    {"Empty", R"()", R"(scene.yaml:1:1: the file is empty; expected a scene)"},
    {"AList", R"(- 1
- 2
)",
     R"(scene.yaml:1:1: the file is a list of 2; expected a map of sections, as in bodies: {…})"},
    {"TwoDocuments", R"(duration: 1
---
duration: 2
)",
     R"(scene.yaml:3:1: a second document; expected one scene a file)"},
    {"ControlCharacter",
     "title: a\x01"
     "b\n",
     R"(scene.yaml:1:9: byte 0x01 is no letter of UTF-8; expected text)"},
    {"NotUtf8", "title: \xff\n",
     R"(scene.yaml:1:8: byte 0xff is no letter of UTF-8; expected text)"},
    {"DeepLists", "bodies: " + std::string(60, '[') + std::string(60, ']'),
     R"(scene.yaml:1:58: nested too deeply; at most 50 levels)"},
    {"MapAsKey", R"({[1, 2]: 3}
)",
     R"(scene.yaml:1:2: a key is a list of 2; expected text)"},
    {"MergeOfANumber", R"(bodies:
  a: {<<: 5, type: point, mass: 1}
)",
     R"(scene.yaml:2:11: << is '5'; expected an alias of a map)"},
    {"ManyMistakesInOrder", R"(gravity: [0, 0]
duration: -1
bodies:
  a: {type: point, mas: 1}
  b: {type: spher, radius: 1}
joints:
  A: {type: revolute, a: a, b: c, at: [0, 0, 0], axis: y}
solver: {stp: 1}
)",
     R"(scene.yaml:1:10: gravity is a list of 2; expected three numbers [x, y, z] in m/s^2
scene.yaml:2:11: duration is -1; expected a number in s above 0
scene.yaml:4:20: unknown key 'mas'; did you mean 'mass'?
scene.yaml:5:13: unknown type of body 'spher'; did you mean 'sphere'?
scene.yaml:7:32: unknown body 'c'; expected the name of a body that is defined before it is used
scene.yaml:8:10: unknown key 'stp'; did you mean 'step'?)"},
};

TEST(MalformedScene, TellsWhatIsWrongWithObjects) {
    for (const Malformed& c : cases) expect_mistakes(c);
}

}  // namespace
}  // namespace bristle::io
