"""An open shipping crate with tools in wood wool."""
import numpy as np

from studio.lettering import letters
from studio.mesh import mesh_object
from studio.resting_poses import shift, turn
from studio.scene import COOL, WARM, board, put, slab
from studio.surfaces import ink, matt, pine
from studio.wood_grain import sawn
from tools import hammers, pliers, planes, wrenches

L, W, H, T = 62.0, 40.0, 25.0, 1.8  # length, width and height of the crate; thickness of its boards


def side(y, flip, material, seed):
    """Three boards on edge and a batten at each end."""
    for i in range(3):
        part = board((L, 7.7, T), material, seed + i)
        shift(turn(part, 90, "X"), 0, y, 4.3 + i * 8.2)
    for x in (-1, 1):
        part = board((H, 5.0, T), material, seed + 5 + x)
        shift(turn(turn(part, 90, "X"), 90, "Y"), x * (L / 2 - 3.2), y + flip * T, H / 2 + 0.2)


def ends(material):
    for x in (-1, 1):
        for i in range(3):
            part = board((W - 2 * T, 7.7, T), material, 11 + i + x)
            shift(turn(turn(part, 90, "X"), 90, "Z"), x * (L / 2 - T / 2), 0, 4.3 + i * 8.2)


def wool(count, level, material):
    """Thin curled strands in a random heap."""
    rng, n = np.random.default_rng(4), 28
    t, verts, quads = np.linspace(0, 1, n), [], []
    for k in range(count):
        r, a0, sweep = rng.uniform(0.9, 4.2), rng.uniform(0, 7), rng.uniform(2.5, 7.5)
        a = a0 + sweep * t * (1 + 0.3 * np.sin(5 * t + a0))
        lean, way = rng.uniform(-0.5, 0.5), rng.uniform(0, 7)
        u, v = r * np.cos(a), r * np.sin(a) * rng.uniform(0.6, 1)
        x, y = u * np.cos(way) - v * np.sin(way), u * np.sin(way) + v * np.cos(way)
        cx, cy = rng.uniform(-L / 2 + 4, L / 2 - 4), rng.uniform(-W / 2 + 4, W / 2 - 4)
        x, y = np.clip(cx + x, -L / 2 + 2.2, L / 2 - 2.2), np.clip(cy + y, -W / 2 + 1.2, W / 2 - 1.2)
        z = level + rng.uniform(-2.4, 0.8) + lean * v + 0.5 * np.sin(7 * t + a0)
        twist = a0 + 3 * t
        for s in (-1, 1):
            verts.append(np.stack([x + s * 0.12 * np.cos(twist), y, z + s * 0.12 * np.sin(twist)], 1))
        base = 2 * n * k
        quads += [(base + i, base + i + 1, base + n + i + 1, base + n + i) for i in range(n - 1)]
    mesh_object(np.concatenate(verts), np.array(quads), None, material)


def pack_tools(level):
    put(hammers.cross_peen_hammer(), -12, 9, 172, level + 0.6, tilt=True)
    put(hammers.claw_hammer(), -9, -9.5, 190, level + 0.8, tilt=True)
    put(wrenches.combination_wrench(), -1, 0.5, 8, level + 1.0, tilt=True)
    put(pliers.combination_pliers(), -21, 0, 24, level + 0.8, tilt=True)
    put(planes.jack_plane(), 20, 2, -66, level - 1.2)


def build_crate(softwood, level):
    """A crate filled with wood wool up to this level."""
    side(-W / 2 - T / 2, -1, softwood, 1)
    side(W / 2 + T / 2, 1, softwood, 4)
    ends(softwood)
    dark = ink((0.020, 0.014, 0.010, 1), 0.8)
    front = -W / 2 - T - 0.01
    letters("FORGELINE", 6.6, dark, (0, front, 12.5), (np.pi / 2, 0, 0), depth=0.004, bevel=0)
    letters("HAND TOOLS  ·  KEEP DRY", 2.4, dark, (0, front, 4.3), (np.pi / 2, 0, 0), depth=0.004, bevel=0)
    slab((-L / 2 + 1, -W / 2, level - 4), (L / 2 - 1, W / 2, level - 2.6), matt((0.30, 0.20, 0.10, 1), 0.9, 0.4))
    wool(1500, level - 1.2, pine())


def crate():
    softwood, level = sawn("#c9a878", "#8a6238", "#6b4a2a"), H - 4.5
    build_crate(softwood, level)
    pack_tools(level)
    slab((-300, -200, -6), (300, 150, 0), matt((0.060, 0.052, 0.046, 1), 0.75, 0.35, 0.8))
    slab((-300, 120, -6), (300, 124, 260), matt((0.030, 0.024, 0.021, 1), 0.9, 0.5, 0.3))
    return None, dict(
        where=(-34, -128, 92), aim=(-21, 0, 12.0), lens=41,
        lights=[((68, -60, 106), (60, 50), 52, WARM, (4, 0, 16)), ((10, 70, 90), (110, 24), 24, WARM, (0, 0, 18)),
                ((-90, -90, 70), (70, 70), 6.0, COOL, (0, 0, 10))])
