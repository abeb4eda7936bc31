"""Angle grinder, lying on its disc."""
import numpy as np

from studio.colors import BLACK, EMBER, PAPER
from studio.distance_fields import *
from studio.hardware import screws
from studio.lettering import printed
from studio.mesh import solid
from studio.metals import cast, chrome, steel
from studio.outline import path, tube
from studio.surfaces import abrasive, ink, plastic, rubber

AXIS_HEIGHT = 5.2
CASE = [(-20.6, 2.2), (-20.0, 2.8), (-17.5, 2.9), (-13.5, 2.55), (-9.5, 2.5), (-5.5, 2.9), (-2.5, 3.15), (0.5, 3.1), (1.6, 2.9)]


def motor_case(x, y, z):
    d = turned(x, hyp(y * 1.03, z - AXIS_HEIGHT), CASE, 0.45)
    for i in range(6):
        d = cut(d, np.maximum(rect(x + 3.0 - i * 0.6, z - AXIS_HEIGHT, 0.16, 1.1, 0.14), 2.2 - np.abs(y)), 0.05)
        d = cut(d, np.maximum(rect(x + 18.9 - i * 0.55, z - AXIS_HEIGHT, 0.15, 1.0, 0.14), 2.2 - np.abs(y)), 0.05)
    seam = np.maximum(np.abs(y) - 0.04, 2.2 - hyp(y, z - AXIS_HEIGHT))
    return cut(d, seam, 0.03)


def case_grip(x, y, z):
    d = turned(x, hyp(y * 1.03, z - AXIS_HEIGHT), CASE, 0.45) - 0.05
    wave = 7.6 + 1.2 * np.cos(np.arctan2(z - AXIS_HEIGHT, y) * 2)
    ribs = 0.05 * np.cos(2 * PI * x / 0.6) * ramp(x, -15.8, -15.3) * ramp(x, -9.6, -10.1)
    return intersect(d - ribs, intersect(x + wave, -x - 17.6, 0.1), 0.12)


def gear_head(x, y, z):
    neck = rod(x, hyp(y, z - AXIS_HEIGHT), 1.4, 3.4, 2.75, 0.3)
    dome = turned(z, hyp(x - 5.4, y), [(2.3, 2.6), (3.4, 2.9), (5.6, 2.95), (7.2, 2.6), (8.0, 1.7), (8.2, 1.0)], 0.25)
    d = join(neck, dome, 1.2)
    for sy in (-2.2, 2.2):
        d = join(d, rod(x, hyp(y - sy, np.abs(z - AXIS_HEIGHT) - 1.5), 1.4, 3.6, 0.62, 0.15), 0.3)
    return join(d, rod(z, hyp(x - 5.4, y), 1.4, 2.6, 2.3, 0.1), 0.2)


def head_screws(x, y, z):
    d = screws(y, z - AXIS_HEIGHT, x, [(sy * 2.2, sz * 1.5, 3.54) for sy in (-1, 1) for sz in (-1, 1)], 0.4)
    return np.minimum(d, rod(z, hyp(x - 4.0, y), 7.2, 8.5, 0.62, 0.14))


def disc_guard(x, y, z):
    u, v = x - 5.4, y
    ring = np.maximum(np.abs(hyp(u, v) - 6.7) - 0.1, np.abs(z - 1.3) - 1.15)
    lid = np.maximum(hyp(u, v) - 6.8, np.abs(z - 2.4) - 0.1)
    half = u * 0.9 + v * -0.1 - 0.6
    bead = np.maximum(np.abs(hyp(u, v) - 6.55) - 0.22, np.abs(z - 2.5) - 0.2)
    return intersect(join_all(0.3, ring, lid, bead), half, 0.15)


def wheel(x, y, z):
    r = hyp(x - 5.4, y)
    dish = 0.35 * ramp(r, 2.4, 1.6)
    return np.maximum(np.abs(z - 0.9 - dish) - 0.28, np.maximum(r - 6.25, 1.0 - r))


def flange(x, y, z):
    r = hyp(x - 5.4, y)
    return np.minimum(rod(z, r, 0.2, 1.9, 1.5, 0.1), rod(z, r, 1.0, 1.6, 2.0, 0.1))


