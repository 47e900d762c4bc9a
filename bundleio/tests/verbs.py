"""Every verb of the Python module once, and the text of errors; what it writes is what verbs.c writes.

mpirun -n N python3 verbs.py FOLDER BACKEND
"""

import os
import sys

import numpy
from mpi4py import MPI

import bundleio

LEVELS, LAT, LON = 4, 5, 6
RANKS = 5
UNITS = "hours since 1999-12-31 18:00:00 -06:00"
TYPES = ["float64", "int8", "int16", "int32", "int64", "float32"]


def refused(work, status, text):
    try:
        work()
    except bundleio.Error as error:
        if error.status == status and text in str(error):
            return
        sys.exit(f"other error: {error.status} {error}")
    sys.exit("no error: " + text)


def define_types(run):
    """One variable of each rank and of most types, on rank 0; values count up as memory lies."""
    bundle = run.bundle("types")
    lengths = [2, 1, 3, 1, 2]
    dims = [run.dimension(bundle, f"d{i}", length) for i, length in enumerate(lengths)]
    values = {}
    for rank, dtype in enumerate(TYPES):
        variable = run.variable(bundle, f"rank {rank}", dtype, dims[:rank])
        run.attribute(bundle, variable, "two", numpy.array([1, 2.5]).astype(dtype))
        run.attribute(bundle, variable, "one", numpy.dtype(dtype).type(1))
        values[variable] = numpy.arange(numpy.prod(lengths[:rank]), dtype=dtype).reshape(lengths[:rank]) if rank else 7
    return values


def define(context, run, rows, map_, counted, step):
    bundle = run.bundle("verbs")
    lev = run.dimension(bundle, "lev", LEVELS)
    lat = run.dimension(bundle, "lat", LAT)
    lon = run.dimension(bundle, "lon", LON)
    by_rows = run.variable(bundle, "by rows", "float32", [lev, lat, lon], rows)
    mapped = run.variable(bundle, "mapped", "int64", [lat, lon], map_)
    from_one = run.variable(bundle, "counted", "int64", [lat, lon], counted)
    run.attribute(bundle, bundleio.GLOBAL, "Conventions", "CF-1.8")
    run.attribute(bundle, by_rows, "range", numpy.array([1, 2.5], dtype=">f4"))
    types = define_types(run)
    times = run.bundle("times")
    time, bounds = run.time_with_bounds(times, run.dimension(times, "time", bundleio.UNLIMITED), UNITS, "noleap")
    noon = context.time_value(UNITS, "noleap", (2000 + step, 3, 1, 12))
    if context.date(UNITS, "noleap", noon) != (2000 + step, 3, 1, 12, 0, 0.0):
        sys.exit("the date of a value")
    refused(lambda: context.date(UNITS, "lunar", noon), bundleio.Status.BAD_ARGUMENT, "calendar 'lunar'")
    refused(lambda: context.time_value(UNITS, "noleap", (2000,)), bundleio.Status.BAD_ARGUMENT, "(year, month, day[,")
    # This bundle is due in the first of the two steps only.
    rare = run.bundle("rare")
    now = {run.variable(rare, name, "float64", []): steps for name, steps in (("once", bundleio.ONCE), ("second", 2))}
    for variable, steps in now.items():
        run.every(variable, steps)
        if run.is_due(variable) != (step == 0):
            sys.exit("what is due")
    fives = {variable: 5 for variable in now if step == 0}
    return by_rows, mapped, from_one, types | {time: noon, bounds: [noon - 12, noon + 12]} | fives


def write(run, by_rows, mapped, from_one, types, first, rows, cells, step):
    lev, lat, lon = numpy.meshgrid(range(LEVELS), range(first, first + rows), range(LON), indexing="ij")
    field = 1000 * step + 100 * lev + 10 * lat + lon
    # Neither contiguous, nor of the type, nor of this machine's order of bytes.
    odd = numpy.zeros((2 * LEVELS, rows, LON), dtype=">f8")[::2]
    odd[...] = field
    refused(lambda: run.put(by_rows, field), bundleio.Status.STATE, "put outside a step")
    refused(run.step_end, bundleio.Status.STATE, "rank 0: put outside a step")
    run.step_begin()
    run.put_levels(by_rows, 3, LEVELS - 3, field[3:].astype("float32"))
    run.put_levels(by_rows, 0, 3, odd[:3])
    run.put(numpy.int64(mapped), numpy.asarray(cells, dtype="int32") + step)
    run.put(from_one, numpy.asarray([*cells, 0]) + step)
    for variable, values in types.items():
        run.put(variable, values)
    run.step_end()


