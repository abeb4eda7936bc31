"""Spirit level and tape measure."""
import numpy as np

from studio.colors import BLACK, EMBER, INK, PAPER, linear, shade
from studio.distance_fields import *
from studio.lettering import letters
from studio.graduations import marks, ruler_ticks
from studio.mesh import solid
from studio.metals import aluminum, chrome, steel
from studio.outline import polygon, smooth
from studio.surfaces import glass, ink, matt, plastic, rubber

HALF = 28.6
VIALS = [(0.0, 2.7, 1.15), (20.5, 1.75, 1.75)]


def level_bar(x, y, z):
    """Box section standing on its base: x along, y across, z up."""
    d = rect(y, z - 2.6, 1.25, 2.6, 0.12)
    web = np.maximum(0.72 - np.abs(y), np.abs(z - 2.6) - 1.72)
    d = cut(d, web, 0.16)
    ribs = np.minimum(np.abs(z - 3.9), np.abs(z - 1.3)) - 0.07
    d = np.minimum(d, np.maximum(ribs, np.abs(y) - 0.84))
    d = np.maximum(d, np.abs(x) - HALF)
    for at, w, h in VIALS:
        d = cut(d, np.maximum(rect(x - at, z - 2.6, w, h + (0.45 if w > 2 else 0), 0.25), -9 - y), 0.06)
    return d


def end_caps(x, y, z):
    return box(np.abs(x), y, z, (HALF - 0.5, -1.42, -0.06), (HALF + 1.4, 1.42, 5.26), 0.28)


def vial_holders(x, y, z):
    d = 9.0
    for at, w, h in VIALS:
        block_ = np.maximum(rect(x - at, z - 2.6, w + 0.02, h + 0.02, 0.3), np.abs(y) - 0.98)
        tall = 0.95
        gap = rect(x - at, z - 2.6, w - 0.55, tall, 0.3) if w > 2 else rect(x - at, z - 2.6, tall, h - 0.45, 0.3)
        d = np.minimum(d, cut(block_, np.maximum(gap, 0.55 - np.abs(y)), 0.08))
    return d


def liquid(x, y, z):
    level = turned(x, hyp(y, z - 2.6), [(-1.9, 0.80), (0, 0.86), (1.9, 0.80)], 0.1)
    plumb = turned(z - 2.6, hyp(x - 20.5, y), [(-1.2, 0.80), (0, 0.86), (1.2, 0.80)], 0.1)
    return np.minimum(level, plumb)


def bubbles(x, y, z):
    level = np.sqrt((x * 0.5) ** 2 + (y + 0.56) ** 2 + (z - 2.86) ** 2) - 0.36
    plumb = np.sqrt((x - 20.5) ** 2 + (y + 0.58) ** 2 + ((z - 2.7) * 0.6) ** 2) - 0.34
    return np.minimum(level, plumb)


def vial_lines(x, y, z):
    a = np.maximum(np.abs(np.abs(x) - 0.72) - 0.035, np.abs(hyp(y, z - 2.6) - 0.87) - 0.035)
    b = np.maximum(np.abs(np.abs(z - 2.6) - 0.5) - 0.035, np.abs(hyp(x - 20.5, y) - 0.87) - 0.035)
    return np.minimum(a, b)


def spirit_level():
    green = matt(linear("#c8e01a"), 0.12, 0.0)
    return [
        solid(level_bar, (-HALF - 0.1, -1.5, -0.2), (HALF + 0.1, 1.5, 5.4), aluminum(), 0.075),
        solid(end_caps, (-HALF - 1.6, -1.6, -0.3), (HALF + 1.6, 1.6, 5.5), rubber(BLACK), 0.09),
        solid(vial_holders, (-3, -1.2, -0.6), (22.6, 1.2, 5.6), plastic(EMBER, 0.3), 0.06),
        solid(liquid, (-2.2, -1.1, 1), (21.6, 1.1, 4.2), green, 0.05),
        solid(bubbles, (-1.1, -1.1, 1.9), (21.1, 0.2, 4.2), matt(linear("#eef7a8"), 0.08), 0.03),
        solid(vial_lines, (-1.1, -1.1, 1.5), (21.6, 1.1, 3.7), ink(INK, 0.4), 0.03),
        letters("FORGELINE", 2.5, ink(EMBER, 0.4), (-13.5, -0.735, 2.6), (math.radians(90), 0, 0), depth=0.004, bevel=0),
        letters("600 mm · 0.5 mm/m", 1.3, ink(INK, 0.5), (10.6, -0.735, 2.6), (math.radians(90), 0, 0), depth=0.004, bevel=0),
    ], dict(turn=24, elevation=30, tilt=False, room=0.06, back=0.7, key=1.25)


