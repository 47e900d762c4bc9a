"""Reads the last step that an example wrote, by columns, and compares every value; asks wrongly.

mpirun -n 2 python3 reads.py FOLDER
"""

import sys

import numpy
from mpi4py import MPI

import bundleio


def same(folder):
    rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    first = 24 * rank // size
    columns = 24 * (rank + 1) // size - first
    with bundleio.Context(MPI.COMM_WORLD) as context, context.read(folder) as reader:
        by_columns = context.block([12, 24], [0, first], [12, columns])
        q = numpy.zeros((3, 12, columns), numpy.float32)
        reader.get("Moist", "Q", q, by_columns)
        level, row, column = numpy.ogrid[0:3, 0:12, first:first + columns]
        hour = numpy.zeros(1)
        reader.get("Moist", "time", hour)
        found = [reader.step() == 1, reader.shape("Moist", "Q") == (numpy.dtype("float32"), (1, 3, 12, 24)),
                 (q == 1000 + 300 * level + 24 * row + column).all(), rank > 0 or hour[0] == 6.0]
        for wrong, status in ((q[:, :11], bundleio.Status.BAD_ARGUMENT), (hour, bundleio.Status.MISMATCH)):
            try:
                reader.get("Moist", "Q", wrong, by_columns)
                found.append(False)
            except bundleio.Error as error:
                found.append(error.status == status)
                message = str(error)
        print(message)
    return all(found)


if __name__ == "__main__":
    sys.exit(0 if same(sys.argv[1]) else 1)
