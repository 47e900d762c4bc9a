"""Prints what lists.c prints.

python3 lists.py FOLDER [STEP]
"""

import sys

import numpy
from mpi4py import MPI

import bundleio

TYPES = ["", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]


def weighed(data):
    values = numpy.frombuffer(data, numpy.uint8).astype(numpy.int64)
    return int((values * (numpy.arange(values.size) % 251 + 1)).sum())


def print_attributes(reader, bundle, variable):
    for name, value in reader.attributes(bundle, variable).items():
        data = value.encode() if isinstance(value, str) else value.tobytes()
        code = 0 if isinstance(value, str) else TYPES.index(value.dtype.name)
        print(f"attribute {bundle}/{variable}/{name}: {code} {len(data) if code == 0 else value.size} {weighed(data)}")


def print_step(reader):
    for bundle in reader.bundles():
        for name in reader.dimensions(bundle):
            length, unlimited = reader.dimension(bundle, name)
            print(f"dimension {bundle}/{name}: {length}" + (" unlimited" if unlimited else ""))
        print_attributes(reader, bundle, "")
        for name in reader.variables(bundle):
            dtype, lengths = reader.shape(bundle, name)
            shown = "".join(f" {dimension}={length}" for dimension, length in zip(reader.dimensions(bundle, name), lengths))
            slab = reader.slab(bundle, name, [int(length > 1) for length in lengths], stride=[2] * len(lengths))
            assert slab.dtype == dtype
            print(f"variable {bundle}/{name}: {TYPES.index(dtype.name)}{shown} {weighed(slab.tobytes())}")
            print_attributes(reader, bundle, name)


def main(folder, step=bundleio.LAST_STEP):
    with bundleio.Context(MPI.COMM_WORLD) as context, context.read(folder, int(step)) as reader:
        print_step(reader)


if __name__ == "__main__":
    main(*sys.argv[1:])
