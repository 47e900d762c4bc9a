"""Times in CF's units and calendars: known dates, and what cftime says of random ones."""

import json
import os
import unittest

from launch import BUILD, PYTHON, RunTest, mpi, run
from test_readers import FOUND

HERE = os.path.dirname(os.path.abspath(__file__))
# Units, calendar, date, value. 2000-01-01 is Julian day 2451545, 1582-10-15 is 2299161 and 1858-11-17 is 2400001, at noon each.
KNOWN = [
    ("days since 1970-01-01", "standard", (2000, 3, 1), 11017),
    ("days since 1858-11-17", "standard", (2000, 1, 1), 51544),
    ("days since 1582-10-04", "standard", (1582, 10, 15), 1),
    ("days since 1582-10-04", "proleptic_gregorian", (1582, 10, 15), 11),
    ("days since 0001-01-01", "standard", (2000, 1, 1), 730121),
    ("days since 0001-01-01", "proleptic_gregorian", (2000, 1, 1), 730119),
    ("days since 2000-01-01", "noleap", (2001, 1, 1), 365),
    ("days since 2000-01-01", "standard", (2001, 1, 1), 366),
    ("days since 1900-01-01", "proleptic_gregorian", (1901, 1, 1), 365),
    ("days since 1900-02-01", "standard", (1900, 3, 1), 28),
    ("days since 1500-02-01", "standard", (1500, 3, 1), 29),
    ("days since 2000-01-01", "360_day", (2000, 2, 30), 59),
    ("days since 2000-01-01", "360_day", (1999, 12, 30), -1),
    ("hours since 2000-01-01 06:00", "gregorian", (2000, 1, 1), -6),
    ("minutes since 2000-01-01 00:00:30", "365_day", (2000, 1, 1, 0, 1), 0.5),
    ("s since 2000-01-01 00:00:00 -01:30", "standard", (2000, 1, 1, 1, 30, 0.25), 0.25),
]
REFUSED = [
    ("days since 2000-01-01", "standard", (1582, 10, 10), "there is no 1582-10-10"),
    ("days since 2000-01-01", "standard", (0, 1, 1), "there is no 0000-01-01"),
    ("days since 2000-01-01", "noleap", (2000, 2, 29), "there is no 2000-02-29"),
    ("days since 2000-01-01", "standard", (1900, 2, 29), "there is no 1900-02-29"),
    ("days since 2000-01-01", "360_day", (2000, 1, 31), "there is no 2000-01-31"),
    ("days since 2000-02-30", "standard", (2000, 1, 31), "there is no 2000-02-30"),
    ("days since 2000-01-01", "standard", (2000, 1, 1, 24), "there is no 2000-01-01 24"),
    ("days since yesterday", "standard", (2000, 1, 1), "units 'days since yesterday': use for instance"),
    ("years since 2000-01-01", "standard", (2000, 1, 1), "use days, hours, minutes or seconds"),
    ("days since 2000-01-01 junk", "standard", (2000, 1, 1), "use for instance"),
    ("days since 2000-01-01", "Standard", (2000, 1, 1), "calendar 'Standard': use standard, "),
]
UNITS = {"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}


class Dates(RunTest):

    def answers(self, cases):
        os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
        os.environ["PYTHONPATH"] = os.path.join(HERE, "..", "python")
        with open(self.path("cases"), "w", encoding="utf-8") as file:
            json.dump(cases, file)
        return json.loads(self.succeeds(mpi(1, PYTHON, "-B", os.path.join(HERE, "dates.py"), self.path("cases"))))

    def test_known_dates_have_their_values_and_come_back(self):
        for (*case, value), answer in zip(KNOWN, self.answers([case[:3] for case in KNOWN])):
            with self.subTest(case=case):
                self.assertEqual(answer, [value, [*case[2], *[0] * (6 - len(case[2]))]])

    def test_what_is_no_date_or_unit_is_refused_in_one_line(self):
        for (*case, message), answer in zip(REFUSED, self.answers([case[:3] for case in REFUSED])):
            with self.subTest(case=case):
                self.assertIsInstance(answer, str)
                self.assertIn(message, answer)

    @unittest.skipUnless(FOUND.returncode == 0, "no cftime: scripts/bundleio-readers.sh installs it")
    def test_random_dates_are_what_cftime_says(self):
        told = self.succeeds(run(FOUND.stdout.strip(), "-B", os.path.join(HERE, "dates_cftime.py"), "14", "4000"))
        cases, values = zip(*json.loads(told))
        for case, value, answer in zip(cases, values, self.answers(cases)):
            # cftime counts in microseconds; a double of so many seconds or days keeps a tenth of a millisecond.
            self.assertIsInstance(answer, list, f"{case}: {answer}")
            self.assertAlmostEqual((answer[0] - value) * UNITS[case[0].split()[0]], 0, delta=1e-4, msg=f"{case}: {value} {answer}")
            self.assertEqual(answer[1], case[2], case)


if __name__ == "__main__":
    unittest.main()
