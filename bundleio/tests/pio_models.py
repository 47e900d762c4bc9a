"""Models written for PIO, built outside the tree with what was installed, for the suites about them."""

import os
import shutil
import subprocess
import tempfile

from launch import BUILD, RunTest, mpi, run

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS = 4
IOTYPES = {"pnetcdf": 1, "gather": 2, "netcdf4": 4}
LINK = 'export PKG_CONFIG_PATH="$1/lib/pkgconfig"; shift; flags=$(pkg-config --cflags --libs "$1"); shift; "$@" $flags'


class PioTest(RunTest):
    @classmethod
    def setUpClass(cls):
        """Installed once, and each model is built once."""
        cls.place = tempfile.mkdtemp(prefix="bundleio-pio-")
        cls.addClassCleanup(shutil.rmtree, cls.place)
        cls.prefix = os.path.join(cls.place, "prefix")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)

    def model(self, language, compiler, package, name="model"):
        program = os.path.join(self.place, f"{name}-{language}")
        source = os.path.join(HERE, "pio", f"{name}.{language}")
        if not os.path.exists(program):
            self.succeeds(run("bash", "-euc", LINK, "-", self.prefix, package, compiler, source, "-o", program))
        return program

    def dumped(self, name):
        return self.succeeds(run("ncdump", self.path(name, "out.nc")))

    def runs(self, name, *command):
        os.makedirs(self.path(name), exist_ok=True)
        return mpi(RANKS, command[0], self.path(name), *command[1:])
