"""A wall of wrenches, hung by their rings and sorted by size."""
from math import pi

from mathutils import Matrix

from studio.distance_fields import *
from studio.mesh import solid
from studio.metals import oxide
from studio.resting_poses import move, shift
from studio.scene import COOL, WARM, board
from studio.wood_grain import oiled
from tools import wrenches

SIZES = (("13", 0.67), ("15", 0.77), ("17", 0.88), ("19", 1.00), ("22", 1.13), ("24", 1.28))
RAIL, PEG, THICK = 13.5, 0.34, 1.2


def peg(x, y, z):
    """A turned steel peg with a head that holds the ring."""
    d = rod(z, hyp(x, y), 0, 2.6, PEG, 0.05)
    return join(d, rod(z, hyp(x, y), 2.45, 2.8, PEG * 1.45, 0.1), 0.1)


def slender(scale):
    """Small rings hang on slender pegs."""
    return min(1.0, scale + 0.1)


def hung(size, scale, x, forging):
    parts = wrenches.stamped(size, forging)
    move(parts, Matrix.Rotation(-pi / 2, 4, "Z") @ Matrix.Scale(scale, 4))
    shift(parts, x, RAIL - (9.6 + 0.84) * scale + PEG * slender(scale), THICK + 0.45 * scale)
    return parts[0]


def boards():
    plank = oiled("#3f2b1e", "#20140c", "#0b0604")
    for i in range(12):
        shift(board((260, 7.96, 2), plank, 3 + 5 * i, 0.06), 10, -40.8 + i * 8.1, -1 - 0.05 * (i % 3))
    rail = oiled("#8a5c36", "#4e2f19", "#22130a")
    shift(board((120, 5.6, THICK), rail, 2, 0.06), 60.2, RAIL + 0.6, THICK / 2)


def wall():
    boards()
    x, forging, dark = 4.216, None, oxide((0.05, 0.05, 0.053, 1))
    for size, scale in SIZES:
        x += 2.6 * scale + 0.9
        forging = hung(size, scale, x, forging)
        pin = [solid(peg, (-0.6, -0.6, -0.1), (0.6, 0.6, 2.9), dark, 0.04)]
        move(pin, Matrix.Scale(slender(scale), 4))
        shift(pin, x, RAIL, 0.2)
        x += 2.6 * scale + 0.9
    return None, dict(
        where=(8, -12, 100), aim=(8, 1.4, 0), lens=46,
        lights=[((62, 46, 52), (36, 26), 44, WARM, (30, 2, 0)), ((46, 38, 100), (130, 90), 1.7, (1.0, 0.9, 0.76), (30, 2, 0)),
                ((-60, -40, 60), (50, 50), 1.4, COOL, (10, 0, 0))])
