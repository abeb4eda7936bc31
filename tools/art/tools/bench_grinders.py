"""Bench grinder: two stones, their guards, and the motor between them."""
import numpy as np

from studio.colors import BLACK, EMBER, INK, PAPER, linear
from studio.distance_fields import *
from studio.hardware import cord, screw, screws
from studio.lettering import letters, printed
from studio.mesh import solid
from studio.metals import aluminum, cast, steel
from studio.surfaces import abrasive, coated, ink, matt, plastic, rubber

SPINDLE, OUT = 13.0, 12.6  # height of the shaft; how far out the stones turn
FEET = [(x, y) for x in (-9.4, 9.4) for y in (-5.9, 5.9)]
COVER_SCREWS = [(7.7 * math.cos(a), SPINDLE + 7.7 * math.sin(a)) for a in map(math.radians, (62, -10, -82))]
CORD = [(-9.3, 3.2, 1.5), (-11.8, 3.0, 1.25), (-14.2, 1.6, 0.42), (-17.2, 0.6, 0.38), (-19.6, 3.4, 0.38), (-18.6, 8.6, 0.38), (-13.0, 12.6, 0.38), (-5.0, 13.6, 0.38), (3.0, 11.6, 0.38)]
BELL_SCREWS = [(4.75 * math.cos(a), SPINDLE + 4.75 * math.sin(a)) for a in map(math.radians, (45, 135, 225, 315))]


def round_shaft(y, z):
    return hyp(y, z - SPINDLE)


def stand(x, y, z):
    base = box(x, y, z, (-9.6, -6.6, 0.7), (9.6, 6.6, 2.3), 0.6)
    for u, v in FEET:
        base = join(base, rod(z, hyp(x - u, y - v), 0.7, 1.9, 1.6, 0.25), 0.9)
    column = box(x, y, z, (-6.0, -4.8, 1.2), (6.0, 4.8, 10.0), 1.3) - 0.45 * ramp(z, 6.5, 1.5)
    d = join(base, column, 1.6)
    a = np.arctan2(z - SPINDLE, -y)
    fins = 0.3 * ramp(np.cos(34 * a), -0.5, 0.5) * ramp(np.abs(a - 0.16), 0.62, 0.72) * ramp(np.abs(x), 5.7, 5.3)
    d = join(d, rod(x, round_shaft(y, z), -6.3, 6.3, 5.55, 0.25) - fins, 0.8)
    for u, v in FEET:
        d = cut(d, capsule(x, y, u - 0.25, v, u + 0.25, v, 0.48), 0.06)
    return cut(d, np.maximum(rect(x, z - 5.4, 1.95, 2.2, 0.3), y + 4.9), 0.06)


def rubber_feet(x, y, z):
    return join_all(0.0, *(rod(z, hyp(x - u, y - v), 0, 0.72, 1.25, 0.12) for u, v in FEET))


def end_bells(x, y, z):
    s, r = np.abs(x), round_shaft(y, z)
    d = turned(s, r, [(6.34, 5.75), (7.6, 5.8), (8.5, 5.2), (9.1, 4.2)], 0.2)
    a = np.arctan2(z - SPINDLE, y)
    slots = np.abs(((a / (2 * PI) * 28) % 1) - 0.5) * r * 2 * PI / 28 - 0.2
    d = cut(d, np.maximum(np.maximum(slots, np.abs(s - 7.35) - 0.62), 5.2 - r), 0.06)
    return np.minimum(d, rod(s, r, 8.8, 11.2, 3.3, 0.1))


def guards(x, y, z):
    s, r = np.abs(x) - OUT, round_shaft(y, z)
    d = intersect(r - 8.9, np.abs(s) - 2.0, 0.35)
    d = join(d, np.maximum(np.abs(r - 8.85) - 0.3, np.abs(s + 1.75) - 0.25), 0.25)
    d = intersect(d, -intersect(r - 8.45, np.abs(s) - 1.65, 0.2), 0.04)
    d = cut(d, guard_opening(y, z), 0.14)
    return join(d, rod(s, r, -2.4, -1.9, 4.6, 0.12), 0.3)


def guard_opening(y, z):
    return rect(y + 9.2, z - SPINDLE - 0.6, 6.2, 4.9, 0.9)


