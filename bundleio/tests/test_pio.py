"""Models written for PIO, built outside the tree, link with bundleio; their files are read by netCDF and by themselves."""

import os
import unittest

from launch import BACKENDS, BUILD, Overlay, alone, built, locked, mpi, run
from pio_models import HERE, IOTYPES, LINK, RANKS, PioTest

PROJECT = """
cmake_minimum_required(VERSION 3.18)
project(model LANGUAGES C Fortran)
find_package(bundleio REQUIRED)
add_executable(model_c "SOURCES/model.c")
target_link_libraries(model_c PRIVATE bundleio::pio)
add_executable(model_f90 "SOURCES/model.f90")
target_link_libraries(model_f90 PRIVATE bundleio::pio_fortran)
"""
# By PIO's number: what ncdump calls the type, how it marks a value, and what it prints for the fill value, which has no sign of its own in bytes.
TYPES = {1: ("byte", "b", "-127"), 3: ("short", "s", "_"), 4: ("int", "", "_"), 5: ("float", ".f", "_"), 6: ("double", ".", "_"),
         7: ("ubyte", "UB", "255"), 8: ("ushort", "US", "_"), 9: ("uint", "U", "_"), 10: ("int64", "LL", "_"), 11: ("uint64", "ULL", "_")}
# Uses that the shim refuses, each with a part of the line that says so.
FAULTS = {
    "short": "variable 'area': 1 values where the decomposition has 12",
    "type": "variable 'area' is PIO_DOUBLE, the decomposition of PIO_INT: bundleio converts nothing",
    "frame": "variable 'foo': say by setframe which frame it is",
    "fill": "variable 'area': the fill value is not that of the file: put it as attribute _FillValue",
    "iostart": "iostart and iocount are not there",
    "char": "PIO_CHAR: bundleio stores text in attributes only",
    "write": "there is no file 'out.nc'",
    "moved": "variable 'foo': written by another decomposition before: bundleio takes one for all frames",
    "handle": "there is no open file with number 7",
}


