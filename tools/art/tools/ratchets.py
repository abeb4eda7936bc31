"""Ratchet and torque wrench: a sealed head on a bar."""
import numpy as np

from studio.colors import BLACK, EMBER, INK, PAPER
from studio.distance_fields import *
from studio.lettering import letters, printed
from studio.graduations import barrel_marks
from studio.mesh import solid
from studio.metals import chrome, oxide, steel
from studio.surfaces import ink, plastic, rubber

LYING_POSE = dict(turn=28, elevation=48, sheen=-0.6)


def head(x, y, z):
    """Pear-shaped head at the origin, its bar along -x."""
    pear = join(disc(x, y, 1.85), disc(x + 1.9, y, 0.95), 1.8)
    body = extrude(pear, z, 0.95, 0.32)
    ring = np.maximum(np.abs(disc(x, y, 1.42)) - 0.04, 0.86 - np.abs(z))
    return cut(body, ring, 0.04)


def drive(x, y, z):
    d = intersect(rect(x, y, 0.62, 0.62, 0.08), np.abs(z + 1.55) - 0.85, 0.06)
    return join(d, extrude(disc(x, y, 1.05), z + 0.95, 0.12, 0.05), 0.05)


def lever(x, y, z):
    plate = extrude(disc(x, y, 1.30), z - 0.93, 0.09, 0.05)
    tab = extrude(join(disc(x - 0.1, y, 0.62), rect(x - 0.75, y, 0.5, 0.26, 0.25), 0.3), z - 1.08, 0.16, 0.1)
    button = extrude(disc(x - 0.1, y, 0.36), z - 1.25, 0.12, 0.06)
    return np.minimum(join(plate, tab, 0.08), button)


def bar(points):
    def field(x, y, z):
        return turned(x, hyp(y, z * 1.08), points, 0.08)
    return field


RATCHET_BAR = [(-13.4, 0.62), (-7.5, 0.62), (-4.0, 0.66), (-2.4, 0.86), (-1.2, 0.9)]
RATCHET_GRIP = [(-22.9, 0.8), (-22.6, 1.1), (-21.6, 1.28), (-20.2, 1.22), (-18.0, 1.34), (-15.0, 1.24), (-13.4, 1.04), (-12.6, 1.12), (-12.2, 0.95)]


def grip(x, y, z):
    d = turned(x, hyp(y, z * 1.1), RATCHET_GRIP, 0.2)
    return d + 0.05 * np.cos(2 * PI * x / 0.5) * ramp(x, -20.0, -19.6) * ramp(x, -14.2, -14.6) * ramp(np.abs(y), 0.55, 0.8)


def grip_ends(x, y, z):
    d = turned(x, hyp(y, z * 1.1), RATCHET_GRIP, 0.2) - 0.012
    lane = intersect(rect(x + 17.1, y, 2.2, 0.46, 0.44), 0.2 - z, 0.02)
    return intersect(d, np.minimum(np.minimum(x + 21.7, lane), -12.75 - x), 0.02)


def ratchet():
    ember = solid(grip_ends, (-23.2, -1.6, -1.5), (-12, 1.6, 1.5), plastic(EMBER, 0.3), 0.04)
    return [
        solid(head, (-3.2, -2.1, -1.2), (2.1, 2.1, 1.2), chrome(), 0.05),
        solid(drive, (-1.3, -1.3, -2.6), (1.3, 1.3, -0.7), steel((0.5, 0.5, 0.51, 1), (0.2, 0.3), (3, 3, 20)), 0.05),
        solid(lever, (-1.5, -1.5, 0.7), (1.6, 1.5, 1.5), oxide((0.06, 0.06, 0.065, 1), (0.3, 0.4), 0.05), 0.03),
        solid(bar(RATCHET_BAR), (-13.6, -1.1, -1.1), (-1, 1.1, 1.1), chrome(), 0.05),
        solid(grip, (-23.2, -1.6, -1.5), (-12, 1.6, 1.5), rubber(BLACK), 0.045),
        ember,
        printed("FORGELINE", 0.66, ink(PAPER, 0.4), (-17.1, 0, 0), ember),
    ], LYING_POSE


TUBE = [(-33.0, 0.98), (-6.2, 0.98), (-4.6, 0.86), (-2.8, 0.8), (-1.2, 0.9)]


def tube(x, y, z):
    d = turned(x, hyp(y, z), TUBE, 0.06)
    flat = intersect(rect(x + 24.2, y, 3.1, 0.42, 0.4), 0.90 - z, 0.02)
    return cut(d, flat, 0.03)


def torque_grip(x, y, z):
    rr = hyp(y, z)
    d = turned(x, rr, [(-41.5, 1.2), (-41, 1.5), (-40, 1.56), (-30.6, 1.5), (-29.8, 1.42)], 0.14)
    cross = knurl(x, np.arctan2(z, y) * 1.5, 0.42, 0.06) * ramp(x, -39.6, -39.3) * ramp(x, -30.6, -30.9)
    return d + cross


def collar(x, y, z):
    return rod(x, hyp(y, z), -29.9, -29.0, 1.36, 0.1)


def scale():
    radius = lambda x: 0.99
    rows = [(-28.0 + i * 0.28, PI / 2 - (0.35 if i % 5 == 0 else 0.2), -27.96 + i * 0.28, PI / 2 + 0.05) for i in range(27)]
    return barrel_marks(rows, radius, 0, 0, ink(INK))


def torque_wrench():
    body = solid(tube, (-33.2, -1.2, -1.2), (-1, 1.2, 1.2), chrome((0.10, 0.16)), 0.06)
    return [
        solid(head, (-3.2, -2.1, -1.2), (2.1, 2.1, 1.2), chrome(), 0.05),
        solid(drive, (-1.3, -1.3, -2.6), (1.3, 1.3, -0.7), steel((0.5, 0.5, 0.51, 1), (0.2, 0.3), (3, 3, 20)), 0.05),
        solid(lever, (-1.5, -1.5, 0.7), (1.6, 1.5, 1.5), oxide((0.06, 0.06, 0.065, 1), (0.3, 0.4), 0.05), 0.03),
        body,
        solid(torque_grip, (-42, -1.8, -1.8), (-29.4, 1.8, 1.8), steel((0.20, 0.20, 0.21, 1), (0.28, 0.4), (8, 8, 8)), 0.05),
        solid(collar, (-30.2, -1.6, -1.6), (-28.8, 1.6, 1.6), plastic(EMBER, 0.28), 0.05),
        printed("FORGELINE", 0.9, ink(INK, 0.5), (-14.5, 0, 0), body),
        printed("40–200 N·m", 0.6, ink(INK, 0.5), (-20.2, 0, 0), body),
        scale(),
    ], dict(turn=30, elevation=48, sheen=-0.6)
