"""The forge: a hammer head at forging heat, held on the anvil with tongs."""
import numpy as np

from studio.distance_fields import *
from studio.mesh import solid
from studio.metals import forged, oxide
from studio.nodes import Nodes
from studio.outline import bent, ribbon
from studio.resting_poses import shift, turn
from studio.scene import COOL, WARM, slab
from studio.sparks import glow, throw_sparks
from tools import hammers

FIRE = (1.0, 0.30, 0.06, 1)
REIN = [(-1.6, 1.92, 0.40), (1.6, 1.96, 0.46), (3.8, 1.1, 0.6), (5.4, 0.2, 0.75), (8, 0.9, 0.52), (16, 1.6, 0.44), (44, 2.3, 0.38)]


def anvil(x, y, z):
    """The face lies at z = 0, the horn points to -x."""
    face = box(x, y, z, (-14, -5.6, -8), (30, 5.6, 0), 0.22)
    step = box(x, y, z, (-19, -5.2, -8), (-10, 5.2, -2.2), 0.3)
    radius = np.maximum(5.0 - 4.2 * ((-x - 18).clip(0, 24) / 24) ** 1.6, 0.3)
    horn = intersect((hyp(y, z + 2.3 + radius) - radius) * 0.85, np.maximum(-x - 41.5, x + 16), 0.8)
    waist = box(x, y, z, (-8, -3.2, -22), (24, 3.2, -6), 1.2)
    foot = box(x, y, z, (-16, -6.5, -27), (30, 6.5, -20), 1.4)
    d = join(join(join(face, step, 0.3), horn, 0.8), join(waist, foot, 5.0), 4.0)
    d = cut(d, np.maximum(rect(x - 22.5, y, 1.1, 1.1, 0.15), -z - 6), 0.12)
    return cut(d, np.maximum(disc(x - 27, y - 2.6, 0.7), -z - 6), 0.12)


def blank(x, y, z):
    """A head before grinding, thicker than the finished one, with its eye punched."""
    d = hammers.peen_head(x, y, z) - 0.06
    return cut(d, hyp(y / 1.05, z / 0.66) * 0.66 - 0.66, 0.14)


def tongs(x, y, z):
    points, widths = bent(REIN)
    reins = extrude(ribbon(x, np.abs(y), points, widths), z, 0.5, 0.16)
    return join(reins, extrude(disc(x - 5.4, y, 0.8), z, 0.8, 0.14), 0.1)


def hot():
    """Steel at forging heat: brightest inside, darker at the edges and under flakes of scale."""
    n = Nodes("hot")
    rim = n("LayerWeight", Blend=0.35).outputs["Facing"]
    flakes = n.remap(n.noise(1.3, 4, 0.5), 0.60, 0.68, 0.0, 1.0)
    heat = n.add(n.remap(n.noise(0.3, 1), 0.3, 0.7, 0.85, 1.0), n.mul(rim, -0.75))
    up = n("SeparateXYZ", Vector=n("NewGeometry").outputs["Normal"]).outputs[2]
    heat = n.math("SUBTRACT", heat, n.mul(n.math("MAXIMUM", up, 0.0), 0.42))
    heat = n.mul(n.math("SUBTRACT", heat, n.mul(n.edges(0.54, 0.66), 0.3)), n.remap(flakes, 0, 1, 1.0, 0.8))
    tint = n.blend(n.remap(heat, 0.3, 0.95, 0.0, 1.0), (0.9, 0.05, 0.001, 1), (1.0, 0.21, 0.014, 1))
    n.m.cycles.sample_as_light = False
    return n.set(Base_Color=(0.03, 0.025, 0.022, 1), Roughness=0.7, Emission=tint,
                 Emission_Strength=n.mul(n.mul(heat, heat), 3.2), Normal=n.bump(flakes, 0.3, 0.03))


def hearth():
    """A dark wall with the round glow of the fire, which the lens leaves out of focus."""
    n = Nodes("hearth")
    x, _, z = n.xyz()
    far = n.math("SQRT", n.add(n.math("POWER", n.math("SUBTRACT", x, -2.0), 2.0), n.math("POWER", n.add(z, 14.0), 2.0)))
    near = n.remap(far, 0.0, 32.0, 1.0, 0.0)
    n.m.cycles.sample_as_light = False
    return n.set(Base_Color=(0.028, 0.021, 0.018, 1), Roughness=0.9, Emission=FIRE, Emission_Strength=n.mul(n.mul(near, near), 0.42))


def embers():
    rng, hot_scale, cold = np.random.default_rng(11), glow((1.0, 0.16, 0.01), 4.0), oxide()
    for i in range(46):
        x, y, s = rng.normal(0, 5.5), rng.uniform(-5.0, 4.6), rng.uniform(0.05, 0.17)
        flake = solid(lambda u, v, w: block(u, v, w, s, s * 0.7, 0.025, 0.01), (-s - 0.05, -s, -0.06), (s + 0.05, s, 0.06),
                      hot_scale if i % 4 == 0 else cold, 0.03)
        shift(turn([flake], rng.uniform(0, 180)), x, y, 0.04)


def factory_forge():
    worn = forged(lambda n: n.remap(n.add(n.xyz()[2], n.mul(n.noise(0.5, 3), 0.3)), -0.35, 0.12, 0.0, 1.0), (0.030, 0.029, 0.029, 1), (2, 14, 14))
    solid(anvil, (-43, -8, -29), (32, 8, 0.4), worn, 0.16)
    head = solid(blank, (-2.2, -5.9, -2.0), (2.2, 5.7, 2.0), hot(), 0.05)
    grip = solid(tongs, (-2.4, -3.2, -1.1), (45, 3.2, 1.1), oxide((0.16, 0.15, 0.145, 1)), 0.07)
    shift(turn(turn([head], 90, "Y"), 118), 0, 0, 1.56)
    shift(turn(turn([grip], -5, "Y"), 28), 4.2, 2.25, 1.6)
    embers()
    throw_sparks((-3.4, -1.6, 0.4), (-0.6, -0.25, 0.9), 0.42, 34, 12, 0.045, 5)
    slab((-200, 70, -160), (260, 72, 120), hearth())
    return None, dict(
        where=(-12, -46, 24), aim=(1.4, 0, 0.6), lens=88, aspect=3 / 2, sharp=((-1, -2, 1.5), 9),
        lights=[((-46, 40, 40), (50, 30), 30, (1.0, 0.55, 0.24), (0, 0, 0)), ((60, -20, 60), (44, 34), 30, WARM, (6, 0, -2)),
                ((-40, -80, 40), (60, 60), 5, COOL, (0, 0, -4)), ((14, -50, -34), (70, 34), 1.2, WARM, (4, -4, -4)),
                ((12, 62, 34), (90, 28), 1.4, WARM, (0, 0, 0))])
