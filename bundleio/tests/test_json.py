"""Answers in JSON have the keys that docs/reference/bundleio-json.md lists, each of them, and no others; whatever names and paths are in them."""

import json
import os
import re
import shutil
import unittest

import signatures
from launch import BUILD, PYTHON, RunTest, alone, binary, mpi
from test_report import HERE, WRITING

PAGE = os.path.join(signatures.SOURCE, "..", "docs", "reference", "bundleio-json.md")
SMALL = ("--grid", "8x12", "--planes", "1")


def tables():
    """By heading: keys in the order of the page, each with its meaning."""
    with open(PAGE, encoding="utf-8") as file:
        parts = re.split(r"^## (.*)$", file.read(), flags=re.MULTILINE)
    return {title: dict(re.findall(r"^\| `(.+?)` \| ?(.*?) ?\|$", text, re.MULTILINE)) for title, text in zip(parts[1::2], parts[2::2], strict=True)}


def keys(value, path=""):
    """Of an answer, as the page writes them."""
    if isinstance(value, dict):
        return {key for name, inner in value.items() for key in keys(inner, f"{path}.{name}" if path else name)}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {key for inner in value for key in keys(inner, path + "[]")}
    return {path}


class Json(RunTest):

    def setUp(self):
        super().setUp()
        self.tables = tables()
        self.figures = self.tables["Figures"]
        self.phases = [name for name, meaning in self.figures.items() if meaning.startswith("a phase:")]

    def holds(self, title, answers, spelled):
        """Each answer has all keys that are always there, and all together have every key of the table. `spelled`: a key of the page as those of answers."""
        always, sometimes = set(), set()
        for key, meaning in self.tables[title].items():
            for name, figure in spelled(key).items():
                (sometimes if meaning.startswith("only") or figure.startswith("only") else always).add(name)
        seen = set()
        for answer in answers:
            found = {self.named(key) for key in keys(answer)}
            self.assertEqual((always - found, found - always - sometimes), (set(), set()), title)
            seen |= found
        self.assertEqual(sometimes - seen, set(), title)

    def named(self, key):
        """Without the names of back ends and bundles."""
        key = re.sub(r"^backends\.[^.]*", "backends.NAME", key)
        return re.sub(r"(gather (?:collect|forward|store)) .+?(|_max|_sum|\.mean|\.max|\.ranks)$", r"\1 BUNDLE\2", key)

    def plain(self, key):
        return {key: ""}

    def of_figures(self, key):
        """Each figure in the place of FIGURE."""
        return {key.replace("FIGURE", name): meaning for name, meaning in self.figures.items()} if "FIGURE" in key else {key: ""}

    def test_times_of_back_ends(self):
        recorded = f'posix:record="{self.path("a b")}"'
        words = ["bench", "--path", self.path("b"), *SMALL, "--json", "--backends"]
        answers = [json.loads(self.succeeds(mpi(2, binary("bundleio"), *words, f"{recorded},gather,pnetcdf")))]
        self.assertEqual(set(answers[0]["backends"]), {recorded, "gather", "pnetcdf"})
        self.assertTrue(os.path.exists(self.path("a b")))
        answers.append(json.loads(self.succeeds(mpi(2, binary("bundleio"), "replay", self.path("a b"), "--path", self.path("r"), "--json", "--no-gaps"))))
        self.assertEqual(os.listdir(self.path("b")) + os.listdir(self.path("r")), [])
        self.holds("bundleio bench, bundleio replay", answers, self.of_figures)
        self.holds("bundleio record", [json.loads(self.succeeds(alone("record", "--json", self.path("a b"))))], self.plain)
        pairs = json.loads(self.succeeds(alone(*words, f"posix,{recorded}", "--pairs", "6")))
        self.assertEqual(pairs["candidates"][1], recorded)
        self.holds("bundleio bench --pairs", [pairs], self.plain)

    def test_findings_of_a_check(self):
        for name in ("run", "other"):
            self.writes(1, name, "posix", "--steps", "3")
        self.writes(1, "whole", "posix", "--steps", "1")
        # Damaged, other values, not to be read.
        with open(self.path("run", "step-000000", "rank-000000"), "r+b") as file:
            file.write(b"\x5a")
        self.writes(1, "later", "posix", "--steps", "1", "--first", "7")
        shutil.rmtree(self.path("other", "step-000001"))
        shutil.move(self.path("later", "step-000000"), self.path("other", "step-000001"))
        os.remove(self.path("run", "step-000002", "checksums"))
        os.symlink("/proc/self/mem", self.path("run", "step-000002", "checksums"))
        two = alone("check", "--json", self.path("run"), self.path("other"))
        self.assertEqual(two.returncode, 3, two.stderr)
        facts = json.loads(two.stdout)
        always = {"run", "steps", "matching_checksums"}
        self.assertEqual(keys(json.loads(self.succeeds(alone("check", "--json", self.path("whole"))))), always | {"damaged", "differing", "unread"})
        self.holds("bundleio check", [facts], self.plain)

    def test_the_report_of_a_run(self):
        os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
        os.environ["PYTHONPATH"] = os.path.join(HERE, "..", "python")
        ways = ["pnetcdf", f"posix fast_tier={self.path('fast')} reserve_mib=0", "auto", "gather"]
        told = self.succeeds(mpi(3, PYTHON, "-B", "-c", WRITING, self.path("run"), *ways))
        answers = [json.loads(line) for line in told.splitlines()]
        self.assertEqual(len(answers), len(ways))

        def spelled(key):
            names = {"phase_seconds.PHASE": ["phase_seconds." + name for name in self.phases],
                     "FIGURE": [name for name in self.figures if name not in self.phases]}.get(key)
            if names is None:
                return {key: ""}
            return {f"{name}.{part}": self.figures[name.split(".")[-1]] for name in names for part in ("mean", "max", "ranks")}
        self.holds("bio_report", answers, spelled)


if __name__ == "__main__":
    unittest.main()
