"""A model with fields that are due now and then, or once; and what reads all of that back.

mpirun -n N python3 frequency_model.py write FOLDER BACKEND STEPS [MODE [OPTIONS [FAULT]]]
mpirun -n N python3 frequency_model.py read FOLDER STEPS [none|sparse|plain]   # plain: joined in one file
FAULT: none, sparse (nothing is due in odd steps), plain (all but the static field in every step), or a mistake.
"""

import os
import signal
import sys

import numpy
from mpi4py import MPI

import bundleio

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
LEVELS, LAT, LON = 3, 12, 5
# bundle, variable, type, dimensions, who has it, due every so many steps
FIELDS = [
    ("atm", "time", "float64", ["time"], "root", 1),
    ("atm", "T", "float32", ["time", "lev", "lat", "lon"], "rows", 1),
    ("atm", "precip", "float64", ["time", "lat", "lon"], "map", 3),
    ("atm", "orography", "float32", ["lat", "lon"], "rows", bundleio.ONCE),
    ("ocean", "sst", "int32", ["time", "lat", "lon"], "map", 2),
    ("mask", "land", "int8", ["lat", "lon"], "root", bundleio.ONCE),
]
LENGTHS = {"time": bundleio.UNLIMITED, "lev": LEVELS, "lat": LAT, "lon": LON}


def fields(kind):
    for bundle, name, dtype, dims, owner, every in FIELDS:
        if kind == "sparse" and every == 1:
            every = 2
        if kind == "plain" and every > 1:
            every = 1
        yield bundle, name, dtype, dims, owner, every


def due(every, step):
    return step == 0 if every == bundleio.ONCE else step % every == 0


def whole(name, dtype, dims, step):
    """All values of a field in a step, as a file shows them."""
    lengths = [1 if dim == "time" else LENGTHS[dim] for dim in dims]
    seed = 7 * [field[1] for field in FIELDS].index(name) + step
    return ((numpy.arange(numpy.prod(lengths)) * 3 + seed) % 101).reshape(lengths).astype(dtype)


class Owners:
    """Rows for boxes; every SIZE-th cell, backwards, for maps. To read, shares of other ranks."""

    def __init__(self, context, shift):
        part = (RANK + shift) % SIZE
        first, last = LAT * part // SIZE, LAT * (part + 1) // SIZE
        self.rows = slice(first, last)
        self.cells = list(range(LAT * LON - 1 - part, -1, -SIZE))
        self.numbers = {"root": bundleio.ON_ROOT, "rows": context.block([LAT, LON], [first, 0], [last - first, LON]),
                        "map": context.map([LAT, LON], self.cells)}

    def own(self, values, owner):
        if owner == "root":
            return values if RANK == 0 else values.ravel()[:0]
        if owner == "rows":
            return numpy.ascontiguousarray(values[..., self.rows, :])
        return numpy.ascontiguousarray(values.reshape(-1, LAT * LON)[:, self.cells])


def define(file, owners, kind):
    bundles, dims, numbers = {}, {}, {}
    for bundle, name, dtype, used, owner, every in fields(kind):
        if bundle not in bundles:
            bundles[bundle] = file.bundle(bundle)
            file.attribute(bundles[bundle], bundleio.GLOBAL, "title", bundle)
        for dim in used:
            if (bundle, dim) not in dims:
                dims[bundle, dim] = file.dimension(bundles[bundle], dim, LENGTHS[dim])
        numbers[name] = file.variable(bundles[bundle], name, dtype, [dims[bundle, dim] for dim in used], owners.numbers[owner])
        file.attribute(bundles[bundle], numbers[name], "units", "1")
        if kind == "differs" and name == "sst":
            every += RANK
        if every != 1:
            file.every(numbers[name], -every if kind == "negative" else every)
    return numbers


