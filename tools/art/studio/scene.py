"""Wide pictures: tools in a room, dark on the left where the text is."""
import math
import time

import bpy
import numpy as np
from mathutils import Vector

from .camera import camera_at
from .denoise import denoise
from .light import panel
from .mesh import mesh_object
from .resting_poses import rest_on_floor, shift, turn
from .render import pixels, premultiplied, save, setup
from .settings import DRAFT, FILE, NAME, SAMPLES, WIDTH


WARM, COOL = (1.0, 0.74, 0.46), (0.62, 0.78, 1.0)


def put(tool, x, y, degrees=0.0, z=0.0, tilt=False):
    """Places a tool in its resting pose, rotated and at a position. tool is what its function returned."""
    parts, _ = tool
    rest_on_floor(parts, tilt)
    return shift(turn(parts, degrees), x, y, z)


def slab(lo, hi, material):
    """A plain box of six sides."""
    corners = [(x, y, z) for x in (lo[0], hi[0]) for y in (lo[1], hi[1]) for z in (lo[2], hi[2])]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    ob = mesh_object(np.array(corners), np.array(quads), None, material)
    ob.data.polygons.foreach_set("use_smooth", np.zeros(6, bool))
    return ob


def board(size, material, seed, chamfer=0.12):
    """A sawn board with chamfered edges and grain along its length, each from a different part of the log."""
    l, w, t = (v / 2 for v in size)
    b, off = min(chamfer, t / 4), seed * 7.3 % 19
    rings = [(l, w, -t), (l, w, t - b), (l - b, w - b, t)]
    verts = np.array([(x * sx, y * sy, z) for x, y, z in rings for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    quads = [(3, 2, 1, 0), (8, 9, 10, 11)]
    quads += [(k + i, k + (i + 1) % 4, k + 4 + (i + 1) % 4, k + 4 + i) for k in (0, 4) for i in range(4)]
    ob = mesh_object(verts + (off * 9, off, 0), np.array(quads), None, material)
    ob.data.polygons.foreach_set("use_smooth", np.zeros(len(quads), bool))
    return shift([ob], -off * 9, -off)


def set_ambient_light(level=0.012):
    world = bpy.data.worlds.new("dusk")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (level, level, level * 1.1, 1)


def sun(way, strength, tint, soft=0.03):
    """Parallel light, like low sun through a window."""
    lamp = bpy.data.lights.new("sun", "SUN")
    lamp.energy, lamp.color, lamp.angle = strength, tint, soft
    ob = bpy.data.objects.new("sun", lamp)
    bpy.context.collection.objects.link(ob)
    ob.matrix_world = Vector(way).to_track_quat("-Z", "Y").to_matrix().to_4x4()


def focus(point, stop):
    """Depth of field: blurs what is in front of and behind the point, with an aperture scaled to the size of the tools."""
    cam = bpy.context.scene.camera
    cam.data.dof.use_dof = True
    cam.data.dof.focus_distance = -(cam.matrix_world.inverted() @ Vector(point)).z
    cam.data.dof.aperture_fstop = stop / 100


def render_scene(where, aim, lens, lights, aspect=16 / 7, exposure=0.0, sharp=None, ambient=0.012):
    """Renders the scene. lights are (position, size, power, tint, aim), sharp is the focus point and the aperture."""
    start = time.time()
    set_ambient_light(ambient)
    for at, size, power, tint, to in lights:
        panel(at, size, power, tint, 0.6, to)
    camera_at(Vector(where), (Vector(aim) - Vector(where)).to_track_quat("-Z", "Y").to_matrix(), lens)
    if sharp:
        focus(*sharp)
    sc = setup(WIDTH, aspect, exposure)
    sc.render.film_transparent = False
    if DRAFT:
        return save(pixels(SAMPLES, 7), FILE)
    halves = [premultiplied(pixels(SAMPLES // 2, seed)) for seed in (7, 8)]
    save(denoise(*halves), FILE)
    print(f"PICTURE {NAME} {WIDTH} px {SAMPLES} spp: {time.time() - start:.0f} s")
