"""The recipes in packaging configure the build as they say, and name this version and a license that is there; rattler-build, where it is installed
(scripts/bundleio-readers.sh), renders and builds the one for conda. Users' builds take no warning for an error. Libraries from source are built into
the user's cache once."""

import ast
import glob
import os
import re
import shutil
import subprocess
import types
import unittest

import signatures
from launch import BUILD, IS_OPEN_MPI, PYTHON, SECONDS_MAX, RunTest, long_test, run
from test_readers import FOUND

ROOT = os.path.dirname(os.path.abspath(signatures.SOURCE))
SPACK = os.path.join(ROOT, "packaging", "spack", "spack_repo", "tierwise")
SPACK_RECIPE = os.path.join(SPACK, "packages", "bundleio", "package.py")
CONDA = os.path.join(ROOT, "packaging", "conda")
# Prints what each variant asks of the host, a line for each.
RENDER = """
import sys
from rattler_build import Stage0Recipe, VariantConfig
for made in Stage0Recipe.from_file(sys.argv[1] + "/recipe.yaml").render(VariantConfig.from_file(sys.argv[1] + "/variants.yaml")):
    recipe = made.recipe.to_dict()
    print(recipe["package"]["name"], recipe["package"]["version"], recipe["build"]["script"], *recipe["requirements"]["host"], sep="|")
"""


