"""The same data, bit by bit, whatever the back end and the number of ranks, by our and others' readers."""

import os
import re
import shutil
import unittest

from launch import BACKENDS, RunTest, alone, binary, built, long_test, mpi, run, several, single


class Equality(RunTest):

    def test_all_back_ends_and_rank_counts_write_equal_steps(self):
        self.writes(1, "one", "posix")
        # 9 are more than there are rows.
        for ranks in self.kept((1, 2, 4, 7, 9, 16), (1, 2, 4, 9)):
            names = {f"{backend}-{ranks}": backend for backend in BACKENDS}
            self.writes_each(ranks, names)
            for name in names:
                with self.subTest(name=name):
                    self.equal("one", name)
                    self.assertEqual(self.steps(name), ["step-000000", "step-000001"])

    def test_a_dimension_of_length_zero_is_kept(self):
        self.writes(1, "one", "posix", "--zero")
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--zero")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.equal("one", backend)

    def test_options_change_how_data_flow_and_not_what_is_stored(self):
        self.writes(3, "plain", "posix")
        cases = [("gather", "blocking=yes"), ("gather", "window_mib=1"), ("pnetcdf", "blocking=yes"),
                 ("pnetcdf", "window_mib=1 header_kib=0"), ("pnetcdf", "exchange=no"), ("pnetcdf", "aggregators=2"),
                 ("pnetcdf", "exchange=no blocking=yes"), ("netcdf4", "exchange=no"), ("netcdf4", "deflate=4 aggregators=1"),
                 ("posix", "sync=yes"), ("pnetcdf", "sync=yes hint.cb_nodes=1")]
        cases += [(backend, "checksums=no") for backend in BACKENDS]
        cases += [("bp5", "async=yes"), ("bp5", "async=yes checksums=no"), ("bp5", "aggregation=shared aggregators=1")]
        self.writes_each(3, {f"{backend} {options}": (backend, "--options", options) for backend, options in built(cases)})
        for backend, options in built(cases):
            with self.subTest(backend=backend, options=options):
                self.equal("plain", f"{backend} {options}")

    @long_test
    def test_steps_of_many_windows_are_equal(self):
        # 35 MB, windows of 1 MiB a rank; bundles of unequal size; on one rank nothing is exchanged.
        names = built(["pnetcdf", "pnetcdf:blocking=yes", "pnetcdf:exchange=no", "pnetcdf:aggregators=2", "netcdf4",
                       "netcdf4:aggregators=1", "gather"])
        options = ["--steps", "1", "--grid", "91x97", "--planes", "35", "--keep"]
        self.succeeds(alone("bench", "--path", self.path("one"), "--backends", "posix", *options))
        for ranks in (2, 5, 12):
            folder = self.path(str(ranks))
            self.succeeds(mpi(ranks, binary("bundleio"), "bench", "--path", folder, "--backends", ",".join(names), *options))
            for name in names:
                with self.subTest(ranks=ranks, name=name):
                    self.equal(os.path.join("one", "posix"), os.path.join(str(ranks), name))

    def test_a_path_may_hold_every_letter_but_a_backslash(self):
        # A colon names a kind of file system to MPI-IO, a protocol to netCDF-C; brackets and # start its modes.
        self.writes(2, "plain", "posix", "--steps", "1")
        odd = os.path.join("ufs:a:b c", "[x]#mode=bytes", "100%s?*'\"&\u00fc")
        os.makedirs(self.path(odd))
        self.writes_each(2, {os.path.join(odd, backend): backend for backend in BACKENDS}, "--steps", "1")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.equal("plain", os.path.join(odd, backend))
                process = single(binary("write_cases"), self.path("a\\b"), backend)
                self.assertIn("holds a '\\', which netCDF-C and ADIOS2 take for a '/'", process.stdout)

    def test_a_relative_path_with_a_colon_is_a_path(self):
        self.writes(2, "plain", "posix", "--steps", "1")
        names = {f"nfs:{backend}": backend for backend in BACKENDS}
        self.succeeds(mpi(2, binary("write_cases"), *several([name, backend, "--steps", "1"] for name, backend in names.items()), folder=self.folder))
        for name in names:
            with self.subTest(name=name):
                self.equal("plain", name)

    def test_a_changed_value_is_found(self):
        self.writes(2, "one", "posix")
        self.writes(2, "other", "posix")
        rank_file = self.path("other", "step-000001", "rank-000001")
        with open(rank_file, "r+b") as file:
            file.seek(40)
            byte = file.read(1)
            file.seek(40)
            file.write(bytes([byte[0] ^ 1]))
        process = alone("check", self.path("one"), self.path("other"))
        self.assertEqual(process.returncode, 3)
        self.assertRegex(process.stderr, "values of '.*' are damaged")

    def test_definitions_that_differ_are_told_and_their_steps_are_not_joined(self):
        """Fields of dimensions with other names may be turned; equal lengths do not tell."""
        cases = {("dimension lat ", "dimension x "): "'odd names/.*' has other dimensions",
                 ("attribute title text 5 x6361736573", "attribute title text 5 x6361736574"): "attributes of 'mesh' differ",
                 ("attribute _FillValue float64 1 x", "attribute missing_value float64 1 x"): "attributes of 'mesh/holes' differ"}
        self.writes(2, "one", "posix", "--grows", "--options", "checksums=no")
        for (before, behind), said in cases.items():
            with self.subTest(said=said):
                shutil.copytree(self.path("one"), self.path("other"))
                layout = self.path("other", "step-000001", "layout")
                with open(layout, encoding="ascii") as file:
                    text = file.read()
                self.assertEqual(text.count(before), 1, text)
                with open(layout, "w", encoding="ascii") as file:
                    file.write(text.replace(before, behind))
                for command, *names in (("check", "one", "other"), ("concat", "other", "joined")):
                    process = alone(command, *map(self.path, names))
                    self.assertEqual(process.returncode, 3, process.stdout)
                    self.assertRegex(process.stderr, said)
                self.assertIn("1 complete steps", self.succeeds(alone("check", self.path("joined"))))
                shutil.rmtree(self.path("joined"))
                shutil.rmtree(self.path("other"))

    def test_a_file_of_another_size_is_found(self):
        self.writes(2, "run", "posix")
        path = self.path("run", "step-000000", "rank-000001")
        whole = os.path.getsize(path)
        for size in (10, whole + 1):
            with self.subTest(size=size):
                os.truncate(path, size)
                process = alone("check", self.path("run"))
                self.assertEqual(process.returncode, 3)
                self.assertIn(f"rank-000001 has {size} bytes instead of {whole}", process.stderr)

    def test_files_that_were_cut_off_are_refused_whatever_their_format(self):
        names = {"pnetcdf": ["mesh.nc"], "gather": ["mesh.nc"], "netcdf4": ["mesh.nc"],
                 "bp5": [os.path.join("bundles.bp", name) for name in ("data.0", "md.0", "mmd.0", "md.idx")]}
        self.writes_each(3, {backend: backend for backend in built(names)}, "--steps", "1")
        for backend, file in [(backend, file) for backend in built(names) for file in names[backend]]:
            with self.subTest(backend=backend, file=file):
                path = self.path(backend, "step-000000", file)
                with open(path, "rb") as whole:
                    content = whole.read()
                os.truncate(path, len(content) - 8)
                process = alone("check", self.path(backend))
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                self.assertIn(file, process.stderr)
                with open(path, "wb") as again:
                    again.write(content)

    def test_damaged_steps_are_read_or_refused_and_nothing_else(self):
        counts = {"posix": "1000", "bp5": "20"}
        self.writes_each(3, {"damaged-" + backend: backend for backend in BACKENDS}, "--steps", "1")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.succeeds(run(binary("mutate_step"), self.path("damaged-" + backend, "step-000000"), counts.get(backend, "100")))

    def test_converted_steps_equal_their_source_and_go_on_after_an_interruption(self):
        self.writes(3, "source", BACKENDS[-1])
        self.succeeds(mpi(2, binary("bundleio"), "convert", self.path("source"), self.path("nc")))
        self.equal("source", "nc")
        run("rm", "-r", self.path("nc", "step-000001"))
        again = mpi(4, binary("bundleio"), "convert", "--append", self.path("source"), self.path("nc"))
        self.assertIn("1 steps converted and compared, 1 were there", self.succeeds(again))
        self.equal("source", "nc")

    def test_ranks_that_see_different_steps_go_the_way_of_the_first(self):
        """As those of several machines may, while a run goes on."""
        for place, steps in (("here", 2), ("there", 3)):
            os.mkdir(self.path(place))
            self.writes(2, os.path.join(place, "run"), "posix", "--steps", str(steps))
        for words, said in ((["check", "run"], "2 complete steps, all readable, as their"), (["convert", "run", self.path("made")], "2 steps converted")):
            first, second = ([binary("bundleio"), *words] for _ in range(2))
            told = mpi(1, "-wdir", self.path("here"), *first, ":", "-n", "1", "-wdir", self.path("there"), *second)
            self.assertIn(said, self.succeeds(told))

    def test_a_conversion_of_another_run_is_not_gone_on_with(self):
        self.writes(2, "run", "posix")
        self.writes(2, "other", "posix", "--steps", "3", "--first", "5")
        self.succeeds(alone("convert", self.path("run"), self.path("made")))
        process = mpi(2, binary("bundleio"), "convert", "--append", self.path("other"), self.path("made"))
        self.assertEqual(process.returncode, 3, process.stdout)
        self.assertRegex(process.stderr, "made/step-000001 holds other values than .*other/step-000001: --append goes on with steps of the same run")
        self.equal("run", "made")

    def test_a_run_can_be_continued(self):
        backend = built(("pnetcdf", "gather"))[0]
        self.writes(2, "run", backend, "--steps", "1")
        self.writes(4, "run", backend, "--steps", "2", "--mode", "2")
        self.assertEqual(self.steps("run"), ["step-000000", "step-000001", "step-000002"])