class Pio(PioTest):
    def c_file_is_right(self, name, frames):
        text = self.dumped(name)
        self.assertIn(f"time = UNLIMITED ; // ({frames} currently)", text)
        self.assertIn('foo:units = "K" ;', text)
        self.assertIn(':title = "model" ;', text)
        # The cell of nobody has the fill value; row-major, from 1.
        self.assertIn("  1, 2, 3, 4, 5, _,\n  7, 8, 9, 10, 11, 12,", text)
        self.assertIn("time = " + ", ".join(str(6 * frame) for frame in range(frames)) + " ;", text)
        if frames > 1:
            self.assertIn("  2001, 2002, 2003, 2004, 2005, _,", text)
        self.assertIn("readable, as their checksums say",
                      self.succeeds(alone("check", self.path(name, "out.nc.steps"))))

    def kept_iotypes(self, backend):
        """All; in `make test` that of one back end: what the interface itself refuses, it refuses whatever is under it."""
        every = built(list(IOTYPES.items()))
        return self.kept(every, [(name, iotype) for name, iotype in every if name == backend] or every[:1])

    def test_a_model_in_c_writes_and_reads_by_every_iotype(self):
        program = self.model("c", "mpicc", "bundleio-pio")
        for backend, iotype in built(list(IOTYPES.items())):
            with self.subTest(backend=backend):
                # The second run is in the place of the first.
                for _ in range(2):
                    self.assertIn("3 frames as written", self.succeeds(self.runs(backend, program, str(iotype))))
                self.c_file_is_right(backend, 3)

    def test_as_many_ranks_write_as_the_model_asks_for(self):
        """Two of four. On one machine MPI-IO has one process that writes anyway: a recording tells what was asked for."""
        program = self.model("c", "mpicc", "bundleio-pio")
        for backend, asked in built([("pnetcdf", True), ("gather", False), ("netcdf4", True)]):
            with self.subTest(backend=backend):
                os.makedirs(self.path(backend))
                recorded = self.path(backend + ".pattern")
                self.succeeds(mpi(RANKS, program, self.path(backend), str(IOTYPES[backend]), BUNDLEIO_RECORD=recorded))
                with open(recorded, encoding="utf-8") as lines:
                    self.assertEqual("aggregators" in lines.read(), asked)

    def test_a_restarted_model_adds_frames_to_its_file(self):
        program = self.model("c", "mpicc", "bundleio-pio")
        for backend, iotype in built(list(IOTYPES.items())):
            with self.subTest(backend=backend):
                self.succeeds(self.runs(backend, program, str(iotype)))
                # Other ranks, and for NetCDF-4 an iotype that the file is not of; then one that writes the static field as it is.
                told = self.succeeds(mpi(2, program, self.path(backend), "1", "more"))
                self.assertIn("went on to 5 frames", told)
                self.assertIn("went on to 7 frames", self.succeeds(mpi(4, program, self.path(backend), str(iotype), "area")))
                self.c_file_is_right(backend, 7)
                self.assertEqual(self.steps(os.path.join(backend, "out.nc.steps")), ["series-000000"])
                for how, line in (("again", "frame 0 is on the disk already, and stays as it is"),
                                  ("other", "variable 'area' is on the disk already, with other values, and stays as it is")):
                    failed = mpi(4, program, self.path(backend), str(iotype), how)
                    self.assertNotEqual(failed.returncode, 0)
                    self.assertIn(line, failed.stderr)
                self.c_file_is_right(backend, 7)
                # A frame is whole, and the static field comes behind it.
                failed = mpi(4, program, self.path(backend), str(iotype), "late")
                self.assertNotEqual(failed.returncode, 0)
                self.assertIn("variable 'area': frame 0 is on the disk already, and stays as it is", failed.stderr)
                self.c_file_is_right(backend, 8)

    def test_frames_that_go_into_a_file_of_their_own_are_an_error(self):
        """Somebody changed an attribute of the file, as ncatted does: the link would never show them."""
        program = self.model("c", "mpicc", "bundleio-pio")
        self.succeeds(self.runs("files", program, "1"))
        with open(self.path("files", "out.nc"), "r+b") as file:
            place = file.read().index(b"title")
            file.seek(place)
            file.write(b"titel")
        failed = mpi(4, program, self.path("files"), "1", "more")
        self.assertNotEqual(failed.returncode, 0, failed.stdout)
        self.assertIn("frames were added in a file of their own, '", failed.stderr)

    def test_a_model_killed_in_a_frame_goes_on_behind_the_frames_that_are_whole(self):
        program = self.model("c", "mpicc", "bundleio-pio")
        shim = "LD_PRELOAD=" + os.path.join(BUILD, "lib", "libfaulty_disk.so")
        # In the place of writes of values, of headers, and of the index.
        faults = {"pnetcdf": ("stop 2 1", "kill 3 1"), "gather": ("stop 2 1", "stop 4 1"), "netcdf4": ("stop 2 1", "kill 12 1")}
        for backend, number in self.pairs(built(faults), (0, 1)):
            fault, iotype = faults[backend][number], str(IOTYPES[backend])
            with self.subTest(backend=backend, fault=fault):
                name = backend + fault.replace(" ", "-")
                self.succeeds(self.runs(name, program, iotype))
                killed = mpi(4, "env", shim, "FAULTY_DISK=" + fault, program, self.path(name), iotype, "more")
                self.assertNotEqual(killed.returncode, 0)
                there = int(self.succeeds(alone("check", self.path(name, "out.nc.steps"))).split()[1])
                self.assertIn(there, (3, 4))
                self.assertIn(f"went on to {there + 2} frames", self.succeeds(mpi(4, program, self.path(name), iotype, "more")))
                self.c_file_is_right(name, there + 2)

    def after_name(self, name, file="out.nc"):
        """What ncdump says of a file, but its name."""
        return self.succeeds(run("ncdump", self.path(name, file))).split("{", 1)[1]

    def test_a_file_that_was_renamed_stays_when_its_name_is_taken_anew(self):
        program = self.model("c", "mpicc", "bundleio-pio")
        self.succeeds(self.runs("files", program, "1"))
        self.succeeds(mpi(2, program, self.path("files"), "1", "more"))
        first = self.after_name("files")
        os.rename(self.path("files", "out.nc"), self.path("files", "first.nc"))
        told = self.runs("files", program, "1")
        self.assertIn("3 frames as written", self.succeeds(told))
        self.assertIn("out.nc.steps' holds frames of a file that was renamed or removed, and stays: ", told.stderr)
        second = self.after_name("files")
        self.assertEqual(self.after_name("files", "first.nc"), first)
        os.rename(self.path("files", "out.nc"), self.path("files", "second.nc"))
        self.succeeds(self.runs("files", program, "1"))
        # Where the link leads, the file is made anew, and frames are added.
        self.assertNotIn("renamed", self.runs("files", program, "1").stderr)
        self.assertIn("went on to 5 frames", self.succeeds(mpi(4, program, self.path("files"), "1", "more")))
        self.assertEqual(self.after_name("files"), first)
        self.assertEqual(self.after_name("files", "first.nc"), first)
        self.assertEqual(self.after_name("files", "second.nc"), second)
        self.assertEqual({name for name in os.listdir(self.path("files")) if "steps" in name}, {"out.nc.steps", "out.nc.steps.2", "out.nc.steps.3"})

    def test_a_file_in_whose_place_none_could_be_made_stays(self):
        program = self.model("c", "mpicc", "bundleio-pio")
        self.succeeds(self.runs("files", program, "1"))
        before = self.after_name("files")
        with locked(self.path("files", "out.nc.steps")):
            self.assertIn("another run writes to", self.runs("files", program, "1").stderr)
        self.assertEqual(self.after_name("files"), before)

    @unittest.skipUnless("netcdf4" in BACKENDS and os.geteuid() == 0, "no netcdf4 in this build, or mounting needs root")
    def test_a_restarted_model_adds_frames_that_are_read_back(self):
        """The file system stores zeros as holes, so that each step is read; by a library that shows a file as its first reader found it."""
        program = self.model("c", "mpicc", "bundleio-pio")
        with Overlay(self.path("files"), self.path("layers")):
            self.succeeds(self.runs("files", program, "4"))
            self.assertIn("went on to 5 frames", self.succeeds(mpi(4, program, self.path("files"), "4", "more")))
            self.c_file_is_right("files", 5)

    def test_a_call_that_fails_changes_nothing_and_fails_on_all_ranks(self):
        program = self.model("c", "mpicc", "bundleio-pio", "cases")
        for backend, iotype in self.kept_iotypes("netcdf4"):
            with self.subTest(backend=backend):
                done = self.runs(backend, program, str(iotype), "mistakes")
                self.assertIn("as expected", self.succeeds(done))
                self.assertEqual(done.stderr.count("PIOc_write_darray: rank 3: "), 2, done.stderr)
                self.assertEqual(done.stderr.count("PIOc_write_darray: ranks name different frames, such as 2 and 3 (counted from 0)"), 1, done.stderr)
                self.assertEqual(done.stderr.count("PIOc_read_darray: ranks name different frames, such as 1 and 2 (counted from 0)"), 1, done.stderr)
                self.assertIn("rank 1: variable 'moving': room for 1 values where the decomposition has 3", done.stderr)
                self.assertIn("moving =\n  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,\n  100,", self.dumped(backend))
                self.assertIn("\n  300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311 ;", self.dumped(backend))

    def test_what_a_file_holds_once_is_not_lost_when_it_is_written_again(self):
        """Also where no frame follows, and where the file has no unlimited dimension, as a grid's."""
        program = self.model("c", "mpicc", "bundleio-pio", "cases")
        for backend, iotype in self.kept_iotypes("pnetcdf"):
            with self.subTest(backend=backend):
                done = self.runs(backend, program, str(iotype), "rewritten")
                self.assertIn("as expected", self.succeeds(done))
                self.assertIn("variable 'steady' is on the disk already, with other values, and stays as it is", done.stderr)
                self.assertIn("ranks name different variables, such as 0 and 1", done.stderr)

    def test_a_definition_that_is_wrong_is_an_error_of_its_call(self):
        """And an attribute that is given twice has its last value, as in NetCDF."""
        program = self.model("c", "mpicc", "bundleio-pio", "cases")
        for backend, iotype in self.kept_iotypes("gather"):
            with self.subTest(backend=backend):
                self.assertIn("as expected", self.succeeds(self.runs(backend, program, str(iotype), "definitions")))
                text = self.dumped(backend)
                self.assertIn('\t\tmoving:units = "km" ;\n\t\tmoving:_FillValue = -1. ;\n', text)
                self.assertNotIn("more", text.split("variables:", maxsplit=1)[0])

    def test_a_link_that_cannot_be_made_yet_costs_no_frame(self):
        program = self.model("c", "mpicc", "bundleio-pio", "cases")
        done = self.runs("files", program, "1", "taken")
        self.assertIn("as expected", self.succeeds(done))
        self.assertEqual(done.stderr.count("cannot be made yet, its frames are in '"), 1, done.stderr)
        self.assertIn("time = UNLIMITED ; // (2 currently)", self.dumped("files"))

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_file_whose_name_cannot_be_had_leaves_nothing_open(self):
        """A file is mounted there; it might as well be another user's, in a folder where each removes only their own."""
        os.makedirs(self.path("files"))
        name = self.path("files", "out.nc")
        with open(name, "w", encoding="utf-8"):
            self.succeeds(run("mount", "--bind", name, name))
        self.addCleanup(run, "umount", name)
        done = self.runs("files", self.model("c", "mpicc", "bundleio-pio", "cases"), "1", "busy")
        self.assertIn("as expected", self.succeeds(done))
        self.assertEqual(done.stderr.count("Device or resource busy"), 2, done.stderr)

    def test_a_link_of_the_users_own_stays_and_leads_to_the_file(self):
        """It may lead to another file system, where there is room for what it leads to."""
        program = self.model("c", "mpicc", "bundleio-pio")
        os.makedirs(self.path("files"))
        os.makedirs(self.path("scratch"))
        os.symlink("../scratch/there.nc", self.path("files", "out.nc"))
        for _ in range(2):
            self.assertIn("3 frames as written", self.succeeds(self.runs("files", program, "1")))
            self.assertEqual(os.listdir(self.path("files")), ["out.nc"])
            self.assertEqual(sorted(os.listdir(self.path("scratch"))), ["there.nc", "there.nc.steps"])
            self.assertEqual(os.readlink(self.path("files", "out.nc")), "../scratch/there.nc")
        self.assertIn("time = 0, 6, 12 ;", self.dumped("files"))

    def test_a_sync_makes_frames_durable_on_each_machine_that_wrote_them(self):
        """Nothing else that the model does is synced."""
        program = self.model("c", "mpicc", "bundleio-pio", "cases")
        shim = os.path.join(BUILD, "lib", "libfaulty_disk.so")
        os.makedirs(self.path("notes"))
        os.makedirs(self.path("files"))
        done = mpi(RANKS, "bash", "-c", f'export DISK_NOTES="$1/$$"; shift; LD_PRELOAD={shim} exec "$@"', "-", self.path("notes"), program,
                         self.path("files"), "1", "synced")
        self.assertIn("as expected", self.succeeds(done))
        synced = []
        for name in os.listdir(self.path("notes")):
            with open(self.path("notes", name), encoding="utf-8") as lines:
                synced.append({line.split(" ", 1)[1].rstrip() for line in lines if line.startswith("sync ")})
        steps = self.path("files", "out.nc.steps")
        series = os.path.join(steps, "series-000000")
        self.assertEqual(sum(os.path.join(series, "data.nc") in paths for paths in synced), RANKS)
        self.assertLessEqual({os.path.join(series, name) for name in os.listdir(series)} | {series, steps, self.path("files")}, set().union(*synced))

    def test_a_grid_with_one_cell_of_land_which_is_its_last_is_taken(self):
        done = self.runs("files", self.model("c", "mpicc", "bundleio-pio", "cases"), "1", "land")
        self.assertIn("as expected", self.succeeds(done))
        self.assertEqual(done.stderr.count("it seems to count from 0, which bio_decomp_map takes (of PIO's calls PIOc_init_decomp)"), 2, done.stderr)
        self.assertIn("moving =\n  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, _ ;", self.dumped("files"))

    def test_frames_on_the_disk_are_kept_no_longer_in_memory(self):
        self.assertIn("as expected", self.succeeds(self.runs("files", self.model("c", "mpicc", "bundleio-pio", "cases"), "1", "memory")))

    def test_a_model_that_closes_nothing_before_it_ends_mpi_ends_well(self):
        self.assertIn("as expected", self.succeeds(self.runs("files", self.model("c", "mpicc", "bundleio-pio", "cases"), "1", "left")))

    def test_a_file_that_lost_its_folder_is_told(self):
        done = self.runs("files", self.model("c", "mpicc", "bundleio-pio", "cases"), "1", "purged")
        self.assertIn("as expected", self.succeeds(done))
        self.assertRegex(done.stderr, "bundleio_pio: PIOc_write_darray: .*No such file or directory")

    def test_a_file_without_a_frame_is_an_error_where_values_are_lost(self):
        program = self.model("c", "mpicc", "bundleio-pio", "cases")
        for case, line in (("empty", "no frame was written: there is no file\n"), ("steady", "there is no file for the values of 'steady'")):
            with self.subTest(case=case):
                done = self.runs(case, program, "1", case)
                told = self.succeeds(done)
                self.assertIn("as expected", told)
                self.assertEqual(done.stderr.count(line), 1, done.stderr)
                if case == "empty":
                    has = {1: "pnetcdf" in BACKENDS, 2: True, 3: "netcdf4" in BACKENDS, 4: "netcdf4" in BACKENDS}
                    self.assertIn("".join(f"iotype {number}: {int(there)}\n" for number, there in has.items()), told)

    def test_every_type_keeps_its_values_attributes_and_fill_values(self):
        """Also cells counted from 0, and frames and a field that nobody wrote until the file was closed."""
        program = self.model("c", "mpicc", "bundleio-pio", "types")
        for backend, iotype in built(list(IOTYPES.items())):
            for ranks in (1, 3):
                with self.subTest(backend=backend, ranks=ranks):
                    name = f"{backend}-{ranks}"
                    os.makedirs(self.path(name))
                    done = mpi(ranks, program, self.path(name), str(iotype))
                    self.assertIn("types: as written", self.succeeds(done))
                    self.assertIn("frame 0 waits for variable 'never'", done.stderr)
                    self.types_are_right(self.dumped(name))

    def types_are_right(self, text):
        self.assertIn("time = UNLIMITED ; // (3 currently)", text)
        for number, (name, suffix, nothing) in TYPES.items():
            variable = f"t{number}"
            self.assertIn(f"\t{name} {variable}(time, x, y) ;", text)
            self.assertIn(f"{variable}:range = 1{suffix}, 2{suffix} ;", text)
            values = text.split(f"\n {variable} =")[1].split(";")[0].replace(",", " ").split()
            last = [str(80 + cell) for cell in range(24)] if name == "float" else [nothing] * 24
            expected = [str(cell) for cell in range(24)] + [str(40 + cell) for cell in range(24)] + last
            for frame in range(3):
                expected[24 * frame + 5] = nothing
            self.assertEqual(values, expected, name)
        for line in (" time = 0, 6, _ ;", " scalar = 42 ;", " never = _, _, _, _ ;", ":number = 7 ;", ":real = 1.5f ;", ":wide = 2.5 ;"):
            self.assertIn(line, text)

    def test_frames_are_read_whole_in_c_and_by_no_decomposition_that_names_none(self):
        program = self.model("c", "mpicc", "bundleio-pio", "cases")
        for backend, iotype in built(list(IOTYPES.items())):
            with self.subTest(backend=backend):
                done = self.runs(backend, program, str(iotype), "read")
                self.assertIn("as expected", self.succeeds(done))
                self.assertEqual(done.stderr.count("variable 'moving' has 2 dimensions, the decomposition 2: it covers all of them but the unlimited one"), 2)

    def test_parts_of_variables_become_frames_when_all_of_their_cells_are_put(self):
        program = self.model("c", "mpicc", "bundleio-pio", "parts")
        for backend, iotype in built(list(IOTYPES.items())):
            with self.subTest(backend=backend):
                done = self.runs(backend, program, str(iotype))
                self.assertIn("parts: as put", self.succeeds(done))
                self.assertIn("rank 0: variable 'field': dimension 'y' has 3 entries: 2 from entry 2 (counted from 0) cannot be put", done.stderr)
                self.assertIn("rank 1: variable 'grid': this rank puts another part of it than rank 0", done.stderr)
                text = self.dumped(backend)
                for line in ("grid =\n  0, 10, 20, 30,\n  40, 50, 60, 70,\n  80, 90, 100, 110 ;", "table =\n  0, 1, 40, 41,\n  1, 2, 41, 42,\n  2, 3, 42, 43 ;",
                             "field =\n  0, 1, 2, 3,\n  100, 500, 501, 103,\n  104, 502, 503, 107,\n  4, 5, 6, 7,\n  108, 504, 505, 111,\n  112, 506, 507, 115,\n"
                             "  70, 71, 72, 73,\n  _, _, _, _,\n  _, _, _, _,\n  80, 81, 82, 83,\n  84, 85, 86, 87,\n  60, 61, 62, 63 ;"):
                    self.assertIn(line, text)

    def test_cmake_finds_both_also_where_the_path_has_a_space(self):
        self.succeeds(run("cmake", "--install", BUILD, "--prefix", self.path("prefix")))
        os.rename(self.path("prefix"), self.path("a prefix"))
        os.makedirs(self.path("project"))
        with open(self.path("project", "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(PROJECT.replace("SOURCES", os.path.join(HERE, "pio")))
        self.succeeds(run("cmake", "-S", self.path("project"), "-B", self.path("built"), "-DCMAKE_PREFIX_PATH=" + self.path("a prefix")))
        self.succeeds(run("cmake", "--build", self.path("built")))
        self.succeeds(self.runs("c", self.path("built", "model_c"), "1"))
        self.c_file_is_right("c", 3)
        self.succeeds(self.runs("f90", self.path("built", "model_f90")))

    def test_what_is_not_there_is_one_clear_line(self):
        program = self.model("c", "mpicc", "bundleio-pio")
        for fault, line in FAULTS.items():
            with self.subTest(fault=fault):
                failed = self.runs(fault, program, "1", fault)
                self.assertNotEqual(failed.returncode, 0, failed.stdout)
                self.assertIn(line, failed.stderr)
                self.assertFalse(os.path.lexists(self.path(fault, "out.nc")))

    def test_a_call_that_is_missing_is_missing_when_the_model_is_built(self):
        with open(self.path("model.c"), "w", encoding="utf-8") as file:
            file.write("#include <pio.h>\nint PIOc_write_nc_decomp();\nint main(void) { return PIOc_write_nc_decomp(); }\n")
        failed = run("bash", "-euc", LINK, "-", self.prefix, "bundleio-pio", "mpicc", self.path("model.c"), "-o", self.path("model"))
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("undefined reference to `PIOc_write_nc_decomp'", failed.stderr)


if __name__ == "__main__":
    unittest.main()
