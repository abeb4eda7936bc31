"""Clamps, lying on their side."""
import numpy as np

from studio.colors import BLACK, EMBER, PAPER
from studio.distance_fields import *
from studio.lettering import letters, printed
from studio.mesh import solid
from studio.metals import chrome, iron, oxide, steel
from studio.outline import bent, polygon, ribbon, smooth
from studio.surfaces import beech, enamel, ink, plastic


def thread(x, rr, angle, r, pitch, depth):
    return rr - r - depth * (np.abs(((x / pitch + angle / (2 * PI)) % 1) * 2 - 1) - 0.5)


def rail(x, y, z):
    d = rect(y, z, 1.25, 0.5, 0.08)
    groove = rect(y, np.abs(z) - 0.55, 0.62, 0.24, 0.1)
    notch = np.abs(y) - 1.25 + teeth(x, 0.28, 0.1)
    return np.maximum(np.maximum(cut(d, groove, 0.05), notch), np.abs(x - 17) - 19.5)


FIXED = smooth([(-2.2, 1.7), (-2.2, -1.7), (-2.0, -2.2), (-0.2, -2.2), (0.8, -1.7), (0.9, -3.5), (0.6, -8.0), (0.8, -11.6), (0.8, -13.2), (-0.6, -13.4),
                (-1.2, -12.2), (-1.6, -8.0), (-2.6, -3.4), (-3.0, -1.0), (-2.8, 1.4), (-2.6, 2.0)])


def fixed_arm(x, y, z):
    web = extrude(polygon(x, y, FIXED), z, 0.42, 0.12)
    rim = extrude(np.abs(polygon(x, y, FIXED) + 0.25) - 0.25, z, 0.8, 0.14)
    boss = block(x + 0.9, y, z, 1.7, 2.0, 1.0, 0.3)
    foot = rod(x, hyp(y + 12.4, z), -0.4, 1.3, 1.3, 0.2)
    return cut(join_all(0.25, web, rim, boss, foot), rect(y, z, 1.28, 0.53, 0.06), 0.03)


SLIDING = smooth([(17.2, 2.0), (19.6, 2.0), (20.0, 1.2), (20.2, -2.0), (19.6, -4.0), (19.2, -8.0), (19.9, -10.6), (20.2, -13.6), (18.2, -14.2), (16.6, -13.8),
                  (16.4, -11.2), (16.8, -8.0), (17.0, -4.0), (16.8, -1.6), (16.8, 1.2)])


def sliding_arm(x, y, z):
    web = extrude(polygon(x, y, SLIDING), z, 0.42, 0.12)
    rim = extrude(np.abs(polygon(x, y, SLIDING) + 0.25) - 0.25, z, 0.8, 0.14)
    boss = block(x - 18.5, y, z, 1.5, 2.0, 1.0, 0.3)
    nut = rod(x, hyp(y + 12.4, z), 16.2, 20.4, 1.35, 0.2)
    return cut(join_all(0.25, web, rim, boss, nut), rect(y, z, 1.30, 0.55, 0.06), 0.03)


def bar_spindle(x, y, z):
    v = y + 12.4
    rr = hyp(v, z)
    d = intersect(thread(x, rr, np.arctan2(z, v), 0.62, 0.4, 0.16) * 0.8, np.abs(x - 18.2) - 7.8, 0.1)
    plate = join(rod(x, rr, 8.8, 9.5, 1.55, 0.12), rod(x, rr, 9.4, 10.6, 0.85, 0.2), 0.15)
    return np.minimum(d, plate)


BAR_GRIP = [(24.6, 0.95), (25.0, 1.15), (26.2, 1.2), (28.0, 1.45), (31.0, 1.7), (33.8, 1.6), (35.2, 1.35), (35.6, 0.9)]


def bar_grip(x, y, z):
    v = y + 12.4
    d = turned(x, hyp(v, z), BAR_GRIP, 0.25)
    return d + 0.12 * (0.5 - 0.5 * np.cos(8 * np.arctan2(z, v))) * ramp(x, 26.2, 27.6) * ramp(x, 35, 34)


