"""The recipes in packaging name this version, options that the build has, and a license that is there; rattler-build, where it is installed
(scripts/bundleio-readers.sh), renders the one for conda. Libraries from source are built into the user's cache once."""

import ast
import os
import re
import subprocess
import unittest

import signatures
from launch import SECONDS_MAX, RunTest, run
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