def covers(x, y, z):
    s, r = np.abs(x) - OUT, round_shaft(y, z)
    d = extrude(r - 9.15, s - 2.15, 0.2, 0.16)
    d = join(d, np.maximum(np.abs(r - 8.7) - 0.3, np.abs(s - 2.3) - 0.2), 0.2)
    d = join(d, np.maximum(np.abs(r - 5.6) - 0.2, np.abs(s - 2.2) - 0.22), 0.25)
    d = join(d, turned(s, r, [(1.9, 3.7), (2.7, 3.5), (3.1, 2.9)], 0.15), 0.5)
    for u, v in COVER_SCREWS:
        d = join(d, rod(s, hyp(y - u, z - v), 1.9, 2.5, 0.72, 0.08), 0.25)
    return cut(d, guard_opening(y, z), 0.12)


def stones(x, y, z):
    s, r = np.abs(x) - OUT, round_shaft(y, z)
    return intersect(intersect(r - 7.6, np.abs(s) - 1.15, 0.12), 1.2 - r, 0.05)


def coarse_stone(x, y, z):
    return np.maximum(stones(x, y, z), x)


def fine_stone(x, y, z):
    return np.maximum(stones(x, y, z), -x)


def blotters(x, y, z):
    return intersect(round_shaft(y, z) - 5.0, np.abs(np.abs(x) - OUT) - 1.19, 0.02)


def flanges(x, y, z):
    s, r = np.abs(x) - OUT, round_shaft(y, z)
    return rod(np.abs(s), r, 0.9, 1.55, 3.6, 0.2)


def visible_screws(x, y, z):
    s = np.abs(x) - OUT
    d = screws(y, z, s, [(u, v, 2.44) for u, v in COVER_SCREWS], 0.48)
    d = np.minimum(d, screws(y, z, np.abs(x), [(u, v, 8.5) for u, v in BELL_SCREWS], 0.42))
    u, v = spin(y, z, 180 - 44, 0, SPINDLE)
    return np.minimum(d, screw(np.abs(s), v - 0.4, u - 9.3, 0.45))


def arrestors(x, y, z):
    """The spark arrestor plate, close to the stone at the upper edge of the opening."""
    s = np.abs(x) - OUT
    u, v = spin(y, z, 180 - 44, 0, SPINDLE)
    plate = block(s, v - 0.9, u - 9.12, 1.75, 1.5, 0.16, 0.06)
    return join(plate, block(s, v - 2.3, u - 8.7, 1.75, 0.14, 0.55, 0.06), 0.15)


def tool_rests(x, y, z):
    s, top = np.abs(x) - OUT, SPINDLE - 0.5
    table = box(s, y, z, (-2.7, -12.2, top - 0.5), (2.7, -7.9, top), 0.12)
    table = cut(table, np.maximum(np.abs(y + 10.6) - 0.28, top - 0.16 - z), 0.04)
    arm = box(s, y, z, (-2.75, -10.0, top - 4.9), (-2.4, -6.4, top - 0.2), 0.12)
    arm = cut(arm, capsule(y, z, -8.6, top - 3.4, -7.2, top - 3.4, 0.3), 0.05)
    return join(table, arm, 0.3)


def star_knobs(x, y, z):
    s, v = np.abs(x) - OUT, z - SPINDLE + 3.9
    a = np.arctan2(v, y + 8.0)
    return join(rod(-s, hyp(y + 8.0, v), 2.9, 4.1, 1.15, 0.3) + 0.16 * np.cos(6 * a), rod(-s, hyp(y + 8.0, v), 2.6, 3.2, 0.7, 0.05), 0.2)


def switch_panel(x, y, z):
    d = extrude(rect(x, z - 5.4, 1.85, 2.1, 0.25), y + 4.86, 0.16, 0.06)
    return cut(d, np.maximum(np.minimum(rect(x, z - 6.4, 1.25, 0.8, 0.2), rect(x, z - 4.4, 1.25, 0.8, 0.2)), y + 4.92), 0.03)


def button(level, proud):
    return lambda x, y, z: extrude(rect(x, z - level, 1.15, 0.7, 0.15), y + 4.95 + proud, 0.2, 0.1)


def rating_plate(x, y, z):
    return extrude(rect(x, z - 1.5, 2.6, 0.42, 0.1), y + 6.6, 0.06, 0.02)


