"""Writes one step of COUNT variables over the same two dimensions.

mpirun -n 2 python3 many_variables.py FOLDER BACKEND COUNT
"""

import sys

import numpy
from mpi4py import MPI

import bundleio

context = bundleio.Context(MPI.COMM_WORLD)
rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
columns = context.block([2, 2 * size], [0, 2 * rank], [2, 2])
with context.open(sys.argv[1], bundleio.REPLACE, sys.argv[2]) as run:
    bundle = run.bundle("many")
    lat = run.dimension(bundle, "lat", 2)
    lon = run.dimension(bundle, "lon", 2 * size)
    variables = [run.variable(bundle, f"v{number}", "float32", [lat, lon], columns) for number in range(int(sys.argv[3]))]
    values = [numpy.full((2, 2), number, dtype="float32") for number in range(len(variables))]
    run.step_begin()
    for variable, cells in zip(variables, values):
        run.put(variable, cells)
    run.step_end()
context.finish()
