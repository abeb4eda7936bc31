"""A wall of wrenches, hung by their rings in order of size."""
from math import pi

from mathutils import Matrix

from studio.fields import *
from studio.mesh import solid
from studio.metals import oxide
from studio.place import move, shift
from studio.scene import COOL, WARM, slab
from studio.surfaces import wood
from tools import wrenches

SIZES = (("13", 0.67), ("15", 0.77), ("17", 0.88), ("19", 1.00), ("22", 1.13), ("24", 1.28))
RAIL, PEG, THICK = 13.5, 0.34, 1.2


def peg(x, y, z):
    """A turned steel peg with a head that keeps the ring on it."""
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
    plank = wood("#3d2a1d", "#24170f", "#120a06", 0.7, gloss=0.05)
    for i in range(12):
        slab((-120, -44.8 + i * 8.1, -2), (140, -36.9 + i * 8.1, -0.05 * (i % 3)), plank)
    slab((0.2, RAIL - 2.2, 0), (120, RAIL + 3.4, THICK), wood("#8a5c36", "#54311a", "#2c180c", 1.1, gloss=0.2))


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
