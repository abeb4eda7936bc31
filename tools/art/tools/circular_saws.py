"""Circular saw, standing on its base."""
import numpy as np

from studio.colors import BLACK, EMBER, INK, PAPER
from studio.distance_fields import *
from studio.hardware import cord, screws
from studio.lettering import letters, printed
from studio.graduations import marks
from studio.mesh import solid
from studio.metals import chrome, faced, steel
from studio.outline import bent, polygon, smooth, tube
from studio.resting_poses import turn
from studio.surfaces import coated, ink, plastic, rubber

from . import saw_guards as guards
from .saw_guards import HUB

MID = 3.6  # the plane in which the two halves of the shell meet
GRIP = [(-12.0, HUB + 6.5, 1.5), (-12.4, HUB + 9.4, 1.65), (-9.5, HUB + 13.0, 1.75), (-4.5, HUB + 14.2, 1.65), (0.5, HUB + 13.0, 1.55), (3.4, HUB + 10.4, 1.5), (3.6, HUB + 7.4, 1.6)]
SCREWS = [(-11.6, HUB + 5.6), (3.7, HUB + 9.2), (3.9, HUB + 5.6)]


def motor(x, y, z):
    r = hyp(x, z - HUB - 0.4)
    return turned(y, r, [(1.2, 5.3), (2.2, 5.5), (7.6, 5.4), (8.4, 5.1)], 0.3)


def motor_cap(x, y, z):
    r, a = hyp(x, z - HUB - 0.4), np.arctan2(z - HUB - 0.4, x)
    d = turned(y, r, [(7.9, 5.35), (8.6, 5.5), (12.4, 5.2), (13.6, 4.2)], 0.45)
    slots = np.abs(((a / (2 * PI) * 24) % 1) - 0.5) * r * 2 * PI / 24 - 0.28
    d = cut(d, np.maximum(np.maximum(slots, np.abs(y - 10.7) - 1.15), 4.5 - r), 0.06)
    rings = np.abs(((r - 0.6) % 0.75) - 0.37) - 0.17
    return cut(d, np.maximum(np.maximum(rings, 13.0 - y), np.maximum(r - 3.6, 0.6 - r)), 0.05)


def shell(x, y, z):
    pts, w = bent(GRIP, 10)
    grip = tube(x, z, y - MID, pts, w)
    body = box(x, y, z, (-12.6, 1.8, HUB + 3.0), (5.6, 5.4, HUB + 7.6), 1.1)
    front = tube(x, z, y - MID, [(4.0, HUB + 6.0), (8.0, HUB + 7.4), (11.4, HUB + 6.8)], [1.5, 1.3, 1.55], 1.0)
    return join_all(1.2, grip, body, front)


def handle(x, y, z):
    d = shell(x, y, z)
    d = cut(d, np.maximum(np.abs(y - MID) - 0.035, -d - 0.09), 0.03)
    for u, w in SCREWS:
        d = cut(d, np.maximum(disc(x - u, z - w, 0.52), y - 2.35), 0.06)
    return d


def soft_grip(x, y, z):
    """Rubber where the hands go: ribbed along the sides, plain along the spine."""
    d = shell(x, y, z) - 0.06
    turned_by = np.arctan2(z - HUB - 8.5, x + 4.2)
    side = ramp(np.abs(y - MID), 0.55, 0.95)
    inner = ramp(hyp(x + 4.2, z - HUB - 8.5), 6.2, 5.7)
    ribs = 0.07 * np.maximum(np.cos(turned_by * 84), -0.3) * side * inner * ramp(z, HUB + 9.6, HUB + 10.1) * ramp(x, 0.2, -0.4)
    knob = 0.075 * np.maximum(np.cos(2 * PI * x / 0.52), -0.3) * ramp(x, 8.0, 8.3) * ramp(x, 11.6, 11.2) * side
    rear = intersect(HUB + 8.8 - z + 0.35 * (x + 12), x - 1.4, 0.3)
    return intersect(d - ribs - knob, np.minimum(rear, 7.4 - x), 0.14)


def trigger(x, y, z):
    p = smooth([(-9.0, HUB + 12.2), (-8.4, HUB + 10.0), (-6.9, HUB + 9.7), (-5.0, HUB + 11.0), (-3.6, HUB + 12.6), (-3.4, HUB + 13.6), (-8.2, HUB + 13.4)])
    lever = extrude(polygon(x, z, p), y - MID, 0.78, 0.35)
    lock = rod(-y, hyp(x + 1.6, z - HUB - 13.45), -2.6, -1.65, 0.52, 0.15)
    return np.minimum(lever, lock)


def shell_screws(x, y, z):
    return screws(x, z, -y, [(u, w, -2.35) for u, w in SCREWS], 0.36)


