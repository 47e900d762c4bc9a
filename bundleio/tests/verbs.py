"""Every verb of the Python module once, and the text of errors; what it writes is what verbs_cpp and verbs_f90 write.

mpirun -n N python3 verbs.py FOLDER BACKEND
"""

import json
import os
import sys

import numpy
from mpi4py import MPI

import bundleio

LEVELS, LAT, LON = 4, 5, 6


def refused(work, status, text):
    try:
        work()
    except bundleio.Error as error:
        if error.status == status and text in str(error):
            return
        sys.exit(f"other error: {error.status} {error}")
    sys.exit("no error: " + text)


def define(file, rows, map_):
    bundle = file.bundle("verbs")
    lev = file.dimension(bundle, "lev", LEVELS)
    lat = file.dimension(bundle, "lat", LAT)
    lon = file.dimension(bundle, "lon", LON)
    by_rows = file.variable(bundle, "by rows", "float32", [lev, lat, lon], rows)
    mapped = file.variable(bundle, "mapped", "int64", [lat, lon], map_)
    file.attribute(bundle, bundleio.GLOBAL, "Conventions", "CF-1.8")
    file.attribute(bundle, by_rows, "range", numpy.array([1, 2.5], dtype=">f4"))
    return by_rows, mapped


def write(file, by_rows, mapped, first, rows, cells, step):
    lev, lat, lon = numpy.meshgrid(range(LEVELS), range(first, first + rows), range(LON), indexing="ij")
    field = 1000 * step + 100 * lev + 10 * lat + lon
    # Neither contiguous, nor of the type, nor of this machine's order of bytes.
    odd = numpy.zeros((2 * LEVELS, rows, LON), dtype=">f8")[::2]
    odd[...] = field
    file.step_begin()
    file.put_levels(by_rows, 3, LEVELS - 3, field[3:].astype("float32"))
    file.put_levels(by_rows, 0, 3, odd[:3])
    file.put(numpy.int64(mapped), numpy.asarray(cells, dtype="int32") + step)
    file.step_end()


def main(folder, backend):
    rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    first = LAT * rank // size
    rows = LAT * (rank + 1) // size - first
    cells = list(range(LAT * LON - 1 - rank, -1, -size))
    context = bundleio.Context(MPI.COMM_WORLD)
    by_rows = context.block([LAT, LON], [first, 0], [rows, LON])
    map_ = context.map([LAT, LON], cells)
    refused(lambda: context.block([1 << 40, 1 << 40], [0, 0], [0, 0]), bundleio.Status.BAD_ARGUMENT, "more than 2^60 cells")
    refused(lambda: context.block([1], [0, 0], [0]), bundleio.Status.BAD_ARGUMENT, "each dimension needs one of each")
    refused(lambda: context.open(folder, bundleio.CREATE, "nosuch"), bundleio.Status.BAD_ARGUMENT, "rank 0: unknown back end")
    here = os.getcwd()
    for step, mode in enumerate((bundleio.CREATE, bundleio.APPEND)):
        with context.open(os.path.relpath(folder), mode, backend) as file:
            # Where the run lies was settled when it was opened.
            os.chdir("/")
            ids = define(file, by_rows, map_)
            write(file, *ids, first, rows, cells, step)
            file.wait()
            if not file.test():
                sys.exit("a step is not visible after wait")
            report = file.report()
            if (rank == 0) != bool(report) or rank == 0 and json.loads(report)["steps"] != 1:
                sys.exit("report: " + report)
            os.chdir(here)
    refused(lambda: file.put(ids[0], [0.0]), bundleio.Status.BAD_ARGUMENT, "values, but this rank holds") if rows else None
    refused(file.step_begin, bundleio.Status.BAD_ARGUMENT, "no file: it was never opened, or is closed already")
    context.finish()
    refused(context.finish, bundleio.Status.BAD_ARGUMENT, "no context")


if __name__ == "__main__":
    main(*sys.argv[1:])
