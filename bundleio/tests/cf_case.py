"""Writes one step that follows the CF conventions: coordinates, units, standard names.

mpirun -n 2 python3 cf_case.py FOLDER BACKEND [WITHOUT]   leaves out the attributes named WITHOUT
"""

import sys

import numpy
from mpi4py import MPI

import bundleio

LEV, LAT, LON = 3, 6, 8
GLOBAL = {"Conventions": "CF-1.8", "title": "A field on a sphere", "history": "written by a test", "institution": "none",
          "source": "a formula", "references": "none", "comment": "not a forecast"}
COORDINATES = {
    "lev": ("float64", [850.0, 500.0, 250.0], {"standard_name": "air_pressure", "long_name": "pressure", "axis": "Z", "units": "hPa",
                                               "positive": "down"}),
    "lat": ("float64", list(numpy.linspace(-75, 75, LAT)), {"standard_name": "latitude", "long_name": "latitude", "axis": "Y",
                                                            "units": "degrees_north"}),
    "lon": ("float64", list(numpy.linspace(0, 315, LON)), {"standard_name": "longitude", "long_name": "longitude", "axis": "X",
                                                           "units": "degrees_east"}),
}
FIELD = {"standard_name": "air_temperature", "long_name": "temperature", "units": "K"}


def describe(run, bundle, variable, attributes, without):
    for name, value in attributes.items():
        if name != without:
            run.attribute(bundle, variable, name, value)


def main(folder, backend, without=None):
    comm = MPI.COMM_WORLD
    first, end = LAT * comm.rank // comm.size, LAT * (comm.rank + 1) // comm.size
    context = bundleio.Context(comm)
    rows = context.block([LAT, LON], [first, 0], [end - first, LON])
    with context.open(folder, bundleio.REPLACE, backend) as run:
        bundle = run.bundle("Air")
        describe(run, bundle, bundleio.GLOBAL, GLOBAL, without)
        lengths = {"time": bundleio.UNLIMITED, "lev": LEV, "lat": LAT, "lon": LON}
        dimensions = {name: run.dimension(bundle, name, length) for name, length in lengths.items()}
        time, bounds = run.time_with_bounds(bundle, dimensions["time"], "hours since 2000-01-01 00:00:00", "standard")
        coordinates = {}
        for name, (kind, values, attributes) in COORDINATES.items():
            coordinates[name] = run.variable(bundle, name, kind, [dimensions[name]])
            describe(run, bundle, coordinates[name], attributes, without)
        temperature = run.variable(bundle, "T", "float32", list(dimensions.values()), rows)
        describe(run, bundle, temperature, FIELD, without)
        kelvin = numpy.full((LEV, end - first, LON), 280.0, dtype="float32")
        run.step_begin()
        for name, (_, values, _) in COORDINATES.items():
            run.put(coordinates[name], values)
        run.put(time, [6.0])
        run.put(bounds, [0.0, 6.0])
        run.put(temperature, kelvin)
        run.step_end()
    context.finish()


main(*sys.argv[1:])
