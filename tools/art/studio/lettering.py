"""Lettering on tools: raised, or printed on a curved part."""
import bmesh
import bpy
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

from .settings import FONT


def text_mesh(text, size, at, turn, depth, bevel, spacing):
    c = bpy.data.curves.new(text, "FONT")
    c.font = bpy.data.fonts.load(FONT, check_existing=True)
    c.body, c.size, c.align_x, c.align_y, c.space_character = text, size, "CENTER", "CENTER", spacing
    c.resolution_u, c.extrude, c.bevel_depth, c.bevel_resolution = 6, depth, bevel, 2
    ob = bpy.data.objects.new(text, c)
    bpy.context.collection.objects.link(ob)
    turns = [Matrix.Rotation(a, 4, axis) for a, axis in zip(reversed(turn), "ZYX")]
    ob.matrix_world = Matrix.Translation(at) @ turns[0] @ turns[1] @ turns[2]
    bpy.context.view_layer.update()
    mesh = bpy.data.meshes.new_from_object(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    mesh.transform(ob.matrix_world)
    bpy.data.objects.remove(ob)
    return mesh


def letters(text, size, material, at, turn=(0, 0, 0), depth=0.02, bevel=0.006, spacing=1.06):
    """Raised letters, centered at a point."""
    return _object(text_mesh(text, size, at, turn, depth, bevel, spacing), material)


def printed(text, size, material, at, onto, turn=(0, 0, 0), along=(0, 0, -1), spacing=1.06):
    """Flat letters, projected onto a part along a direction."""
    mesh = text_mesh(text, size, at, turn, 0, 0, spacing)
    tree = BVHTree.FromPolygons([v.co for v in onto.data.vertices], [p.vertices for p in onto.data.polygons])
    down = Vector(along)
    bm = bmesh.new()
    bm.from_mesh(mesh)
    bmesh.ops.triangulate(bm, faces=bm.faces)
    for _ in range(3):
        bmesh.ops.subdivide_edges(bm, edges=[e for e in bm.edges if e.calc_length() > 0.07], cuts=1)
        bmesh.ops.triangulate(bm, faces=bm.faces)
    for v in bm.verts:
        where, normal, _, _ = tree.ray_cast(v.co - down * 20, down)
        if where:
            v.co = where + normal * 0.004
    bm.to_mesh(mesh)
    bm.free()
    return _object(mesh, material)


def _object(mesh, material):
    mesh.materials.clear()
    mesh.materials.append(material)
    ob = bpy.data.objects.new("letters", mesh)
    bpy.context.collection.objects.link(ob)
    return ob