def fail_steps(context, folder, backend):
    """Mistakes of the last rank reach all, with their status and text."""
    rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    run = context.open(folder, bundleio.APPEND, backend)
    bundle = run.bundle("errors")
    number = run.variable(bundle, "number", numpy.float64, [])
    whole = run.variable(bundle, "whole", numpy.int8, [])
    single = run.variable(bundle, "single", numpy.float32, [])
    for status in bundleio.Status:
        text = f"status {status:d} is told"
        run.step_begin()
        run.put(number, numpy.ma.masked_equal([1.0], -999))
        run.put(whole, 1)
        run.put(single, numpy.inf if rank == 0 else 0.1)
        if rank == size - 1:
            refused(lambda status=status, text=text: run.fail(status, text), status, text)
        refused(run.step_end, status, f"rank {size - 1}: {text}")
    refused(lambda: run.put(whole, 1000), bundleio.Status.BAD_ARGUMENT, "variable 'whole': values of type int64 change as int8")
    for variable, value, text in ((single, 2**24 + 1, "int64 change as float32"), (number, 2**53 + 1, "int64 change as float64"),
                                  (number, 2**63 - 1, "int64 change as float64"), (single, -1e39, "float64 change as float32")):
        refused(lambda variable=variable, value=value: run.put(variable, value), bundleio.Status.BAD_ARGUMENT, text)
    hidden = numpy.ma.masked_equal([-999.0], -999)
    refused(lambda: run.put(number, hidden), bundleio.Status.BAD_ARGUMENT, "variable 'number': some values are masked: put filled(VALUE)")
    refused(lambda: run.put(number, "many"), bundleio.Status.BAD_ARGUMENT, "are no real numbers")
    refused(lambda: run.variable(bundle, "odd", "complex64", []), bundleio.Status.BAD_ARGUMENT, "type complex64 cannot be stored")
    if rank == 0:
        refused(lambda: run.put(number, [1, 2]), bundleio.Status.BAD_ARGUMENT, "variable 'number': 2 values, but this rank holds 1")
    refused(run.close, bundleio.Status.BAD_ARGUMENT, "values of type int64 change as int8")
    run.close()


def leave_on_one_rank(folder):
    """A rank that raises leaves its scope; the others get its error instead of waiting for it."""
    def work():
        with bundleio.Context(MPI.COMM_WORLD) as context, context.open(folder, bundleio.APPEND, "posix") as run:
            run.step_begin()
            if MPI.COMM_WORLD.rank == 0:
                run.put(9999, 1.0)
            run.step_end()
    refused(work, bundleio.Status.BAD_ARGUMENT, "variable 9999 is not defined")


def main(folder, backend):
    rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    first = LAT * rank // size
    rows = LAT * (rank + 1) // size - first
    cells = list(range(LAT * LON - 1 - rank, -1, -size))
    context = bundleio.Context(MPI.COMM_WORLD)
    by_rows = context.block([LAT, LON], [first, 0], [rows, LON])
    map_ = context.map([LAT, LON], cells)
    counted = context.map_one_based([LAT, LON], [cell + 1 for cell in cells] + [0])
    refused(lambda: context.map_one_based([LAT, LON], [-3]), bundleio.Status.BAD_ARGUMENT, "rank 0: cell -3, entry 0 of the map")
    refused(lambda: context.map_one_based([LAT, LON], cells), bundleio.Status.BAD_ARGUMENT, "it seems to count from 0")
    refused(lambda: context.block([1 << 40, 1 << 40], [0, 0], [0, 0]), bundleio.Status.BAD_ARGUMENT, "more than 2^60 cells")
    refused(lambda: context.block([1], [0, 0], [0]), bundleio.Status.BAD_ARGUMENT, "rank 0: lengths, start and count of a decomposition must be equally many")
    # On one rank only: the others must not wait.
    for odd in ([0.5], [[1], [1, 2]]):
        lengths = odd if rank == size - 1 else [5]
        refused(lambda lengths=lengths: context.map(lengths, cells), bundleio.Status.BAD_ARGUMENT,
                "a sequence of integers is needed" if rank == size - 1 else f"rank {size - 1}: lengths, start and count")
    refused(lambda: context.open(folder, bundleio.CREATE, "nosuch"), bundleio.Status.BAD_ARGUMENT, "rank 0: unknown back end")
    here = os.getcwd()
    for step, mode in enumerate((bundleio.CREATE, bundleio.APPEND)):
        with context.open(os.path.relpath(folder), mode, backend) as run:
            # Where the run lies was settled when it was opened.
            os.chdir("/")
            ids = define(context, run, by_rows, map_, counted, step)
            write(run, *ids, first, rows, cells, step)
            run.wait()
            if not run.test():
                sys.exit("a step is not visible after wait")
            report = run.report()
            if report.get("steps") != (1 if rank == 0 else None):
                sys.exit(f"report: {report}")
            os.chdir(here)
    refused(run.step_begin, bundleio.Status.BAD_ARGUMENT, "no run: it was never opened, or is closed already")
    refused(lambda: context.open(folder, bundleio.CREATE, backend), bundleio.Status.EXISTS, "rank 0: ")
    fail_steps(context, folder, backend)
    leave_on_one_rank(folder)
    context.finish()
    refused(context.finish, bundleio.Status.BAD_ARGUMENT, "no context")


if __name__ == "__main__":
    main(*sys.argv[1:])
