"""Screwdrivers: red core, black soft grip molded over it, satin blade."""
import numpy as np

from studio.colors import BLACK, PAPER
from studio.distance_fields import *
from studio.lettering import printed
from studio.mesh import solid
from studio.metals import forged
from studio.surfaces import ink, plastic, rubber

PROFILE = [(-10.9, 0.75), (-10.75, 1.12), (-10.2, 1.40), (-9.0, 1.58), (-7.0, 1.70), (-4.9, 1.58), (-3.2, 1.22), (-2.2, 1.10), (-1.3, 1.22),
           (-0.75, 1.42), (-0.45, 1.44), (-0.2, 1.2), (0.1, 0.85), (0.3, 0.8)]


def shape(x, y, z):
    rr, a = hyp(y, z), np.arctan2(z, y)
    three = 0.5 - 0.5 * np.cos(3 * (a - PI / 2))
    flute = ramp(x, -10.3, -8.6) * ramp(x, -2.4, -4.4) * (0.12 * (0.5 - 0.5 * np.cos(6 * a)) ** 1.3 + 0.10 * three)
    return rr - curve(x, PROFILE) + flute, a


def windows(x, a):
    """The three drop-shaped openings of the soft grip that show the core."""
    t = (a - PI / 2 + PI / 3) % (2 * PI / 3) - PI / 3
    return rect(x + 6.1, t * 1.6, 2.3, 0.40 + 0.14 * ramp(x, -4, -8), 0.38)


def core(x, y, z):
    d, _ = shape(x, y, z)
    d = intersect(d + 0.02, intersect(x - 0.22, -10.86 - x, 0.1), 0.12)
    return cut(d, np.maximum(np.abs(x + 9.55) - 0.03, -d - 0.05), 0.02)


def soft_grip(x, y, z):
    bare, a = shape(x, y, z)
    ribs = 0.035 * np.cos(2 * PI * x / 0.36) * ramp(x, -3.2, -2.9) * ramp(x, -1.25, -1.5)
    d = intersect(bare - 0.035 - ribs, intersect(-9.5 - x, x + 1.0, 0.1), 0.10)
    return intersect(cut(d, windows(x, a), 0.09), -(bare + 0.3), 0.02)


def blade(x, y, z):
    rr = hyp(y, z)
    bolster = extrude(ngon(y, z, 0.50, 6), x - 0.45, 0.95, 0.03)
    bolster = intersect(bolster, rr - 0.56 + np.maximum(x - 1.25, 0) * 1.6, 0.02)
    d = join(rod(x, rr, -0.5, 11.6, 0.30, 0.02), bolster, 0.06)
    d = intersect(d, (rr - 0.08 - (11.6 - x) * math.tan(math.radians(24))) * 0.9, 0.02)
    wing = 0.055 + 0.18 * np.maximum(11.1 - x, 0) ** 1.2
    return intersect(d, (np.minimum(np.abs(y), np.abs(z)) - wing) * 0.9, 0.015)


def dark_tip(n):
    x = n.add(n.xyz()[0], n.mul(n.noise(6, 3), 0.12))
    return n.remap(x, 10.35, 10.2, 0.0, 1.0)


def screwdriver():
    handle = solid(core, (-11, -1.8, -1.8), (0.4, 1.8, 1.8), plastic(rough=0.28), 0.045)
    return [
        handle,
        solid(soft_grip, (-10, -1.9, -1.9), (-0.6, 1.9, 1.9), rubber(BLACK), 0.04),
        solid(blade, (-0.6, -0.7, -0.7), (11.7, 0.7, 0.7), forged(dark_tip, (0.15, 0.15, 0.155, 1)), 0.03),
        printed("FORGELINE", 0.72, ink(PAPER, 0.4), (-6.2, 0, 0), handle),
    ], dict(turn=30, elevation=44)
