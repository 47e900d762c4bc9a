"""The tool says what it takes, and refuses the rest in one line."""

import json
import math
import os
import re
import shutil
import statistics
import struct
import subprocess
import unittest

from launch import BUILD, SECONDS_MAX, RunTest, alone, binary, mpi, mpi_environment

COMMANDS = ["bench", "dump", "check", "convert", "concat", "drain", "record", "replay"]
BAD_INPUT = 2
LETTERS_MAX = 100
README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "README.md")


class Refusals(RunTest):

    def refused(self, words, message):
        with self.subTest(words=words):
            process = alone(*words)
            lines = [line for line in process.stderr.splitlines() if not line.startswith(("bench: ", "replay: "))]
            self.assertEqual((process.returncode, process.stdout, len(lines)), (BAD_INPUT, "", 1), process.stderr)
            self.assertRegex(lines[0], "^bundleio: (rank 0: )?" + message)

    def test_words_that_a_command_does_not_take_are_named(self):
        for words, message in [
                ([], "no command: use bench, .*--help"),
                (["chekc"], "unknown command 'chekc': use bench, dump"),
                (["check"], r"check takes RUN \[OTHER\], not 0 words"),
                (["convert", "a", "b", "c"], "convert takes FROM TO, not 3 words: see bundleio convert --help"),
                (["bench", "a"], "bench takes options only, not 1 word"),
                (["check", "-v", "a"], "unknown option '-v': see bundleio check --help"),
                (["check", "a", "--yaml"], "unknown option '--yaml'"),
                (["dump", "a", "--step"], "--step needs a value"),
                (["dump", "no\nsuch\x1b[31m"], r".*no\?such\?\[31m"),
                (["convert", "a", "b", "--to", "--append"], "--to needs a value"),
        ]:
            self.refused(words, message)

    def test_values_that_cannot_be_are_named(self):
        path = ("--path", self.path("steps"))
        for words, message in [
                (["bench"], "bench needs --path DIR"),
                (["bench", *path, "--steps", "0"], "--steps 0: use a number from 1 to 1000"),
                (["bench", *path, "--repeats", "2x"], "--repeats 2x: use a number"),
                (["bench", *path, "--backends", ","], "--backends ,: name one, or all"),
                (["bench", *path, "--grid", "3"], "--grid 3: use LATxLON, each from 1 to 100000"),
                (["bench", *path, "--grid", "1x100001"], "--grid 1x100001: use LATxLON"),
                (["bench", *path, "--scaling", "big"], "--scaling big: use strong or weak"),
                (["bench", *path, "--grid", "3x4y"], "--grid 3x4y: use LATxLON"),
                (["bench", *path, "--backends", "posix,hdf9"], "unknown back end 'hdf9': use posix, "),
                (["bench", *path, "--backends", "posix:window=1"], "unknown option 'window=1': use key=value"),
                (["bench", *path, "--pairs", "5", "--backends", "posix,posix"], "--pairs 5: use a number from 6 to 10000"),
                (["bench", *path, "--pairs", "6"], "--pairs: name two back ends by --backends A,B"),
                (["bench", *path, "--pairs", "6", "--backends", "posix,posix", "--steps", "2"], "--pairs does without --steps"),
                (["bench", *path, "--pairs", "6", "--backends", "posix,posix:steps_per_file=2"],
                 "--pairs: steps are removed one by one .* leave out steps_per_file"),
                (["bench", *path, "--options", "sync"], "unknown option 'sync': use key=value"),
                (["check", self.path("nowhere")], ".*nowhere.*"),
                (["check", "--", "--nowhere"], ".*--nowhere.*"),
                (["dump", self.path("nowhere")], ".*nowhere.*"),
                (["convert", self.path("nowhere"), self.path("to")], ".*nowhere.*"),
                (["concat", self.path("nowhere"), self.path("to"), "--options", "steps_per_file=2"], "option steps_per_file: concat joins all steps: leave it out"),
                (["drain", self.path("nowhere"), self.path("to")], ".*nowhere is not a folder"),
                (["record", self.path("nowhere")], ".*nowhere.*"),
                (["replay", self.folder, *path], ".*" + self.folder),
        ]:
            self.refused(words, message)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_step_and_a_format_that_are_not_there_are_named(self):
        self.writes(1, "run", "posix", "--steps", "1")
        self.refused(["dump", self.path("run"), "--step", "7"], ".*step-000007 is not a step")
        self.refused(["convert", self.path("run"), self.path("to"), "--to", "hdf9"], "unknown back end 'hdf9'")

    def test_attributes_are_dumped_so_that_no_two_look_alike_and_none_moves_the_cursor(self):
        self.writes(1, "run", "posix", "--steps", "1", "--options", "checksums=no")
        layout = self.path("run", "step-000000", "layout")
        with open(layout, encoding="utf-8") as file:
            text = file.read()
        hostile = "a\n\x1b[31m\"\\t"
        text, titles = re.subn("(?m)^attribute title text 5 x[0-9a-f]+$", f"attribute title text {len(hostile)} x{hostile.encode().hex()}", text)
        small = struct.pack("=2f", 2e-7, 9.969209968386869e36)
        text, ranges = re.subn("(?m)^attribute valid_range float32 2 x[0-9a-f]+$", "attribute valid_range float32 2 x" + small.hex(), text)
        self.assertEqual((titles, ranges), (1, 1))
        with open(layout, "w", encoding="utf-8") as file:
            file.write(text)
        told = self.succeeds(alone("dump", self.path("run")))
        self.assertIn('title = "a\\n\\x1b[31m\\"\\\\t"\n', told)
        shown = re.search("valid_range = (.*), (.*)\n", told).groups()
        self.assertEqual([struct.pack("=f", float(number)) for number in shown], [small[:4], small[4:]])

    def test_a_folder_without_steps_is_refused_with_what_was_meant(self):
        self.writes(1, "run", "posix", "--steps", "1")
        os.mkdir(self.path("empty"))
        run, step = self.path("run"), self.path("run", "step-000000")
        for words in (["check"], ["dump"], ["convert", self.path("to")]):
            self.refused([words[0], step, *words[1:]], f".*{step} holds no complete step: it is a step: name its run, {run}$")
            self.refused([words[0], self.path("empty"), *words[1:]], ".* holds no complete step: name the folder in which step-000000 lies$")

    def test_what_cannot_be_done_now_is_said_with_what_to_do(self):
        self.writes(1, "one", "posix", "--steps", "1")
        self.writes(1, "two", "posix")
        for words, message in [
                (["convert", self.path("two"), self.path("one")], "holds 1 steps already: name another folder, or go on with --append"),
                (["check", self.path("one"), self.path("two")], f"the runs hold different steps: step 1 is in {self.path('two')} only"),
                (["bench", "--path", self.path("big"), "--grid", "99999x99999"],
                 "a step takes [0-9]+ bytes of memory on a machine, but only [0-9]+ are available"),
        ]:
            with self.subTest(words=words):
                process = alone(*words)
                self.assertEqual((process.returncode, process.stdout), (3, ""))
                self.assertRegex(process.stderr, "^bundleio: rank 0: .*" + message + "\n$")

    def test_what_was_not_written_to_be_timed_is_not_removed(self):
        words = ["bench", "--path", self.path("model"), "--grid", "8x12", "--planes", "1", "--backends"]
        for folder, backends in (("posix", ["gather,posix"]), ("1-posix", ["gather,posix", "--pairs", "6"])):
            os.makedirs(self.path("model", folder))
            own = self.path("model", folder, "notes.txt")
            with open(own, "w", encoding="utf-8") as out:
                out.write("mine")
            self.refused([*words, *backends], ".*holds what was not written to be timed, and would be removed: name another folder by --path")
            self.assertEqual(os.listdir(self.path("model", folder)), ["notes.txt"])
            self.assertFalse(os.path.exists(self.path("model", "gather", "step-000000")))
            os.remove(own)
            self.succeeds(alone(*words, *backends))
            self.assertFalse(os.path.exists(self.path("model", folder)))
        # Kept by itself: whoever repeats it means it.
        self.succeeds(alone(*words, "posix", "--keep"))
        self.succeeds(alone(*words, "posix"))
        self.assertFalse(os.path.exists(self.path("model", "posix")))

    def test_what_waits_on_a_fast_tier_stays_there_while_others_are_timed_on_it(self):
        """Steps of a model that has ended, which nobody has drained yet."""
        self.writes(1, "slow", "posix", "--options", f"fast_tier={self.path('fast')} reserve_mib=0")
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])
        words = ["bench", "--path", self.path("b"), "--grid", "8x12", "--planes", "1", "--options", f"fast_tier={self.path('fast')} reserve_mib=0", "--backends"]
        os.makedirs(self.path("fast", "gather"))
        with open(self.path("fast", "gather", "notes.txt"), "w", encoding="utf-8") as out:
            out.write("mine")
        self.refused([*words, "posix,gather"], ".*fast/gather holds what was not written to be timed, and would be removed: name another folder by --path, or by")
        self.assertEqual(os.listdir(self.path("fast", "gather")), ["notes.txt"])
        shutil.rmtree(self.path("fast", "gather"))
        self.refused(["bench", "--path", self.path("b"), "--options", f"fast_tier={self.path('fast')} drain=yes"], "option drain=yes: a drain would go on beside what is timed next")
        told = json.loads(self.succeeds(alone(*words, "posix,gather", "--json")))
        self.assertEqual(set(told["backends"]), {"posix", "gather"})
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])
        self.assertEqual(os.listdir(self.path("b")), [])
        self.succeeds(alone(*words, "posix", "--keep"))
        self.assertEqual(self.steps(os.path.join("fast", "posix")), ["step-000000", "step-000001"])
        self.assertEqual(self.steps("fast"), [".bundleio-bench-posix", "posix", "step-000000", "step-000001"])

    def test_output_that_cannot_be_stored_is_an_error(self):
        self.writes(1, "run", "posix", "--steps", "1")
        for words in (["--help"], ["dump", self.path("run")], ["check", self.path("run")]):
            with self.subTest(words=words), open("/dev/full", "w", encoding="utf-8") as full:
                process = subprocess.run([binary("bundleio"), *words], env=mpi_environment(), stdout=full, stderr=subprocess.PIPE, text=True,
                                         timeout=SECONDS_MAX, check=False)
                self.assertEqual((process.returncode, process.stderr),
                                 (3, "bundleio: write what was to be printed: No space left on device\n"))

    def test_every_command_explains_itself_in_lines_of_100_letters(self):
        everything = self.succeeds(alone("--help"))
        self.assertLessEqual(max(map(len, everything.splitlines())), LETTERS_MAX)
        for command in COMMANDS:
            with self.subTest(command=command):
                own = self.succeeds(alone(command, "--help"))
                self.assertTrue(own.startswith(command + " "), own)
                self.assertIn(own, everything)
                self.assertEqual(self.succeeds(alone("help", command)), own)

    def test_pairs_of_steps_leave_their_middle_and_no_step(self):
        words = ["bench", "--path", self.path("b"), "--grid", "8x12", "--planes", "1", "--backends"]
        # Source: tables of Wilcoxon's signed ranks, two-sided 5 %: of nine, the sixth of 45 means from either end.
        for pairs, left_out in ((6, 0), (8, 3), (9, 5), (12, 13)):
            facts = json.loads(self.succeeds(mpi(2, binary("bundleio"), *words, "posix:checksums=no,posix", "--pairs", str(pairs), "--json")))
            self.assertEqual((facts["ranks"], facts["pairs"], facts["candidates"]), (2, pairs, ["posix:checksums=no", "posix"]))
            for kind in ("step", "cpu"):
                logs = [math.log(mine / its) for its, mine in zip(*facts[kind + "_seconds"], strict=True)]
                self.assertEqual(len(logs), pairs)
                means = sorted((logs[i] + logs[j]) / 2 for i in range(pairs) for j in range(i, pairs))
                told = facts[kind + "_ratio"]
                self.assertAlmostEqual(math.log(told["middle"]), statistics.median(means), places=6)
                self.assertAlmostEqual(math.log(told["low"]), means[left_out], places=6)
                self.assertAlmostEqual(math.log(told["high"]), means[-1 - left_out], places=6)
        self.assertEqual(os.listdir(self.path("b")), [])
        same = self.succeeds(mpi(2, binary("bundleio"), *words, "posix,posix", "--pairs", "9"))
        self.assertRegex(same, r"2 ranks, 9 pairs of steps of .* MB: posix by posix\ntime \d\.\d{3} \(\d\.\d{3} to \d\.\d{3}\)\nCPU ")

    def test_the_processor_time_of_a_pair_is_that_of_all_ranks(self):
        # In one write of each rank, of some 400, after the first pair, which is not counted.
        ranks, number, seconds = 6, 200, 0.05
        words = ["bench", "--path", self.path("b"), "--grid", "8x12", "--planes", "1", "--pairs", "6", "--backends", "posix,posix", "--json"]
        shim = ["LD_PRELOAD=" + os.path.join(BUILD, "lib", "libfaulty_disk.so"), f"FAULTY_DISK=busy {number} {1000 * seconds:.0f}"]
        facts = json.loads(self.succeeds(mpi(ranks, "env", *shim, binary("bundleio"), *words)))
        self.assertGreaterEqual(max(max(steps) for steps in facts["cpu_seconds"]), ranks * seconds)

    def test_each_of_a_pair_goes_first_in_every_other_pair(self):
        notes = self.path("notes")
        shim = "LD_PRELOAD=" + os.path.join(BUILD, "lib", "libfaulty_disk.so")
        self.succeeds(mpi(1, "env", shim, "DISK_NOTES=" + notes, binary("bundleio"), "bench", "--path", self.path("b"), "--grid", "8x12", "--planes", "1",
                          "--pairs", "6", "--backends", "posix,posix"))
        with open(notes, encoding="utf-8") as events:
            published = "".join(re.findall("^rename .*/([01])-posix/[.]step-", events.read(), re.MULTILINE))
        self.assertEqual(published, "01100110011001")

    def test_the_table_of_times_has_100_letters_whatever_back_ends_are_called(self):
        names = ["posix", "gather:window_mib=1:blocking=yes", "netcdf4"]
        out = self.succeeds(alone("bench", "--path", self.path("b"), "--grid", "4x6", "--planes", "1", "--backends", ",".join(names)))
        lines = out.splitlines()
        self.assertLessEqual(max(map(len, lines)), LETTERS_MAX)
        header = next(number for number, line in enumerate(lines) if line.startswith("back end"))
        self.assertEqual(lines[header + 2], names[1])
        for row in (header + 1, header + 3, header + 4):
            self.assertEqual(len(lines[row]), len(lines[header]))
            self.assertEqual(len(lines[row][len("netcdf4"):].split()), 13, lines[row])
        self.assertTrue(lines[header + 1].endswith(" -"), lines[header + 1])

    def test_every_option_of_a_run_is_explained_in_the_readme(self):
        known = alone("bench", "--path", self.path("b"), "--options", "nosuch=1").stderr.split("with one of ")[1].split()
        with open(README, encoding="utf-8") as file:
            explained = re.findall(r"`([a-z_.A-Z0-9]+)`", "".join(re.findall(r"^\|(.*?)\|", file.read().split("## Options")[1], re.MULTILINE)))
        self.assertEqual(sorted(name.replace("NAME", "*") for name in explained), sorted(known))


if __name__ == "__main__":
    unittest.main()
