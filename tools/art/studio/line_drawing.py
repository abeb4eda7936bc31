"""A line drawing: the tool from above or from its side, without perspective, as ink on a transparent background."""
import bpy
import numpy as np
from mathutils import Matrix, Vector

from .render import pixels, save, setup
from .resting_poses import points_of
from .settings import FILE, NAME, WIDTH

INK = np.array([22, 24, 27]) / 255
OVERSAMPLING = 2
OUTLINE, EDGE = 3.2, 1.7  # widths of lines in pixels of the finished drawing
CREASE = np.cos(np.radians(24))
STEP = 1.5  # a jump in depth of so many pixels is an edge


def camera_of(points, from_side):
    """The nearest camera without perspective that sees all points."""
    rotation = (Matrix.Rotation(np.pi / 2, 3, "X") if from_side else Matrix.Identity(3))
    u, v, d = [points @ np.array(rotation)[:, i] for i in range(3)]
    size = np.ptp(u), np.ptp(v)
    cam = bpy.data.cameras.new("camera")
    cam.type, cam.clip_end = "ORTHO", 5000
    ob = bpy.data.objects.new("camera", cam)
    bpy.context.collection.objects.link(ob)
    middle = [(a.max() + a.min()) / 2 for a in (u, v)]
    ob.matrix_world = Matrix.Translation(rotation @ Vector((*middle, d.max() + 10))) @ rotation.to_4x4()
    bpy.context.scene.camera = ob
    return cam, size


def shows(connect):
    """A material for all parts, which shows the value of a node as color."""
    material = bpy.data.materials.new("data")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    emission, output = tree.nodes.new("ShaderNodeEmission"), tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(connect(tree), emission.inputs["Color"])
    tree.links.new(emission.outputs[0], output.inputs["Surface"])
    bpy.context.view_layer.material_override = material
    return pixels(1, 7, "OPEN_EXR")


def normal(tree):
    return tree.nodes.new("ShaderNodeNewGeometry").outputs["Normal"]


def depth_and_part(tree):
    both = tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(tree.nodes.new("ShaderNodeCameraData").outputs["View Z Depth"], both.inputs[0])
    tree.links.new(tree.nodes.new("ShaderNodeObjectInfo").outputs["Object Index"], both.inputs[1])
    return both.outputs[0]


def grown(mask, width):
    """The mask with so many pixels around it."""
    r = width / 2
    reach = int(np.ceil(r))
    out = np.zeros_like(mask)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if dx * dx + dy * dy <= r * r:
                out |= np.roll(mask, (dy, dx), (0, 1))
    return out


def edges(normals, depth, part, inside, pixel):
    """The outline, and the creases, steps and seams inside it."""
    outline, inner = np.zeros_like(inside), np.zeros_like(inside)
    for axis in (0, 1):
        def ahead(a, by=1):
            return np.roll(a, -by, axis)
        both = inside & ahead(inside)
        outline |= inside != ahead(inside)
        crease = (normals * ahead(normals, 2)).sum(2) < CREASE
        bend = np.abs(ahead(depth) - 2 * depth + ahead(depth, -1))
        inner |= both & ahead(inside, 2) & ahead(inside, -1) & (crease | (bend > STEP * pixel))
        inner |= both & (part != ahead(part))
    return outline, inner


def render_lines(objects, from_side, margin=2):
    """Prints the size of the drawn tool in millimeters. The picture has its proportions, with a margin for the outline."""
    bpy.context.view_layer.update()
    cam, size = camera_of(points_of(objects), from_side)
    width = WIDTH * OVERSAMPLING
    pixel = size[0] / (width - 2 * margin * OVERSAMPLING)
    cam.ortho_scale = max(size[0] + 2 * margin * OVERSAMPLING * pixel, size[1] + 2 * margin * OVERSAMPLING * pixel)
    sc = setup(width, 1)
    sc.render.resolution_y = round(size[1] / pixel) + 2 * margin * OVERSAMPLING
    sc.cycles.filter_width = 0.01
    sc.render.image_settings.file_format, sc.render.image_settings.color_depth = "OPEN_EXR", "32"
    sc.view_settings.view_transform, sc.view_settings.look = "Raw", "None"
    for i, ob in enumerate(objects):
        ob.pass_index = i + 1
    bent = shows(normal)
    data = shows(depth_and_part)
    inside = data[..., 3] > 0.5
    outline, inner = edges(bent[..., :3], data[..., 0], np.round(data[..., 1]), inside, pixel)
    lines = grown(outline, OUTLINE * OVERSAMPLING) | grown(inner, EDGE * OVERSAMPLING)
    h, w = (n // OVERSAMPLING * OVERSAMPLING for n in lines.shape)
    alpha = lines[:h, :w].reshape(h // OVERSAMPLING, OVERSAMPLING, w // OVERSAMPLING, OVERSAMPLING).mean((1, 3))
    save(np.concatenate([np.broadcast_to(INK, (*alpha.shape, 3)), alpha[..., None]], 2), FILE)
    print(f"DRAWING {NAME} {size[0] * 10:.0f} x {size[1] * 10:.0f} mm")
