"""Rewrites the bundles of a BP step of the benchmark as NetCDF files, one variable after another: what a user would write.

usage: convert_serial.py FORMAT BP_FOLDER TARGET_FOLDER; FORMAT as netCDF4 calls it, such as NETCDF3_64BIT_DATA.
"""

import os
import sys

import adios2
import netCDF4


def open_bundle(format_name, folder, bundle):
    file = netCDF4.Dataset(os.path.join(folder, bundle + ".nc"), "w", format=format_name)
    # Every value is written below: filling first would write everything twice.
    file.set_fill_off()
    return file


def define(file, name, reader, shape):
    dimensions = []
    for length in shape:
        dimensions.append(f"n{length}")
        if dimensions[-1] not in file.dimensions:
            file.createDimension(dimensions[-1], length)
    variable = file.createVariable(name.split("/", 1)[1], "f4", dimensions)
    for attribute in ("long_name", "units"):
        variable.setncattr(attribute, reader.read_attribute(f"{name}/{attribute}"))
    return variable


def main(format_name, source, target):
    os.makedirs(target)
    files = {}
    variables = {}
    with adios2.FileReader(source) as reader:
        # All definitions come before all values: else a file of classic format is moved for each variable.
        for name, facts in reader.available_variables().items():
            bundle = name.split("/", 1)[0]
            if bundle not in files:
                files[bundle] = open_bundle(format_name, target, bundle)
            shape = [int(length) for length in facts["Shape"].split(",")]
            variables[name] = define(files[bundle], name, reader, shape)
        for name, variable in variables.items():
            variable[...] = reader.read(name)
    for file in files.values():
        file.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
