"""The same lights for all tools: a large key light from the left, a strip for reflections, a weak fill, black flags."""
import math

import bpy
from mathutils import Matrix, Vector

from .colors import PAPER, shade
from .nodes import Nodes


def panel(position, size, power, tint=(1, 1, 1), soft=0.5, aim=(0, 0, 0)):
    """A softbox that falls off towards its edges. It appears in reflections but not to the camera."""
    mesh = bpy.data.meshes.new("panel")
    w, h = size[0] / 2, size[1] / 2
    mesh.from_pydata([(-w, -h, 0), (w, -h, 0), (w, h, 0), (-w, h, 0)], [], [(0, 1, 2, 3)])
    ob = bpy.data.objects.new("panel", mesh)
    bpy.context.collection.objects.link(ob)
    look = (Vector(aim) - Vector(position)).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    ob.matrix_world = Matrix.Translation(position) @ look
    n = Nodes("panel")
    x, y, _ = n.xyz()
    fall = [n.remap(n.math("ABSOLUTE", v), e * (1 - soft), e, 1.0, 0.0) for v, e in ((x, w), (y, h))]
    glow = n("Emission", Color=tint + (1,), Strength=n.mul(n.mul(*fall), power))
    n.put(n.tree.nodes["Material Output"].inputs["Surface"], glow.outputs[0])
    mesh.materials.append(n.m)
    ob.visible_camera = False
    return ob


def flag(position, size, aim):
    """A black card that gives polished steel its dark edges. It does not shade the floor."""
    ob = panel(position, size, 0.0, aim=aim)
    ob.visible_shadow = ob.visible_diffuse = False


def light_tent(low=0.10, mid=0.16, high=0.43):
    world = bpy.data.worlds.new("tent")
    bpy.context.scene.world = world
    world.use_nodes = True
    t = world.node_tree
    at, sep, r = (t.nodes.new("ShaderNode" + k) for k in ("TexCoord", "SeparateXYZ", "ValToRGB"))
    t.links.new(at.outputs["Generated"], sep.inputs[0])
    t.links.new(sep.outputs[2], r.inputs[0])
    t.links.new(r.outputs[0], t.nodes["Background"].inputs[0])
    e = r.color_ramp.elements
    e[0].color, e[1].color = (low, low, low, 1), (high, high * 1.02, high * 1.05, 1)
    e.new(0.35).color = (mid, mid, mid * 1.05, 1)


def floor(size, color=shade(PAPER, 0.92)):
    """Receives the shadow and reflects paper-colored light. The camera does not see it."""
    bpy.ops.mesh.primitive_plane_add(size=size)
    ob = bpy.context.object
    n = Nodes("floor")
    ob.data.materials.append(n.set(Base_Color=color, Roughness=0.85, Specular=0.1))
    ob.visible_camera = False
    return ob


def studio_lights(S, H, elevation, sheen, back, key, front):
    """Lights a subject of radius S and height H, seen from this elevation. front is extra light for standing subjects."""
    mid = (0, 0, H * 0.4)
    panel((-2.4 * S, 0.9 * S, 3.0 * S), (2.6 * S, 2.2 * S), 13.0 * key, (1.0, 0.97, 0.93), 0.5, mid)
    m = math.radians(max(elevation, 36))
    at = (sheen * S, 4.0 * S * math.cos(m), 4.0 * S * math.sin(m))
    panel(at, (3.6 * S, 2.6 * S), 9.0 * key * back, (0.96, 0.98, 1.0), 1.0, mid)
    panel((3.6 * S, -1.6 * S, 2.2 * S), (2.0 * S, 2.4 * S), 1.5, (1.0, 0.98, 0.95), 0.8, mid)
    if front:
        panel((-2.2 * S, -2.8 * S, 1.7 * S), (1.6 * S, 3.0 * S), 9.0 * front, (1.0, 0.98, 0.95), 0.9, mid)
    flag((0.6 * S, 3.0 * S, 0.55 * S), (5.0 * S, 1.0 * S), mid)
    flag((3.4 * S, 1.4 * S, 1.2 * S), (1.2 * S, 2.6 * S), mid)
    light_tent()
