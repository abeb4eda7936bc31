"""Settings from the command line: -- NAME FILE WIDTH SAMPLES. NAME-lines draws the tool's lines instead."""
import os
import sys

NAME, FILE, *SIZE = sys.argv[sys.argv.index("--") + 1:]
DRAWS_LINES, NAME = NAME.endswith("-lines"), NAME.removesuffix("-lines")
FILE = os.path.abspath(FILE)
WIDTH, SAMPLES = int(SIZE[0]), int(SIZE[1])
DRAFT = SAMPLES < 20
FINE = 700 < WIDTH < 1600 and not NAME.startswith("factory-")  # pictures of one tool need finer meshes than scenes
FONT = os.environ["PICTURE_FONT"]
