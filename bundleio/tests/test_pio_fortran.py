"""Models written in Fortran for PIO link with bundleio; netCDF reads their files, and so do they."""

import unittest

from launch import built
from pio_models import IOTYPES, RANKS, PioTest


class PioFortran(PioTest):
    def test_a_model_writes_and_reads(self):
        program = self.model("f90", "mpifort", "bundleio-pio-fortran")
        self.assertIn("read as written", self.succeeds(self.runs("f90", program)))
        text = self.dumped("f90")
        self.assertIn("float foo(time, lat, lon) ;", text)
        self.assertIn('foo:units = "kg" ;', text)
        self.assertIn("foo:range = 0.f, 5.f ;", text)
        for line in (" time = 6, 12, 18, 24 ;", " lat = -70, -50, -30, -10, 10, 30, 50, 70 ;", " level = 850 ;"):
            self.assertIn(line, text)
        for line in (":levels = 3 ;", "bar:wide = 2.5 ;", "bar:long = 7LL ;", "bar:short = 3s ;", "bar:byte = 4b ;"):
            self.assertIn(line, text)
        self.assertIn("  29, 30, 31, 32 ;", text)
        self.assertIn("  429, 430, 431, 432 ;", text)
        for fault, line in (("gap", "the array is a section with gaps"), ("double", "not of the decomposition's type, PIO_REAL")):
            with self.subTest(fault=fault):
                failed = self.runs(fault, program, fault)
                self.assertNotEqual(failed.returncode, 0)
                self.assertIn(line, failed.stderr)


    def test_variables_of_several_dimensions_are_put_and_read_whole_and_in_parts(self):
        program = self.model("f90", "mpifort", "bundleio-pio-fortran", "arrays")
        for backend, iotype in built(list(IOTYPES.items())):
            with self.subTest(backend=backend):
                done = self.runs(backend, program, str(iotype))
                self.assertIn("arrays: as put", self.succeeds(done))
                self.assertIn("variable 'grid': this rank asks for another part of it than rank 0", done.stderr)
                self.assertIn("variable 'field': dimension 'time' has 4 entries, not 2 from entry 3 (counted from 0)", done.stderr)
                text = self.dumped(backend)
                for line in ("double volume(lev, lat, lon) ;", "int five(e, d, c, b, a) ;", "  1, 2, 3, 4,\n  5, 6, 7, 8,\n  9, 10, 11, 12 ;",
                             "  409, 410, 411, 412 ;", "  210, 220, 230, 240 ;", "  -11, -12 ;", "number = 17 ;"):
                    self.assertIn(line, text)


    def test_a_call_without_an_io_system_ends_all_ranks_unless_errors_are_returned(self):
        program = self.model("f90", "mpifort", "bundleio-pio-fortran")
        for fault, line in (("no system", "there is no I/O system with number -1"), ("rearr", "the rearranger is neither")):
            with self.subTest(fault=fault):
                failed = self.runs(fault, program, fault)
                self.assertEqual(failed.returncode, 3, failed.stdout + failed.stderr)
                self.assertIn(line, failed.stderr)
        done = self.runs("returned", program, "returned")
        self.assertIn("read as written", self.succeeds(done))
        self.assertEqual(done.stderr.count("there is no I/O system with number -1"), RANKS)


    def test_an_array_with_gaps_on_one_rank_is_an_error_of_all(self):
        done = self.runs("gaps", self.model("f90", "mpifort", "bundleio-pio-fortran"), "one gap")
        self.assertIn("read as written", self.succeeds(done))
        self.assertEqual(done.stderr.count("rank 3: variable 1: the array is a section with gaps"), 2, done.stderr)



if __name__ == "__main__":
    unittest.main()
