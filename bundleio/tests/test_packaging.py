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
from launch import PYTHON, SECONDS_MAX, RunTest, long_test, run
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


# A build of everything takes minutes.
BUILD_SECONDS_MAX = 1800


def text_of(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


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
        for number, variants in enumerate(({"fortran", "pio", "adios2", "python"}, {"fortran"}, {"pio", "python"})):
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
        self.assertEqual({name for name in files if re.fullmatch(r"lib/libbundleio\w*\.so\.0", name)},
                         {f"lib/libbundleio{part}.so.0" for part in ("", "_fortran", "_pio", "_pio_fortran")})


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
        looked = set(re.findall(r"find_package\((\w+)|pkg_check_modules\(\w+ IMPORTED_TARGET (\w+)|find_path\(\w+ (\w+?)(?:_par)?\.h", self.build))
        self.assertEqual({name for names in looked for name in names if name} - {"Threads"}, set(wanted))
        self.assertLessEqual(set(wanted.values()), set(spack))
        self.assertLessEqual({"hdf5", "libnetcdf", "libpnetcdf", "pkg-config"}, set(conda))

    def test_the_recipe_for_conda_has_this_version_and_a_script_that_parses(self):
        recipe = text_of(CONDA, "recipe.yaml")
        self.assertIn(f'version: "{self.version}"', recipe)
        self.assertTrue(os.path.exists(os.path.join(ROOT, re.search(r"license_file: (\S+)", recipe).group(1))))
        self.assertEqual(os.path.normpath(os.path.join(CONDA, re.search(r"path: (\S+)", recipe).group(1))), ROOT)
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