CORD = [(-12.2, MID, HUB + 7.2), (-14.6, MID, HUB + 7.4), (-17.0, MID, HUB + 6.2), (-18.6, MID + 0.2, HUB + 2.0), (-19.6, MID + 0.4, 3.4), (-19.4, MID + 2.0, 0.7),
        (-17.6, MID + 6.0, 0.38), (-12.0, MID + 11.0, 0.38), (-4.0, MID + 13.0, 0.38), (4.0, MID + 12.6, 0.38), (9.0, MID + 13.0, 0.38), (11, MID + 10.4, 0.38), (8, MID + 9.2, 0.38)]


def depth_marks():
    ticks = [(-12.75, 1.4 + i * 0.5, -12.75 + (0.62 if i % 5 == 0 else 0.36), 1.4 + i * 0.5 + 0.07) for i in range(20)]
    return turn([marks(ticks, -2.43, ink(INK, 0.4))], 90, "X")[0]


def circular_saw():
    side, white = (math.radians(90), 0, 0), ink(PAPER, 0.4)
    guard, black = coated((0.03, 0.031, 0.033, 1), 0.34), plastic(BLACK, 0.4)
    plate = solid(guards.name_plate, (-7.5, -1.9, HUB + 2), (7.5, -1.5, HUB + 9.2), plastic(EMBER, 0.3), 0.05)
    return [
        solid(guards.base, (-15.8, -4.6, -0.2), (15.8, 12.9, 1.2), steel((0.55, 0.55, 0.56, 1), (0.24, 0.36), (1, 20, 20)), 0.09),
        solid(guards.blade, (-9.8, -0.3, HUB - 9.8), (9.8, 0.3, HUB + 9.8), faced((0.62, 0.62, 0.63, 1), (0, 0, HUB), (0.18, 0.28)), 0.05),
        solid(guards.tips, (-9.9, -0.3, HUB - 9.9), (9.9, 0.3, HUB + 9.9), steel((0.30, 0.30, 0.31, 1), (0.2, 0.3), (8, 8, 8)), 0.045),
        solid(guards.upper_guard, (-13.8, -2.2, 2.2), (12.4, 5.0, HUB + 11), guard, 0.085),
        solid(guards.guard_screws, (-10.2, -2.4, HUB), (10.2, -1, HUB + 6.4), steel((0.25, 0.25, 0.26, 1), (0.24, 0.34), (4, 4, 4)), 0.04),
        plate, solid(guards.rivets, (-4.2, -2.1, HUB + 5), (4.6, -1.2, HUB + 7), chrome((0.14, 0.24)), 0.03),
        solid(guards.lower_guard, (-10.4, -1.3, 0), (10.4, 1.3, HUB + 4.2), steel((0.6, 0.6, 0.61, 1), (0.2, 0.3), (2, 2, 20)), 0.07),
        solid(guards.lever, (0, -3.2, 0.4), (5, -0.8, HUB - 3), black, 0.05),
        solid(guards.arbor, (-2.5, -2.0, HUB - 2.5), (2.5, 0.3, HUB + 2.5), chrome((0.14, 0.24)), 0.045),
        solid(guards.bevel, (11.4, -0.2, 0), (14.4, 5.8, 8.2), steel((0.32, 0.32, 0.33, 1), (0.28, 0.4), (3, 3, 3)), 0.07),
        solid(guards.depth_scale, (-13.9, 1.4, 0), (-8.8, 3.8, 14), steel((0.6, 0.6, 0.61, 1), (0.22, 0.32), (20, 20, 1)), 0.06),
        solid(guards.knobs, (11.7, -4.2, 0), (14.8, 5, 7), black, 0.06),
        solid(motor, (-5.9, 0.9, HUB - 5.4), (5.9, 8.8, HUB + 6.2), plastic(EMBER, 0.34), 0.1),
        solid(motor_cap, (-5.9, 7.6, HUB - 5.4), (5.9, 13.9, HUB + 6.2), black, 0.09),
        solid(handle, (-14.8, 1.4, HUB + 2.6), (13.4, 5.9, HUB + 16.4), plastic(EMBER, 0.34), 0.09),
        solid(shell_screws, (-12.3, 1.7, HUB + 5), (4.6, 3.1, HUB + 10), steel((0.25, 0.25, 0.26, 1), (0.24, 0.34), (4, 4, 4)), 0.04),
        solid(soft_grip, (-14.8, 1.3, HUB + 2.6), (13.5, 6.0, HUB + 16.5), rubber(BLACK), 0.08),
        solid(trigger, (-9.6, 1.4, HUB + 9.2), (-0.8, 4.7, HUB + 14.2), black, 0.05),
        cord(CORD), depth_marks(),
        printed("FORGELINE", 1.75, white, (0.25, -3, HUB + 7.55), plate, turn=side, along=(0, 1, 0)),
        printed("CS 190   1400 W   5500 /min", 0.62, white, (0.25, -3, HUB + 6.35), plate, turn=side, along=(0, 1, 0)),
        letters("190 × 30   24 T", 0.75, ink(INK, 0.5), (5.2, -0.1, 4.9), side, depth=0.004, bevel=0),
    ], dict(turn=-36, elevation=24, tilt=False, room=0.06, back=0.55, front=0.4, shade=0.75)
