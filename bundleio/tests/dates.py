"""Reads [units, calendar, date] in JSON, prints [value, date of the value], or the error, for each.

python3 dates.py CASES
"""

import json
import sys

from mpi4py import MPI

import bundleio


def answer(context, units, calendar, date):
    try:
        value = context.time_value(units, calendar, date)
        return [value, list(context.date(units, calendar, value))]
    except bundleio.Error as error:
        return str(error)


with open(sys.argv[1], encoding="utf-8") as cases, bundleio.Context(MPI.COMM_WORLD) as opened:
    print(json.dumps([answer(opened, *case) for case in json.load(cases)]))
