"""Prints what lists.c prints, read by netCDF's own library. Run by test_reading.

usage: lists_netcdf.py FOLDER RECORD; RECORD counts along the unlimited dimension
"""

import glob
import os
import sys
from urllib.parse import unquote

import netCDF4
import numpy

TYPES = ["", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]


def weighed(data):
    values = numpy.frombuffer(data, numpy.uint8).astype(numpy.int64)
    return int((values * (numpy.arange(values.size) % 251 + 1)).sum())


def print_attributes(owner, name):
    for attribute in owner.ncattrs():
        value = owner.getncattr(attribute)
        code = 0 if isinstance(value, str) else TYPES.index(numpy.asarray(value).dtype.name)
        data = value.encode() if code == 0 else numpy.asarray(value).tobytes()
        print(f"attribute {name}/{attribute}: {code} {len(data) if code == 0 else numpy.asarray(value).size} {weighed(data)}")


def print_file(path, record):
    bundle = unquote(os.path.basename(path)[:-len(".nc")])
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        grows = {name for name, dimension in file.dimensions.items() if dimension.isunlimited()}
        for name, dimension in file.dimensions.items():
            print(f"dimension {bundle}/{name}: {1 if name in grows else len(dimension)}" + (" unlimited" if name in grows else ""))
        print_attributes(file, f"{bundle}/")
        for name, variable in file.variables.items():
            lengths = [1 if dimension in grows else len(file.dimensions[dimension]) for dimension in variable.dimensions]
            taken = tuple(slice(record, record + 1) if dimension in grows else slice(int(length > 1), None, 2)
                          for dimension, length in zip(variable.dimensions, lengths))
            shown = "".join(f" {dimension}={length}" for dimension, length in zip(variable.dimensions, lengths))
            values = numpy.ascontiguousarray(variable[taken] if taken else variable[...])
            values = values.astype(values.dtype.newbyteorder("="))
            print(f"variable {bundle}/{name}: {TYPES.index(values.dtype.name)}{shown} {weighed(values.tobytes())}")
            print_attributes(variable, f"{bundle}/{name}")


if __name__ == "__main__":
    for found in sorted(glob.glob(os.path.join(glob.escape(sys.argv[1]), "*.nc"))):
        print_file(found, int(sys.argv[2]))
