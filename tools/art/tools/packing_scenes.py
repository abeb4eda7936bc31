"""The packing bench: hammers side by side in an open crate, its lid behind."""
import bpy

from studio.resting_poses import rest_on_floor, shift, turn
from studio.lettering import letters
from studio.scene import COOL, WARM, board, slab
from studio.surfaces import ink, matt
from studio.wood_grain import sawn
from tools import crate_slides, hammers
from tools.crate_slides import H, L, W

HAMMERS, APART = 5, 11.4
LEAN = 78  # degrees between the lid and the bench


def lid(material):
    """Three boards and two battens, the name on its upper side and the battens below."""
    parts = [letters("FORGELINE", 6.6, ink((0.020, 0.014, 0.010, 1), 0.8), (0, 13.2, 0.91), depth=0.004, bevel=0)]
    for i in (-1, 0, 1):
        parts += shift(board((L, 13.2, 1.8), material, 22 + i), 0, i * 13.5)
    for x in (-1, 1):
        parts += shift(turn(board((40, 5, 1.8), material, 31 + x), 90), x * (L / 2 - 7), 0, -1.8)
    return parts


def copies(parts, count):
    """The parts themselves and further objects with the same meshes."""
    rows = [parts]
    for _ in range(count - 1):
        row = [part.copy() for part in parts]
        for part in row:
            bpy.context.collection.objects.link(part)
        rows.append(row)
    return rows


def factory_pack():
    softwood, level = sawn("#c9a878", "#8a6238", "#6b4a2a"), H - 4.5
    crate_slides.build_crate(softwood, level)
    parts, _ = hammers.cross_peen_hammer()
    rest_on_floor(parts)
    for i, row in enumerate(copies(turn(parts, 90), HAMMERS)):
        shift(turn(row, (1.5, -1.0, 0.6, -1.8, 1.2)[i]), (i - (HAMMERS - 1) / 2) * APART, 0.9 + (i % 2) * 0.5, level + 1.2)
    shift(turn(lid(softwood), LEAN, "X"), 3, W / 2 + 9, 20)
    slab((-300, -200, -6), (300, 150, 0), matt((0.060, 0.052, 0.046, 1), 0.75, 0.35, 0.8))
    slab((-300, 120, -6), (300, 124, 260), matt((0.030, 0.024, 0.021, 1), 0.9, 0.5, 0.3))
    return None, dict(
        where=(-30, -96, 90), aim=(1, 0, 17.2), lens=48, aspect=3 / 2,
        lights=[((68, -60, 106), (60, 50), 52, WARM, (4, 0, 16)), ((10, 70, 90), (110, 24), 20, WARM, (0, 0, 18)),
                ((-90, -90, 70), (70, 70), 6.0, COOL, (0, 0, 10))])