SHELL = smooth([(-3.5, 0.1), (-3.6, 3.6), (-3.0, 5.6), (-1.4, 6.7), (0.8, 6.75), (2.6, 6.0), (3.5, 4.2), (3.7, 2.0), (3.75, 0.4), (3.4, 0.0), (3.4, 0.0),
                (3.4, 0.0), (-3.3, 0.0)])


def shell(x, y, z):
    d = extrude(polygon(x, z, SHELL), y, 1.7, 0.35)
    face = np.maximum(polygon(x, z, SHELL) + 0.75, 1.62 - np.abs(y))
    return cut(d, face, 0.06)


def rubber_rim(x, y, z):
    """Soft black rim over the shell's corners."""
    d = polygon(x, z, SHELL)
    rim = extrude(d - 0.12, y, 1.85, 0.4)
    rim = intersect(rim, -(d + 0.5), 0.12)
    window = np.maximum(np.abs(y) - 0.9, rect(x - 0.2, z - 7, 1.6, 1.4, 0.2))
    ribs = 0.06 * np.cos(2 * PI * z / 0.5) * ramp(x, -3.0, -3.4)
    mouth = rect(x - 3.6, z - 0.7, 0.9, 0.55, 0.1)
    return cut(cut(rim + ribs, window, 0.1), np.maximum(mouth, np.abs(y) - 1.2), 0.08)


def disc_face(x, y, z):
    d = extrude(disc(x + 0.1, z - 3.4, 2.3), y, 1.66, 0.06)
    return cut(d, np.maximum(np.abs(disc(x + 0.1, z - 3.4, 2.0)) - 0.03, 1.6 - np.abs(y)), 0.02)


def button(x, y, z):
    return box(x, y, z, (-1.2, -0.8, 6.2), (1.5, 0.8, 7.35), 0.3) + 0.05 * np.cos(2 * PI * x / 0.3) * ramp(z, 7.1, 7.3)


def blade_height(x, y):
    return 0.52 + 0.16 * (y / 0.95) ** 2


def tape_blade(x, y, z):
    d = np.abs(z - blade_height(x, y)) - 0.035
    return np.maximum(np.maximum(d, np.abs(y) - 0.95), np.maximum(2.8 - x, x - 12.2))


def hook(x, y, z):
    plate = box(x, y, z, (12.1, -0.85, -0.25), (12.28, 0.85, 0.95), 0.03)
    tab = np.maximum(np.abs(z - blade_height(x, y) - 0.07) - 0.04, np.maximum(np.abs(y) - 0.6, np.maximum(10.9 - x, x - 12.2)))
    pins = np.maximum(np.minimum(disc(x - 11.3, y - 0.28, 0.15), disc(x - 11.8, y + 0.28, 0.15)), np.abs(z - 0.66) - 0.1)
    return np.minimum(np.minimum(plate, tab), pins)


def tape_scale():
    return [(3.9 + i * 0.1, -0.93, 3.9 + i * 0.1 + 0.02, -0.93 + (0.62 if i % 10 == 3 else 0.42 if i % 5 == 3 else 0.28)) for i in range(82)]


def tape_measure():
    dark = ink(INK, 0.5)
    lines = marks(tape_scale(), 0.0, dark)
    for v in lines.data.vertices:
        v.co.z = blade_height(v.co.x, v.co.y) + 0.04
    figures = [letters(str(i), 0.62, dark, (12.2 - i - 0.2, 0.22, blade_height(0, 0.22) + 0.045), depth=0.002, bevel=0) for i in range(2, 8)]
    front = (math.radians(90), 0, 0)
    return [
        solid(shell, (-4, -1.9, -0.2), (4, 1.9, 7), plastic(EMBER, 0.3), 0.06),
        solid(rubber_rim, (-4.1, -2.1, -0.4), (4.2, 2.1, 7.2), rubber(BLACK), 0.06),
        solid(disc_face, (-2.6, -1.8, 0.9), (2.4, 1.8, 5.9), plastic(BLACK, 0.36), 0.05),
        solid(button, (-1.4, -1, 6), (1.7, 1, 7.6), plastic(BLACK, 0.4), 0.05),
        solid(tape_blade, (2.7, -1.1, 0.3), (12.4, 1.1, 0.9), plastic(linear("#f2b705"), 0.35), 0.035),
        solid(hook, (10.7, -1, -0.4), (12.5, 1, 1.1), chrome((0.14, 0.22)), 0.035),
        lines, *figures,
        letters("FORGELINE", 0.88, ink(PAPER, 0.4), (-0.1, -1.665, 3.75), front, depth=0.003, bevel=0),
        letters("5 m", 0.95, ink(EMBER, 0.4), (-0.1, -1.665, 2.6), front, depth=0.003, bevel=0),
    ], dict(turn=-26, elevation=28, tilt=False, room=0.08, back=0.5, shade=0.7)
