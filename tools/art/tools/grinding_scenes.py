"""The grinding shop: a chisel's edge at the fine stone of a bench grinder."""
from studio.metals import ground
from studio.resting_poses import shift, turn
from studio.scene import COOL, WARM, board, slab
from studio.sparks import throw_sparks
from studio.surfaces import matt
from studio.wood_grain import oiled
from tools import bench_grinders, chisels_and_files

STONE = (bench_grinders.OUT, -7.6, bench_grinders.SPINDLE)
REST = bench_grinders.SPINDLE - 0.5


def factory_grind():
    bench_grinders.bench_grinder()
    chisel, _ = chisels_and_files.bench_chisel(ground((0.60, 0.60, 0.61, 1), (1, 0, 0)), name_turn=50)
    shift(turn(chisel, 90), STONE[0] - 0.3, STONE[1] - 13.62, REST + 0.31)
    contact = (STONE[0] - 0.3, STONE[1] - 0.1, REST + 0.2)
    throw_sparks(contact, (0.05, -0.5, -1.0), 0.17, 170, 11, 0.03, 3, 0.10)
    throw_sparks(contact, (0.1, -0.9, -0.4), 0.34, 34, 11, 0.03, 8, 0.06)
    top = oiled("#7a4e2c", "#2f1a0d", "#0e0603")
    for i in range(5):
        shift(board((320, 16, 5), top, 3 + 5 * i, 0.05), 0, -40 + i * 16.1, -2.5)
    slab((-300, 60, -60), (300, 62, 200), matt((0.030, 0.024, 0.021, 1), 0.9, 0.5, 0.6))
    return None, dict(
        where=(41, -50, 27), aim=(10.2, -9.5, 10.6), lens=62, aspect=3 / 2, sharp=((12.6, -9, 12), 14),
        lights=[((70, -40, 70), (40, 34), 42, WARM, (12, -8, 12)), ((20, 40, 70), (70, 16), 22, WARM, (8, 0, 14)),
                ((-50, -70, 50), (60, 60), 4.5, COOL, (8, -6, 10)), ((14, -40, 4), (14, 10), 1.6, (1.0, 0.5, 0.2), (12, -8, 11))])