def bench_grinder():
    side, white = (math.radians(90), 0, 0), ink(PAPER, 0.4)
    shell = solid(stand, (-11.4, -8, 0.4), (11.4, 8, 19.4), coated(EMBER, 0.3), 0.1)
    dark = coated((0.022, 0.022, 0.024, 1), 0.34)
    screwed = steel((0.35, 0.35, 0.36, 1), (0.22, 0.32), (4, 4, 4))
    reach = OUT + 3.4
    return [
        shell,
        solid(rubber_feet, (-11, -7.4, -0.1), (11, 7.4, 0.9), rubber(BLACK), 0.08),
        solid(end_bells, (-11.4, -6, SPINDLE - 6), (11.4, 6, SPINDLE + 6), cast((0.42, 0.425, 0.43, 1)), 0.09),
        solid(guards, (-reach, -9.4, SPINDLE - 9.4), (reach, 9.4, SPINDLE + 9.4), dark, 0.1),
        solid(covers, (-reach, -9.4, SPINDLE - 9.4), (reach, 9.4, SPINDLE + 9.4), coated((0.05, 0.051, 0.054, 1), 0.3), 0.09),
        solid(coarse_stone, (-OUT - 1.5, -7.8, SPINDLE - 7.8), (0, 7.8, SPINDLE + 7.8), abrasive((0.24, 0.245, 0.26, 1), 10), 0.1),
        solid(fine_stone, (0, -7.8, SPINDLE - 7.8), (OUT + 1.5, 7.8, SPINDLE + 7.8), abrasive((0.5, 0.49, 0.47, 1), 16), 0.1),
        solid(blotters, (-OUT - 1.4, -5.2, SPINDLE - 5.2), (OUT + 1.4, 5.2, SPINDLE + 5.2), matt(linear("#b9a06a"), 0.8, 0.1), 0.09),
        solid(flanges, (-OUT - 1.8, -3.8, SPINDLE - 3.8), (OUT + 1.8, 3.8, SPINDLE + 3.8), steel((0.5, 0.5, 0.51, 1)), 0.08),
        solid(visible_screws, (-reach, -9.9, SPINDLE - 9), (reach, 6, SPINDLE + 9), screwed, 0.05),
        solid(arrestors, (-reach, -9.6, SPINDLE + 3), (reach, -3, SPINDLE + 9), steel((0.5, 0.5, 0.51, 1), (0.24, 0.36), (20, 2, 2)), 0.07),
        solid(tool_rests, (-OUT - 3, -12.5, SPINDLE - 6), (OUT + 3, -6, SPINDLE), steel((0.5, 0.5, 0.51, 1), (0.22, 0.34), (2, 20, 20)), 0.07),
        solid(star_knobs, (-OUT + 2, -9.5, SPINDLE - 5.5), (OUT - 2, -6.5, SPINDLE - 2.3), plastic(BLACK, 0.36), 0.06),
        solid(switch_panel, (-2.1, -5.2, 3), (2.1, -4.5, 7.8), plastic(BLACK, 0.4), 0.05),
        solid(button(6.4, 0.02), (-1.4, -5.4, 5.4), (1.4, -4.5, 7.4), plastic(linear("#1f7a3d"), 0.3), 0.04),
        solid(button(4.4, 0.1), (-1.4, -5.5, 3.4), (1.4, -4.5, 5.4), plastic(linear("#b3121a"), 0.3), 0.04),
        solid(rating_plate, (-2.9, -6.9, 0.9), (2.9, -6.3, 2.2), aluminum((0.7, 0.7, 0.71, 1)), 0.04),
        cord(CORD),
        letters("I", 0.8, white, (0, -5.19, 6.4), side, depth=0.004, bevel=0),
        letters("O", 0.8, white, (0, -5.27, 4.4), side, depth=0.004, bevel=0),
        letters("BG 200   550 W   2950 /min", 0.46, ink(INK, 0.5), (0, -6.67, 1.5), side, depth=0.004, bevel=0),
        printed("FORGELINE", 2.5, white, (0, -8, SPINDLE + 0.7), shell, turn=side, along=(0, 1, 0)),
    ], dict(turn=-30, elevation=22, lens=90, tilt=False, room=0.08, back=0.5, front=0.6, shade=0.75)
