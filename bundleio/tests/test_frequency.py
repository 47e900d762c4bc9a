"""Fields that are due in some steps only, or once: what a step holds, what is refused, and every way back."""

import itertools
import os
import unittest

from launch import BACKENDS, BUILD, PYTHON, RunTest, alone, binary, built, job, long_test, mpi, run, several
from test_record import recording

BAD_ARGUMENT, MISMATCH, STATE = 1, 2, 3
REPLACE, APPEND = "1", "2"
STEPS = 7
OCEAN = [0, 2, 4, 6]
EACH_BACKEND = [{"backend": backend} for backend in BACKENDS]


# A run whose second step is of other definitions, those of the words that it is given.
CHANGING = """
import sys
import bundleio
from mpi4py import MPI
with bundleio.Context(MPI.COMM_WORLD) as context:
    for mode, dtype, units in ((bundleio.REPLACE, "float32", "K"), (bundleio.APPEND, *sys.argv[2:])):
        with context.open(sys.argv[1], mode, "gather") as run:
            bundle = run.bundle("b")
            field = run.variable(bundle, "t", dtype, [run.dimension(bundle, "time", bundleio.UNLIMITED), run.dimension(bundle, "x", 4)])
            run.attribute(bundle, field, "units", units)
            run.step_begin()
            run.put(field, [1, 2, 3, 4])
            run.step_end()
"""


