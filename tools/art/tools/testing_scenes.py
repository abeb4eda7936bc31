"""The test room: the jaws of a pair of pliers under the point of a hardness tester."""
import numpy as np

from studio.colors import PAPER, linear
from studio.distance_fields import *
from studio.graduations import marks
from studio.lettering import letters
from studio.mesh import mesh_object, solid
from studio.metals import chrome, faced, steel
from studio.resting_poses import move, shift, turn
from studio.scene import COOL, WARM, slab
from studio.surfaces import coated, ink, matt
from tools import pliers
from mathutils import Matrix

SPOT, THICK = (1.15, 0.85), 0.56  # where the point meets the jaw, and half the jaw's thickness
TOP = 2 * THICK
DIAL, RADIUS, READING = (5.4, -4.97, 7.3), 2.5, 46


def body(x, y, z):
    """The column and the arm that carries the point."""
    arm = box(x, y, z, (-3.0, -4.2, 4.3), (14, 5, 16), 0.9)
    column = box(x, y, z, (9.4, -3.6, -30), (14, 4.4, 9), 0.9)
    return join(arm, column, 1.6)


def pressing(x, y, z):
    """The sleeve, the chuck with its screw, and the holder of the diamond, all turned around z."""
    r = hyp(x, y)
    d = turned(z, r, [(3.4, 1.4), (4.6, 1.5)], 0.08)
    d = join(d, turned(z, r, [(2.05, 0.72), (2.3, 0.82), (3.5, 0.86)], 0.05), 0.05)
    return join(d, intersect(turned(z, r, [(1.46, 0.40), (1.8, 0.46), (2.2, 0.46)], 0.02), 1.46 - z), 0.03)


def point(x, y, z):
    return intersect((hyp(x, y) - 0.03 - (z - TOP) * math.tan(math.radians(60))) * 0.5, np.maximum(z - 1.56, hyp(x, y) - 0.40), 0.02)


def clamp_screw(x, y, z):
    return rod(-y, hyp(x, z - 2.9), 0.6, 1.2, 0.3, 0.05) + 0.02 * np.cos(20 * np.arctan2(z - 2.9, x))


def table(x, y, z):
    r = hyp(x, y)
    return turned(z, r, [(-1.5, 2.0), (-0.5, 2.3), (-0.4, 3.0), (0.0, 3.0)], 0.07)


def screw(x, y, z):
    pitch = 0.55 * np.abs(((z - np.arctan2(y, x) * 0.55 / (2 * PI)) / 0.55 % 1) * 2 - 1)
    return np.maximum((hyp(x, y) - 1.25 - pitch * 0.45) * 0.8, np.maximum(z + 1.4, -z - 12))


def bezel(x, y, z):
    r = hyp(x - DIAL[0], z - DIAL[2])
    ring = rod(-y - 4.2, r, 0, 1.0, RADIUS + 0.35, 0.12)
    return cut(ring, intersect(r - RADIUS, y + 4.7), 0.06)


def face():
    """The dial with its hundred divisions, its figures and its needle, facing -y."""
    black, white = ink((0.012, 0.012, 0.013, 1), 0.6), matt(PAPER, 0.7)
    side = RADIUS + 0.2
    parts = [solid(lambda x, y, z: extrude(disc(x, y, RADIUS + 0.05), z + 0.1, 0.1), (-side, -side, -0.3), (side, side, 0.1), white, 0.05)]
    for i in range(100):
        long, wide = (0.5, 0.032) if i % 10 == 0 else (0.36, 0.022) if i % 5 == 0 else (0.24, 0.016)
        parts.append(turn([marks([(-wide, RADIUS - 0.25 - long, wide, RADIUS - 0.25)], 0.004, black)], -3.6 * i)[0])
    for i in range(10):
        a = math.radians(36 * i)
        parts.append(letters(str(10 * i), 0.5, black, (1.5 * math.sin(a), 1.5 * math.cos(a), 0.006), depth=0.003, bevel=0))
    parts.append(letters("HRC", 0.46, black, (0, 0.72, 0.006), depth=0.003, bevel=0))
    hand = mesh_object(np.array([(-0.07, -0.7, 0.06), (0.07, -0.7, 0.06), (0.02, 1.95, 0.06), (-0.02, 1.95, 0.06)]), np.array([(0, 1, 2, 3)]), None,
                       ink(linear("#b3121a"), 0.4))
    parts += turn([hand], -3.6 * READING)
    hub = solid(lambda x, y, z: rod(z, hyp(x, y), 0, 0.14, 0.22, 0.04), (-0.3, -0.3, -0.05), (0.3, 0.3, 0.2), chrome(), 0.03)
    move([*parts, hub], Matrix.Translation(DIAL) @ Matrix.Rotation(math.pi / 2, 4, "X"))


def factory_test():
    shell, bright = coated((0.055, 0.052, 0.049, 1), 0.34), chrome((0.12, 0.2))
    solid(body, (-3.6, -4.4, -30.2), (14.2, 5.2, 16.2), shell, 0.12)
    solid(pressing, (-1.9, -1.9, 1.4), (1.9, 1.9, 6), bright, 0.04)
    solid(point, (-0.5, -0.5, TOP - 0.1), (0.5, 0.5, 1.7), steel((0.25, 0.25, 0.27, 1), (0.06, 0.12)), 0.02)
    solid(clamp_screw, (-0.5, -1.4, 2.4), (0.5, -0.4, 3.4), steel((0.3, 0.3, 0.31, 1)), 0.03)
    solid(table, (-3.2, -3.2, -1.6), (3.2, 3.2, 0.1), steel((0.55, 0.55, 0.56, 1), (0.16, 0.28), (8, 8, 8)), 0.05)
    solid(screw, (-1.7, -1.7, -12.2), (1.7, 1.7, -1.2), steel((0.4, 0.4, 0.41, 1), (0.2, 0.3), (2, 2, 2)), 0.05)
    solid(bezel, (2.3, -5.4, 4.2), (8.5, -4.0, 10.4), bright, 0.05)
    face()
    parts, _ = pliers.combination_pliers()
    turn(shift(parts, -SPOT[0], -SPOT[1], THICK), 24)
    slab((-300, 60, -100), (300, 62, 200), matt((0.030, 0.024, 0.021, 1), 0.9, 0.5, 0.6))
    return None, dict(
        where=(-13, -36, 12.5), aim=(1.5, 0, 2.9), lens=68, aspect=3 / 2,
        lights=[((-52, -34, 46), (36, 36), 70, WARM, (0, 0, 2)), ((46, -56, 40), (40, 30), 18, (1.0, 0.92, 0.82), (4, 0, 6)),
                ((16, 46, 16), (70, 20), 3, WARM, (0, 0, 1)), ((-60, -60, 10), (40, 40), 5, COOL, (0, 0, 0))])
