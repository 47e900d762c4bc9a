"""The example in each language runs, and all write the same."""

import os
import re
import unittest

from launch import BACKENDS, BUILD, PYTHON, RunTest, binary, mpi, run, single

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

MODEL = """
cmake_minimum_required(VERSION 3.18)
project(model LANGUAGES C CXX Fortran)
find_package(bundleio ${WANTED} REQUIRED)
add_executable(model_c EXAMPLES/example.c)
target_link_libraries(model_c PRIVATE bundleio::bundleio)
add_executable(model_restart EXAMPLES/restart.c)
target_link_libraries(model_restart PRIVATE bundleio::bundleio)
add_executable(model_cpp EXAMPLES/example.cpp)
target_link_libraries(model_cpp PRIVATE bundleio::bundleio)
add_executable(model_f90 EXAMPLES/example.f90)
target_link_libraries(model_f90 PRIVATE bundleio::fortran)
"""

ALONE = """
cmake_minimum_required(VERSION 3.18)
project(model LANGUAGES {language})
set(CMAKE_CXX_STANDARD 17)
find_package(bundleio REQUIRED)
add_executable(model {source})
target_link_libraries(model PRIVATE bundleio::{target})
"""


class Languages(RunTest):

    def setUp(self):
        super().setUp()
        os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
        os.environ["PYTHONPATH"] = os.path.join(SOURCE, "python")
        self.programs = {
            "c": [binary("example_c")],
            "cpp": [binary("example_cpp")],
            "f90": [binary("example_f90")],
            "python": [PYTHON, "-B", os.path.join(SOURCE, "examples", "example.py")],
        }

    def test_the_examples_of_all_languages_write_equal_runs(self):
        self.succeeds(single(*self.programs["c"], self.path("reference"), "gather"))
        for language, program in self.programs.items():
            with self.subTest(language=language):
                self.succeeds(mpi(3, *program, self.path(language), "pnetcdf"))
                self.equal("reference", language)
        text = self.succeeds(run("ncdump", self.path("f90", "step-000001", "Moist.nc")))
        self.assertIn("float Q(time, lev, lat, lon) ;", text)
        self.assertIn('Q:units = "kg kg-1" ;', text)
        # Step 1, level 2, last cell: 1000 + 600 + 12 * 24 - 1.
        self.assertIn("1887 ;", text)

    def test_models_of_all_languages_lay_steps_in_one_file(self):
        self.succeeds(single(*self.programs["c"], self.path("reference"), "posix"))
        for language, backend in self.pairs(list(self.programs), ("gather", "pnetcdf")):
            with self.subTest(language=language, backend=backend):
                name = f"{language}-{backend}"
                self.succeeds(mpi(3, *self.programs[language], self.path(name), backend, "steps_per_file=2"))
                self.assertEqual(self.steps(name), ["series-000000"])
                self.equal("reference", name)
                text = self.succeeds(run("ncdump", "-v", "time", self.path(name, "series-000000", "Moist.nc")))
                self.assertIn("time = UNLIMITED ; // (2 currently)", text)
                self.assertIn(" time = 0, 6 ;", text)

    def test_a_model_elsewhere_is_built_and_run_with_what_was_installed_wherever_that_lies(self):
        self.succeeds(run("cmake", "--install", BUILD, "--prefix", self.path("prefix")))
        os.rename(self.path("prefix"), self.path("moved"))
        self.succeeds(single(*self.programs["c"], self.path("reference"), "posix"))
        script = 'export PKG_CONFIG_PATH="$1/lib/pkgconfig"; shift; flags=$(pkg-config --cflags --libs "$1"); shift; "$@" $flags'
        for language, compiler, package in (("c", "mpicc", "bundleio"), ("cpp", "mpicxx -std=c++17", "bundleio"),
                                            ("f90", "mpifort", "bundleio-fortran")):
            with self.subTest(language=language):
                source = os.path.join(SOURCE, "examples", "example." + language)
                program = self.path("model-" + language)
                self.succeeds(run("bash", "-euc", script, "-", self.path("moved"), package, *compiler.split(), source, "-o", program))
                self.succeeds(mpi(2, program, self.path(language), "pnetcdf"))
                self.succeeds(single(self.path("moved", "bin", "bundleio"), "check", self.path("reference"), self.path(language)))
        program = self.path("model-restart")
        self.succeeds(run("bash", "-euc", script, "-", self.path("moved"), "bundleio", "mpicc", os.path.join(SOURCE, "examples", "restart.c"), "-o", program))
        self.restarts(program)

    def restarts(self, program):
        """As the tutorial does it, but for the kill."""
        self.succeeds(mpi(2, program, self.path("restarted"), "2", "pnetcdf"))
        self.succeeds(mpi(1, program, self.path("restarted"), "4", "gather"))
        self.succeeds(single(binary("example_restart"), self.path("uninterrupted"), "4", "posix"))
        self.equal("restarted", "uninterrupted")

    def test_a_model_that_cmake_knows_in_one_language_alone_finds_the_package(self):
        self.succeeds(run("cmake", "--install", BUILD, "--prefix", self.path("prefix")))
        for language, ending, target in (("C", "c", "bundleio"), ("CXX", "cpp", "bundleio"), ("Fortran", "f90", "fortran")):
            with self.subTest(language=language):
                folder = self.path(language)
                os.mkdir(folder)
                with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
                    file.write(ALONE.format(language=language, source=os.path.join(SOURCE, "examples", "example." + ending), target=target))
                built = os.path.join(folder, "build")
                self.succeeds(run("cmake", "-S", folder, "-B", built, "-DCMAKE_PREFIX_PATH=" + self.path("prefix")))
                self.succeeds(run("cmake", "--build", built))
                self.succeeds(mpi(2, os.path.join(built, "model"), self.path(language + "-run"), "posix"))

    def test_a_model_that_cmake_builds_finds_the_package_also_where_the_path_has_a_space(self):
        self.succeeds(run("cmake", "--install", BUILD, "--prefix", self.path("prefix")))
        os.rename(self.path("prefix"), self.path("a prefix"))
        os.makedirs(self.path("model"))
        with open(self.path("model", "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(MODEL.replace("EXAMPLES", os.path.join(SOURCE, "examples")))
        self.succeeds(run("cmake", "-S", self.path("model"), "-B", self.path("model", "build"), "-DCMAKE_PREFIX_PATH=" + self.path("a prefix")))
        self.succeeds(run("cmake", "--build", self.path("model", "build")))
        self.succeeds(single(*self.programs["c"], self.path("reference"), "posix"))
        del os.environ["BUNDLEIO_LIBRARY"]
        os.environ["PYTHONPATH"] = self.path("a prefix", "lib", "bundleio")
        programs = {name: [self.path("model", "build", "model_" + name)] for name in ("c", "cpp", "f90")}
        for language, program in (programs | {"python": self.programs["python"]}).items():
            with self.subTest(language=language):
                self.succeeds(mpi(2, *program, self.path(language), "pnetcdf"))
                self.equal("reference", language)
        self.restarts(self.path("model", "build", "model_restart"))
        newer = run("cmake", "-S", self.path("model"), "-B", self.path("model", "build"), "-DWANTED=0.99")
        self.assertIn('compatible with requested version "0.99"', newer.stderr)

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_an_installed_library_finds_its_tool_also_where_the_path_has_a_space(self):
        self.succeeds(run("cmake", "--install", BUILD, "--prefix", self.path("prefix")))
        prefix = self.path("a prefix")
        os.rename(self.path("prefix"), prefix)
        program = self.path("lists")
        self.succeeds(run("mpicc", os.path.join(SOURCE, "tests", "lists.c"), "-o", program, "-I" + os.path.join(prefix, "include"),
                          "-L" + os.path.join(prefix, "lib"), "-Wl,-rpath," + os.path.join(prefix, "lib"), "-lbundleio"))
        # Nothing vouches for its metadata: the tool reads them first.
        self.writes(2, "run", "bp5", "--steps", "1", "--options", "checksums=no")
        os.remove(self.path("run", "step-000000", "bundles.bp.sizes"))
        self.assertIn("variable mesh/holes", self.succeeds(mpi(2, program, self.path("run"), "0")))
        # It was that tool, and no other.
        os.rename(os.path.join(prefix, "bin", "bundleio"), os.path.join(prefix, "bin", "elsewhere"))
        self.assertIn("cannot be tried before it is read: bundleio: No such file", mpi(2, program, self.path("run"), "0").stderr)

    def test_the_library_shows_its_interface_only_and_has_its_version_in_its_name(self):
        library = os.path.join(BUILD, "lib", "libbundleio.so")
        shown = re.findall(r" [A-Zi] (\S+)$", self.succeeds(run("nm", "-D", "--defined-only", library)), re.MULTILINE)
        self.assertGreater(len(shown), 20)
        self.assertEqual([name for name in shown if not name.startswith("bio_")], [])
        needed = self.succeeds(run("readelf", "-d", binary("example_c")))
        # Before 1.0 a minor version may change the interface: a model of 0.1 does not load 0.2.
        self.assertRegex(needed, r"NEEDED.*\[libbundleio\.so\.0\.1\]")

    def test_every_verb_of_each_language_does_the_same(self):
        programs = {"c": [binary("verbs_c")], "cpp": [binary("verbs_cpp")], "f90": [binary("verbs_f90")],
                    "python": [PYTHON, "-B", os.path.join(SOURCE, "tests", "verbs.py")]}
        self.succeeds(single(*programs["c"], self.path("reference"), "posix"))
        for language, program in programs.items():
            with self.subTest(language=language):
                self.succeeds(mpi(3, *program, self.path(language), "pnetcdf"))
                self.equal("reference", language)
        text = self.succeeds(run("ncdump", self.path("python", "step-000001", "verbs.nc")))
        self.assertIn("by\\ rows:range = 1.f, 2.5f ;", text)
        # Step 1, level 3, last cell; and the last cell of the map.
        self.assertIn("1340, 1341, 1342, 1343, 1344, 1345 ;", text)
        self.assertIn("30 ;", text)
        text = self.succeeds(run("ncdump", self.path("f90", "step-000001", "types.nc")))
        self.assertIn("float rank\\ 5(d0, d1, d2, d3, d4) ;", text)
        self.assertIn("int64 rank\\ 4(d0, d1, d2, d3) ;", text)

    def test_every_language_reads_a_step_and_gets_the_same_errors(self):
        programs = {"cpp": [binary("reads_cpp")], "f90": [binary("reads_f90")],
                    "python": [PYTHON, "-B", os.path.join(SOURCE, "tests", "reads.py")]}
        self.succeeds(single(*self.programs["c"], self.path("run"), "posix"))
        for language, program in programs.items():
            with self.subTest(language=language):
                told = self.succeeds(mpi(3, *program, self.path("run")))
                self.assertEqual(told.count("rank 0: variable 'Moist/Q' is of type float32, not float64"), 3, told)

    def test_an_error_reaches_the_user_of_each_language_as_one_message(self):
        for language, program in self.programs.items():
            with self.subTest(language=language):
                process = mpi(2, *program, self.path(language), "nosuch")
                self.assertNotEqual(process.returncode, 0)
                self.assertIn("unknown back end 'nosuch': use posix", process.stderr)


if __name__ == "__main__":
    unittest.main()
