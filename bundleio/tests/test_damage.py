"""Damage is found: a step has checksums of what was put, and whatever is not that any more is said."""

import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import unittest

from launch import BACKENDS, BUILD, RunTest, alone, binary, built, long_test, mpi, single

SHIM = os.path.join(BUILD, "lib", "libfaulty_disk.so")
BIG = ("--grid", "48x96", "--planes", "16", "--steps", "1")


class Damage(RunTest):

    def check(self, *names):
        return mpi(2, binary("bundleio"), "check", *[self.path(name) for name in names])

    def refused(self, process, text):
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        lines = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
        self.assertEqual(len(lines), 1, process.stderr)
        self.assertRegex(lines[0], text)

    def flip(self, path, at, bit=4):
        with open(path, "r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ bit]))

    def sums(self, name, step=0):
        """But for files: those differ between formats."""
        with open(self.path(name, f"step-{step:06}", "checksums"), encoding="ascii") as file:
            return [line for line in file if not line.startswith(("file ", "end "))]

    def bench(self, backend, *more):
        self.succeeds(mpi(2, binary("bundleio"), "bench", "--path", self.path("bench"), *BIG, "--backends", backend, "--keep", *more))
        return os.path.join("bench", backend)

    def test_of_a_hundred_flips_each_is_noticed_or_changes_nothing_that_can_be_read(self):
        for ranks in (1, 3):
            self.writes_each(ranks, {f"{backend}-{ranks}": backend for backend in BACKENDS})
        for backend, (ranks, step) in self.pairs(BACKENDS, ((3, 0), (3, 1), (1, 0), (1, 1))):
            with self.subTest(backend=backend, ranks=ranks, step=step):
                self.succeeds(single(binary("flip_step"), self.path(f"{backend}-{ranks}", f"step-{step:06}"), "100"))

    @long_test
    def test_of_a_hundred_flips_in_files_that_steps_share_each_is_noticed_or_changes_nothing_that_can_be_read(self):
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--grows", "--steps", "3", "--options", "steps_per_file=9")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.succeeds(single(binary("flip_step"), self.path(backend, "series-000000"), "100"))

    def test_checksums_do_not_depend_on_ranks_or_back_ends(self):
        self.writes(1, "reference", "posix")
        for ranks in (2, 5):
            names = [f"{backend}-{ranks}" for backend in BACKENDS]
            self.writes_each(ranks, dict(zip(names, BACKENDS)))
            for name, step in [(name, step) for name in names for step in (0, 1)]:
                with self.subTest(name=name, step=step):
                    self.assertEqual(self.sums(name, step), self.sums("reference", step))

    def test_check_says_where_the_damage_is(self):
        name = self.bench("posix")
        victim = self.path(name, "step-000000", "rank-000001")
        self.flip(victim, os.path.getsize(victim) // 2)
        self.refused(self.check(name), "step-000000: values of '.*/.*' are damaged: lev [0-9]+ to [0-9]+ of time 0$")

    def test_a_file_of_a_step_that_is_missing_is_damage(self):
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--steps", "1")
        for backend in BACKENDS:
            files = [path for path in glob.glob(self.path(backend, "step-000000", "**"), recursive=True)
                     if os.path.isfile(path) and os.path.basename(path) not in ("checksums", "bundles.bp.sizes", "profiling.json")]
            self.assertGreaterEqual(len(files), 2)
            for path in files:
                with self.subTest(backend=backend, file=os.path.basename(path)):
                    os.rename(path, self.path("away"))
                    self.refused(alone("check", self.path(backend)), "^bundleio: rank 0: " + self.path(backend))
                    os.rename(self.path("away"), path)
            self.succeeds(alone("check", self.path(backend)))

    def test_a_run_without_checksums_is_said_to_have_none(self):
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--options", "checksums=no")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.assertEqual(glob.glob(self.path(backend, "*", "checksums")), [])
                said = self.succeeds(alone("check", self.path(backend)))
                self.assertIn("2 complete steps, all readable; no checksums: damage to values would not be noticed", said)
        self.writes(2, "mixed", "posix")
        os.remove(self.path("mixed", "step-000001", "checksums"))
        self.assertIn("; 1 of them have no checksums", self.succeeds(self.check("mixed")))
        self.assertIn("as their checksums say", self.succeeds(self.check(*[self.bench("posix")])))

    def test_every_damaged_step_has_its_line_and_json_lists_them(self):
        self.writes(2, "run", "posix", "--steps", "4")
        for step in (1, 3):
            self.flip(self.path("run", f"step-{step:06}", "rank-000000"), 5)
        process = self.check("run")
        self.refused(process, "bundleio: 2 of 4 steps are damaged$")
        lines = [line for line in process.stderr.splitlines() if line.startswith("check: ")]
        self.assertEqual(len(lines), 2, process.stderr)
        told = mpi(2, binary("bundleio"), "check", "--json", self.path("run"))
        self.assertEqual(told.returncode, 3, told.stderr)
        facts = json.loads(told.stdout)
        self.assertEqual((facts["run"], facts["steps"], facts["matching_checksums"]), (self.path("run"), 4, 2))
        self.assertEqual([damaged["step"] for damaged in facts["damaged"]], [1, 3])
        self.assertIn("are damaged", facts["damaged"][0]["what"])
        self.writes(2, "whole", "gather")
        facts = json.loads(self.succeeds(mpi(2, binary("bundleio"), "check", "--json", self.path("whole"), self.path("whole"))))
        self.assertEqual((facts["matching_checksums"], facts["damaged"]), (2, []))

    def told_of_two(self):
        """Exit code 3; what JSON says, and the lines of stderr without MPI's."""
        words = (self.path("run"), self.path("other"))
        told = mpi(2, binary("bundleio"), "check", "--json", *words)
        self.assertEqual(told.returncode, 3, told.stdout + told.stderr)
        lines = [line for line in mpi(2, binary("bundleio"), "check", *words).stderr.splitlines() if line.startswith(("check: ", "bundleio: "))]
        return json.loads(told.stdout), lines

    def test_a_step_that_differs_hides_no_damage_of_another_nor_one_that_cannot_be_read(self):
        for name in ("run", "other"):
            self.writes(2, name, "posix", "--steps", "5")
        # Step 1 holds other values with sums of their own.
        self.writes(2, "later", "posix", "--steps", "1", "--first", "7")
        shutil.rmtree(self.path("other", "step-000001"))
        shutil.move(self.path("later", "step-000000"), self.path("other", "step-000001"))
        facts, lines = self.told_of_two()
        self.assertEqual(([found["step"] for found in facts["differing"]], facts["damaged"], facts["unread"]), ([1], [], []))
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], "^bundleio: .*values of '.*' differ$")
        self.flip(self.path("run", "step-000000", "rank-000000"), 5)
        os.remove(self.path("run", "step-000002", "checksums"))
        os.symlink("/proc/self/mem", self.path("run", "step-000002", "checksums"))
        for name in ("run", "other"):
            self.flip(self.path(name, "step-000004", "rank-000001"), 5)
        facts, lines = self.told_of_two()
        self.assertEqual({kind: [found["step"] for found in facts[kind]] for kind in ("damaged", "differing", "unread")},
                         {"damaged": [0, 4, 4], "differing": [1], "unread": [2]})
        self.assertEqual((facts["steps"], facts["matching_checksums"]), (5, 1))
        self.assertIn(self.path("other", "step-000004"), facts["damaged"][2]["what"])
        self.assertIn("Input/output error", facts["unread"][0]["what"])
        self.assertEqual(len(lines), 6, lines)
        self.assertEqual(lines[-1], "bundleio: 2 of 5 steps are damaged, 1 differs, 1 could not be read")

    def test_a_step_that_the_disk_does_not_give_is_not_said_to_be_damaged(self):
        """Whichever read it is that fails, of metadata or of values."""
        for backend in BACKENDS:
            self.writes(2, backend, backend, "--steps", "1")
            for number in self.kept(list(range(1, 60)), [1, 2, 3, 5, 8, 13]):
                with self.subTest(backend=backend, number=number):
                    told = single("env", "LD_PRELOAD=" + SHIM, f"FAULTY_DISK=worn {number} 1", binary("bundleio"), "check", "--json", self.path(backend))
                    if told.returncode == 0:
                        self.assertGreater(number, 3)
                        break
                    self.assertEqual(told.returncode, 3, told.stderr)
                    facts = json.loads(told.stdout)
                    self.assertEqual((facts["damaged"], len(facts["unread"])), ([], 1), facts)
                    self.assertIn("Input/output error", facts["unread"][0]["what"])

    def test_steps_that_both_runs_hold_are_compared_where_one_holds_more(self):
        self.writes(1, "run", "posix", "--steps", "3")
        self.writes(1, "other", "posix", "--steps", "3")
        shutil.rmtree(self.path("other", "step-000000"))
        self.flip(self.path("run", "step-000002", "rank-000000"), 5)
        facts, lines = self.told_of_two()
        self.assertEqual(([found["step"] for found in facts["damaged"]], [found["step"] for found in facts["differing"]]), ([2], [0]))
        self.assertEqual(facts["steps"], 2)
        self.assertIn(f"step 0 is in {self.path('run')} only", lines[0])

    def test_damaged_checksums_are_said_to_be_damaged(self):
        self.writes(1, "run", "posix")
        path = self.path("run", "step-000000", "checksums")
        for size in (0, 10, os.path.getsize(path) - 1):
            os.truncate(path, size)
            self.refused(self.check("run"), "checksums: the checksums themselves are damaged")

    def test_checksums_that_cannot_be_read_are_not_said_to_be_none(self):
        self.writes(1, "run", "posix")
        path = self.path("run", "step-000000", "checksums")
        for target, said in (("checksums", "Too many levels of symbolic links"), ("/proc/self/mem", "Input/output error")):
            os.remove(path)
            os.symlink(target, path)
            self.refused(self.check("run"), "step-000000/checksums: " + said)

    def test_checksums_that_one_rank_alone_does_not_see_are_an_error_of_all(self):
        """A file system of several machines may be late on one of them."""
        blind = ("-n", "1", "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=blind 1 0")
        model = [binary("write_cases"), self.path("run"), "posix", "--options", "verify=yes"]
        process = mpi(1, *model, ":", *blind, *model)
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        for rank in (0, 1):
            self.assertRegex(process.stdout, f"rank {rank}: .*reads back other than it was put .*step-000000.partial has no checksums")
        self.assertEqual(self.steps("run"), [])
        self.writes(2, "whole", "posix", "--steps", "1")
        check = [binary("bundleio"), "check", self.path("whole")]
        self.refused(mpi(1, *check, ":", *blind, *check), "rank 1: .*step-000000: this rank sees no checksums, but others do$")

    def test_a_type_of_equal_size_in_the_place_of_the_one_that_was_defined_is_damage(self):
        self.writes(1, "run", "posix", "--steps", "1")
        layout = self.path("run", "step-000000", "layout")
        with open(layout, encoding="utf-8") as file:
            text = file.read()
        changed, count = re.subn("(?m)^(variable .*) float64 ", r"\1 int64 ", text, count=1)
        self.assertEqual(count, 1)
        with open(layout, "w", encoding="utf-8") as file:
            file.write(changed)
        self.refused(self.check("run"), "bundle '.*' is damaged: its names, types, shapes or attributes are not those")

    def test_what_the_disk_stores_wrongly_never_becomes_visible_where_steps_are_verified(self):
        for backend in built(("posix", "pnetcdf", "netcdf4")):
            with self.subTest(backend=backend):
                process = mpi(2, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=flip 2 18432", binary("bundleio"), "bench", "--path",
                              self.path(backend), *BIG, "--backends", backend, "--keep", "--options", "verify=yes")
                self.refused(process, r"the step reads back other than it was put \(.*\): it was removed; check the device")
                self.assertEqual(glob.glob(self.path(backend, backend, "*step*")), [])

    def test_a_damaged_source_is_not_converted_and_a_sound_one_is(self):
        name = self.bench("pnetcdf")
        for target in ("posix", "pnetcdf"):
            # With nothing beside the copy that could be compared with the source.
            made = "sound-" + target
            self.succeeds(mpi(2, binary("bundleio"), "convert", self.path(name), self.path(made), "--to", target, "--options", "checksums=no"))
            self.equal(name, made)
        victim = sorted(glob.glob(self.path(name, "step-000000", "*.nc")), key=os.path.getsize)[-1]
        self.flip(victim, os.path.getsize(victim) - 1000)
        for target, options in (("posix", ""), ("pnetcdf", ""), ("posix", "checksums=no"), ("pnetcdf", "checksums=no")):
            with self.subTest(target=target, options=options):
                made = "made-" + target + options
                self.refused(mpi(2, binary("bundleio"), "convert", self.path(name), self.path(made), "--to", target, "--options", options),
                             "step-000000: values of '.*' are damaged")
                self.assertEqual(self.steps(made), [])

    @unittest.skipUnless("netcdf4" in BACKENDS, "needs netcdf4")
    def test_what_is_rounded_on_its_way_has_the_sums_of_what_was_stored(self):
        name = self.bench("netcdf4", "--options", "keep_bits=8 deflate=1")
        self.assertIn("as their checksums say", self.succeeds(self.check(name)))
        exact = self.bench("posix")
        self.assertNotEqual(self.sums(name), self.sums(exact))

    def reads(self, names, options, ranks=3):
        return mpi(ranks, binary("read_cases"), ",".join(map(self.path, names)), "0", "--options", options)

    def test_a_model_that_asks_for_it_reads_nothing_that_was_not_put(self):
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--zero")
        told = self.succeeds(self.reads(BACKENDS, "verify=yes"))
        self.assertEqual(told, len(BACKENDS) * "step 0: as it was put\n")
        # Cells that are nobody's are read by one rank: twice they would cancel out.
        self.succeeds(self.reads(BACKENDS, "verify=yes", 2))
        victim = self.path("posix", "step-000000", "rank-000000")
        self.flip(victim, os.path.getsize(victim) // 2)
        process = self.reads(["posix"], "verify=yes")
        told = {tuple(line.split(": ", 1)) for line in process.stdout.splitlines() if line.startswith("rank ")}
        self.assertEqual({rank for rank, _ in told}, {"rank 0", "rank 1", "rank 2"}, process.stdout + process.stderr)
        self.assertEqual(len(told), 3, told)
        self.assertRegex(told.pop()[1], "^rank 0: .*step-000000: values of '.*' are damaged")
        os.remove(self.path("gather", "step-000000", "checksums"))
        self.assertIn("step-000000 has no checksums that verify=yes could compare", self.reads(["gather"], "verify=yes").stdout)
        self.succeeds(self.reads(["gather"], "verify=no"))

    def bp_step(self, listed=True):
        """A step of BP without checksums of its values; nothing vouches for its metadata where there is no list of its files."""
        self.writes(3, "bp", "bp5", "--steps", "1", "--options", "checksums=no")
        step = self.path("bp", "step-000000")
        if not listed:
            os.remove(os.path.join(step, "bundles.bp.sizes"))
        return step

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_each_flip_of_metadata_of_bp_is_refused_also_without_checksums_of_values(self):
        step = self.bp_step()
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                said = self.succeeds(mpi(ranks, binary("flip_step"), step, "300", "--metadata"))
                self.assertEqual(said, "300 of 300 refused, 0 harmless, 0 unseen\n")

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_a_list_of_an_earlier_version_says_what_is_cut_off(self):
        step = self.bp_step()
        with open(os.path.join(step, "bundles.bp.sizes"), "r+", encoding="ascii") as file:
            lines = [" ".join(line.split()[:2]) + "\n" for line in file if line[0].isdigit()]
            file.seek(0)
            file.truncate()
            file.writelines(lines)
        self.assertEqual(len(lines), 6)
        self.assertIn("1 complete steps, all readable", self.succeeds(self.check("bp")))
        os.truncate(os.path.join(step, "bundles.bp", "md.0"), 100)
        self.refused(self.check("bp"), "bundles.bp/md.0 has 100 bytes instead of ")

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_a_model_survives_flips_of_metadata_of_bp_that_nothing_vouches_for(self):
        said = self.succeeds(mpi(2, binary("flip_step"), self.bp_step(listed=False), "40", "--metadata"))
        refused, unseen = (int(number) for number in re.match(r"(\d+) of 40 refused, \d+ harmless, (\d+) unseen$", said).groups())
        self.assertGreater(refused, 8)
        self.assertLess(unseen, 8)

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_the_tool_survives_flips_of_metadata_of_bp_that_nothing_vouches_for(self):
        self.bp_step(listed=False)
        files = [os.path.basename(path) for path in sorted(glob.glob(self.path("bp", "step-000000", "bundles.bp", "m*")))]
        self.assertEqual(files, ["md.0", "md.idx", "mmd.0"])

        def flipped(seed):
            chance = random.Random(seed)
            copy = self.path(f"copy-{seed}")
            shutil.copytree(self.path("bp"), copy)
            path = os.path.join(copy, "step-000000", "bundles.bp", chance.choice(files))
            self.flip(path, chance.randrange(os.path.getsize(path)), 1 << chance.randrange(8))
            return alone(("check", "dump")[seed % 2], copy)

        seeds = self.kept(range(40), range(14))
        # ADIOS2 waits for what some of them promise: they wait together.
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            ended = list(pool.map(flipped, seeds))
        for seed, process in zip(seeds, ended):
            with self.subTest(seed=seed):
                self.assertIn(process.returncode, (0, 3), process.stderr)
                if process.returncode == 3:
                    self.refused(process, r"step-000000")
        self.assertGreater(sum(process.returncode == 3 for process in ended), len(seeds) / 5)

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_a_step_that_nothing_vouches_for_is_not_read_where_it_cannot_be_tried(self):
        self.bp_step(listed=False)
        self.writes(1, "sound", "bp5", "--steps", "1", "--options", "checksums=no")
        slow, old = self.path("a slow tool"), self.path("an old tool")
        for path, text in ((slow, "echo tries\nsleep 60"), (old, "echo bundleio: unknown command")):
            with open(path, "w", encoding="ascii") as script:
                script.write("#!/bin/sh\n" + text + "\n")
            os.chmod(path, 0o755)
        for tool, text in (("/nowhere/tool", r"cannot be tried before it is read: /nowhere/tool: No such file.*: name the tool"),
                           (old, "cannot be tried before it is read: .*/an old tool: bundleio: unknown command: name the tool"),
                           (slow, "is damaged: the process that read it first was not done in 2 s"),
                           ("", None)):
            with self.subTest(tool=tool):
                def lists(name, tool=tool, seconds=2 if tool == slow else 100):
                    return mpi(2, "env", "BUNDLEIO_TOOL=" + tool, binary("lists_c"), self.path(name), "0", f"give_up_seconds={seconds}")
                if text is None:
                    self.succeeds(lists("bp"))
                else:
                    self.assertRegex(lists("bp").stderr, "lists_c: rank 0: .*bundles.bp " + ("has no checksums of its metadata, and " if "tried" in text else "") + text)
                self.succeeds(lists("sound"))

    def test_options_that_mean_nothing_are_refused(self):
        for options, text in (("checksums=maybe", "option checksums=maybe: use yes or no"),
                              ("checksums=no verify=yes", "option verify=yes: there is nothing to compare with where checksums=no")):
            process = single(binary("write_cases"), self.path("run"), "posix", "--options", options)
            self.assertIn(text, process.stdout)


if __name__ == "__main__":
    unittest.main()
