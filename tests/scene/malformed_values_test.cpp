// Keys, kinds, ranges and expressions.
#include "tests/scene/malformed.h"

namespace bristle::io {
namespace {

const Malformed cases[] = {
    {"UnknownSection", R"(bodys: {}
)",
     R"(scene.yaml:1:1: unknown key 'bodys'; did you mean 'bodies'?)"},
    {"UnknownSectionWithoutANearOne", R"(qqqqqqqq: 1
)",
     R"(scene.yaml:1:1: unknown key 'qqqqqqqq'; expected title, include, parameters, gravity, planar, bodies, materials, contact_pairs, friction_rule, restitution_rule, shapes, visuals, no_contact, joints, drives, limits, rotors, forces, earth, solver, duration or outputs)"},
    {"UnknownKey", R"(bodies:
  a: {type: sphere, radus: 0.1, mass: 1}
)",
     R"(scene.yaml:2:21: unknown key 'radus'; did you mean 'radius'?)"},
    {"UnknownType", R"(bodies:
  a: {type: spere, radius: 0.1, mass: 1}
)",
     R"(scene.yaml:2:13: unknown type of body 'spere'; did you mean 'sphere'?)"},
    {"UnknownTypeWithoutANearOne", R"(forces:
  a: {type: magic}
)",
     R"(scene.yaml:2:13: unknown type of force 'magic'; expected spring, joint_spring, bushing, motor, force, hydraulics, tyre, drive_train or brake)"},
    {"NoType", R"(shapes:
  a: {radius: 1}
)",
     R"(scene.yaml:2:6: the shape has no type; expected plane, height_field, sphere, box, cylinder, capsule, torus, convex, circle, polygon, mesh, compound, chain_link, pipe or bowl)"},
    {"MissingKey", R"(bodies:
  a: {type: sphere, mass: 1}
)",
     R"(scene.yaml:2:6: radius is missing; expected for example radius: 0.1)"},
    {"MissingKeys", R"(bodies:
  a: {position: [0, 0, 0]}
)",
     R"(scene.yaml:2:6: mass and inertia are missing; expected for example mass: 2 and inertia: [1, 2, 3])"},
    {"NeitherOfTwo", R"(bodies:
  a: {type: sphere, radius: 1}
)",
     R"(scene.yaml:2:6: mass or density is missing; expected one of them)"},
    {"BothOfTwo", R"(bodies:
  a: {type: sphere, radius: 1, mass: 1, density: 1}
)",
     R"(scene.yaml:2:6: mass and density are both given; expected one of them)"},
    {"OneOfTwoTogether", R"(bodies:
  a: {type: rod, from: [0, 0, 0], mass: 1}
)",
     R"(scene.yaml:2:6: only one of from and to is given; expected both)"},
    {"RodBetweenPointsHasItsPlace", R"(bodies:
  a: {type: rod, from: [0, 0, 0], to: [1, 0, 0], position: [0, 0, 0], mass: 1}
)",
     R"(scene.yaml:2:6: from and position are both given; expected one of them)"},
    {"DuplicateKey", R"(bodies:
  a:
    type: sphere
    radius: 1
    mass: 1
    radius: 2
)",
     R"(scene.yaml:6:5: 'radius' is given twice; first in line 4)"},
    {"DuplicateName", R"(bodies:
  a: {type: point, mass: 1}
  a: {type: point, mass: 2}
)",
     R"(scene.yaml:3:3: 'a' is given twice; first in line 2)"},
    {"SameNameInALoop", R"(bodies:
  a: {for: {i: 3}, type: point, mass: 1}
)",
     R"(scene.yaml:2:3: the loop makes body 'a' twice; expected a name with its variable, as in 'a {i}')"},
    {"SameNameOfAShapeAndABodysShape", R"(bodies:
  a: {type: sphere, radius: 1, mass: 1, material: default}
shapes:
  a: {type: plane}
)",
     R"(scene.yaml:4:3: there is a shape 'a' already, in scene.yaml:2; expected a name of its own)"},
    {"TheGroundIsThere", R"(bodies:
  ground: {type: point, mass: 1}
)",
     R"(scene.yaml:2:3: there is a body 'ground' already; expected a name of its own)"},
    {"ListForNumber", R"(bodies:
  a: {type: sphere, radius: [1], mass: 1}
)",
     R"(scene.yaml:2:29: radius is a list of 1; expected a number in m above 0)"},
    {"MapForNumber", R"(duration: {a: 1}
)",
     R"(scene.yaml:1:11: duration is a map; expected a number in s above 0)"},
    {"NothingForNumber", R"(duration:
)",
     R"(scene.yaml:1:1: duration is empty; expected a number in s above 0)"},
    {"NumberForVector", R"(gravity: 9.81
)",
     R"(scene.yaml:1:10: gravity is '9.81'; expected three numbers [x, y, z] in m/s^2)"},
    {"ShortVector", R"(gravity: [0, 0]
)",
     R"(scene.yaml:1:10: gravity is a list of 2; expected three numbers [x, y, z] in m/s^2)"},
    {"LongVector", R"(bodies:
  a: {type: point, mass: 1, position: [1, 2, 3, 4]}
)",
     R"(scene.yaml:2:39: position is a list of 4; expected three numbers [x, y, z] in m)"},
    {"WordInVector", R"(gravity: [0, 0, down]
)",
     R"(scene.yaml:1:17: gravity: unknown name 'down'; expected a parameter above, a function or a number)"},
    {"NegativeMass", R"(bodies:
  a: {type: point, mass: -1}
)",
     R"(scene.yaml:2:26: mass is -1; expected a number in kg above 0)"},
    {"ZeroRadius", R"(bodies:
  a: {type: sphere, radius: 0, mass: 1}
)",
     R"(scene.yaml:2:29: radius is 0; expected a number in m above 0)"},
    {"NegativeSize", R"(bodies:
  a: {type: box, size: [1, -1, 1], mass: 1}
)",
     R"(scene.yaml:2:28: size is -1; expected a number in m above 0)"},
    {"OutOfRange", R"(materials:
  a: {restitution: 1.5}
)",
     R"(scene.yaml:2:20: restitution is 1.5; expected a number from 0 to 1)"},
    {"NotFinite", R"(bodies:
  a: {type: point, mass: 1/0}
)",
     R"(scene.yaml:2:26: mass is inf; expected a finite number)"},
    {"InfiniteNumber", R"(gravity: [0, 0, .inf]
)",
     R"(scene.yaml:1:17: gravity is inf; expected a finite number)"},
    {"NotANumber", R"(bodies:
  a: {type: point, mass: sqrt(-1)}
)",
     R"(scene.yaml:2:26: mass is not a number (0/0, or a root or logarithm of a negative one); expected a number in kg above 0)"},
    {"TooLargeNumber", R"(bodies:
  a: {type: point, mass: 1e999}
)",
     R"(scene.yaml:2:26: mass: the number is too large; expected at most 1.7e308)"},
    {"NotAnInteger", R"(shapes:
  a: {type: plane, group: 1.5}
)",
     R"(scene.yaml:2:27: group is 1.5; expected an integer from 0 to 4294967295)"},
    {"UnknownParameter", R"(parameters: {length: 1}
bodies:
  a: {type: point, mass: 2*lenght}
)",
     R"(scene.yaml:3:28: mass: unknown name 'lenght'; did you mean 'length'?)"},
    {"LaterParameter", R"(parameters:
  a: 2*b
  b: 1
)",
     R"(scene.yaml:2:8: a: unknown name 'b'; expected a parameter above, a function or a number)"},
    {"ParameterNamedAsAFunction", R"(parameters: {sin: 1}
)",
     R"(scene.yaml:1:14: a parameter 'sin'; expected a name of letters, digits and _ that no function has)"},
    {"ParameterWithABlank", R"(parameters: {my mass: 1}
)",
     R"(scene.yaml:1:14: a parameter 'my mass'; expected a name of letters, digits and _ that no function has)"},
    {"ParametersAsAList", R"(parameters: [1, 2]
bodies:
  a: {type: point, mass: m}
)",
     R"(scene.yaml:1:13: parameters is a list of 2; expected a map, {name: value, …})"},
    {"FailedParameterIsToldOnce", R"(parameters: {m: 1 +}
bodies:
  a: {type: point, mass: m}
  b: {type: point, mass: 2*m}
)",
     R"(scene.yaml:1:20: m: the expression ends here; expected a number, a name or '(')"},
    {"UnknownUnit", R"(duration: 5 sec
)",
     R"(scene.yaml:1:13: duration: unknown unit 'sec'; did you mean 's'?)"},
    {"UnknownUnitThatIsAParameter", R"(parameters: {n: 2}
duration: 5 n
)",
     R"(scene.yaml:2:13: duration: unknown unit 'n'; expected * before a parameter)"},
    {"UnclosedBracket", R"(duration: 2*(3 + 4
)",
     R"(scene.yaml:1:19: duration: a bracket is not closed; expected ')')"},
    {"MissingOperand", R"(duration: 2 *
)",
     R"(scene.yaml:1:14: duration: the expression ends here; expected a number, a name or '(')"},
    {"TwoNumbers", R"(duration: 2 3
)",
     R"(scene.yaml:1:13: duration: unexpected '3'; expected an operator)"},
    {"QuotedExpression", R"_(duration: "2*(3 + x)"
)_",
     R"(scene.yaml:1:19: duration: unknown name 'x'; expected a parameter above, a function or a number)"},
    {"WrongCountOfArguments", R"(duration: atan2(1)
)",
     R"(scene.yaml:1:19: duration: atan2 has 1 argument here; expected 2)"},
    {"FunctionWithoutBrackets", R"(duration: sin + 1
)",
     R"(scene.yaml:1:15: duration: expected '(' after sin)"},
    {"DeepBrackets", "duration: " + std::string(70, '(') + "1",
     R"(scene.yaml:1:43: duration: nested too deeply; use parameters for parts of it)"},
    {"EmptyText", R"(duration: ""
)",
     R"(scene.yaml:1:12: duration: the expression ends here; expected a number, a name or '(')"},
};

TEST(MalformedScene, TellsWhatIsWrongWithValues) {
    for (const Malformed& c : cases) expect_mistakes(c);
}

}  // namespace
}  // namespace bristle::io
