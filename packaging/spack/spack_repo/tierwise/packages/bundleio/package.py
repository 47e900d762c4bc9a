# Licensed under the Apache License, Version 2.0: see the file LICENSE of this project.
"""Recipe for Spack, from a checkout of this project: there is no address yet from which Spack could download a release.

    spack repo add packaging/spack/spack_repo/tierwise
    spack dev-build --source-path "$PWD" bundleio@0.1.0
"""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Bundleio(CMakePackage):
    """Parallel output of bundles of variables, through interchangeable back ends (PnetCDF, NetCDF-4, ADIOS2)."""

    license("Apache-2.0")
    version("0.1.0")

    variant("fortran", default=True, description="Fortran module")
    variant("pio", default=True, description="Answer calls of ParallelIO (PIO 2)")
    variant("adios2", default=True, description="Back end bp5")
    variant("python", default=True, description="What the Python module needs to run")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.18:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("parallel-netcdf@1.12:")
    depends_on("netcdf-c@4.8:+mpi")
    depends_on("hdf5@1.10:+mpi")
    depends_on("adios2@2.9:+mpi", when="+adios2")
    depends_on("python@3.9:", type="run", when="+python")
    depends_on("py-mpi4py", type="run", when="+python")
    depends_on("py-numpy", type="run", when="+python")

    root_cmakelists_dir = "bundleio"

    def cmake_args(self):
        return [
            self.define_from_variant("BUNDLEIO_FORTRAN", "fortran"),
            self.define_from_variant("BUNDLEIO_PIO", "pio"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_ADIOS2", not self.spec.satisfies("+adios2")),
            # The suites want what the build itself does not.
            self.define("BUNDLEIO_TESTS", False),
        ]

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.bundleio)
