"""The shadow alone, whole even under the tool: the lit floor with the tool, divided by the floor without it."""
import numpy as np

from .clean import blur, clean
from .fields import ramp
from .render import pixels, setup


def floor_light(samples, seed):
    return pixels(samples, seed, "OPEN_EXR", "RGB")[..., :3].mean(2)


def plain(lit, shape):
    """The bare floor is smooth: a low polynomial through a coarse render has no noise and any size."""
    for axis in (0, 1):
        rows, want = (np.linspace(-1, 1, n) for n in (lit.shape[axis], shape[axis]))
        old, new = (np.stack([t**k for k in range(6)], 1) for t in (rows, want))
        lit = np.apply_along_axis(lambda v: new @ np.linalg.lstsq(old, v, rcond=None)[0], axis, lit)
    return lit


def shadow_of(objects, floor, samples, width, aspect, strength):
    sc = setup(width, aspect)
    floor.visible_camera, sc.cycles.max_bounces = True, 2
    for ob in objects:
        ob.visible_camera = False
    sc.render.resolution_percentage = 26
    lit = clean(*(pixels(max(samples, 192) // 2, seed, "OPEN_EXR", "RGB") for seed in (3, 5)))[..., :3].mean(2)
    for ob in objects:
        ob.hide_render = True
    sc.render.resolution_percentage = 10
    dark = 1 - lit / plain(floor_light(64, 4), lit.shape)
    w = dark.shape[1]
    crisp, soft, faint = (blur(dark, w / k) for k in (330, 140, 70))
    soft = faint + (soft - faint) * np.clip((faint - 0.03) / 0.12, 0, 1)
    dark = soft + (crisp - soft) * np.clip((soft - 0.08) / 0.3, 0, 1)
    dark = np.clip((dark - 0.02) / 0.98, 0, 1) * strength
    for axis in (0, 1):
        u = np.linspace(-1, 1, dark.shape[axis])
        dark = dark * np.expand_dims(ramp(np.abs(u), 0.98, 0.72), 1 - axis)
    return dark


def enlarge(a, shape):
    for axis in (0, 1):
        at = np.linspace(0, a.shape[axis] - 1, shape[axis])
        a = np.apply_along_axis(lambda v: np.interp(at, np.arange(len(v)), v), axis, a)
    return a
