"""Models that several tests use, and the program of same_state.cpp, the last argument of every test."""

import sys
import unittest

import bristle

SAME_STATE = sys.argv.pop() if len(sys.argv) > 1 else None


def pendulum(length=1.0, mass=1.0):
    """A rod that starts level, on a pin."""
    model = bristle.Model()
    rod = model.add(bristle.Body.rod(length, mass).named("rod"))
    pin = model.add(bristle.Revolute(a=model.ground(), b=rod, at=[0, 0, 0], axis=[0, 1, 0], name="pin"))
    return model, rod, pin


def four_bar():
    """The linkage of same_state.cpp, number by number."""
    model = bristle.Model()
    crank = model.add(bristle.Body.rod([0, 0, 0], [0, 0, 0.5], 1.0).named("crank").moving([0, 0, 0], [0, 2, 0]))
    coupler = model.add(bristle.Body.rod([0, 0, 0.5], [1.5, 0, 1.2], 2.0).named("coupler").moving([1, 0, 0]))
    rocker = model.add(bristle.Body.rod([1.2, 0, 0], [1.5, 0, 1.2], 1.5).named("rocker"))
    ground = model.ground()
    axis = [0, 1, 0]
    motor_pin = model.add(bristle.Revolute(a=ground, b=crank, at=[0, 0, 0], axis=axis, name="A"))
    model.add(bristle.Revolute(a=crank, b=coupler, at=[0, 0, 0.5], axis=axis, name="B"))
    model.add(bristle.Revolute(a=coupler, b=rocker, at=[1.5, 0, 1.2], axis=axis, name="C"))
    model.add(bristle.Revolute(a=rocker, b=ground, at=[1.2, 0, 0], axis=axis, name="D"))
    model.add(bristle.JointSpring(joint=motor_pin, stiffness=3.0, damping=0.1, name="return"))
    model.add(bristle.Spring(a=ground, b=rocker, at_a=[2.5, 0, 0.5], at_b=[1.5, 0, 1.2], stiffness=40.0,
                             law=bristle.table([(0.0, 0.0), (1.0, 20.0), (2.0, 60.0)]), name="stay"))
    return model


def main():
    unittest.main(verbosity=1)
