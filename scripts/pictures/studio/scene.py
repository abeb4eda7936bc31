"""Wide pictures: tools in a room of their own, dark on the left where the words stand."""
import math
import time

import bpy
import numpy as np
from mathutils import Vector

from .camera import camera_at
from .clean import clean
from .light import panel
from .mesh import mesh_object
from .place import settle, shift, turn
from .render import pixels, premultiplied, save, setup
from .settings import DRAFT, FILE, NAME, SAMPLES, WIDTH


WARM, COOL = (1.0, 0.74, 0.46), (0.62, 0.78, 1.0)


def put(made, x, y, degrees=0.0, z=0.0, tilt=False):
    """A tool as it comes to rest, turned and laid at a place."""
    parts = made[0]
    settle(parts, tilt)
    return shift(turn(parts, degrees), x, y, z)


def slab(lo, hi, material):
    """A plain box of six sides."""
    corners = [(x, y, z) for x in (lo[0], hi[0]) for y in (lo[1], hi[1]) for z in (lo[2], hi[2])]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    ob = mesh_object(np.array(corners), np.array(quads), None, material)
    ob.data.polygons.foreach_set("use_smooth", np.zeros(6, bool))
    return ob


def dusk(level=0.012):
    world = bpy.data.worlds.new("dusk")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (level, level, level * 1.1, 1)


def expose(where, aim, lens, lights, aspect=16 / 7, exposure=0.0):
    """One picture of all there is: lights are (where, size, power, tint, aim)."""
    start = time.time()
    dusk()
    for at, size, power, tint, to in lights:
        panel(at, size, power, tint, 0.6, to)
    camera_at(Vector(where), (Vector(aim) - Vector(where)).to_track_quat("-Z", "Y").to_matrix(), lens)
    sc = setup(WIDTH, aspect, exposure)
    sc.render.film_transparent = False
    if DRAFT:
        return save(pixels(SAMPLES, 7), FILE)
    halves = [premultiplied(pixels(SAMPLES // 2, seed)) for seed in (7, 8)]
    save(clean(*halves), FILE)
    print(f"PICTURE {NAME} {WIDTH} px {SAMPLES} spp: {time.time() - start:.0f} s")