def put_step(file, numbers, owners, step, kind):
    file.step_begin()
    for _, name, dtype, dims, owner, every in fields(kind):
        is_due = file.is_due(numbers[name])
        assert is_due == due(every, step), (name, step)
        wrongly = kind in ("early", "static") and step == 1 and name == {"early": "precip", "static": "orography"}[kind] and RANK == SIZE - 1
        if kind == "forgets" and step == 3 and name == "precip" and RANK == SIZE - 1:
            continue
        if is_due or wrongly:
            file.put(numbers[name], owners.own(whole(name, dtype, dims, step), owner))


def write(folder, backend, steps, mode=bundleio.REPLACE, options="", kind="none"):
    with bundleio.Context(COMM) as context, context.open(folder, mode, backend, options) as file:
        owners = Owners(context, 0)
        numbers = define(file, owners, kind)
        if kind == "late":
            put_step(file, numbers, owners, 0, kind)
            file.step_end()
            file.every(numbers["T"], 2)
        step = first_step(folder, mode)
        while step < steps:
            if kind == "killed" and step == 4 and RANK == SIZE - 1:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                put_step(file, numbers, owners, step, kind)
            except bundleio.Error as error:
                print(f"rank {RANK}: put: {int(error.status)} {error}", flush=True)
            try:
                file.step_end()
                step += 1
            except bundleio.Error as error:
                print(f"rank {RANK}: step_end: {int(error.status)} {error}", flush=True)
                if kind in ("none", "series"):
                    sys.exit(3)
                kind = "none"


def first_step(folder, mode):
    """Where a model goes on that was told nothing but the folder."""
    COMM.Barrier()
    present = []
    if mode == bundleio.APPEND:
        present = [int(name[5:]) for name in os.listdir(folder) if name.startswith("step-")]
    return max(present, default=-1) + 1


def expected(kind, step):
    found = {}
    for bundle, name, dtype, dims, owner, every in fields(kind):
        static = kind == "plain" and every == bundleio.ONCE
        if due(every, step) or static:
            found.setdefault(bundle, {})[name] = dtype, dims, owner, 0 if static else step
    return found


def read(folder, steps, kind="none"):
    with bundleio.Context(COMM) as context:
        owners = Owners(context, 1)
        for step in range(steps):
            with context.read(folder, step) as reader:
                # Where nothing is due, bundles stand without variables.
                held = expected(kind, step) or {field[0]: {} for field in FIELDS}
                assert set(reader.bundles()) == set(held), (step, reader.bundles())
                for bundle, there in held.items():
                    assert set(reader.variables(bundle)) == set(there), (step, reader.variables(bundle))
                    assert reader.attributes(bundle) == {"title": bundle}
                    for name, (dtype, dims, owner, of) in there.items():
                        compare(reader, owners, bundle, name, whole(name, dtype, dims, of), owner)
                missing(reader, owners, held)


def compare(reader, owners, bundle, name, values, owner):
    assert (reader.slab(bundle, name) == values).all(), name
    own = owners.own(values, owner)
    into = numpy.empty_like(own)
    reader.get(bundle, name, into, owners.numbers[owner])
    assert (into == own).all(), name


def missing(reader, owners, held):
    if "ocean" in held:
        return
    try:
        reader.get("ocean", "sst", numpy.empty(len(owners.cells), "int32"), owners.numbers["map"])
    except bundleio.Error as error:
        assert error.status == bundleio.Status.NOT_FOUND, error
        return
    sys.exit("a field that is not there was read")


def main(verb, *arguments):
    try:
        if verb == "read":
            read(arguments[0], int(arguments[1]), *arguments[2:])
        else:
            write(arguments[0], arguments[1], int(arguments[2]), *map(int, arguments[3:4]), *arguments[4:])
    except bundleio.Error as error:
        print(f"rank {RANK}: {int(error.status)} {error}", flush=True)
        sys.exit(3)


if __name__ == "__main__":
    main(*sys.argv[1:])
