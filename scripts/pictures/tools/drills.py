"""Cordless drill, standing on its battery."""
import numpy as np

from studio.colors import BLACK, EMBER, PAPER
from studio.fields import *
from studio.lettering import letters, printed
from studio.mesh import solid
from studio.metals import chrome, steel
from studio.outline import polygon, smooth
from studio.surfaces import ink, plastic, rubber

AXIS = 18.2
BODY = [(-7.6, 2.2), (-7.2, 2.75), (-6.2, 3.0), (-2, 3.05), (3.5, 3.0), (5.6, 2.75), (6.4, 2.6)]
BACK = smooth([(-4.6, 15.4), (-3.6, 10.0), (-4.4, 5.4), (-5.2, 4.4), (-4.2, 3.6), (1.4, 3.6), (2.4, 4.4), (0.8, 5.6), (0.6, 9.0), (1.6, 12.6), (3.2, 15.6), (2.0, 17.6), (-3.6, 17.6)])


def housing(x, y, z):
    motor = turned(x, hyp(y, (z - AXIS) * 0.96), BODY, 0.35)
    handle = extrude(polygon(x, z, BACK), y, 1.85, 1.25)
    foot = box(x, y, z, (-6.0, -2.9, 3.6), (3.6, 2.9, 5.4), 0.7)
    d = join(join(motor, handle, 1.3), foot, 1.2)
    for i in range(4):
        slot = rect(x + 6.2 - i * 0.62, z - AXIS - 0.2, 0.17, 1.2, 0.15)
        d = cut(d, np.maximum(slot, 2.3 - np.abs(y)), 0.04)
    return d


def soft_grip(x, y, z):
    d = housing(x, y, z)
    where = both(both(z - 15.2, 5.6 - z, 0.3), x + 0.9 - 0.1 * (z - 9), 0.2)
    where = np.minimum(where, both(x + 5.4, -9 - x, 0.1))
    ribs = 0.05 * np.cos(2 * PI * z / 0.55) * ramp(z, 6.6, 7.2) * ramp(z, 13.6, 13.0) * ramp(np.abs(y), 0.9, 1.3)
    return both(d - 0.05 - ribs, where, 0.12)


def front_cap(x, y, z):
    d = turned(x, hyp(y, z - AXIS), [(5.8, 2.66), (6.4, 2.72), (7.6, 2.6), (8.0, 2.3)], 0.12)
    notch = 0.09 * np.maximum(np.cos(18 * np.arctan2(z - AXIS, y)), -0.2) * ramp(x, 6.2, 6.4)
    return d + notch


CHUCK = [(7.8, 1.7), (8.2, 2.05), (8.9, 2.15), (10.6, 2.15), (11.2, 2.05), (12.6, 1.55), (12.9, 1.3)]


def chuck(x, y, z):
    rr, a = hyp(y, z - AXIS), np.arctan2(z - AXIS, y)
    d = turned(x, rr, CHUCK, 0.1)
    d = d + 0.09 * np.maximum(np.cos(20 * a), 0) * ramp(x, 8.5, 8.8) * ramp(x, 11.0, 10.7)
    d = cut(d, np.maximum(np.abs(x - 8.55) - 0.04, 1.9 - rr), 0.02)
    return cut(d, np.maximum(rr - 0.7, 12.0 - x), 0.08)


def bit(x, y, z):
    rr, a = hyp(y, z - AXIS), np.arctan2(z - AXIS, y)
    flute = np.abs(((a + x * 1.25) % PI) - PI / 2) - 0.62
    d = both(rod(x, rr, 12.0, 19.4, 0.42, 0.01), rr - (19.5 - x) * 1.5, 0.01)
    return cut(d, np.maximum(np.maximum(flute * 0.3, 0.14 - rr), 13.6 - x), 0.03)


def trigger(x, y, z):
    p = smooth([(0.4, 15.6), (2.6, 15.5), (2.5, 14.0), (1.7, 12.2), (0.6, 12.0)])
    return extrude(polygon(x, z, p), y, 0.85, 0.4)


def battery(x, y, z):
    d = box(x, y, z, (-6.6, -3.3, 0), (4.4, 3.3, 3.5), 0.55)
    seam = np.maximum(np.abs(z - 2.5) - 0.05, -d - 0.08)
    d = cut(d, seam, 0.03)
    for i in range(3):
        d = cut(d, np.maximum(rect(x - 1.4 - i * 0.8, z - 1.2, 0.18, 0.7, 0.15), 3.2 - np.abs(y)), 0.04)
    return d


def trim(x, y, z):
    """Selector, collar ring and the button that lets the battery go."""
    ring = rod(x, hyp(y, z - AXIS), 5.35, 5.75, 2.84, 0.06)
    top = box(x, y, z, (-1.4, -0.9, AXIS + 2.7), (1.2, 0.9, AXIS + 3.5), 0.25)
    clip = box(x, y, z, (2.6, -1.1, 3.7), (4.1, 1.1, 4.9), 0.25)
    return joined(0.02, ring, top, clip)


def cordless_drill():
    side = (math.radians(90), 0, 0)
    shell = solid(housing, (-8, -3.4, 3.2), (7, 3.4, AXIS + 3.4), plastic(EMBER, 0.34), 0.08)
    return [
        shell,
        solid(soft_grip, (-8.2, -3.5, 3.2), (7, 3.5, AXIS + 3.5), rubber(BLACK), 0.08),
        solid(front_cap, (5.5, -3, AXIS - 3), (8.3, 3, AXIS + 3), plastic(BLACK, 0.4), 0.06),
        solid(chuck, (7.5, -2.4, AXIS - 2.4), (13.2, 2.4, AXIS + 2.4), steel((0.34, 0.34, 0.35, 1), (0.18, 0.28), (20, 2, 2)), 0.05),
        solid(bit, (11.8, -0.6, AXIS - 0.6), (19.7, 0.6, AXIS + 0.6), chrome((0.12, 0.2)), 0.035),
        solid(trigger, (0.1, -1, 11.6), (3, 1, 16), plastic(BLACK, 0.36), 0.05),
        solid(battery, (-6.8, -3.5, -0.2), (4.6, 3.5, 3.7), plastic(BLACK, 0.42), 0.08),
        solid(trim, (-1.6, -3, 3.5), (5.9, 3, AXIS + 3.7), plastic(BLACK, 0.4), 0.06),
        printed("FORGELINE", 1.55, ink(PAPER, 0.4), (0.7, -4, AXIS + 0.05), shell, turn=side, along=(0, 1, 0)),
        letters("18 V", 1.3, ink(PAPER, 0.4), (-3.4, -3.305, 1.25), side, depth=0.004, bevel=0),
        letters("4.0 Ah", 0.7, ink(PAPER, 0.4), (-0.9, -3.305, 1.1), side, depth=0.004, bevel=0),
    ], dict(turn=-24, elevation=18, lens=90, tilt=False, room=0.08, back=0.5, shade=0.65)
