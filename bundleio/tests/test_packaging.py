"""The recipes in packaging name this version, options that the build has, and a license that is there; their scripts parse."""

import ast
import os
import re
import subprocess
import unittest

import signatures

ROOT = os.path.dirname(os.path.abspath(signatures.SOURCE))
SPACK = os.path.join(ROOT, "packaging", "spack", "packages", "bundleio", "package.py")
CONDA = os.path.join(ROOT, "packaging", "conda")


def text_of(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


class Packaging(unittest.TestCase):
    def setUp(self):
        self.build = text_of(signatures.SOURCE, "CMakeLists.txt")
        self.version = re.search(r"project\(bundleio VERSION (\S+)", self.build).group(1)
        self.options = set(re.findall(r"option\((BUNDLEIO_\w+)", self.build))

    def test_the_recipe_for_spack_is_a_class_of_this_version_with_options_of_the_build(self):
        recipe = text_of(SPACK)
        package = next(node for node in ast.parse(recipe).body if isinstance(node, ast.ClassDef))
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

    def test_the_recipe_for_conda_has_this_version_and_a_script_that_parses(self):
        recipe = text_of(CONDA, "meta.yaml")
        self.assertIn(f'version = "{self.version}"', recipe)
        self.assertTrue(os.path.exists(os.path.join(ROOT, re.search(r"license_file: (\S+)", recipe).group(1))))
        self.assertEqual(os.path.normpath(os.path.join(CONDA, re.search(r"path: (\S+)", recipe).group(1))), ROOT)
        subprocess.run(["bash", "-n", os.path.join(CONDA, "build.sh")], check=True)
        used = set(re.findall(r"-D(BUNDLEIO_\w+)", text_of(CONDA, "build.sh")))
        self.assertEqual(used, {"BUNDLEIO_TESTS"})
        self.assertLessEqual(used, self.options)


if __name__ == "__main__":
    unittest.main()
