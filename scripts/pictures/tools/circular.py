"""Circular saw, standing on its base."""
import numpy as np

from studio.colors import BLACK, EMBER, PAPER
from studio.fields import *
from studio.lettering import printed
from studio.mesh import solid
from studio.metals import aluminium, chrome, steel
from studio.outline import bent, path, tube
from studio.surfaces import ink, plastic, rubber

HUB = 9.9  # height of the arbor; the blade turns in the plane y = 0, the motor is behind it


def base(x, y, z):
    plate = box(x, y, z, (-15.5, -4.2, 0), (15.5, 11.5, 0.32), 0.14)
    lip = box(np.abs(y - 3.65), x, z, (7.45, -15.3, 0), (7.85, 15.3, 0.95), 0.12)
    front = box(x, y, z, (15.1, -4.0, 0), (15.5, 11.3, 0.9), 0.12)
    slot = rect(x - 0.5, y, 11.5, 0.55, 0.3)
    return cut(np.minimum(join(plate, lip, 0.2), front), slot, 0.05)


def blade(x, y, z):
    r, a = hyp(x, z - HUB), np.arctan2(z - HUB, x)
    step = ((a / (2 * PI) * 24) % 1)
    rim = 9.5 - 1.0 * ramp(step, 0.0, 0.16) * ramp(step, 1.0, 0.3)
    d = np.maximum((r - rim) * 0.6, np.abs(y) - 0.09)
    return cut(d, r - 0.6, 0.02)


def tips(x, y, z):
    r, a = hyp(x, z - HUB), np.arctan2(z - HUB, x)
    step = ((a / (2 * PI) * 24 + 0.06) % 1)
    return np.maximum(np.maximum(np.abs(r - 9.2) - 0.42, np.abs(y) - 0.14), (np.abs(step - 0.06) - 0.06) * 2.2)


def upper_guard(x, y, z):
    r = hyp(x, z - HUB)
    drum = np.maximum(r - 10.6, np.abs(y - 0.1) - 1.5)
    drum = both(drum, -np.maximum(r - 10.2, np.abs(y - 0.1) - 1.2), 0.02)
    above = HUB - 2.6 - z + 0.10 * x
    chute = box(x, y, z, (-13.6, 0.0, HUB + 2.4), (-6.0, 3.0, HUB + 5.6), 0.6)
    d = both(drum, above, 0.2)
    face = np.maximum(r - 3.6, -y - 1.7)
    return join(np.maximum(d, -np.maximum(face, y + 1.0)), cut(chute, box(x, y, z, (-14, 0.5, HUB + 2.9), (-6, 2.5, HUB + 5.1), 0.4), 0.1), 0.4)


def lower_guard(x, y, z):
    r = hyp(x, z - HUB)
    drum = np.maximum(r - 10.0, np.abs(y) - 0.95)
    drum = both(drum, -np.maximum(r - 9.75, np.abs(y) - 0.75), 0.02)
    where = both(z - HUB + 0.9 + 0.35 * x, 0.35 - z, 0.1)
    return both(drum, both(where, x - 3.2 - 0.3 * (z - 4), 0.3), 0.05)


def arbor(x, y, z):
    r = hyp(x, z - HUB)
    flange = rod(-y, r, 0.0, 1.15, 2.1, 0.12)
    nut = np.maximum(ngon(x, z - HUB, 0.95, 6), np.abs(y + 1.3) - 0.5)
    return np.minimum(flange, nut)


def motor(x, y, z):
    r = hyp(x, z - HUB - 0.4)
    d = turned(y, r, [(1.2, 4.6), (2.0, 4.9), (8.5, 4.7), (10.5, 4.3), (11.4, 3.4)], 0.4)
    for i in range(5):
        d = cut(d, np.maximum(np.abs(y - 6.6 - i * 0.75) - 0.17, np.maximum(np.abs(z - HUB - 0.4) - 2.4, 4.1 - r)), 0.04)
    return d


GRIP = [(-12.0, HUB + 6.5, 1.5), (-12.4, HUB + 9.4, 1.65), (-9.5, HUB + 13.0, 1.75), (-4.5, HUB + 14.2, 1.65), (0.5, HUB + 13.0, 1.55), (3.4, HUB + 10.4, 1.5), (3.6, HUB + 7.4, 1.6)]


def handle(x, y, z):
    pts, w = bent(GRIP, 4)
    d = tube(x, z, y - 3.6, pts, w)
    body = box(x, y, z, (-12.6, 1.8, HUB + 3.0), (5.6, 5.6, HUB + 7.6), 1.1)
    front = tube(x, z, y - 3.6, [(4.0, HUB + 6.0), (8.0, HUB + 7.4), (11.4, HUB + 6.8)], [1.5, 1.3, 1.55], 1.0)
    return joined(1.2, d, body, front)


