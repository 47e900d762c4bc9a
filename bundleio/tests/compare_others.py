"""Compares steps by readers that know nothing of bundleio: xarray, and ADIOS2's serial wheel. Run by test_readers.

usage: compare_others.py CLASSIC_STEP NETCDF4_STEP BP_STEP; BP_STEP may be "-". Ends with 1 and a line for each difference.
"""

import os
import sys

import adios2
import netCDF4
import numpy
import xarray


def bits(values):
    return numpy.ascontiguousarray(values).tobytes()


def xarray_differences(classic, netcdf4):
    for name in sorted(name for name in os.listdir(classic) if name.endswith(".nc")):
        one, other = (xarray.open_dataset(os.path.join(folder, name), engine="netcdf4", decode_cf=False) for folder in (classic, netcdf4))
        if set(one.variables) != set(other.variables) or one.attrs != other.attrs:
            yield f"{name}: other variables or attributes"
        for variable in one.variables:
            if one[variable].dims != other[variable].dims or bits(one[variable].values) != bits(other[variable].values):
                yield f"{name}: {variable} differs"


def adios_differences(classic, bp):
    with adios2.FileReader(os.path.join(bp, "bundles.bp")) as reader:
        names = list(reader.available_variables())
        for name in names:
            bundle, variable = name.split("/", 1)
            with netCDF4.Dataset(os.path.join(classic, bundle.replace(" ", "%20") + ".nc")) as file:
                file.set_auto_maskandscale(False)
                if bits(file[variable][...]) != bits(reader.read(name)):
                    yield f"{name} differs"
    if len(names) < 10:
        yield f"only {len(names)} variables were compared"


def main(classic, netcdf4, bp):
    differences = list(xarray_differences(classic, netcdf4))
    if bp != "-":
        differences += adios_differences(classic, bp)
    print("\n".join(differences))
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
