"""Random dates as cftime reads them: prints [[units, calendar, date], value] in JSON for each. Run by test_calendar.

usage: dates_cftime.py SEED COUNT
"""

import json
import random
import sys

import cftime

CALENDARS = {"standard": 1, "gregorian": 1, "proleptic_gregorian": -2000, "noleap": 0, "365_day": 1, "360_day": 0}
REFERENCES = ["1850-01-01", "2000-1-1 00:00:00", "1970-01-01T06:30:15Z", "0001-01-01 00:00", "1582-10-15 12:00:00", "1999-12-30 23:59:59.5 +05:30"]


def case(chance):
    calendar = chance.choice(list(CALENDARS))
    while True:
        date = [chance.choice([chance.randint(CALENDARS[calendar], 3000), 1582]), chance.randint(1, 12), chance.randint(1, 31),
                chance.randint(0, 23), chance.randint(0, 59), chance.randint(0, 59999) / 1000]
        units = f"{chance.choice(['days', 'hours', 'minutes', 'seconds'])} since {chance.choice(REFERENCES)}"
        seconds = int(date[5])
        try:
            made = cftime.datetime(*date[:5], seconds, round((date[5] - seconds) * 1e6), calendar=calendar,
                                   has_year_zero=calendar not in ("standard", "gregorian"))
            return [units, calendar, date], float(cftime.date2num(made, units, calendar, has_year_zero=made.has_year_zero))
        except ValueError:
            continue


random_source = random.Random(int(sys.argv[1]))
print(json.dumps([case(random_source) for _ in range(int(sys.argv[2]))]))
