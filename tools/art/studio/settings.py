"""Settings from the command line: -- NAME FILE WIDTH SAMPLES."""
import os
import sys

NAME, FILE, *SIZE = sys.argv[sys.argv.index("--") + 1:]
FILE = os.path.abspath(FILE)
WIDTH, SAMPLES = int(SIZE[0]), int(SIZE[1])
DRAFT = SAMPLES < 20
FINE = 700 < WIDTH < 1600 and not NAME.startswith("factory-")  # pictures of one tool need finer meshes than scenes
FONT = os.environ["PICTURE_FONT"]
