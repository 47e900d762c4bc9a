#include "model/calendar.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <regex>
#include <utility>

#include "model/status.hpp"

namespace bundleio {

namespace {

constexpr double daySeconds = 86400;
constexpr double hourSeconds = 3600;
constexpr double millisInSecond = 1000;
constexpr std::int64_t millisInMinute = 60'000;
constexpr std::int64_t millisInDay = 86'400'000;
// Own: far beyond what models simulate, and days times milliseconds still fit 64 bits.
constexpr int yearMax = 999'999;
// The first day of the Gregorian calendar, which followed 4 October of the Julian one.
constexpr std::int64_t reformYear = 1582;
constexpr std::int64_t reformMonth = 10;
constexpr std::int64_t reformDay = 15;
constexpr std::int64_t lastJulianDay = 4;

struct Day {
  std::int64_t year;
  std::int64_t month;
  std::int64_t day;
};

// floor(a / b) of b > 0.
std::int64_t floorOf(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Days of the months before, in a year that begins with March: 0, 31, 61, ... 337.
std::int64_t daysBeforeMonth(std::int64_t month) { return (153 * month + 2) / 5; }

// From 0000-03-01. A leap day is the last of a year that begins with March, and disturbs nothing.
std::int64_t leapDays(std::int64_t year, bool isGregorian) {
  const std::int64_t julian = floorOf(year, 4);
  return isGregorian ? julian - floorOf(year, 100) + floorOf(year, 400) : julian;
}

std::int64_t solarDays(const Day& date, bool isGregorian) {
  const bool isEarly = date.month <= 2;
  const std::int64_t year = date.year - (isEarly ? 1 : 0);
  const std::int64_t month = date.month + (isEarly ? 9 : -3);
  return 365 * year + leapDays(year, isGregorian) + daysBeforeMonth(month) + date.day - 1;
}

Day solarDate(std::int64_t days, bool isGregorian) {
  // The mean year is at most 366 days and at least 365: the guess is mended by a step or two.
  std::int64_t year = floorOf(days * 4, 1461);
  while (365 * year + leapDays(year, isGregorian) > days) --year;
  while (365 * (year + 1) + leapDays(year + 1, isGregorian) <= days) ++year;
  const std::int64_t rest = days - 365 * year - leapDays(year, isGregorian);
  const std::int64_t month = (5 * rest + 2) / 153;
  const bool isEarly = month >= 10;
  return {year + (isEarly ? 1 : 0), month + (isEarly ? -9 : 3), rest - daysBeforeMonth(month) + 1};
}

// Both count from 0000-03-01 of their own calendar, which are two days apart.
constexpr std::int64_t julianAhead = -2;

bool isAtLeast(const Day& date, std::int64_t day) {
  if (date.year != reformYear) return date.year > reformYear;
  if (date.month != reformMonth) return date.month > reformMonth;
  return date.day >= day;
}

constexpr std::array<int, 12> monthDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

std::int64_t dayOf(const Day& date, Calendar calendar) {
  if (calendar == Calendar::days360) return 360 * date.year + 30 * (date.month - 1) + date.day - 1;
  if (calendar == Calendar::noLeap) {
    std::int64_t days = 365 * date.year + date.day - 1;
    for (std::int64_t i = 0; i + 1 < date.month; ++i)
      days += monthDays.at(static_cast<std::size_t>(i));
    return days;
  }
  if (calendar == Calendar::standard && !isAtLeast(date, reformDay)) {
    return solarDays(date, false) + julianAhead;
  }
  return solarDays(date, true);
}

Day dateOfDay(std::int64_t day, Calendar calendar) {
  if (calendar == Calendar::days360) {
    const std::int64_t year = floorOf(day, 360);
    const std::int64_t rest = day - 360 * year;
    return {year, rest / 30 + 1, rest % 30 + 1};
  }
  if (calendar == Calendar::noLeap) {
    const std::int64_t year = floorOf(day, 365);
    std::int64_t rest = day - 365 * year;
    std::int64_t month = 0;
    while (rest >= monthDays.at(static_cast<std::size_t>(month))) {
      rest -= monthDays.at(static_cast<std::size_t>(month++));
    }
    return {year, month + 1, rest + 1};
  }
  const bool isGregorian = calendar != Calendar::standard ||
                           day >= solarDays({reformYear, reformMonth, reformDay}, true);
  return solarDate(isGregorian ? day : day - julianAhead, isGregorian);
}

std::string textOf(const bio_date& date) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02d %02d:%02d:%g", date.year, date.month,
                date.day, date.hour, date.minute, date.second);
  return text.data();
}

// A date is one if it comes back as it was.
std::int64_t checkedDay(const bio_date& date, Calendar calendar) {
  const Day day{date.year, date.month, date.day};
  const int first = calendar == Calendar::standard ? 1 : -yearMax;
  const bool isInRange = date.year >= first && date.year <= yearMax && date.month >= 1 &&
                         date.month <= 12 && date.day >= 1 && date.day <= 31 && date.hour >= 0 &&
                         date.hour <= 23 && date.minute >= 0 && date.minute <= 59 &&
                         date.second >= 0 && date.second < 60;
  if (isInRange) {
    const bool isSkipped = calendar == Calendar::standard && isAtLeast(day, lastJulianDay + 1) &&
                           !isAtLeast(day, reformDay);
    const std::int64_t number = dayOf(day, calendar);
    const Day back = dateOfDay(number, calendar);
    const bool isSame = back.year == day.year && back.month == day.month && back.day == day.day;
    if (isSame && !isSkipped) return number;
  }
  throw Failure(BIO_BAD_ARGUMENT, "there is no " + textOf(date) + " in this calendar");
}

double secondOf(const bio_date& date) {
  return hourSeconds * date.hour + 60.0 * date.minute + date.second;
}

double secondsOf(const std::string& unit, const std::string& text) {
  static const std::array<std::pair<const char*, double>, 15> units{{{"days", daySeconds},
                                                                     {"day", daySeconds},
                                                                     {"d", daySeconds},
                                                                     {"hours", hourSeconds},
                                                                     {"hour", hourSeconds},
                                                                     {"hrs", hourSeconds},
                                                                     {"hr", hourSeconds},
                                                                     {"h", hourSeconds},
                                                                     {"minutes", 60},
                                                                     {"minute", 60},
                                                                     {"min", 60},
                                                                     {"seconds", 1},
                                                                     {"second", 1},
                                                                     {"sec", 1},
                                                                     {"s", 1}}};
  for (const auto& [name, seconds] : units) {
    if (unit == name) return seconds;
  }
  throw Failure(
      BIO_BAD_ARGUMENT,
      "units '" + text + "': use days, hours, minutes or seconds, \" since \" and a date");
}

// UNIT since YEAR-MONTH-DAY [HOUR[:MINUTE[:SECOND[.FRACTION]]]] [ZONE]
const std::regex& grammar() {
  static const std::regex pattern(
      R"(\s*(\w+)\s+since\s+(-?\d{1,6})-(\d{1,2})-(\d{1,2}))"
      R"((?:[T ]\s*(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(\.\d{0,9})?)?)?)?)"
      R"(\s*(?:Z|UTC|GMT|([+-])(\d{1,2})(?::?(\d{2}))?)?\s*)");
  return pattern;
}

int integerOf(const std::ssub_match& digits) {
  return digits.matched ? std::stoi(digits.str()) : 0;
}

// ".25"; not by a function that asks the locale for its point.
double fractionOf(const std::ssub_match& digits) {
  double value = 0;
  double place = 1;
  const std::string text = digits.str();
  for (std::size_t i = 1; i < text.size(); ++i) value += (place /= 10) * (text[i] - '0');
  return value;
}

}  // namespace

