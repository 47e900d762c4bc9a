"""Builds the recipe for conda by rattler-build, lets it run the recipe's tests, and prints the names of the files in its package.

No channel is asked: packages without files stand in the place of what the recipe needs. They are found by the names, versions and builds that it
asks for; compilers and libraries are this machine's.

python conda_build.py CHECKOUT FOLDER PYTHON      PYTHON has mpi4py and numpy
"""

import hashlib
import json
import os
import sys

from rattler_build import Stage0Recipe, ToolConfiguration, VariantConfig, assemble_package
from rattler_build.package import Package

PLATFORM = "linux-64"
# Debian's libraries are for this one.
MPI = "openmpi"
PARALLEL = f"mpi_{MPI}_0"
NEEDED = {"gcc_linux-64": ("12.2", "0"), "gxx_linux-64": ("12.2", "0"), "gfortran_linux-64": ("12.2", "0"), "sysroot_linux-64": ("2.28", "0"),
          "cmake": ("3.25", "0"), "make": ("4.3", "0"), "pkg-config": ("0.29", "0"), MPI: ("4.1.4", "0"), "hdf5": ("1.10.8", PARALLEL),
          "libnetcdf": ("4.9.0", PARALLEL), "libpnetcdf": ("1.12.3", PARALLEL), "mpi4py": ("3.1.4", "0"), "numpy": ("1.24", "0"),
          "python": ("3.11", "0")}


def channel(folder, python):
    """A folder of packages as a channel has it; that of Python names the one that is here."""
    place = os.path.join(folder, PLATFORM)
    for empty in (place, os.path.join(folder, "noarch")):
        os.makedirs(empty)
        with open(os.path.join(empty, "repodata.json"), "w", encoding="utf-8") as file:
            json.dump({"info": {"subdir": os.path.basename(empty)}, "packages": {}, "packages.conda": {}}, file)
    nothing, pythons = os.path.join(folder, "nothing"), os.path.join(folder, "python", "bin")
    os.makedirs(nothing)
    os.makedirs(pythons)
    with open(os.path.join(pythons, "python"), "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec "{python}" -B "$@"\n')
    os.chmod(file.name, 0o755)
    listed = {}
    for name, (version, build) in NEEDED.items():
        files = os.path.dirname(pythons) if name == "python" else nothing
        path = assemble_package(name, version, PLATFORM, build, place, files_dir=files).path
        with open(path, "rb") as file:
            content = file.read()
        listed[os.path.basename(path)] = {
            "name": name, "version": version, "build": build, "build_number": 0, "depends": [], "subdir": PLATFORM, "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(), "md5": hashlib.md5(content).hexdigest()}
    with open(os.path.join(place, "repodata.json"), "w", encoding="utf-8") as file:
        json.dump({"info": {"subdir": PLATFORM}, "packages": {}, "packages.conda": listed}, file)
    return "file://" + folder


def main(checkout, folder, python):
    recipe = os.path.join(checkout, "packaging", "conda")
    variants = VariantConfig.from_file(os.path.join(recipe, "variants.yaml")).merge(VariantConfig({"mpi": [MPI]}))
    made = Stage0Recipe.from_file(os.path.join(recipe, "recipe.yaml")).run_build(
        variants, ToolConfiguration(test_strategy="native"), os.path.join(folder, "output"), [channel(os.path.join(folder, "channel"), python)])
    for package in made[0].packages:
        for file in Package.from_file(package).files:
            print(file)


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:]))