def side_handle(x, y, z):
    s = -y - 2.6
    rr = hyp(x - 5.4, z - AXIS_HEIGHT + 0.3)
    d = turned(s, rr, [(1.0, 1.75), (1.4, 1.85), (1.9, 1.3), (3.2, 1.35), (6.4, 1.6), (9.6, 1.5), (11.2, 1.65), (12.0, 1.3)], 0.3)
    return d + 0.05 * np.cos(2 * PI * s / 0.6) * ramp(s, 3.2, 3.8) * ramp(s, 10.6, 10.0)


def stud(x, y, z):
    return rod(-y, hyp(x - 5.4, z - AXIS_HEIGHT + 0.3), 2.2, 4.0, 0.6, 0.05)


def switch(x, y, z):
    return join(box(x, y, z, (-6.4, -0.7, AXIS_HEIGHT + 2.2), (-2.8, 0.7, AXIS_HEIGHT + 3.5), 0.35), box(x, y, z, (-3.6, -0.6, AXIS_HEIGHT + 2.6), (-3.0, 0.6, AXIS_HEIGHT + 3.8), 0.25), 0.2)


CORD = [(-20.2, AXIS_HEIGHT), (-22.6, AXIS_HEIGHT - 0.1), (-24.6, AXIS_HEIGHT - 1.4), (-26.0, AXIS_HEIGHT - 3.6), (-27.6, AXIS_HEIGHT - 4.75), (-30.5, AXIS_HEIGHT - 4.85)]


def cord(x, y, z):
    bend = [tuple(v) for v in path(CORD, 6)]
    thin = tube(x, z, y, bend, [0.36] * len(bend))
    sleeve = tube(x, z, y, CORD[:3], [0.85, 0.62, 0.42]) + 0.05 * np.cos(2 * PI * x / 0.5)
    return join(thin, sleeve, 0.1)


def angle_grinder():
    side = (math.radians(90), 0, 0)
    case = solid(motor_case, (-21, -3.4, AXIS_HEIGHT - 3.5), (2, 3.4, AXIS_HEIGHT + 3.5), plastic(EMBER, 0.34), 0.08)
    return [
        case,
        solid(case_grip, (-18, -3.4, AXIS_HEIGHT - 3.5), (-6, 3.4, AXIS_HEIGHT + 3.5), rubber(BLACK), 0.07),
        solid(gear_head, (1, -3.4, 1), (8.8, 3.4, 8.6), cast((0.42, 0.425, 0.43, 1)), 0.07),
        solid(disc_guard, (-1.8, -7, 0), (12.4, 7, 2.8), steel((0.5, 0.5, 0.51, 1), (0.3, 0.42), (3, 3, 3)), 0.07),
        solid(wheel, (-1, -6.5, 0.4), (11.9, 6.5, 1.7), abrasive((0.11, 0.09, 0.075, 1), 12), 0.06),
        solid(flange, (3.2, -2.2, 0), (7.6, 2.2, 2.1), steel(), 0.05),
        solid(side_handle, (3.3, -15, AXIS_HEIGHT - 2.4), (7.5, -3.4, AXIS_HEIGHT + 1.8), rubber(BLACK), 0.06),
        solid(stud, (4.6, -4.2, AXIS_HEIGHT - 1.1), (6.2, -2, AXIS_HEIGHT + 0.5), chrome((0.14, 0.24)), 0.05),
        solid(switch, (-6.7, -0.9, AXIS_HEIGHT + 2), (-2.5, 0.9, AXIS_HEIGHT + 4), plastic(BLACK, 0.36), 0.05),
        solid(cord, (-31.2, -1.2, -0.6), (-19, 1.2, AXIS_HEIGHT + 1.4), rubber(BLACK), 0.06),
        solid(head_screws, (2.8, -2.8, AXIS_HEIGHT - 2.2), (5, 2.8, 8.7), steel((0.25, 0.25, 0.26, 1), (0.24, 0.34), (4, 4, 4)), 0.045),
        printed("FORGELINE", 1.35, ink(PAPER, 0.4), (-5.7, -4, AXIS_HEIGHT), case, turn=side, along=(0, 1, 0)),
    ], dict(turn=-32, elevation=34, tilt=False, room=0.06, back=0.6, front=0.4, shade=0.75)