def bar_clamp():
    return [
        solid(rail, (-2.8, -1.4, -0.6), (36.8, 1.4, 0.6), steel((0.62, 0.62, 0.63, 1), (0.16, 0.28), (1, 26, 26)), 0.06),
        solid(fixed_arm, (-3.4, -14, -1.5), (1.8, 2.6, 1.5), enamel(EMBER, 0.28, 0.3), 0.07),
        solid(sliding_arm, (15.8, -14.6, -1.6), (20.9, 2.6, 1.6), enamel(EMBER, 0.28, 0.3), 0.07),
        solid(bar_spindle, (8.4, -14.2, -1.8), (26.4, -10.6, 1.8), oxide((0.06, 0.06, 0.065, 1), (0.26, 0.38), 0.06), 0.05),
        solid(bar_grip, (24.2, -14.4, -2), (36, -10.4, 2), beech(gloss=0.5), 0.06),
        letters("FORGELINE", 1.15, ink((0.05, 0.05, 0.05, 1)), (9.2, 0, 0.315), depth=0.004, bevel=0),
    ], dict(turn=14, elevation=54, back=0.8)


C_FRAME = [(-4.6, -6.3, 1.0), (-4.9, -4.0, 1.05), (-4.8, 1.0, 1.2), (-3.8, 3.8, 1.35), (-1.4, 5.0, 1.4), (3.0, 5.3, 1.45), (7.4, 4.9, 1.4), (9.8, 3.4, 1.3),
       (10.8, 1.0, 1.2), (10.9, -4.0, 1.1), (10.9, -6.3, 1.1)]


def c_frame(x, y, z):
    pts, w = bent(C_FRAME)
    core = ribbon(x, y, pts, w)
    frame = extrude(core, z, 0.38, 0.12)
    rim = extrude(np.abs(core + 0.22) - 0.24, z, 0.85, 0.16)
    anvil = rod(x, hyp(y + 6.4, z), -5.2, -2.6, 1.35, 0.15)
    nut = rod(x, hyp(y + 6.4, z), 9.2, 12.6, 1.5, 0.2)
    d = join_all(0.4, frame, rim, anvil, nut)
    return cut(d, hyp(y + 6.4, z) + 9 * (x < 5) - 0.72, 0.05)


def g_spindle(x, y, z):
    v = y + 6.4
    rr = hyp(v, z)
    d = intersect(thread(x, rr, np.arctan2(z, v), 0.68, 0.42, 0.17) * 0.8, np.abs(x - 11.2) - 7.4, 0.12)
    return d


def g_pad_and_bar(x, y, z):
    rr = hyp(y + 6.4, z)
    pad = join(rod(x, rr, 2.0, 2.7, 1.35, 0.14), rod(x, rr, 2.6, 4.3, 0.95, 0.3), 0.3)
    knob = rod(x, rr, 18.2, 20.6, 1.02, 0.2)
    s, t = spin(y + 6.4, z, 12)
    cross = hyp(x - 19.4, t)
    bar = np.minimum(rod(s, cross, -4.6, 5.6, 0.36, 0.06), np.minimum(rod(s, cross, -5.0, -4.2, 0.56, 0.15), rod(s, cross, 5.2, 6.0, 0.56, 0.15)))
    return np.minimum(join(pad, knob, 0.01), bar)


def g_clamp():
    return [
        solid(c_frame, (-6.4, -8.2, -1.8), (12.9, 7.2, 1.8), enamel(EMBER, 0.28, 0.3), 0.065),
        solid(g_spindle, (3.6, -7.4, -1), (18.9, -5.4, 1), oxide((0.06, 0.06, 0.065, 1), (0.24, 0.36), 0.06), 0.045),
        solid(g_pad_and_bar, (1.8, -11.7, -2.2), (20.9, -0.2, 2.2), chrome((0.16, 0.25)), 0.06),
        letters("FORGELINE", 1.5, enamel(EMBER, 0.3, 0.1), (3.0, 5.3, 0.38), depth=0.1, bevel=0.03),
        letters("100", 1.1, enamel(EMBER, 0.3, 0.1), (-4.85, -1.2, 0.38), (0, 0, math.radians(90)), depth=0.1, bevel=0.03),
    ], dict(turn=16, elevation=54, back=0.8)
