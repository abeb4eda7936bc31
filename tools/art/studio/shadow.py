"""The complete shadow, also below the tool: the lit floor with the tool divided by the floor without it."""
import bpy
import numpy as np

from .denoise import blur, denoise
from .distance_fields import ramp
from .outline import polygon
from .resting_poses import lower_hull, points_of
from .render import pixels, setup


def floor_light(samples):
    return denoise(*(pixels(samples // 2, seed, "OPEN_EXR", "RGB") for seed in (3, 5)))[..., :3].mean(2)


def floor_points(shape):
    """The floor position of each pixel: x and y, rows from the bottom up."""
    cam = bpy.context.scene.camera
    step = cam.data.sensor_width / cam.data.lens / shape[1]
    u, v = np.meshgrid(*[(np.arange(n) - (n - 1) / 2) * step for n in shape[::-1]])
    way = np.stack([u, v, -np.ones(shape)], 2) @ np.array(cam.matrix_world.to_3x3()).T
    at = np.array(cam.matrix_world.translation)
    t = -at[2] / np.minimum(way[..., 2], -1e-3)
    return at[0] + t * way[..., 0], at[1] + t * way[..., 1]


def hull(points):
    """The convex hull of 2D points."""
    across = sorted(map(tuple, points))
    return lower_hull(across)[:-1] + lower_hull(across[::-1])[:-1]


def soften(dark, away, w):
    """A shadow is crisp at the tool and softer further away, so the smoothing grows with the distance."""
    out, steps = blur(dark, w / 330), ((0.0, 0.08, 140), (0.06, 0.25, 60), (0.25, 0.7, 30))
    for near, far, k in steps:
        out += (blur(dark, w / k) - out) * ramp(away, near, far)
    return out


def fade_out(dark, away):
    """Fades out parts that are too faint or too far from the tool, so that the shadow ends inside the frame."""
    dark = np.maximum(dark, 0) ** 2 / (np.maximum(dark, 0) + 0.03) * ramp(away, 1.1, 0.0)
    u, v = np.meshgrid(*[np.linspace(-1, 1, n) for n in dark.shape[::-1]])
    return dark * ramp((u**6 + v**6) ** (1 / 6), 0.98, 0.4)


def shadow_of(objects, floor, width, aspect, strength):
    sc = setup(width, aspect)
    floor.visible_camera, sc.cycles.max_bounces, sc.cycles.use_adaptive_sampling = True, 2, False
    for ob in objects:
        ob.visible_camera = False
    sc.render.resolution_percentage = 26
    lit = floor_light(128)
    for ob in objects:
        ob.hide_render = True
    bare = blur(floor_light(64), lit.shape[1] / 60)
    p = points_of(objects)
    x, y = floor_points(lit.shape)
    span = np.linalg.norm(p[:, :2], axis=1).max()
    stands, covers = (polygon(x, y, hull(q[:, :2])) / span for q in (p[p[:, 2] < 0.35 * p[:, 2].max()], p))
    dark = soften(1 - lit / bare, stands, lit.shape[1])
    return fade_out(dark, covers) * strength


def enlarge(a, shape):
    for axis in (0, 1):
        at = np.linspace(0, a.shape[axis] - 1, shape[axis])
        a = np.apply_along_axis(lambda v: np.interp(at, np.arange(len(v)), v), axis, a)
    return a