def soft(x, y, z):
    d = handle(x, y, z) - 0.05
    rear = both(HUB + 9.0 - z, x - 1.6, 0.2)
    knob = 7.6 - x
    ribs = 0.05 * np.cos(2 * PI * x / 0.6)
    return both(d - ribs * ramp(z, HUB + 12, HUB + 12.4) * 0.6, np.minimum(rear, knob), 0.12)


def trigger(x, y, z):
    return box(x, y, z, (-8.6, 2.9, HUB + 10.2), (-4.6, 4.3, HUB + 12.6), 0.5)


def fittings(x, y, z):
    quadrant = np.maximum(box(x, y, z, (12.2, 0.5, 0.2), (12.7, 6.5, 6.0), 0.2), hyp(y - 3.5, z - 0.3) - 5.4)
    knob = join(rod(x, hyp(y - 3.5, z - 4.4), 12.6, 14.2, 1.1, 0.2) + 0.05 * np.cos(9 * np.arctan2(z - 4.4, y - 3.5)), rod(x, hyp(y - 3.5, z - 4.4), 12.6, 13.0, 1.4, 0.1), 0.1)
    return np.minimum(quadrant, knob)


CORD = [(-12.4, HUB + 7.0), (-15.5, HUB + 6.4), (-17.5, HUB + 3.5), (-18.5, 3.0), (-20.5, 0.55), (-24.5, 0.38)]


def cord(x, y, z):
    bend = [tuple(v) for v in path(CORD, 6)]
    thin = tube(x, z, y - 3.6, bend, [0.38] * len(bend))
    return join(thin, tube(x, z, y - 3.6, CORD[:3], [0.95, 0.66, 0.42]) + 0.05 * np.cos(2 * PI * x / 0.5), 0.1)


def circular_saw():
    side = (math.radians(90), 0, 0)
    body = solid(handle, (-14.8, 1.4, HUB + 2.6), (13.4, 5.9, HUB + 16.4), plastic(EMBER, 0.34), 0.1)
    guard = solid(upper_guard, (-14.2, -1.8, 3.5), (11, 3.2, HUB + 11), aluminium((0.14, 0.142, 0.15, 1), (0.34, 0.46), (3, 3, 3)), 0.09)
    return [
        solid(base, (-15.8, -4.5, -0.2), (15.8, 11.8, 1.2), steel((0.5, 0.5, 0.51, 1), (0.24, 0.36), (1, 20, 20)), 0.09),
        solid(blade, (-9.8, -0.3, HUB - 9.8), (9.8, 0.3, HUB + 9.8), steel((0.62, 0.62, 0.63, 1), (0.14, 0.24), (8, 8, 8), 0.04), 0.06),
        solid(tips, (-9.9, -0.3, HUB - 9.9), (9.9, 0.3, HUB + 9.9), steel((0.4, 0.4, 0.41, 1), (0.2, 0.3), (8, 8, 8)), 0.045),
        guard,
        solid(lower_guard, (-10.4, -1.2, 0), (10.4, 1.2, HUB + 4), steel((0.6, 0.6, 0.61, 1), (0.2, 0.3), (2, 2, 20)), 0.07),
        solid(arbor, (-2.4, -2.0, HUB - 2.4), (2.4, 0.3, HUB + 2.4), chrome((0.14, 0.24)), 0.05),
        solid(motor, (-5.3, 0.9, HUB - 5), (5.3, 11.8, HUB + 5.8), plastic(BLACK, 0.4), 0.1),
        body,
        solid(soft, (-14.8, 1.4, HUB + 2.6), (13.4, 5.9, HUB + 16.4), rubber(BLACK), 0.09),
        solid(trigger, (-8.9, 2.7, HUB + 10), (-4.3, 4.5, HUB + 12.8), plastic(BLACK, 0.36), 0.06),
        solid(fittings, (12, 0, 0), (14.6, 7, 6.2), plastic(BLACK, 0.4), 0.07),
        solid(cord, (-25, 2.4, -0.4), (-11.2, 4.8, HUB + 8.6), rubber(BLACK), 0.07),
        printed("FORGELINE", 1.9, ink(PAPER, 0.4), (-0.4, -3, HUB + 6.6), guard, turn=side, along=(0, 1, 0)),
    ], dict(turn=-26, elevation=24, tilt=False, room=0.06, back=0.55, shade=0.7)
