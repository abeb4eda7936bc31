"""Camera: chooses a direction, then the closest position from which everything fits."""
import math

import bpy
import numpy as np
from mathutils import Matrix, Vector


def camera_at(where, rotation, lens):
    cam = bpy.data.cameras.new("camera")
    cam.lens, cam.sensor_width, cam.clip_end = lens, 36, 5000
    ob = bpy.data.objects.new("camera", cam)
    bpy.context.collection.objects.link(ob)
    ob.matrix_world = Matrix.Translation(where) @ rotation.to_4x4()
    bpy.context.scene.camera = ob
    return ob


def facing(azimuth, elevation):
    a, e = math.radians(azimuth), math.radians(elevation)
    look = Vector((math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), -math.sin(e)))
    return look.to_track_quat("-Z", "Y").to_matrix()


def fit(points, azimuth, elevation, lens, aspect, margin=0.07, room=0.05):
    """Places the camera so that all points fit, with space for the shadow, which falls to the right and to the front."""
    rotation = facing(azimuth, elevation)
    R = np.array(rotation)
    u, v, d = points @ R[:, 0], points @ R[:, 1], -(points @ R[:, 2])
    tx = 18 / lens * (1 - 2 * margin)
    ty = tx / aspect
    near = min(((w + t * d).min() - (w - t * d).max()) / (2 * t) for w, t in ((u, tx), (v, ty)))
    cx, cy = [((w - t * d).max() + (w + t * d).min()) / 2 for w, t in ((u, tx), (v, ty))]
    span = d.mean() - near
    cx, cy = cx + room * span * tx * 0.5, cy - room * span * ty * 0.5
    return camera_at(Vector(R[:, 0] * cx + R[:, 1] * cy - R[:, 2] * near), rotation, lens)
