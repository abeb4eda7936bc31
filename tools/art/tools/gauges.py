"""Square and caliper: hardened, ground, graduated."""
import numpy as np

from studio.colors import INK
from studio.distance_fields import *
from studio.lettering import letters
from studio.graduations import marks, ruler_ticks
from studio.mesh import solid
from studio.metals import steel
from studio.outline import polygon, smooth
from studio.surfaces import ink

DARK = (0.03, 0.03, 0.033, 1)


def stock(x, y, z):
    d = block(x, y - 4.1, z, 1.0, 5.6, 0.85, 0.06)
    groove = np.maximum(np.abs(x) - 0.42, 0.74 - np.abs(z))
    d = cut(d, np.maximum(groove, np.abs(y - 4.0) - 4.2), 0.06)
    return cut(d, hyp(x - 1.0, y + 0.05 - 0.35) - 0.17, 0.02)


def square_blade(x, y, z):
    d = rect(x - 7.05, y + 0.45, 7.95, 1.06, 0.02)
    return extrude(d, z, 0.22, 0.025)


def rivets(x, y, z):
    d = np.minimum(disc(x + 0.45, y + 0.75, 0.18), disc(x - 0.45, y + 0.1, 0.18))
    return extrude(d, z, 0.862, 0.02)


def engineers_square(fine=None, along=None):
    fine = fine or steel((0.62, 0.62, 0.63, 1), (0.12, 0.22), (26, 1.2, 26), 0.05)
    along = along or steel((0.66, 0.66, 0.67, 1), (0.11, 0.2), (1.2, 26, 26), 0.05)
    dark = ink(DARK, 0.5)
    return [
        solid(stock, (-1.2, -1.7, -1), (1.2, 9.9, 1), fine, 0.05),
        solid(square_blade, (-1.6, -1.7, -0.4), (15.2, 0.8, 0.4), along, 0.04),
        solid(rivets, (-0.8, -1.2, -1), (0.8, 0.6, 1), steel((0.4, 0.4, 0.41, 1), (0.2, 0.3), (5, 5, 5)), 0.03),
        letters("FORGELINE", 0.8, dark, (6.2, -0.45, 0.222), depth=0.003, bevel=0),
        letters("DIN 875/1", 0.52, dark, (12.2, -0.45, 0.222), depth=0.003, bevel=0),
        letters("150", 0.5, dark, (0, 5.6, 0.742), (0, 0, math.radians(90)), depth=0.003, bevel=0),
    ], dict(turn=12, elevation=52, tilt=False, back=0.38, sheen=-1.3)


FIXED = smooth([(-0.75, 0.8), (-0.75, 0.8), (-0.75, 0.8), (-0.75, 2.4), (-0.12, 3.1), (0, 3.1), (0, 3.1), (0, 3.1), (0, 1.6), (0.35, 0.8), (0.35, 0.8),
                (0.35, 0.8), (0.35, -0.8), (0.35, -0.8), (0, -1.0), (0, -1.0), (0, -1.0), (0, -5.0), (0, -5.0), (0, -5.0), (-0.35, -4.9),
                (-1.2, -2.8), (-2.1, -1.5), (-2.2, -0.8), (-2.2, 0.8), (-2.2, 0.8), (-2.2, 0.8)])
JAW_OPENING = 2.7


def beam(x, y, z):
    d = extrude(rect(x - 9.3, y, 11.5, 0.8, 0.02), z, 0.18, 0.02)
    jaw = polygon(x, y, FIXED)
    thin = 0.18 - 0.10 * ramp(x, -0.3, 0) * (y < -1.2) - 0.10 * ramp(y, 1.4, 2.4)
    d = np.minimum(d, extrude(jaw, z, thin, 0.02))
    return cut(d, np.maximum(rect(x - 8.75, y, 6.85, 0.2, 0.2), 0.13 - np.abs(z)), 0.03)


