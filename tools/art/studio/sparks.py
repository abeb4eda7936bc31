"""Sparks: short glowing streaks along the paths of grains that are thrown off."""
import numpy as np

from .mesh import sweep
from .nodes import Nodes

FALL = np.array((0.0, 0.0, -9.0))
# color and strength, from fresh to fading
HEATS = (((1.0, 0.52, 0.14), 16.0), ((1.0, 0.28, 0.03), 9.0), ((1.0, 0.12, 0.005), 5.0))


def glow(color, strength):
    """Light that the camera sees but that is too small to light the scene without noise."""
    n = Nodes("glow")
    light = n("Emission", Color=(*color, 1), Strength=strength)
    n.put(n.tree.nodes["Material Output"].inputs["Surface"], light.outputs[0])
    n.m.cycles.sample_as_light = False
    return n.m


def throw_sparks(origin, way, spread, count, speed, thickness, seed, streak=0.08):
    """Streaks from a point. way is their mean direction, speed how far they fly before they fade."""
    rng, heats = np.random.default_rng(seed), [glow(*heat) for heat in HEATS]
    way = np.asarray(way, float) / np.linalg.norm(way)
    for _ in range(count):
        v = (way + rng.normal(0, spread, 3)) * speed * rng.uniform(0.45, 1.0)
        age = rng.uniform(0, 1) ** 1.4
        t = np.linspace(age, age + streak * rng.uniform(0.5, 1.4), 7)[:, None]
        taper = np.array((0.0, 0.6, 0.9, 1.0, 1.0, 0.8, 0.0)) * thickness * rng.uniform(0.6, 1.2) * (1 - 0.4 * age)
        streak_part = sweep(np.asarray(origin) + v * t + FALL * t * t / 2, taper, heats[min(int(age * 3), 2)], 6)
        streak_part.visible_diffuse = streak_part.visible_shadow = False
