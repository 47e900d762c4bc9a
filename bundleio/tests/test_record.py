"""A model's calls are recorded without values, and replayed by any back end with the same outcome but for the values."""

import contextlib
import json
import os
import random
import re
import subprocess
import unittest

from launch import BACKENDS, BUILD, PYTHON, RamDisk, RunTest, alone, binary, long_test, mpi, run

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TUTORIAL = os.path.join(SOURCE, "..", "docs", "tutorial", "bundleio.md")
TIMES = re.compile(r"^(gap .*|(step|wait) [0-9]+)", re.MULTILINE)

# Three ranks, each with its own order of puts; a map of which cells 4 and 7 are nobody's; ranks that own nothing.
VARIED = """bundleio-pattern 1
ranks 3
backend posix
decomposition boxes 2 4 6
box 0 0 0 4 3
box 2 0 3 4 3
decomposition map 1 10
cells 0 9:4:-3
cells 1 1:2 5:2:3
bundle a%20b
attribute title text 3
dimension time -1
dimension lev 4
dimension lat 4
dimension lon 6
dimension cell 10
variable T 0 float64 0 0 1 2 3
attribute _FillValue float64 1
variable M 0 int16 1 4
variable hour 0 int32 -1
puts 0:0:3 0:3:1 1:0:1 2:0:1
puts 2:0:1 1:0:1 0:0:3 0:3:1
puts 0:3:1 2:0:1 0:0:3 1:0:1
gap 10 20 30
step 1000 0 1 2
gap 7200000000*3
step 1000 1*2 2
gap 5*3
wait 17
end 2
"""


def without_times(pattern):
    return TIMES.sub(r"\2", pattern)


def cells_of(runs):
    """Every cell of the runs FIRST:COUNT:STRIDE, in their order."""
    cells = []
    for run_of_cells in runs:
        first, count, stride = ([int(part) for part in run_of_cells.split(":")] + [1, 1])[:3]
        cells += range(first, first + count * stride, stride)
    return cells


def shape(header):
    """ncdump -h without the texts of attributes: a pattern holds how long they are."""
    return re.sub(r'= "([^"]*)" ;', lambda found: f"= {len(found[1])} bytes ;", header)


@contextlib.contextmanager
def recording(path):
    os.environ["BUNDLEIO_RECORD"] = path
    try:
        yield
    finally:
        del os.environ["BUNDLEIO_RECORD"]


