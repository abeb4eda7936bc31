"""blender -b --factory-startup --python-use-system-env -P picture.py -- NAME FILE WIDTH SAMPLES"""
import importlib
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from studio.scene import expose  # noqa: E402
from studio.settings import NAME  # noqa: E402
from studio.shoot import shoot, clear  # noqa: E402
from tools import FAMILY  # noqa: E402

clear()
start = time.time()
made, how = getattr(importlib.import_module("tools." + FAMILY[NAME]), NAME.replace("-", "_"))()
print(f"modelled in {time.time() - start:.0f} s")
if made:
    shoot(made, **how)
else:
    expose(**how)
