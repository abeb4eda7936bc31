"""Hand saws, lying on their side."""
import numpy as np

from studio.colors import BLACK, EMBER, PAPER
from studio.distance_fields import *
from studio.lettering import letters
from studio.mesh import solid
from studio.metals import brass, chrome, steel
from studio.outline import path, polygon, ribbon, smooth
from studio.surfaces import beech, enamel, ink, plastic, rubber

FRAME = [(17.0, -1.6), (17.0, 4.2), (17.0, 6.2), (16.3, 8.2), (14.4, 9.0), (12.2, 9.0), (-10.0, 9.0), (-12.2, 9.0), (-14.4, 8.2), (-15.6, 6.4), (-15.9, 4.6)]


def square_tube(x, y, z):
    p = [tuple(v) for v in path(FRAME, 6)]
    return intersect(np.abs(ribbon(x, y, p)) - 0.62, np.abs(z) - 0.62, 0.16)


def holders(x, y, z):
    front = rod(x - 16.8, hyp(y + 1.6, z), -1.7, 1.5, 0.56, 0.1)
    nut = block(x - 17.0, y + 1.2, z, 0.78, 1.0, 0.74, 0.12)
    rear = rod(x + 14.4, hyp(y + 1.6, z), -1.2, 1.6, 0.56, 0.1)
    pins = np.minimum(hyp(x - 15.3, y + 1.6) - 0.17, hyp(x + 13.2, y + 1.6) - 0.17)
    return np.minimum(join_all(0.1, front, nut, rear), intersect(pins, np.abs(z) - 0.86, 0.05))


def hack_blade(x, y, z):
    edge = -2.42 + teeth(x, 0.2, 0.13)
    wave = 0.035 * np.sin(2 * PI * x / 1.2) * ramp(y, -1.9, -2.3)
    d = np.maximum(np.maximum(-(y - edge) * 0.7, y + 0.95), np.abs(x - 1.05) - 15.0)
    return np.maximum(d, np.abs(z + wave) - 0.055)


GRIP = smooth([(-14.6, -3.4), (-14.0, -1.2), (-13.9, 2.4), (-14.4, 4.6), (-16.4, 5.6), (-19.2, 5.0), (-20.4, 2.8), (-21.4, -1.4), (-22.6, -5.0),
               (-22.2, -6.9), (-20.2, -7.3), (-17.2, -6.4), (-15.4, -5.2)])
HOLE = smooth([(-15.7, -2.6), (-15.6, 0.4), (-16.0, 2.2), (-17.0, 2.6), (-17.9, 1.6), (-18.7, -1.6), (-19.2, -4.0), (-18.4, -4.7), (-16.6, -4.1)])


def saw_grip(x, y, z):
    d = cut(polygon(x, y, GRIP), polygon(x, y, HOLE), 0.05)
    ribs = 0.05 * np.cos(2 * PI * (y - 0.3 * x) / 0.62) * ramp(x, -18.7, -19.0) * ramp(y, -4.6, -4.2) * ramp(y, 3.0, 2.6)
    return extrude(d + ribs, z, 1.35, 0.85)


def grip_core(x, y, z):
    d = cut(polygon(x, y, GRIP) + 0.62, polygon(x, y, HOLE) - 0.6, 0.05)
    return extrude(d, z, 1.40, 0.12)


def hacksaw():
    core = solid(grip_core, (-23, -7.6, -1.6), (-13.4, 6, 1.6), plastic(EMBER, 0.32), 0.06)
    return [
        solid(square_tube, (-17.2, -2.6, -0.9), (18.2, 10, 0.9), enamel(EMBER, 0.24, 0.05), 0.06),
        solid(holders, (-16, -2.6, -1), (18.6, 0.4, 1), chrome((0.14, 0.22)), 0.05),
        solid(hack_blade, (-14.2, -2.7, -0.2), (16.4, -0.7, 0.2), steel((0.30, 0.32, 0.36, 1), (0.22, 0.34), (1, 30, 30)), 0.035),
        solid(saw_grip, (-23.2, -7.8, -1.6), (-13.2, 6.2, 1.6), rubber(BLACK), 0.06), core,
        letters("FORGELINE", 1.25, ink(PAPER, 0.4), (0.4, 9.0, 0.62), depth=0.005, bevel=0),
    ], dict(turn=14, elevation=56, back=0.4)


def panel_blade(x, y, z):
    """The toothed edge runs along y = 0 from the toe at +x to the heel."""
    top = lerp(11.2, 5.4, np.clip((x + 13) / 55, 0, 1))
    edge = teeth(x, 0.32, 0.24)
    d = np.maximum((edge - y) * 0.62, y - top)
    d = intersect(d, x - 42 + (y - 3) * 0.12, 0.15)
    d = np.maximum(d, -9.9 - x + 0.3 * (y - 5))
    return np.maximum(d, np.abs(z) - 0.06)


HANDLE = smooth([(-8.6, 1.4), (-6.6, 3.6), (-5.6, 7.2), (-5.4, 9.8), (-7.6, 10.8), (-10.6, 11.4), (-13.4, 13.6), (-16.4, 14.8), (-18.2, 13.8),
               (-17.6, 11.8), (-18.3, 8.6), (-19.6, 4.6), (-21.4, 1.8), (-21.0, 0.2), (-18.4, -0.6), (-15.4, 0.2), (-12.6, -0.6), (-10.2, -0.2)])
FINGER_HOLE = smooth([(-10.6, 3.0), (-9.8, 6.0), (-10.2, 8.4), (-12.2, 9.8), (-14.0, 10.4), (-15.2, 9.2), (-15.9, 6.4), (-17.0, 3.6), (-16.2, 2.4), (-13.2, 2.6)])


def panel_handle(x, y, z):
    return extrude(cut(polygon(x, y, HANDLE), polygon(x, y, FINGER_HOLE), 0.05), z, 1.1, 0.7)


def screws(x, y, z):
    d = 9.0
    for a, b in ((-7.4, 8.6), (-8.6, 4.2), (-10.4, 1.2)):
        head = extrude(disc(x - a, y - b, 0.72), z, 1.16, 0.08)
        d = np.minimum(d, cut(head, np.maximum(rect(x - a, (y - b), 0.8, 0.09), 1.0 - np.abs(z)), 0.02))
    return d


def panel_saw():
    dark = ink((0.05, 0.05, 0.055, 1), 0.5)
    return [
        solid(panel_blade, (-13.4, -0.3, -0.2), (42.8, 11.6, 0.2), steel((0.60, 0.60, 0.61, 1), (0.12, 0.24), (1.2, 26, 26), 0.05), 0.05),
        solid(panel_handle, (-22, -1.2, -1.4), (-4.8, 15.4, 1.4), beech(gloss=0.4), 0.08),
        solid(screws, (-12, 0, -1.3), (-6, 10, 1.3), brass(), 0.05),
        letters("FORGELINE", 2.3, dark, (12.4, 5.1, 0.062), (0, 0, math.radians(-3.2)), depth=0.003, bevel=0),
        letters("550 mm · 8 TPI", 0.95, dark, (12.4, 3.3, 0.062), (0, 0, math.radians(-3.2)), depth=0.003, bevel=0),
    ], dict(turn=20, elevation=58, back=0.7)