class OtherReaders(RunTest):
    """Tools that know nothing of bundleio."""

    def test_ncvalidator_and_ncdump_accept_classic_files(self):
        for backend in built(("gather", "pnetcdf")):
            with self.subTest(backend=backend):
                self.writes(3, backend, backend)
                for bundle in ("mesh", "odd%20names"):
                    path = self.path(backend, "step-000001", bundle + ".nc")
                    self.succeeds(run("ncvalidator", path))
                self.check_values(self.path(backend, "step-000001"))

    @unittest.skipUnless("netcdf4" in BACKENDS, "no netCDF-4 for this MPI")
    def test_ncdump_and_h5dump_accept_netcdf4_files(self):
        self.writes(3, "run", "netcdf4")
        self.check_values(self.path("run", "step-000001"))
        header = self.succeeds(run("h5dump", "-H", self.path("run", "step-000001", "mesh.nc")))
        self.assertIn('DATASET "holes"', header)

    def check_values(self, folder):
        mesh = self.succeeds(run("ncdump", folder + "/mesh.nc"))
        self.assertIn("scalar = 1234567890124 ;", mesh)
        self.assertIn(':title = "cases" ;', mesh)
        # Cell 4 has no owner: the fill value, which ncdump prints as "_".
        holes = re.search(r"holes =\s*([^;]*);", mesh.split("data:")[1]).group(1)
        self.assertEqual([value.strip() for value in holes.split(",")][:6], ["1", "2", "3", "4", "_", "6"])
        odd = self.succeeds(run("ncdump", folder + "/odd%20names.nc"))
        self.assertIn("time = UNLIMITED ; // (1 currently)", odd)
        self.assertIn("NaN", odd)


if __name__ == "__main__":
    unittest.main()