class Frequency(RunTest):

    def job(self, ranks, *runs):
        """Several runs of the model one after the other, each by its words."""
        return job(ranks, binary("frequency_model"), *several(runs))

    def writing(self, name, backend, steps=STEPS, mode=REPLACE, options="", fault="none"):
        return ["write", self.path(name), backend, str(steps), mode, options, fault]

    def reading(self, name, *kind, steps=STEPS):
        return ["read", self.path(name), str(steps), *kind]

    def made(self, ranks, name, backend, **how):
        return self.succeeds(self.job(ranks, self.writing(name, backend, **how)))

    def reads(self, ranks, name, *kind, steps=STEPS):
        self.succeeds(self.job(ranks, self.reading(name, *kind, steps=steps)))

    def test_every_step_holds_what_is_due_and_comes_back_equal_from_every_back_end(self):
        self.made(1, "reference", "posix")

        def holds(ranks):
            names = {backend: f"{backend}-{ranks}" for backend in BACKENDS}
            self.succeeds(self.job(ranks, *[self.writing(name, backend, options="verify=yes") for backend, name in names.items()]))
            self.succeeds(self.job(5 - ranks, *map(self.reading, names.values())))
            for name in names.values():
                self.assertEqual(self.steps(name), [f"step-{step:06}" for step in range(STEPS)])
                self.equal("reference", name)
                told = self.succeeds(alone("check", self.path(name)))
                self.assertIn("7 complete steps, all readable, as their checksums say", told)

        self.each([{"ranks": ranks} for ranks in (1, 4)], holds)
        for step in range(STEPS):
            files = sorted(os.listdir(self.path("pnetcdf-4", f"step-{step:06}")))
            self.assertEqual(files, ["atm.nc", "checksums"] + ["mask.nc"] * (step == 0) + ["ocean.nc"] * (step in OCEAN))

    def test_values_that_flow_in_the_background_and_steps_without_checksums_are_as_due(self):
        self.made(2, "reference", "posix")
        ways = built([("pnetcdf", "checksums=no"), ("bp5", "async=yes")])
        self.succeeds(self.job(4, *[self.writing(backend, backend, options=options) for backend, options in ways]))
        for backend, _ in ways:
            self.equal("reference", backend)

    def test_a_step_in_which_nothing_is_due_is_a_step_without_variables(self):
        self.made(1, "reference", "posix", steps=4, fault="sparse")
        self.succeeds(self.job(4, *[self.writing(backend, backend, steps=4, options="verify=yes", fault="sparse") for backend in BACKENDS]))
        self.succeeds(self.job(2, *[self.reading(backend, "sparse", steps=4) for backend in BACKENDS]))
        for backend in BACKENDS:
            self.equal("reference", backend)

    def test_a_put_of_what_is_not_due_is_one_line_on_all_ranks_and_the_run_goes_on(self):
        lines = {"early": "variable 'precip' is due every 3 steps, and not in step 1: do not put it there",
                 "static": "variable 'orography' is written once, in step 0, and not in step 1: do not put it there"}
        for ranks in (1, 4):
            names = {fault: f"{fault}-{ranks}" for fault in lines}
            told = self.succeeds(self.job(ranks, *[self.writing(name, "pnetcdf", fault=fault) for fault, name in names.items()]))
            for line in lines.values():
                self.assertIn(f"rank {ranks - 1}: put: {STATE} {line}", told)
                for rank in range(ranks):
                    self.assertIn(f"rank {rank}: step_end: {STATE} rank {ranks - 1}: {line}", told)
            self.assertEqual(len(told.splitlines()), len(lines) * (ranks + 1), told)
            self.succeeds(self.job(2, *map(self.reading, names.values())))

    def test_what_is_due_and_was_not_put_is_one_line_on_all_ranks_and_the_run_goes_on(self):
        told = self.succeeds(self.job(4, *[self.writing(backend, backend, fault="forgets") for backend in BACKENDS]))
        for rank in range(4):
            line = f"rank {rank}: step_end: {MISMATCH} rank 3: variable 'precip': level 0 was put never, and it is due every 3 steps"
            self.assertEqual(told.count(line), len(BACKENDS), told)
        self.succeeds(self.job(2, *map(self.reading, BACKENDS)))

    def test_definitions_that_can_never_work_are_refused(self):
        cases = {"negative": f"{BAD_ARGUMENT} variable 'precip': due every -3 steps: use 1 or more",
                 "late": f"{STATE} definitions must come before the first step",
                 "differs": f"step_end: {MISMATCH} rank 1: defines 'variable ocean/sst due every 3 steps', but rank 0 "
                            "'variable ocean/sst due every 2 steps'"}
        for fault, line in cases.items():
            with self.subTest(fault=fault):
                process = self.job(2, self.writing("run", "posix", fault=fault))
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                self.assertIn(line, process.stdout)

    def test_steps_that_share_files_hold_the_same_and_say_so(self):
        process = self.job(2, self.writing("run", "pnetcdf", options="steps_per_file=3"))
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        self.assertIn(f"rank 0: {BAD_ARGUMENT} variable 'precip' is due every 3 steps, but with steps_per_file the steps of a file hold",
                      process.stdout)
        self.assertEqual(self.steps("run"), [])

    def test_a_run_that_goes_on_keeps_the_phase_whatever_ended_it(self):
        self.made(1, "reference", "posix")

        def killed(backend):
            process = self.job(4, self.writing(backend, backend, fault="killed"))
            self.assertNotEqual(process.returncode, 0)

        self.each(EACH_BACKEND, killed)
        # Another back end goes on.
        others = zip(BACKENDS, BACKENDS[1:] + BACKENDS[:1])
        self.succeeds(self.job(3, *[self.writing(backend, other, mode=APPEND) for backend, other in others]))
        # From several steps on; what is due does not depend on the back end.
        ends = {f"{backend}-ended": (backend, ended) for backend, ended in zip(BACKENDS, itertools.cycle((1, 2, 5)))}
        self.succeeds(self.job(2, *[self.writing(name, backend, steps=ended) for name, (backend, ended) in ends.items()]))
        self.succeeds(self.job(1, *[self.writing(name, backend, mode=APPEND) for name, (backend, _) in ends.items()]))
        for name in [*BACKENDS, *ends]:
            with self.subTest(name=name):
                self.equal("reference", name)

    @long_test
    def test_every_step_is_converted_to_every_format_as_it_is(self):
        self.made(3, "reference", "posix")
        self.succeeds(self.job(2, *[self.writing(backend, backend) for backend in BACKENDS]))

        def holds(backend, target):
            made = f"{backend}-to-{target}"
            told = self.succeeds(mpi(2, binary("bundleio"), "convert", self.path(backend), self.path(made), "--to", target))
            self.assertIn("7 steps converted and compared, 0 were there", told)
            self.equal("reference", made)

        self.each([{"backend": backend, "target": target} for backend in BACKENDS for target in ("posix", "pnetcdf", "netcdf4")], holds)

    def test_a_conversion_goes_on_where_it_ended(self):
        self.succeeds(self.job(2, self.writing("run", "pnetcdf"), self.writing("some", "pnetcdf", steps=3)))
        self.succeeds(alone("convert", self.path("some"), self.path("made"), "--to", "netcdf4"))
        told = self.succeeds(alone("convert", self.path("run"), self.path("made"), "--to", "netcdf4", "--append"))
        self.assertIn("4 steps converted and compared, 3 were there", told)
        self.equal("run", "made")

    def test_steps_of_a_fast_tier_are_drained_as_they_are(self):
        """Each holds other variables than the one before."""
        self.made(2, "reference", "posix")

        def holds(backend, more):
            slow = f"slow-{backend}-{len(more)}"
            fast = self.path("fast-" + slow)
            self.made(2, slow, backend, options=f"fast_tier={fast} reserve_mib=0")
            told = self.succeeds(mpi(2, binary("bundleio"), "drain", fast, self.path(slow), *more))
            self.assertIn("7 steps moved and compared", told)
            self.equal("reference", slow)

        every = [{"backend": backend, "more": more} for backend in BACKENDS for more in ([], ["--to", "netcdf4"])]
        # The first copies, the last rewrites.
        self.each(self.kept(every, [every[0], every[-1]]), holds)

    def test_static_fields_stand_beside_the_time_series_that_concat_makes(self):
        self.succeeds(self.job(2, *[self.writing(backend, backend, fault="plain") for backend in BACKENDS]))

        def joined(backend):
            name = "joined-" + backend
            self.succeeds(alone("concat", self.path(backend), self.path(name)))
            self.assertEqual(self.steps(name), ["series-000000"])
            text = self.succeeds(run("ncdump", "-h", self.path(name, "series-000000", "atm.nc")))
            self.assertIn("time = UNLIMITED ; // (7 currently)", text)
            self.assertIn("float orography(lat, lon) ;", text)

        self.each(EACH_BACKEND, joined)
        self.succeeds(self.job(3, *[self.reading("joined-" + backend, "plain") for backend in BACKENDS]))

    def test_a_series_that_concat_made_goes_on_with_its_static_fields(self):
        self.succeeds(self.job(2, self.writing("some", "pnetcdf", steps=3, fault="plain"), self.writing("all", "pnetcdf", fault="plain")))
        self.succeeds(alone("concat", self.path("some"), self.path("joined")))
        told = self.succeeds(alone("concat", self.path("all"), self.path("joined"), "--append"))
        self.assertIn("4 steps joined and compared, 3 were there", told)
        self.assertEqual(self.steps("joined"), ["series-000000"])
        self.reads(2, "joined", "plain")

    def test_steps_that_lack_an_entry_of_a_time_series_are_not_joined(self):
        self.made(2, "run", "pnetcdf")
        told = alone("concat", self.path("run"), self.path("joined"))
        self.assertEqual(told.returncode, 3, told.stdout)
        self.assertRegex(told.stderr, "step-000001 lacks 'atm/precip', which has an unlimited dimension and is in the first step: .*use convert")

    def test_steps_of_other_definitions_are_not_joined(self):
        """They would get those of the first step, and their values another type."""
        own = {"BUNDLEIO_LIBRARY": os.path.join(BUILD, "lib", "libbundleio.so"), "PYTHONPATH": os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python")}
        for dtype, units, said in (("float64", "K", "'b/t' has another type or shape"), ("float32", "C", "attributes of 'b/t' differ")):
            with self.subTest(said=said):
                self.succeeds(mpi(1, PYTHON, "-B", "-c", CHANGING, self.path(dtype), dtype, units, **own))
                told = alone("concat", self.path(dtype), self.path("joined-" + dtype))
                self.assertEqual(told.returncode, 3, told.stdout)
                self.assertIn(said, told.stderr)

    def test_what_a_step_holds_is_shown(self):
        self.made(2, "run", "posix")
        self.assertIn("orography", self.succeeds(alone("dump", self.path("run"), "--step", "0")))
        told = self.succeeds(alone("dump", self.path("run"), "--step", "3"))
        self.assertIn("precip", told)
        self.assertNotIn("orography", told)
        self.assertNotIn("sst", told)

    def test_a_recorded_model_is_replayed_with_what_each_step_held(self):
        with recording(self.path("pattern")):
            self.made(3, "run", "pnetcdf")
        self.succeeds(mpi(3, binary("bundleio"), "replay", self.path("pattern"), "--path", self.path("again"), "--keep", "--no-gaps",
                          "--backends", "pnetcdf,posix", "--steps", "9"))
        self.equal(os.path.join("again", "posix"), os.path.join("again", "pnetcdf"))
        for step in range(9):
            # The recorded steps begin again behind the last.
            held = sorted(os.listdir(self.path("run", f"step-{step % STEPS:06}")))
            self.assertEqual(sorted(os.listdir(self.path("again", "pnetcdf", f"step-{step:06}"))), held)


if __name__ == "__main__":
    unittest.main()