class Record(RunTest):

    def recorded(self, ranks, *command):
        with recording(self.path("pattern")):
            process = mpi(ranks, *command)
        self.assertRegex(process.stderr, f"bundleio: recorded [0-9]+ steps of {ranks} ranks in {self.path('pattern')}")
        return self.succeeds(process)

    def read(self, name="pattern"):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def summary(self, name="pattern"):
        return json.loads(self.succeeds(alone("record", self.path(name), "--json")))

    def replay(self, ranks, *more, name="pattern"):
        return mpi(ranks, binary("bundleio"), "replay", self.path(name), "--path", self.path("replayed"), "--keep", *more)

    def varied(self, text=VARIED):
        with open(self.path("pattern"), "w", encoding="utf-8") as file:
            file.write(text)

    def test_the_examples_of_all_languages_are_replayed_with_equal_headers(self):
        os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
        os.environ["PYTHONPATH"] = os.path.join(SOURCE, "python")
        programs = [[binary("example_c")], [binary("example_cpp")], [PYTHON, "-B", os.path.join(SOURCE, "examples", "example.py")]]
        if os.path.exists(binary("example_f90")):
            programs.append([binary("example_f90")])
        for program in programs:
            with self.subTest(program=program):
                self.recorded(3, *program, self.path("original"), "pnetcdf")
                self.assertEqual(self.summary()["steps"], 2)
                self.succeeds(self.replay(3, "--no-gaps"))
                for step in ("step-000000", "step-000001"):
                    headers = [self.succeeds(run("ncdump", "-h", self.path(folder, step, "Moist.nc")))
                               for folder in ("original", os.path.join("replayed", "pnetcdf"))]
                    self.assertIn("float Q(time, lev, lat, lon) ;", headers[1])
                    self.assertEqual(shape(headers[0]), shape(headers[1]))
                self.assertNotIn("kg", self.read())
                os.remove(self.path("pattern"))

    @long_test
    def test_a_climate_model_is_replayed_with_the_same_bytes_messages_and_write_calls(self):
        bench = ("bench", "--path", self.path("bench"), "--grid", "24x48", "--planes", "20", "--steps", "2", "--json")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                original = json.loads(self.recorded(4, binary("bundleio"), *bench, "--backends", backend))
                replayed = json.loads(self.succeeds(self.replay(4, "--no-gaps", "--json")))
                self.assertEqual(original["steps"], replayed["steps"])
                counts = ["own_bytes_sum", "own_bytes_max", "messages_sum", "message_bytes_sum"]
                # Libraries on threads of their own wake each other by writes.
                if backend in ("posix", "gather", "pnetcdf"):
                    counts += ["write_calls_sum", "written_bytes_sum"]
                for count in counts:
                    self.assertEqual(original["backends"][backend][count], replayed["backends"][backend][count], count)
                self.assertEqual(self.summary()["step_bytes"], original["backends"][backend]["own_bytes_sum"])
                os.remove(self.path("pattern"))

    @long_test
    def test_awkward_cases_are_replayed_equally_by_every_back_end(self):
        self.recorded(3, binary("write_cases"), self.path("original"), "posix", "--zero")
        self.succeeds(self.replay(3, "--backends", "posix", "--no-gaps"))
        dumps = [self.succeeds(alone("dump", self.path(*folder)))
                 for folder in (["original"], ["replayed", "posix"])]
        self.assertEqual(*[re.findall(r"^(bundle .*|  (?:dimension|[a-z]+[0-9]+ ).*?)(?:  checksum.*)?$", dump, re.MULTILINE)
                           for dump in dumps])
        self.assertGreater(dumps[1].count("checksum"), 12)
        os.remove(self.path("pattern"))
        self.recorded(3, binary("write_cases"), self.path("again"), "posix")
        self.succeeds(self.replay(3, "--backends", ",".join(BACKENDS), "--no-gaps"))
        for backend in BACKENDS[1:]:
            self.equal(os.path.join("replayed", "posix"), os.path.join("replayed", backend))

    @long_test
    def test_a_recorded_replay_is_the_pattern_itself(self):
        self.varied()
        with recording(self.path("again")):
            self.succeeds(self.replay(3, "--no-gaps"))
        # The tool waits once more, when it closes.
        self.assertEqual(without_times(self.read("again")).replace("wait\n\nwait\n", "wait\n"), without_times(VARIED))
        self.assertEqual(self.read("again").count("wait"), 2)

    @long_test
    def test_cells_in_no_order_come_whole_however_long_their_text(self):
        cells = list(range(600000))
        random.Random(7).shuffle(cells)
        shares = {0: cells[:100000], 1: cells[100000:350000], 2: cells[350000:]}
        lines = [f"cells {rank} " + " ".join(map(str, share)) for rank, share in shares.items()]
        text = VARIED.replace("map 1 10\ncells 0 9:4:-3\ncells 1 1:2 5:2:3", "map 1 600000\n" + "\n".join(lines))
        self.varied(text.replace("dimension cell 10", "dimension cell 600000"))
        with recording(self.path("again")):
            self.succeeds(self.replay(3, "--no-gaps"))
        recorded = [line.split() for line in self.read("again").splitlines() if line.startswith("cells ")]
        self.assertEqual({int(words[1]): cells_of(words[2:]) for words in recorded}, shares)

    def test_another_number_of_ranks_is_refused(self):
        self.varied()
        process = self.replay(2)
        self.assertEqual(process.returncode, 2)
        self.assertIn("was recorded on 3 ranks, this is 2: use mpirun -n 3", process.stderr)

    def test_more_steps_than_recorded_begin_again_at_the_first(self):
        self.varied()
        out = self.succeeds(self.replay(3, "--steps", "5", "--no-gaps", "--json"))
        self.assertEqual(json.loads(out)["steps"], 5)
        self.assertEqual(len(os.listdir(self.path("replayed", "posix"))), 5)

    def test_the_time_between_steps_is_recorded_and_kept(self):
        self.recorded(2, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", "6x12", "--planes", "1",
                      "--backends", "posix", "--steps", "3", "--compute-ms", "40")
        gaps = self.summary()["gap_seconds"]
        self.assertGreaterEqual(gaps["least"], 0.04)
        with recording(self.path("again")):
            self.succeeds(self.replay(2))
        self.assertGreaterEqual(self.summary("again")["gap_seconds"]["least"], gaps["least"])

    def test_rank_0_alone_decides_whether_a_run_is_recorded(self):
        program = (binary("write_cases"), self.path("run"), "posix")
        self.succeeds(mpi(1, "-x", f"BUNDLEIO_RECORD={self.path('pattern')}", *program, ":", "-n", "2", *program))
        self.assertEqual(self.summary()["ranks"], 3)

    def test_an_option_names_the_file_too_and_nothing_is_overwritten(self):
        self.writes(2, "run", "posix", "--options", f"record={self.path('pattern')}")
        first = self.read()
        self.writes(2, "run", "posix", "--mode", "1", "--options", f"record={self.path('pattern')}")
        self.assertEqual((self.read(), self.summary("pattern.2")["steps"]), (first, 2))
        self.assertNotIn(self.folder, first)

    def test_a_replay_uses_the_recorded_back_end_with_its_options(self):
        options = {"pnetcdf": "blocking=yes", "bp5": "async=yes"}
        for backend in options.keys() & set(BACKENDS):
            with self.subTest(backend=backend):
                pattern = self.path(backend + ".pattern")
                self.writes(2, backend, backend, "--options", f"{options[backend]} reserve_mib=1 record={pattern}")
                self.assertIn(f"\nbackend {backend} {options[backend].replace('=', '%3D')}\n", self.read(backend + ".pattern"))
                with recording(self.path("again")):
                    self.succeeds(self.replay(2, name=backend + ".pattern"))
                self.assertEqual(self.read("again").splitlines()[2], self.read(backend + ".pattern").splitlines()[2])
                os.remove(self.path("again"))

    def test_what_the_tool_rewrites_is_not_recorded(self):
        self.writes(2, "run", "posix")
        with recording(self.path("pattern")):
            self.succeeds(mpi(2, binary("bundleio"), "convert", self.path("run"), self.path("converted")))
            self.succeeds(mpi(2, binary("bundleio"), "drain", self.path("run"), self.path("drained"), "--to", "pnetcdf"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["converted", "drained", "run"])

    def test_what_cannot_be_recorded_is_said_once_and_the_run_goes_on(self):
        places = {self.path("nowhere", "pattern"): "open: No such file or directory", self.folder: "it is a folder: name a file"}
        for place, why in places.items():
            with self.subTest(place=place), recording(place):
                process = mpi(2, binary("write_cases"), self.path("run"), "posix", "--mode", "1")
                self.succeeds(process)
                self.assertEqual(process.stderr.count("bundleio:"), 1)
                self.assertIn(f"{place} is not recorded: {why}; the run itself goes on", process.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "a full disk needs root")
    def test_a_disk_that_is_full_ends_the_recording_and_not_the_run(self):
        with RamDisk(self.path("disk"), "1m") as disk:
            subprocess.run(["dd", "if=/dev/zero", f"of={disk}/rest", "bs=4k"], capture_output=True, check=False)
            with recording(os.path.join(disk, "pattern")):
                process = mpi(3, binary("write_cases"), self.path("run"), "pnetcdf", "--steps", "3")
            self.assertEqual(os.listdir(disk), ["rest"])
        self.succeeds(process)
        self.assertEqual(process.stderr.count("No space left on device"), 1, process.stderr)
        self.assertEqual(len(self.steps("run")), 3)

    def test_a_killed_run_leaves_no_pattern_but_one_that_says_where_it_ends(self):
        with recording(self.path("pattern")):
            mpi(3, binary("write_cases"), self.path("run"), "posix", "--fault", "kill")
        self.assertFalse(os.path.exists(self.path("pattern")))
        process = alone("record", self.path("pattern.partial"))
        self.assertEqual(process.returncode, 2)
        self.assertRegex(process.stderr, "line [0-9]+: cut off: there is no line 'end'; the run was not closed, after 1 steps")

    def test_a_run_without_a_complete_step_is_not_recorded_and_its_error_stays(self):
        with recording(self.path("pattern")):
            process = mpi(3, binary("write_cases"), self.path("run"), "posix", "--fault", "forget")
        self.assertEqual(process.returncode, 3)
        self.assertIn("level 0 was put never", process.stdout)
        self.assertEqual(process.stderr.count("is not recorded: no step was completed"), 1)
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("pattern")])

    def test_hostile_files_are_refused_with_the_line_and_what_is_wrong_there(self):
        cases = [
            ("bundleio-pattern 1", "bundleio-pattern 2", 1, "version 2, but this reads 1"),
            ("bundleio-pattern 1", "\x7fELF", 1, "not a pattern file"),
            ("ranks 3", "ranks -3", 2, "number of ranks -3 is not from 1 to"),
            ("ranks 3", "ranks 99999999999", 2, "number of ranks 99999999999 is not from 1 to"),
            ("boxes 2 4 6", "boxes 2 4 -6", 4, "length -6 is not from 0"),
            ("boxes 2 4 6", "boxes 2 4611686018427387904 6", 4, "length 4611686018427387904 is not from 0"),
            ("boxes 2 4 6", "boxes 2 4294967296 4294967296", 4, "the lengths make more than"),
            ("boxes 2 4 6", "boxes 999999999 4 6", 4, "number of dimensions 999999999 is not from 1 to"),
            ("box 0 0 0 4 3", "box 3 0 0 4 3", 5, "rank 3 is not from 0 to 2"),
            ("box 0 0 0 4 3", "box 0 0 0 4 7", 5, "count 7 is not from 0 to 6"),
            ("box 0 0 0 4 3", "box 0 0 1 4 3", 7, "in the decomposition above, ranks 0 and 2 own the same cells"),
            ("box 0 0 0 4 3", "box 0 0 0 4 4", 6, "ranks own more cells than there are"),
            ("box 0 0 0 4 3", "box 0 0 0 4", 5, "cut off: count is missing"),
            ("cells 0 9:4:-3", "cells 0 9:5:-3", 8, "cells from 9 are not from 0 to 9"),
            ("cells 0 9:4:-3", "cells 0 9:9223372036854775807:-3", 8, "cells from 9 are not from 0 to 9"),
            ("cells 0 9:4:-3", "cells 0 9:4:-3:1", 8, "has too many parts"),
            ("bundle a%20b", "bundle a%2", 10, "name 'a%252' is not percent-encoded"),
            ("bundle a%20b", "bundle %1b[31m", 10, "bundle name '\\?\\[31m' holds a control character"),
            ("title text 3", "title text 99999999999", 11, "count 99999999999 is not from 0 to"),
            ("lev 4", "lev -4", 13, "length -4 is not from -1 to"),
            ("T 0 float64 0", "T 1 float64 0", 17, "bundle 1 is not from 0 to 0"),
            ("T 0 float64 0", "T 0 float65 0", 17, "no type is named 'float65'"),
            ("T 0 float64 0", "T 0 float64 2", 17, "decomposition 2 is not from -1 to 1"),
            ("0 0 1 2 3", "0 0 1 3 2", 17, "do not have the lengths of its decomposition"),
            ("puts 0:0:3 0:3:1", "puts 0:0:4 0:3:1", 21, "level 3 was put twice"),
            ("puts 0:0:3 0:3:1", "puts 0:0:3 0:3:-1", 21, "-1 from 3 are not in it"),
            ("puts 0:0:3 0:3:1", "puts 0:0:2 0:2:2", 25, "ranks put different level ranges"),
            ("gap 10 20 30", "gap 10 20", 24, "not one gap for each of 3 ranks"),
            ("gap 10 20 30", "gap 10 20*9", 24, "not one gap for each of 3 ranks"),
            ("gap 10 20 30", "gap 10 -20 30", 24, "gap -20 is not from 0 to"),
            ("step 1000 0 1 2", "step 1000 0 1 3", 25, "list of puts 3 is not from 0 to 2"),
            ("step 1000 0 1 2", "dimension x 3", 25, "this line must stand further up"),
            ("end 2", "end 3", 30, "there are 2 steps above"),
            ("end 2", "end 2\nend 2", 31, "nothing may follow 'end'"),
            ("end 2\n", "", 30, "cut off: there is no line 'end'"),
        ]
        for good, bad, line, why in cases:
            with self.subTest(bad=bad):
                self.assertIn(good, VARIED)
                self.varied(VARIED.replace(good, bad, 1))
                process = alone("record", self.path("pattern"))
                self.assertEqual(process.returncode, 2, process.stdout + process.stderr)
                self.assertRegex(process.stderr, f"^bundleio: {self.path('pattern')}, line {line}: .*({why})")
                self.assertEqual(process.stderr.count("\n"), 1)

    def test_no_spoilt_file_does_more_than_to_be_refused(self):
        self.varied()
        out = self.succeeds(run(binary("mutate_pattern"), self.path("pattern"), "20000"))
        accepted, refused = map(int, re.findall("[0-9]+", out))
        self.assertGreater(accepted, 100)
        self.assertGreater(refused, 10000)

    def test_a_step_that_does_not_fit_into_memory_is_refused_before_it_is_tried(self):
        self.varied(VARIED.replace("lev 4", "lev 281474976710656").replace("0:0:3 0:3:1", "0:0:281474976710656")
                    .replace("0:3:1 2:0:1 0:0:3", "0:0:281474976710656 2:0:1"))
        self.assertEqual(self.summary()["step_bytes"], 281474976710656 * 24 * 8 + 8 * 2 + 4)
        process = self.replay(3)
        self.assertEqual(process.returncode, 3, process.stderr)
        self.assertRegex(process.stderr, "a step takes [0-9]+ bytes of memory on a machine, but only [0-9]+ are available")

    def test_unreadable_files_are_named(self):
        for command in ("record", "replay"):
            process = mpi(2, binary("bundleio"), command, self.path("nothing"), *(["--path", "x"] if command == "replay" else []))
            self.assertEqual(process.returncode, 2)
            self.assertIn(f"read {self.path('nothing')}: No such file or directory", process.stderr)

    def test_the_tutorials_commands_do_what_it_says(self):
        with open(TUTORIAL, encoding="utf-8") as file:
            blocks = re.findall("```bash\n(.*?)```", file.read(), re.DOTALL)
        # The first ones build, and say where.
        commands = "".join(block for block in blocks if "make " not in block and "B=" not in block)
        commands = re.sub("/tmp/|/dev/shm/", self.folder + "/", commands)
        start = f"cd {SOURCE}/..; source bundleio/mpi-environment; B={BUILD}/bin; trap 'echo \"ended with $?: $BASH_COMMAND\"' ERR\n"
        out = self.succeeds(run("bash", "-uc", start + commands))
        # A rank is killed there; the folder cannot be made.
        failed = re.findall(r"^ended with (\d+): .*\$B/(\w+)", out, re.MULTILINE)
        self.assertEqual(failed, [("137", "example_restart"), ("2", "bundleio")], out)
        for told in ("run-nc: 2 complete steps, equal in both runs", "run-converted: 2 steps converted and compared",
                     "goes on with step 3", "run-restart: 6 complete steps, equal in both runs", "2 steps moved and compared",
                     "model.pattern: 4 ranks, back end pnetcdf, 2 steps, 0.003 MB and 2 puts a rank and step"):
            self.assertIn(told, out)
        self.assertRegex(out, r"(?m)^bp5 " if "bp5" in BACKENDS else r"(?m)^netcdf4 ")


if __name__ == "__main__":
    unittest.main()
