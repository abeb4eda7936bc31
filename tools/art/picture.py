"""blender -b --factory-startup --python-use-system-env -P picture.py -- NAME FILE WIDTH SAMPLES"""
import importlib
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from studio.line_drawing import render_lines  # noqa: E402
from studio.scene import render_scene  # noqa: E402
from studio.settings import DRAWS_LINES, NAME  # noqa: E402
from studio.product_shot import clear, render_product  # noqa: E402
from tools import FAMILY  # noqa: E402

clear()
start = time.time()
parts, options = getattr(importlib.import_module("tools." + FAMILY[NAME]), NAME.replace("-", "_"))()
print(f"modeled in {time.time() - start:.0f} s")
if DRAWS_LINES:
    render_lines(parts, from_side=options["elevation"] < 40)
elif parts:
    render_product(parts, **options)
else:
    render_scene(**options)
