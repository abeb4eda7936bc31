"""The last picture of the home page: a hammer and nails on an old bench in low sunlight."""
import numpy as np

from studio.distance_fields import *
from studio.mesh import solid
from studio.metals import steel
from studio.resting_poses import shift, turn
from studio.scene import COOL, board, put, slab, sun
from studio.surfaces import benchtop, matt
from tools import hammers

SUN_DIRECTION = (0.80, 0.42, -0.30)
WINDOW_X = -150.0
NAILS = ((-17.5, -9.5, 28), (-14.0, -15.5, -24), (-22.5, -15.5, 66))


def nail(x, y, z):
    rr = hyp(y, z)
    shank = np.maximum(rr - 0.17, np.abs(x - 3.2) - 3.3)
    point = (rr - 0.26 * np.maximum(7.2 - x, 0)) * 0.9
    return join(intersect(shank, point, 0.02), rod(x, rr, -0.22, 0.0, 0.40, 0.06), 0.08)


def nails():
    wire = steel((0.42, 0.42, 0.43, 1), (0.26, 0.4), (1, 20, 20), 0.08)
    for x, y, degrees in NAILS:
        put(([solid(nail, (-0.4, -0.5, -0.5), (6.8, 0.5, 0.5), wire, 0.03)], None), x, y, degrees, tilt=True)


def window(lo, hi, columns, rows, bar=2.2):
    """The wall around the window and its bars, which block the light. The camera does not see them."""
    dark = matt((0.02, 0.018, 0.016, 1), 0.9)
    (y0, z0), (y1, z1) = lo, hi
    wall = [((-600, -300), (600, z0)), ((-600, z1), (600, 700)), ((-600, z0), (y0, z1)), ((y1, z0), (600, z1))]
    wall += [((y, z0), (y + bar, z1)) for y in (y0 + (y1 - y0) * i / columns for i in range(1, columns))]
    wall += [((y0, z), (y1, z + bar)) for z in (z0 + (z1 - z0) * i / rows for i in range(1, rows))]
    for a, b in wall:
        slab((WINDOW_X - 1, *a), (WINDOW_X + 1, *b), dark).visible_camera = False


def old_bench():
    top = benchtop("#9a7048", "#6a4426", "#2e1a0e", 1.7, cup=(-9, 11))
    for i in range(5):
        shift(board((240, 14.8, 5), top, 3 + 4 * i), 0, -21.5 + i * 15, -2.5 - 0.06 * (i * 7 % 3))
    plank = benchtop("#4a382b", "#2f221a", "#140d08", 1.1)
    for i in range(9):
        shift(turn(board((260, 17.6, 2), plank, 2 + 3 * i), 90, "X"), 0, 37, -30 + i * 18)


def closing():
    old_bench()
    window((-112, 44), (-36, 92), 3, 2)
    put(hammers.cross_peen_hammer(), 11, -8, 13, tilt=True)
    nails()
    sun(SUN_DIRECTION, 9.0, (1.0, 0.60, 0.30), 0.014)
    return None, dict(
        where=(0, -84, 43), aim=(0, 1, 4.4), lens=46, aspect=2.5, exposure=0.35, sharp=((0, -10, 1), 5.6), ambient=0.065,
        lights=[((-90, -110, 90), (90, 70), 3.5, COOL, (0, 0, 5)), ((70, 20, 80), (60, 40), 4.0, (1.0, 0.8, 0.6), (10, 10, 0))])
