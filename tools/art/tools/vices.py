"""Bench vise: enameled castings, ground anvil, steel jaws, a turned screw and its bar."""
import numpy as np

from studio.colors import PAPER
from studio.distance_fields import *
from studio.lettering import letters
from studio.mesh import solid
from studio.metals import chrome, oxide, steel
from studio.surfaces import enamel, ink

JAW_OPENING, AXIS, LEAN = 2.2, 7.8, math.radians(64)
FOOT_ANGLES = [PI / 4 + i * PI / 2 for i in range(4)]


def foot(x, y, z):
    x = x + 3.2
    d = disc(x, y, 6.0)
    for a in FOOT_ANGLES:
        d = join(d, disc(x - 7.1 * math.cos(a), y - 7.1 * math.sin(a), 1.75), 2.2)
    d = extrude(d, z - 0.62, 0.55 + 0.35 * ramp(hyp(x, y), 6.6, 5.4), 0.28)
    for a in FOOT_ANGLES:
        d = cut(d, disc(x - 7.2 * math.cos(a), y - 7.2 * math.sin(a), 0.62), 0.08)
    return intersect(d, 0.35 - z, 0.04)


def body(x, y, z):
    turntable = rod(z, hyp(x + 3.2, y), 1.62, 2.9, 5.35, 0.3)
    for side in (-1, 1):
        turntable = join(turntable, rod(z, hyp(x + 3.2, y - side * 5.5), 1.62, 2.5, 1.15, 0.2), 0.5)
    neck = intersect(hyp(x + 3.2, y) - 3.1 - 1.7 * ramp(z, 5.2, 2.4), np.abs(z - 4.5) - 2.5, 0.4)
    d = join(turntable, neck, 1.4)
    d = join(d, box(x, y, z, (-8.4, -3.0, 5.0), (1.0, 3.0, 10.4), 0.95), 1.5)
    d = join(d, box(x, y, z, (-8.9, -2.8, 8.6), (-1.5, 2.8, 12.3), 0.35), 0.5)
    jaw = box(x, y, z, (-2.3, -6.1, 10.9), (0.55, 6.1, 14.3), 0.45)
    d = join(d, join(jaw, box(x, y, z, (-2.1, -4.0, 8.6), (0.4, 4.0, 12.0), 0.8), 1.6), 1.1)
    d = cut(d, np.maximum(rect(y, z - AXIS, 2.05, 1.55, 0.2), -7 - x), 0.12)
    return cut(d, np.maximum(rect(x + 3.9, z - 7.35, 3.5, 0.95, 0.4), 2.84 - np.abs(y)), 0.12)


def moving_jaw(x, y, z):
    j = x - JAW_OPENING
    jaw = join(box(j, y, z, (1.95, -6.1, 10.9), (4.8, 6.1, 14.3), 0.45), box(j, y, z, (2.3, -3.9, 8.6), (5.2, 3.9, 12.0), 0.9), 1.6)
    front = join(box(j, y, z, (2.3, -2.8, 5.5), (6.6, 2.8, 10.6), 1.0), rod(j, hyp(y, z - AXIS), 4, 8.1, 2.05, 0.35), 1.2)
    return join(jaw, front, 1.3)


def slide(x, y, z):
    return box(x, y, z, (-8.8, -1.95, AXIS - 1.45), (JAW_OPENING + 3, 1.95, AXIS + 1.45), 0.14)


def jaw_plates(x, y, z):
    face = 0.09 - knurl(y, z, 0.6, 0.05)
    a = intersect(box(x, y, z, (0.57, -5.95, 11.7), (1.25, 5.95, 14.38), 0.07), x - 1.25 + face, 0.02)
    b = intersect(box(x - JAW_OPENING, y, z, (1.25, -5.95, 11.7), (1.93, 5.95, 14.38), 0.07), -(x - JAW_OPENING - 1.25) + face, 0.02)
    return np.minimum(a, b)


def screw(x, y, z):
    j, rr = x - JAW_OPENING, hyp(y, z - AXIS)
    d = join(rod(j, rr, 8.0, 8.75, 1.75, 0.15), rod(j, rr, 8.6, 12.4, 1.36, 0.3), 0.25)
    s, t = along(y, z)
    return cut(d, hyp(j - 10.7, t) - 0.66, 0.08)


def along(y, z):
    """Along the bar and across it."""
    c, s = math.cos(LEAN), math.sin(LEAN)
    return y * s + (z - AXIS) * c, y * c - (z - AXIS) * s


def bar(x, y, z):
    s, t = along(y, z)
    s, rr = s + 2.2, hyp(x - JAW_OPENING - 10.7, t)
    d = rod(s, rr, -9.6, 9.6, 0.56, 0.1)
    for e in (-9.6, 9.6):
        d = join(d, rod(s, rr, e - 0.62, e + 0.62, 0.98, 0.32), 0.12)
    return d


def nuts(x, y, z):
    u, v = x + 3.2, np.abs(y) - 5.65
    nut = extrude(ngon(u, v, 0.68, 6, 0.3), z - 2.95, 0.42, 0.03)
    nut = intersect(nut, hyp(u, v) - 0.74 + np.maximum(z - 3.2, 0) * 1.4, 0.03)
    stud = join(rod(z, hyp(u, v), 2.4, 3.62, 0.36, 0.08), rod(z, hyp(u, v), 2.45, 2.58, 1.0, 0.04), 0.02)
    return np.minimum(nut, stud)


def anvil_top(n):
    x, y, z = n.xyz()
    return n.mul(n.remap(z, 12.24, 12.29, 0.0, 1.0), n.remap(x, -2.9, -3.0, 0.0, 1.0))


def bench_vice():
    shiny = chrome((0.14, 0.24))
    parts = [
        solid(foot, (-12.2, -9, -0.5), (5.8, 9, 1.9), oxide(), 0.1),
        solid(body, (-9.4, -6.9, 1.5), (2.4, 6.9, 14.6), enamel(bright=anvil_top), 0.1),
        solid(moving_jaw, (JAW_OPENING + 1.8, -6.5, 5.0), (JAW_OPENING + 8.4, 6.5, 14.6), enamel(), 0.1),
        solid(nuts, (-4.7, -7.2, 2.3), (-1.8, 7.2, 3.8), shiny, 0.05),
        solid(slide, (-9, -2.1, 6), (JAW_OPENING + 3.2, 2.1, 9.6), steel((0.28, 0.28, 0.29, 1), (0.28, 0.42), (1.2, 30, 30), 0.06), 0.08),
        solid(jaw_plates, (0.4, -6.1, 11.5), (JAW_OPENING + 2.2, 6.1, 14.6), steel((0.55, 0.55, 0.56, 1), (0.22, 0.36), (30, 1.2, 1.2), 0.05), 0.06),
        solid(screw, (JAW_OPENING + 7.8, -2, AXIS - 2), (JAW_OPENING + 12.8, 2, AXIS + 2), shiny, 0.06),
        solid(bar, (JAW_OPENING + 9.5, -13, AXIS - 6.8), (JAW_OPENING + 12, 9, AXIS + 5), shiny, 0.06),
        letters("FORGELINE", 1.5, ink(PAPER, 0.45), (-3.9, -2.86, 7.37), (math.radians(90), 0, 0), 0.12, 0.012),
    ]
    return parts, dict(turn=-38, elevation=27, lens=85, tilt=False, room=0.1, back=0.4, front=0.4, shade=0.7)
