"""A model's output in Python: two steps of one bundle, each rank writing its rows.

mpirun -n 4 python3 example.py FOLDER [BACKEND [OPTIONS]]
"""

import sys

import numpy
from mpi4py import MPI

import bundleio

LEVELS, LAT, LON = 3, 12, 24


def write_run(folder, backend, options):
    rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    first = LAT * rank // size
    rows = LAT * (rank + 1) // size - first

    with bundleio.Context(MPI.COMM_WORLD) as context, context.open(folder, bundleio.REPLACE, backend, options) as run:
        by_rows = context.block([LAT, LON], [first, 0], [rows, LON])
        bundle = run.bundle("Moist")
        time = run.dimension(bundle, "time", bundleio.UNLIMITED)
        lev = run.dimension(bundle, "lev", LEVELS)
        lat = run.dimension(bundle, "lat", LAT)
        lon = run.dimension(bundle, "lon", LON)
        hours = run.variable(bundle, "time", "float64", [time])
        q = run.variable(bundle, "Q", "float32", [time, lev, lat, lon], by_rows)
        run.attribute(bundle, bundleio.GLOBAL, "Conventions", "CF-1.8")
        run.attribute(bundle, q, "units", "kg kg-1")
        cells = numpy.arange(first * LON, (first + rows) * LON).reshape(1, rows, LON)
        levels = numpy.arange(LEVELS).reshape(LEVELS, 1, 1)
        for step in range(2):
            run.step_begin()
            run.put(hours, [6.0 * step])
            run.put(q, 1000 * step + 300 * levels + cells)
            run.step_end()


if __name__ == "__main__":
    try:
        write_run(sys.argv[1] if len(sys.argv) > 1 else "example-run",
                  sys.argv[2] if len(sys.argv) > 2 else "pnetcdf",
                  sys.argv[3] if len(sys.argv) > 3 else "")
    except bundleio.Error as error:
        print("example:", error, run=sys.stderr)
        sys.exit(3)
