"""The folders of src know each other in one direction only: what ARCHITECTURE.md draws, read from the #include lines. Decisions that sources name, and tests that the results or other suites name, are there."""

import os
import re
import tempfile
import unittest

import test_sanitized

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DECISION = re.compile(r"docs/decisions/[0-9]{4}[\w-]*(?:\.md)?")
NAMED_TEST = re.compile(r"`(\w+)\.(test_\w+)`")
# In the table of the write cache: files, in braces several of a folder; functions and keys of the bench.
NAMED_FILE = re.compile(r"`((?:system|suite|halo-\w+)/[\w/{},.-]+)`")
NAMED_RUST = re.compile(r"`([a-z0-9]+(?:_[a-z0-9]+){2,})`")
ROOMS = {"system": "halo-cli/tests/system", "suite": "halo-cache/tests/suite"}
SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
# Each may include those before it, and itself; files of no folder, all of them, and each other.
ORDER = ["model", "record", "guard", "exchange", "backends", "readers", "step"]
# Neither knows the other, though one stands before.
APART = {("guard", "record"), ("record", "guard")}
# The way of a step to the disk has two verbs, write and publish: these once said the same.
OTHER_VERBS = re.compile(r"[^\w.>:](?:complete|finish|store|commit|seal)(?:[A-Z]\w*)?\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def arrows(sources):
    """(file, folder of the file or "", what it includes) for each include of a file of ours."""
    found = []
    for folder, _, names in os.walk(sources):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as source:
                for included in INCLUDE.findall(source.read()):
                    inside = os.path.relpath(folder, sources)
                    found.append((os.path.relpath(path, sources), "" if inside == "." else inside, included))
    return found


def faults(sources):
    wrong = []
    for file, folder, included in arrows(sources):
        target = os.path.dirname(included)
        if not os.path.exists(os.path.join(sources, included)):
            wrong.append(f"{file}: '{included}' is no file below src: name it by its folder")
        elif target not in ORDER and (folder or target) or (folder and folder not in ORDER):
            wrong.append(f"{file}: includes '{included}', of folders that have no place in the order")
        elif folder and (ORDER.index(target) > ORDER.index(folder) or (folder, target) in APART):
            wrong.append(f"{file}: includes '{included}': {folder} must not know {target}")
    return wrong


def in_braces(name):
    """`a/{b,c}.rs` are two files."""
    parts = re.split(r"[{}]", name)
    return [name] if len(parts) == 1 else [parts[0] + one + parts[2] for one in parts[1].split(",")]


def keys_and_functions(halo):
    known = set()
    for folder, folders, names in os.walk(halo):
        folders[:] = [name for name in folders if name != "target"]
        for name in names:
            if not name.endswith((".rs", "ranges.yaml")):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as source:
                known.update(re.findall(r"\bfn (\w+)|^(\w+): \{", source.read(), re.MULTILINE))
    return {name for pair in known for name in pair}


class Layers(unittest.TestCase):
    def test_no_arrow_goes_back(self):
        self.assertEqual(faults(SOURCES), [])

    def test_a_step_is_written_and_published_and_nothing_else(self):
        """Also by the handle that users open: it is a run, in every language and in the library."""
        said = []
        for folder in ("src", "include", "python", "fortran", "pio"):
            for path, _, names in os.walk(os.path.join(ROOT, "bundleio", folder)):
                for name in names:
                    with open(os.path.join(path, name), encoding="utf-8", errors="ignore") as source:
                        text = source.read()
                    said += [(name, verb) for verb in OTHER_VERBS.findall(re.sub(r"//.*", "", text))] if folder == "src" else []
                    said += [(name, handle) for handle in re.findall(r"\bbio_file\b|\bclass File\b", text)]
        self.assertEqual(said, [])

    def test_boxes_are_intersected_in_one_place(self):
        """There were three of it. Whoever compares starts and ends of two boxes writes the next one."""
        found = []
        for room in ("src", "tools", "pio"):
            for folder, _, names in os.walk(os.path.join(ROOT, "bundleio", room)):
                for name in names:
                    with open(os.path.join(folder, name), encoding="utf-8", errors="ignore") as source:
                        text = source.read()
                    found += [name] * len(re.findall(r"^[\w:<>, ]*\b\w*([iI]ntersect|[oO]verlap)\w*\([^;{]*\) (?:const )?\{", text, re.MULTILINE))
                    found += [name] * len(re.findall(r"max\(\w+\.start\[\w+\], \w+\.start\[\w+\]\)", text))
        # The function, its line, and who looks for two boxes that meet by it.
        self.assertEqual(sorted(found), ["block.cpp", "block.cpp", "decomposition.cpp"])

    def test_every_decision_that_a_source_names_is_there(self):
        missing = []
        for room in ("bundleio", "halo"):
            for folder, folders, names in os.walk(os.path.join(ROOT, room)):
                folders[:] = [name for name in folders if name != "target"]
                for name in names:
                    with open(os.path.join(folder, name), encoding="utf-8", errors="ignore") as source:
                        missing += [(name, decision) for decision in DECISION.findall(source.read()) if not os.path.exists(os.path.join(ROOT, decision))]
        self.assertEqual(missing, [])

    def test_every_test_that_the_results_name_is_there(self):
        with open(os.path.join(ROOT, "docs", "results", "bundleio.md"), encoding="utf-8") as page:
            named = NAMED_TEST.findall(page.read())
        self.assertNotEqual(named, [])
        missing = []
        for suite, test in named:
            with open(os.path.join(HERE, f"test_{suite}.py"), encoding="utf-8") as source:
                missing += [] if f"    def {test}(self)" in source.read() else [f"{suite}.{test}"]
        self.assertEqual(missing, [])

    def test_every_test_that_the_build_with_sanitizers_repeats_is_there(self):
        """That build is made seldom: a test that has moved meanwhile would be missed late."""
        loader = unittest.TestLoader()
        loader.loadTestsFromNames(test_sanitized.AGAIN)
        self.assertEqual(loader.errors, [])

    def test_every_file_and_test_that_the_results_of_the_write_cache_name_is_there(self):
        with open(os.path.join(ROOT, "docs", "results", "halo.md"), encoding="utf-8") as page:
            table = page.read().split("# Which test or command shows what\n")[1].split("\n# ")[0]
        halo = os.path.join(ROOT, "halo")
        files = [file for name in NAMED_FILE.findall(table) for file in in_braces(name)]
        names = NAMED_RUST.findall(table)
        self.assertGreater(min(len(files), len(names)), 10)
        missing = []
        for file in files:
            room, _, rest = file.partition("/")
            missing += [] if os.path.exists(os.path.join(halo, ROOMS.get(room, room), rest)) else [file]
        known = keys_and_functions(halo)
        self.assertEqual(missing + [name for name in names if name not in known], [])

    def test_every_folder_is_in_the_order_and_used(self):
        folders = sorted(entry.name for entry in os.scandir(SOURCES) if entry.is_dir())
        self.assertEqual(folders, sorted(ORDER))
        self.assertEqual({os.path.dirname(included) for _, folder, included in arrows(SOURCES) if folder}, set(ORDER))

    def test_an_arrow_back_would_be_seen(self):
        with tempfile.TemporaryDirectory() as sources:
            for folder in ORDER:
                os.mkdir(os.path.join(sources, folder))
                with open(os.path.join(sources, folder, folder + ".hpp"), "w", encoding="utf-8") as header:
                    header.writelines(f'#include "{lower}/{lower}.hpp"\n' for lower in ORDER[:ORDER.index(folder)]
                                      if (folder, lower) not in APART)
            self.assertEqual(faults(sources), [])
            for back in ['#include "step/step.hpp"', '  #  include "step/step.hpp"', '#include "model.hpp"']:
                with open(os.path.join(sources, "model", "back.cpp"), "w", encoding="utf-8") as source:
                    source.write("#pragma once\n" + back + "\n")
                self.assertEqual(len(faults(sources)), 1, back)


if __name__ == "__main__":
    unittest.main()