def text_of(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


# The compiler of the MPI library of this build.
MPICC = re.search(r"^MPI_C_COMPILER:\w+=(.*)$", text_of(BUILD, "CMakeCache.txt"), re.MULTILINE).group(1)
# A build of everything takes minutes.
BUILD_SECONDS_MAX = 1800


def spack_arguments(variants):
    """What the recipe for Spack gives to CMake, as CMakePackage of Spack writes it: Spack itself is in no registry that is used here."""
    class CMakePackage:
        def __init__(self):
            self.spec = types.SimpleNamespace(satisfies=lambda spec: spec in {f"+{variant}" for variant in variants})

        def define(self, name, value):
            return f"-D{name}:BOOL={'ON' if value else 'OFF'}"

        def define_from_variant(self, name, variant):
            return self.define(name, variant in variants)

    names = dict.fromkeys(("license", "version", "variant", "depends_on"), lambda *_, **__: None)
    names["CMakePackage"] = CMakePackage
    recipe = ast.parse(text_of(SPACK_RECIPE))
    recipe.body = [node for node in recipe.body if not isinstance(node, ast.ImportFrom)]
    exec(compile(recipe, SPACK_RECIPE, "exec"), names)
    return names["Bundleio"]().cmake_args()


# MPI in two functions, and a library on it.
MPI_HEADER = "int MPI_Initialized(int *flag);\nint PMPI_Init(int *argc, char ***argv);\n"
MPI_SOURCE = "int MPI_Initialized(int *flag) { return *flag = 0; }\nint PMPI_Init(int *argc, char ***argv) { return argc == (int *)argv; }\n"
LIBRARY_SOURCE = "#include <mpi.h>\nint on_mpi(void) { int is; return MPI_Initialized(&is); }\n"
ONE_MPI = """
cmake_minimum_required(VERSION 3.18)
project(trial C)
include({source}/cmake/OneMpi.cmake)
add_library(MPI::MPI_C INTERFACE IMPORTED)
set_target_properties(MPI::MPI_C PROPERTIES INTERFACE_INCLUDE_DIRECTORIES {folder} INTERFACE_LINK_LIBRARIES "{mpi}")
bundleio_has_one_mpi(HAS "the library" {library} HEADER {folder}/library.h CALL "on_mpi()")
message(STATUS "answer: ${{HAS}} ${{HAS_WHY}}")
"""
# A netCDF of which CMake has to know no more.
NETCDF_SOURCE = "#include <mpi.h>\n#include <hdf5.h>\nconst char *nc_strerror(int code) {\n  unsigned number;\n  H5get_libversion(&number, &number, &number);\n" \
                "  return MPI_Wtime() < code ? \"\" : \"-\";\n}\n"
HDF5_HEADER = "#define H5_VERS_MAJOR 1\n#define H5_VERS_MINOR {}\n#define H5_VERS_RELEASE 3\nint H5get_libversion(unsigned *, unsigned *, unsigned *);\n"
HDF5_SOURCE = "int H5get_libversion(unsigned *a, unsigned *b, unsigned *c) { *a = 1; *b = 14; *c = 3; return 0; }\n"


class Libraries(RunTest):
    """Which MPI, netCDF and HDF5 a build takes, of the many that a machine may have."""

    def written(self, text, *parts):
        os.makedirs(os.path.dirname(self.path(*parts)), exist_ok=True)
        with open(self.path(*parts), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(*parts)

    def shared(self, source, name, *more, compiler="cc"):
        """A library in `name`, which is its name for the loader, too."""
        self.succeeds(run(compiler, "-shared", "-fPIC", source, "-o", self.path(name), "-I" + self.folder, "-Wl,-soname," + os.path.basename(name), *more))
        return self.path(name)

    def answer(self, number, mpi, library, *words):
        """What CMake makes of a library."""
        self.written(ONE_MPI.format(source=os.path.abspath(signatures.SOURCE), folder=self.folder, mpi=mpi, library=library), str(number), "CMakeLists.txt")
        told = self.succeeds(run("cmake", "-S", self.path(str(number)), "-B", self.path(str(number), "build"), *words))
        return re.search("answer: (.*)", told).group(1)

    def test_one_mpi_library_is_told_from_two_whatever_their_files_are_called(self):
        self.written(MPI_HEADER, "mpi.h")
        self.written("int on_mpi(void);\n", "library.h")
        mpi_c, library_c = self.written(MPI_SOURCE, "mpi.c"), self.written(LIBRARY_SOURCE, "library.c")
        here = "-Wl,-rpath," + self.folder
        self.succeeds(run("cc", "-c", "-fPIC", mpi_c, "-o", self.path("mpi.o")))
        self.succeeds(run("ar", "rc", self.path("libmpi.a"), self.path("mpi.o")))
        cray, ibm = self.shared(mpi_c, "libmpi_gnu_91.so.12"), self.shared(mpi_c, "libmpi_ibm.so.3")
        on_cray, on_ibm = self.shared(library_c, "libon_cray.so.1", cray, here), self.shared(library_c, "libon_ibm.so.1", ibm, here)
        static = self.path("libmpi.a")
        self.assertEqual(self.answer(1, cray, on_cray), "TRUE ")
        self.assertEqual(self.answer(2, static, self.shared(library_c, "libon_none.so.1") + " -Wl,--export-dynamic"), "TRUE ")
        for number, (mpi, library) in enumerate(((cray, on_ibm), (static, on_ibm)), 3):
            told = self.answer(number, mpi, library)
            self.assertRegex(told, "^FALSE the library brings another MPI library: .*libmpi_ibm.so.3.*; -DHAS=ON builds it all the same$")
        # CMake tries a refused library again; a user may force it.
        self.shared(library_c, "libon_ibm.so.1", cray, here)
        self.assertEqual(self.answer(3, cray, on_ibm), "TRUE ")
        self.assertEqual(self.answer(4, static, on_ibm, "-DHAS=ON"), "ON HAS says so")
        self.assertRegex(self.answer(5, cray, self.shared(mpi_c, "libother.so.1")), "^FALSE the library does not link with this MPI, see .*one-mpi-HAS.c.log; ")

    def stubs(self, minor):
        """A prefix with parallel netCDF and HDF5 1.14.3, whose header says otherwise if `minor` is not 14."""
        self.written("", "own", "include", "netcdf_par.h")
        self.written("const char *nc_strerror(int);\n", "own", "include", "netcdf.h")
        self.written(HDF5_HEADER.format(minor), "own", "include", "hdf5.h")
        os.makedirs(self.path("own", "lib"))
        netcdf_c, hdf5_c = self.written(NETCDF_SOURCE, "netcdf.c"), self.written(HDF5_SOURCE, "hdf5.c")
        here = "-Wl,-rpath," + self.path("own", "lib")
        hdf5 = self.shared(hdf5_c, "own/lib/libhdf5.so")
        self.shared(netcdf_c, "own/lib/libnetcdf.so", "-I" + self.path("own", "include"), hdf5, here, compiler=MPICC)

    def configured(self, *words):
        return run("cmake", "-S", signatures.SOURCE, "-B", self.path("build"), "-DBUNDLEIO_TESTS=OFF", "-DBUNDLEIO_FORTRAN=OFF", "-DBUNDLEIO_PIO=OFF", *words)

    def test_what_a_prefix_has_comes_before_the_distributions_and_is_not_mixed_with_it(self):
        self.stubs(14)
        told = self.succeeds(self.configured("-DCMAKE_PREFIX_PATH=" + self.path("own")))
        self.assertNotIn("built without back end netcdf4", told)
        cache = dict(re.findall(r"^((?:NETCDF|HDF5)_\w+):\w+=(.*)$", text_of(self.path("build"), "CMakeCache.txt"), re.MULTILINE))
        self.assertEqual({name: os.path.relpath(path, self.path("own")) for name, path in cache.items()},
                         {"NETCDF_PAR_INCLUDE": "include", "NETCDF_PAR_LIBRARY": "lib/libnetcdf.so", "HDF5_PAR_INCLUDE": "include", "HDF5_PAR_LIBRARY": "lib/libhdf5.so"})

    def test_headers_of_another_hdf5_than_its_library_are_refused_when_configuring(self):
        self.stubs(12)
        process = self.configured("-DCMAKE_PREFIX_PATH=" + self.path("own"))
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("brings the headers of HDF5 1.12.3, and its library 1.14.3", re.sub(r"\s+", " ", process.stderr))

    @unittest.skipUnless(shutil.which("mpicc.mpich") and IS_OPEN_MPI, "no MPICH beside Open MPI: scripts/bundleio-setup.sh --mpich installs it")
    def test_libraries_for_open_mpi_are_left_out_of_a_build_for_mpich_which_says_why(self):
        adios2 = run(os.path.join(ROOT, "scripts", "bundleio-adios2.sh"), "--find").stdout.strip()
        told = self.succeeds(self.configured("-DMPI_C_COMPILER=mpicc.mpich", "-DMPI_CXX_COMPILER=mpicxx.mpich", "-DCMAKE_PREFIX_PATH=" + adios2))
        for backend in ("pnetcdf", "netcdf4", "bp5")[:3 if adios2 else 2]:
            self.assertRegex(told, f"built without back end {backend}: .*(brings another MPI library: .*libmpi|does not link with this MPI, see ).*"
                                   "; -DBUNDLEIO_[A-Z0-9]+=ON builds it all the same")
        targets = self.succeeds(run("cmake", "--build", self.path("build"), "--target", "help"))
        self.assertNotIn("bundleio_bp", targets)

    def test_a_build_for_another_system_ends_in_one_line(self):
        process = self.configured("-DCMAKE_SYSTEM_NAME=Darwin", "-DCMAKE_C_COMPILER_WORKS=1", "-DCMAKE_CXX_COMPILER_WORKS=1")
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("bundleio: built for Darwin, but it is for Linux alone", re.sub(r"\s+", " ", process.stderr))


class Configured(RunTest):
    """Builds that are configured afresh, in folders of their own."""

    def configured(self, name, *arguments, source=signatures.SOURCE):
        folder = self.path(name)
        process = run("cmake", "-G", "Unix Makefiles", "-S", source, "-B", folder, "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", *arguments)
        self.succeeds(process)
        # CMake says so of what it was given for nothing.
        self.assertNotIn("not used by the project", process.stderr)
        return folder

    def languages_with(self, flag, folder):
        """For each language that this build compiles: do all of its files get that flag?"""
        found = {}
        for path in glob.glob(os.path.join(folder, "**", "flags.make"), recursive=True):
            for language, flags in re.findall(r"^(\w+)_FLAGS = (.*)$", text_of(path), re.MULTILINE):
                found.setdefault(language, set()).add(flag in flags.split())
        return found

    def compiled(self, folder, source):
        return run("make", "-C", folder, os.path.splitext(source)[0] + ".o")

    def test_a_warning_ends_no_build_of_a_user(self):
        """Of a newer compiler, for instance: here one that any compiler has is put into a copy."""
        copy = self.path("source")
        shutil.copytree(signatures.SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        with open(os.path.join(copy, "src", "model", "types.cpp"), "a", encoding="utf-8") as file:
            file.write("static int nobodyReadsThis;\n")
        mine = self.configured("user", "-DBUNDLEIO_TESTS=OFF", source=copy)
        self.assertEqual(self.languages_with("-Werror", mine), dict.fromkeys(("C", "CXX", "Fortran"), {False}))
        process = self.compiled(mine, "src/model/types.cpp")
        self.succeeds(process)
        self.assertIn("nobodyReadsThis", process.stderr)
        strict = self.configured("check", "-DBUNDLEIO_TESTS=OFF", "-DBUNDLEIO_STRICT=ON", source=copy)
        self.assertEqual(self.languages_with("-Werror", strict), dict.fromkeys(("C", "CXX", "Fortran"), {True}))
        refused = self.compiled(strict, "src/model/types.cpp")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("-Werror=", refused.stderr)

    def test_each_variant_of_the_recipe_for_spack_builds_what_it_says(self):
        """That of ADIOS2 is told from its absence where it is installed alone."""
        made = {"fortran": "bundleio_fortran", "pio": "bundleio_pio"}
        every = ({"fortran", "pio", "adios2", "python"}, {"fortran"}, {"pio", "python"})
        for number, variants in enumerate(self.kept(every, every[1:2])):
            with self.subTest(variants=sorted(variants)):
                arguments = spack_arguments(variants)
                self.assertEqual(len(arguments), 4)
                folder = self.configured(str(number), *arguments)
                targets = set(re.findall(r"^\.\.\. (\w+)$", self.succeeds(run("make", "-C", folder, "help")), re.MULTILINE))
                self.assertEqual({variant for variant, target in made.items() if target in targets}, variants & set(made))
                # No suite, for which there would have to be mpi4py.
                self.assertNotIn("write_cases", targets)
                self.assertLessEqual({"bundleio", "bundleio_tool"}, targets)
                if "adios2" not in variants:
                    self.assertNotIn("bundleio_bp", targets)

    @long_test
    @unittest.skipUnless(FOUND.returncode == 0, "no rattler-build: scripts/bundleio-readers.sh installs it")
    def test_rattler_build_makes_and_tests_the_package_for_conda(self):
        """With Debian's compilers and libraries: no channel of conda's is asked."""
        for part in ("bundleio", os.path.join("packaging", "conda")):
            shutil.copytree(os.path.join(ROOT, part), self.path("checkout", part), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(os.path.join(ROOT, "LICENSE"), self.path("checkout"))
        os.mkdir(self.path("work"))
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "conda_build.py")
        told = subprocess.run([FOUND.stdout.strip(), "-B", script, self.path("checkout"), self.path("work"), PYTHON], capture_output=True,
                              text=True, timeout=BUILD_SECONDS_MAX, check=False)
        files = set(self.succeeds(told).splitlines())
        self.assertLessEqual({"bin/bundleio", "include/bundleio/bundleio.h", "include/bundleio/bundleio.mod", "lib/bundleio/bundleio.py",
                              "lib/cmake/bundleio/bundleioConfig.cmake", "lib/pkgconfig/bundleio.pc"}, files)
        self.assertEqual({name for name in files if re.fullmatch(r"lib/libbundleio\w*\.so\.0\.1", name)},
                         {f"lib/libbundleio{part}.so.0.1" for part in ("", "_fortran", "_pio", "_pio_fortran")})


class Packaging(RunTest):
    def setUp(self):
        super().setUp()
        self.build = text_of(signatures.SOURCE, "CMakeLists.txt")
        self.version = re.search(r"project\(bundleio VERSION (\S+)", self.build).group(1)
        self.options = set(re.findall(r"option\((BUNDLEIO_\w+)", self.build))

    def test_the_recipe_for_spack_is_a_class_of_this_version_with_options_of_the_build(self):
        recipe = text_of(SPACK_RECIPE)
        parsed = ast.parse(recipe).body
        # Since Spack 1.0 build systems come with its packages, and a repository says which interface it was written for.
        imported = {(node.module, name.name) for node in parsed if isinstance(node, ast.ImportFrom) for name in node.names}
        self.assertEqual(imported, {("spack_repo.builtin.build_systems.cmake", "CMakePackage"), ("spack.package", "*")})
        self.assertRegex(text_of(SPACK, "repo.yaml"), r"(?m)^repo:\n  namespace: tierwise\n  api: v2\.\d$")
        package = next(node for node in parsed if isinstance(node, ast.ClassDef))
        self.assertEqual((package.name, package.bases[0].id), ("Bundleio", "CMakePackage"))
        self.assertIn(f'version("{self.version}")', recipe)
        self.assertIn(f"bundleio@{self.version}", recipe)
        variants = set(re.findall(r'^    variant\("(\w+)"', recipe, flags=re.MULTILINE))
        self.assertEqual(set(re.findall(r'(?:when=|satisfies\()"\+(\w+)"', recipe)) | {"pio", "fortran"}, variants)
        used = set(re.findall(r'"(BUNDLEIO_\w+)"', recipe))
        self.assertGreater(len(used), 2)
        self.assertLessEqual(used, self.options)
        folder = re.search(r'root_cmakelists_dir = "(\w+)"', recipe).group(1)
        self.assertEqual(os.path.join(ROOT, folder), os.path.abspath(signatures.SOURCE))

    @unittest.skipUnless(FOUND.returncode == 0, "no rattler-build: scripts/bundleio-readers.sh installs it")
    def test_rattler_build_makes_a_package_for_each_mpi_of_the_recipe_for_conda(self):
        told = self.succeeds(run(FOUND.stdout.strip(), "-B", "-c", RENDER, CONDA))
        self.assertEqual(told.splitlines(), [f"bundleio|{self.version}|build.sh|{mpi}|" + "|".join(
            f"{library} * mpi_{mpi}_*" for library in ("hdf5", "libnetcdf", "libpnetcdf")) for mpi in ("mpich", "openmpi")])

    def test_the_recipes_ask_for_what_the_build_asks_for(self):
        """The oldest CMake and ADIOS2, and each library that is looked for."""
        oldest = {"cmake": re.search(r"cmake_minimum_required\(VERSION (\S+)\)", self.build).group(1),
                  "adios2": re.search(r"find_package\(ADIOS2 (\S+)", self.build).group(1)}
        spack = dict(re.findall(r'depends_on\("([\w-]+)(?:@([\d.]+):)?', text_of(SPACK_RECIPE)))
        conda = dict(re.findall(r"^    - ([\w-]+)(?: >=([\d.]+))?", text_of(CONDA, "recipe.yaml"), re.MULTILINE))
        self.assertEqual({name: spack[name] for name in oldest}, oldest)
        self.assertEqual(conda["cmake"], oldest["cmake"])
        self.assertEqual(spack["python"], conda["python"])
        wanted = {"MPI": "mpi", "pnetcdf": "parallel-netcdf", "netcdf": "netcdf-c", "hdf5": "hdf5", "ADIOS2": "adios2", "PkgConfig": "pkgconfig"}
        looked = set(re.findall(r"find_package\((\w+)|pkg_check_modules\(\w+ IMPORTED_TARGET (\w+)|bundleio_find_pair\(\w+ (\w+?)(?:_par)?\.h", self.build))
        self.assertEqual({name for names in looked for name in names if name} - {"Threads"}, set(wanted))
        self.assertLessEqual(set(wanted.values()), set(spack))
        self.assertLessEqual({"hdf5", "libnetcdf", "libpnetcdf", "pkg-config"}, set(conda))

    def test_the_recipe_for_conda_has_this_version_and_a_script_that_parses(self):
        recipe = text_of(CONDA, "recipe.yaml")
        self.assertIn(f'version: "{self.version}"', recipe)
        self.assertTrue(os.path.exists(os.path.join(ROOT, re.search(r"license_file: (\S+)", recipe).group(1))))
        self.assertEqual(os.path.normpath(os.path.join(CONDA, re.search(r"path: (\S+)", recipe).group(1))), ROOT)
        # As CMake does; rattler-build 0.73's module for Python renders also what is to be skipped.
        self.assertEqual(re.findall(r"^  skip: (.*)$", recipe, re.MULTILINE), ["not linux"])
        self.assertEqual(re.findall("osx|macos|win", text_of(CONDA, "variants.yaml")), [])
        subprocess.run(["bash", "-n", os.path.join(CONDA, "build.sh")], check=True)
        used = set(re.findall(r"-D(BUNDLEIO_\w+)", text_of(CONDA, "build.sh")))
        self.assertEqual(used, {"BUNDLEIO_TESTS"})
        self.assertLessEqual(used, self.options)


class BuiltOnce(RunTest):
    """scripts/built-once.sh, with a library that is quickly made."""

    def command(self, *words, **variables):
        script = f"""set -euo pipefail
            LABEL=toy TITLE="Toy 1" FOLDER=toy-1
            source {os.path.join(ROOT, 'scripts', 'built-once.sh')}
            need_tools() {{ [[ -z ${{LACKS:-}} ]] || {{ echo "toy: missing: $LACKS" >&2; exit 3; }}; }}
            build() {{ echo "it breaks"; [[ -z ${{BREAKS:-}} ]]; mkdir -p "$PREFIX"; touch "$work/scratch"; echo built >>"$XDG_CACHE_HOME/times"; }}
            built_once "$@" """
        return subprocess.Popen(["bash", "-c", script, "toy", *words], env=dict(os.environ, XDG_CACHE_HOME=self.folder, **variables),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def told(self, *words, **variables):
        process = self.command(*words, **variables)
        out, error = process.communicate(timeout=SECONDS_MAX)
        return process.returncode, out, error

    def test_two_at_once_build_once_and_both_print_the_folder(self):
        self.assertEqual(self.told("--find"), (1, "", ""))
        both = [self.command(), self.command()]
        folder = self.path("tierwise", "toy-1")
        self.assertEqual([process.communicate(timeout=SECONDS_MAX)[0] for process in both], [folder + "\n"] * 2)
        self.assertEqual(text_of(self.folder, "times"), "built\n")
        self.assertEqual(self.told("--find"), (0, folder + "\n", ""))
        self.assertEqual(sorted(os.listdir(self.path("tierwise"))), ["toy-1", "toy-1.lock", "toy-1.log"])

    def test_what_is_missing_or_breaks_is_said_and_leaves_nothing_that_is_found(self):
        self.assertEqual(self.told(LACKS="a saw"), (3, "", "toy: missing: a saw\n"))
        status, out, error = self.told(BREAKS="yes")
        self.assertEqual((status, out), (3, ""))
        self.assertRegex(error, "toy: the build failed, see .*toy-1.log: it breaks\n$")
        self.assertEqual(self.told("--find"), (1, "", ""))
        self.assertEqual(self.told("nosuch")[0], 2)


if __name__ == "__main__":
    unittest.main()
