"""Jack plane: iron body with ground cheeks, walnut tote and knob, brass wheel."""
import numpy as np

from studio.colors import EMBER, PAPER
from studio.distance_fields import *
from studio.lettering import letters
from studio.mesh import solid
from studio.metals import brass, chrome, steel
from studio.outline import polygon, smooth
from studio.surfaces import enamel, walnut

CHEEK = smooth([(-17.6, 0), (-17.6, 0), (-17.6, 0), (-17.6, 0.9), (-13.0, 1.1), (-9.0, 1.7), (-5.0, 4.2), (-1.0, 5.4), (2.4, 5.2), (5.0, 3.2), (7.4, 1.5), (11, 1.0),
                (17.0, 0.9), (17.8, 0.6), (17.8, 0), (17.8, 0), (17.8, 0)])
SOLE = smooth([(-17.6, 0), (-17.3, 2.2), (-15.8, 3.15), (-12, 3.2), (14, 3.2), (16.6, 2.9), (17.8, 1.6), (17.8, -1.6), (16.6, -2.9), (14, -3.2), (-12, -3.2),
               (-15.8, -3.15), (-17.3, -2.2)])


def body(x, y, z):
    plan = polygon(x, y, SOLE)
    sole = np.maximum(plan, np.abs(z - 0.25) - 0.25)
    side = np.maximum(np.maximum(polygon(x, z, CHEEK), plan), 2.78 - np.abs(y))
    rim = np.maximum(np.maximum(plan, -(plan + 0.35)), np.maximum(z - 0.95, -z))
    return intersect(join_all(0.2, sole, side, rim), plan, 0.06)


def ground_sides(n):
    x, y, z = n.xyz()
    return n.remap(n.math("ABSOLUTE", y), 3.16, 3.18, 0.0, 1.0)


def bed(x, y, z):
    """Frame of the iron: u along its slope up and back, v out of its face."""
    a = math.radians(45)
    u, v = -(x - 2.2) * math.cos(a) + (z - 0.3) * math.sin(a), (x - 2.2) * math.sin(a) + (z - 0.3) * math.cos(a)
    return u, v


def frog(x, y, z):
    u, v = bed(x, y, z)
    return intersect(np.maximum(rect(u - 3.4, v + 1.0, 3.2, 0.92, 0.1), np.abs(y) - 2.3), 0.4 - z, 0.1)


def iron(x, y, z):
    u, v = bed(x, y, z)
    top = extrude(intersect(rect(u - 6.2, y, 6.6, 2.5, 0.1), hyp(u - 8.6, y) - 4.2, 0.3), v - 0.08, 0.15, 0.02)
    cap = extrude(rect(u - 5.6, y, 5.4, 2.48, 0.3), v - 0.36, 0.13, 0.04)
    return np.minimum(top, cap)


LEVER = smooth([(0.6, 2.2), (0.6, 2.2), (3.5, 2.2), (6.0, 1.75), (8.8, 1.65), (9.9, 1.2), (10.2, 0), (9.9, -1.2), (8.8, -1.65), (6.0, -1.75), (3.5, -2.2),
                (0.6, -2.2), (0.6, -2.2), (0.3, 0)])


def lever_cap(x, y, z):
    u, v = bed(x, y, z)
    high = 0.32 + 0.45 * ramp(u, 0.6, 3.4)
    d = np.maximum(polygon(u, y, LEVER), np.abs(v - 0.5 - high * 0.5) - high * 0.5)
    d = intersect(polygon(u, y, LEVER), np.abs(v - 0.5 - high * 0.5) - high * 0.5, 0.16)
    hollow = np.maximum(rect(u - 6.2, y, 2.0, 0.9, 0.8), 0.5 + high - 0.06 - v)
    return cut(d, hollow, 0.06)


def lever(x, y, z):
    u, v = bed(x, y, z)
    tab = extrude(join(rect(u - 9.7, y, 1.1, 0.62, 0.5), disc(u - 10.5, y, 0.8), 0.4), v - 1.45, 0.14, 0.1)
    screw = extrude(disc(u - 4.4, y, 0.62), v - 1.35, 0.22, 0.08)
    return np.minimum(tab, cut(screw, np.maximum(np.abs(y) - 0.08, 1.42 - v), 0.02))


TOTE = smooth([(-6.4, 0.6), (-6.8, 2.4), (-8.2, 4.8), (-9.6, 7.0), (-10.6, 8.8), (-12.0, 9.8), (-13.8, 9.9), (-14.6, 9.2), (-13.6, 8.6), (-12.4, 7.2),
               (-12.0, 5.4), (-12.4, 3.4), (-13.4, 1.8), (-13.8, 0.6), (-13.8, 0.5), (-13.8, 0.5), (-13.8, 0.5), (-6.4, 0.5), (-6.4, 0.5), (-6.4, 0.5)])


def tote(x, y, z):
    return extrude(polygon(x, z, TOTE), y, 1.2, 0.95)


KNOB = [(0.5, 1.6), (0.9, 1.62), (1.4, 1.2), (2.4, 1.05), (3.4, 1.55), (4.6, 2.05), (5.6, 1.9), (6.2, 1.3), (6.45, 0.7)]


def knob(x, y, z):
    return turned(z, hyp(x - 12.6, y), KNOB, 0.15)


def brass_parts(x, y, z):
    u, v = bed(x, y, z)
    wheel = rod(u - 5.6, hyp(v + 2.6, y), -0.4, 0.4, 1.45, 0.1) + 0.05 * np.cos(40 * np.arctan2(y, v + 2.6)) * 0.6
    cap = rod(z, hyp(x - 12.6, y), 6.3, 6.75, 0.62, 0.1)
    return np.minimum(wheel, cap)


def jack_plane():
    return [
        solid(body, (-18, -3.4, -0.2), (18.2, 3.4, 5.8), enamel((0.012, 0.013, 0.015, 1), 0.24, 0.12, bright=ground_sides), 0.075),
        solid(frog, (-6, -2.5, 0), (5, 2.5, 6), enamel((0.012, 0.013, 0.015, 1), 0.24, 0.12), 0.08),
        solid(iron, (-10.5, -2.7, 0), (4, 2.7, 13), steel((0.62, 0.62, 0.63, 1), (0.16, 0.28), (1, 30, 1), 0.05), 0.06),
        solid(lever_cap, (-6.5, -2.4, 0), (4, 2.4, 9.5), chrome((0.1, 0.16)), 0.06),
        solid(lever, (-7.5, -1.2, 2), (2.5, 1.2, 11), chrome((0.1, 0.16)), 0.05),
        solid(tote, (-15, -1.4, 0.2), (-6, 1.4, 10.3), walnut(gloss=0.6), 0.07),
        solid(knob, (10.3, -2.3, 0.3), (14.9, 2.3, 6.7), walnut(gloss=0.6), 0.06),
        solid(brass_parts, (-5, -1.9, 0.8), (13.6, 1.9, 8), brass(), 0.05),
        letters("FORGELINE", 1.5, enamel(EMBER, 0.3, 0.05), (-0.4, -3.2, 2.0), (math.radians(90), 0, 0), depth=0.02, bevel=0.005),
    ], dict(turn=-32, elevation=32, tilt=False, room=0.06, back=0.6, shade=0.75)
