"""Writes one step of real numbers of every kind of bits, with and without a fill value of their own, for each folder.

mpirun -n 2 python3 odd_values.py BACKEND FOLDER OPTIONS [FOLDER OPTIONS]...
"""

import sys

import numpy
from mpi4py import MPI

import bundleio

COUNT = 4096


def of_any_bits(word, seed):
    """Random words, in front of them zeros, infinities, NaN, the smallest and the largest numbers of both signs."""
    real = numpy.dtype(word.name.replace("uint", "float"))
    limits = numpy.finfo(real)
    odd = [0.0, numpy.inf, numpy.nan, limits.smallest_subnormal, limits.smallest_normal, limits.max, 1.0 - limits.epsneg, 1.0 + limits.eps]
    values = numpy.random.default_rng(seed).integers(0, numpy.iinfo(word).max, COUNT, word, endpoint=True).view(real)
    # Of NaN, what a processor makes.
    values[numpy.isnan(values)] = numpy.nan
    values[:2 * len(odd)] = odd + [-value for value in odd]
    return values


context = bundleio.Context(MPI.COMM_WORLD)
rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
cells = context.block([COUNT * size], [COUNT * rank], [COUNT])
for folder, options in zip(sys.argv[2::2], sys.argv[3::2]):
    with context.open(folder, bundleio.REPLACE, sys.argv[1], options) as run:
        bundle = run.bundle("odd")
        x = run.dimension(bundle, "x", COUNT * size)
        puts = []
        for word in (numpy.dtype("uint32"), numpy.dtype("uint64")):
            values = of_any_bits(word, rank)
            real = values.dtype
            for name, fill in (("plain", None), ("filled", values[100]), ("nan", numpy.nan)):
                variable = run.variable(bundle, f"{name}_{real.name}", real.name, [x], cells)
                if fill is not None:
                    run.attribute(bundle, variable, "_FillValue", numpy.array([MPI.COMM_WORLD.bcast(fill)], dtype=real))
                puts.append((variable, values))
        run.step_begin()
        for variable, values in puts:
            run.put(variable, values)
        run.step_end()
context.finish()
