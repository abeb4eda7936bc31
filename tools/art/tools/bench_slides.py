"""Benches: one with shavings and chips after work, and one for inspecting edges."""
from math import pi

import numpy as np

from studio.mesh import mesh_object
from studio.metals import ground
from studio.resting_poses import shift, turn
from studio.scene import COOL, WARM, board, put, slab
from studio.surfaces import matt, pine
from studio.wood_grain import oiled
from tools import chisels_and_files, drills, gauges, micrometers, planes, vices

# x, y, turns, radius and rotation of each shaving
SHAVINGS = ((-2.0, -9.0, 3.4, 1.1, 25), (3.0, -15.5, 4.2, 0.8, -30), (-8.0, -13.5, 2.6, 1.3, 75), (9.0, -18.5, 2.2, 0.7, 15), (1.0, -1.0, 2.4, 1.0, -65),
         (-13.0, -8.5, 1.6, 0.9, -20), (14.0, -15.5, 1.3, 0.9, 100))
# y, width and seed of each board
BOARDS = ((-36, 12.9, 3), (-23, 9.4, 8), (-13.5, 11.9, 5), (-1.5, 10.3, 12), (8.9, 12.6, 7), (21.6, 13, 2), (34.7, 14, 9), (48.8, 14, 4))


def shaving(x, y, turns, radius, degrees, material):
    """A plane shaving: a spiral that opens towards its end."""
    n, wide = 40 * round(turns + 1), 1.2
    t = np.linspace(0, 1, n)
    a, r = t * turns * 2 * pi, radius * (0.75 + 0.6 * t + 0.06 * np.sin(9 * t))
    rows = [np.stack([r * np.cos(a), (t - 0.5) * turns * (1.5 + 0.9 * t) + s * wide / 2, r * np.sin(a)], 1) for s in (-1, 1)]
    verts = np.concatenate(rows)
    verts[:, 2] -= verts[:, 2].min()
    ribbon = mesh_object(verts, np.array([(i, i + 1, n + i + 1, n + i) for i in range(n - 1)]), None, material)
    shift(turn([ribbon], degrees), x, y)


def room():
    top = oiled("#8a5c36", "#4e2f19", "#22130a")
    for i in range(4):
        shift(board((260, 15, 6), top, 3 + 5 * i, 0.06), 0, -18.5 + i * 15.1, -3)
    slab((-260, 44, -60), (260, 46, 160), matt((0.030, 0.024, 0.021, 1), 0.9, 0.5, 0.6))


def bench():
    room()
    put(planes.jack_plane(), 19, -5, -22)
    put(drills.cordless_drill(has_label=False), 31, 13, -30)
    put(vices.bench_vice(), 47, 6, -46)
    put(chisels_and_files.bench_chisel(name_turn=50), 44, -17, 12, tilt=True)
    curled = pine()
    for where in SHAVINGS:
        shaving(*where, curled)
    return None, dict(
        where=(12, -112, 36), aim=(12, 0, 6.0), lens=42,
        lights=[((52, -30, 88), (50, 40), 50, WARM, (32, 0, 5)), ((30, 30, 62), (70, 16), 26, WARM, (30, 44, 20)),
                ((-60, -80, 70), (60, 60), 2.8, COOL, (10, 0, 5)), ((100, 10, 50), (30, 40), 6, COOL, (46, 0, 10))])


def edge():
    top = oiled("#7a4e2c", "#2f1a0d", "#0e0603")
    for y, wide, log in BOARDS:
        shift(board((320, wide, 5), top, log, 0.04), 0, y + wide / 2, -2.5)
    put(chisels_and_files.bench_chisel(ground((0.60, 0.60, 0.61, 1))), 17.3, -10, 8, tilt=True)
    put(micrometers.micrometer(), 11, -0.5, -10)
    put(gauges.engineers_square(ground((0.60, 0.60, 0.61, 1), (1, 0, 0)), ground((0.62, 0.62, 0.63, 1))), 25.5, 6.3, -20)
    return None, dict(
        where=(9, -59.5, 58), aim=(9, 0, 0), lens=62,
        lights=[((80, 18, 50), (36, 36), 64, WARM, (22, 0, 0)), ((65, 62, 58), (56, 34), 2.1, (1.0, 0.92, 0.82), (22, 0, 0)),
                ((6, 46, 72), (60, 12), 5.0, (1.0, 0.92, 0.82), (12, 0, 0)), ((-50, -60, 60), (50, 50), 2.2, COOL, (10, 0, 0))])