SLIDER = smooth([(0, 1.25), (0, 1.25), (0, 3.1), (0, 3.1), (0, 3.1), (0.12, 3.1), (0.75, 2.4), (0.75, 1.25), (0.75, 1.25), (0.75, 1.25), (5.3, 1.25), (5.3, 1.25),
                 (5.3, 1.25), (5.3, -1.25), (5.3, -1.25), (5.3, -1.25), (2.7, -1.25), (2.1, -1.5), (1.2, -2.8), (0.35, -4.9), (0, -5.0), (0, -5.0), (0, -5.0),
                 (0, -1.0), (0, -1.0)])


def slider(x, y, z):
    j = x - JAW_OPENING
    thin = 0.36 - 0.26 * ramp(j, 0.3, 0) * (y < -1.3) - 0.2 * ramp(np.abs(y), 1.3, 1.6)
    d = extrude(polygon(j, y, SLIDER), z, thin, 0.03)
    window = rect(j - 2.75, y - 0.14, 2.1, 0.7, 0.06) - 0.5 * np.maximum(z - 0.2, 0)
    d = cut(d, np.maximum(window, 0.185 - z), 0.02)
    scale = np.maximum(rect(j - 2.75, y + 0.80, 2.1, 0.62), 0.25 - z)
    d = cut(d, scale, 0.01)
    pad = extrude(smooth_pad(j, y), z, 0.42, 0.10)
    return join(d, pad, 0.05)


def smooth_pad(j, y):
    return rect(j - 4.3, y + 1.35, 0.72, 0.3, 0.2) + teeth(j, 0.18, 0.07)


def thumb_screw(x, y, z):
    j = x - JAW_OPENING
    rr = hyp(j - 4.3, z)
    d = intersect(rr - 0.36 + 0.03 * np.cos(20 * np.arctan2(z, j - 4.3)), np.abs(y - 1.75) - 0.32, 0.06)
    return np.minimum(d, intersect(rr - 0.2, np.abs(y - 1.3) - 0.3, 0.02))


def depth_rod(x, y, z):
    return block(x - 14.2 - JAW_OPENING / 2, y, z, 8.3, 0.11, 0.07, 0.02)


def caliper_scale():
    metric = ruler_ticks(0.6, 151, 0.1, -0.78, [(10, 0.5), (5, 0.4), (1, 0.28)], 0.03)
    inch = ruler_ticks(0.6, 97, 2.54 / 16, 0.78, [(16, -0.48), (8, -0.4), (1, -0.24)], 0.03)
    vernier = [(JAW_OPENING + 0.85 + i * 0.195, -0.82 if i % 2 else -0.94, JAW_OPENING + 0.885 + i * 0.195, -0.6) for i in range(21)]
    return metric + inch, vernier


def vernier_caliper():
    satin = steel((0.5, 0.5, 0.51, 1), (0.18, 0.28), (1, 26, 26), 0.03)
    dark = ink(DARK, 0.5)
    lines, vernier = caliper_scale()
    parts = [
        solid(beam, (-2.4, -5.2, -0.4), (21, 3.3, 0.4), satin, 0.04),
        solid(slider, (JAW_OPENING - 0.2, -5.2, -0.6), (JAW_OPENING + 5.6, 3.3, 0.6), satin, 0.035),
        solid(thumb_screw, (JAW_OPENING + 3.8, 0.9, -0.5), (JAW_OPENING + 4.8, 2.2, 0.5), steel((0.5, 0.5, 0.51, 1), (0.2, 0.3), (5, 5, 5)), 0.03),
        solid(depth_rod, (6, -0.3, -0.2), (24.2, 0.3, 0.2), satin, 0.03),
        marks(lines, 0.183, dark), marks(vernier, 0.253, dark),
        letters("FORGELINE", 0.95, dark, (18.3, 0, 0.183), depth=0.002, bevel=0),
    ]
    return parts + [letters(str(i), 0.36, dark, (0.6 + i, -0.1, 0.183), depth=0.002, bevel=0) for i in range(16)], dict(
        turn=16, elevation=58, tilt=False, back=0.38, sheen=-1.4)