Calendar calendarNamed(const std::string& name) {
  if (name == "standard" || name == "gregorian") return Calendar::standard;
  if (name == "proleptic_gregorian") return Calendar::prolepticGregorian;
  if (name == "noleap" || name == "365_day") return Calendar::noLeap;
  if (name == "360_day") return Calendar::days360;
  throw Failure(BIO_BAD_ARGUMENT,
                "calendar '" + name + "': use standard, proleptic_gregorian, noleap or 360_day");
}

TimeUnits::TimeUnits(const std::string& text, Calendar calendar) : calendar_(calendar) {
  std::smatch found;
  if (!std::regex_match(text, found, grammar())) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "units '" + text + "': use for instance \"days since 1850-01-01 00:00:00\"");
  }
  unitSeconds_ = secondsOf(found[1], text);
  bio_date reference{integerOf(found[2]), integerOf(found[3]), integerOf(found[4]),
                     integerOf(found[5]), integerOf(found[6]), 0};
  reference.second = integerOf(found[7]) + fractionOf(found[8]);
  const double zone = hourSeconds * integerOf(found[10]) + 60.0 * integerOf(found[11]);
  day_ = checkedDay(reference, calendar);
  secondOfDay_ = secondOf(reference) - (found[9] == "-" ? -zone : zone);
}

// Days and the rest apart: their sum in seconds would lose digits of the rest.
double TimeUnits::valueOf(const bio_date& date) const {
  const std::int64_t days = checkedDay(date, calendar_) - day_;
  return static_cast<double>(days) * (daySeconds / unitSeconds_) +
         (secondOf(date) - secondOfDay_) / unitSeconds_;
}

bio_date TimeUnits::dateOf(double value) const {
  // No year beyond yearMax, whose days fit; also refuses what is no number.
  if (!(std::abs(value) * unitSeconds_ < 366.0 * yearMax * daySeconds)) {
    throw Failure(BIO_BAD_ARGUMENT, "time " + std::to_string(value) + " is too far away, or none");
  }
  const double perDay = daySeconds / unitSeconds_;
  const double whole = std::floor(value / perDay);
  const double seconds = (value - whole * perDay) * unitSeconds_ + secondOfDay_;
  std::int64_t milliseconds = std::llround(seconds * millisInSecond);
  const std::int64_t carried = floorOf(milliseconds, millisInDay);
  milliseconds -= carried * millisInDay;
  const Day day = dateOfDay(day_ + static_cast<std::int64_t>(whole) + carried, calendar_);
  const std::int64_t minutes = milliseconds / millisInMinute;
  bio_date date{static_cast<int>(day.year),     static_cast<int>(day.month),
                static_cast<int>(day.day),      static_cast<int>(minutes / 60),
                static_cast<int>(minutes % 60), 0};
  date.second = static_cast<double>(milliseconds % millisInMinute) / millisInSecond;
  (void)checkedDay(date, calendar_);
  return date;
}

}  // namespace bundleio
