// Times as the CF conventions store them: "days since 1850-01-01" in one of their calendars.
// Source: CF conventions 1.11, section 4.4. Deviation: no months or years as units, which have no
// one length, and no user-defined calendars.
#pragma once

#include <bundleio/bundleio.h>

#include <cstdint>
#include <string>

namespace bundleio {

enum class Calendar { standard, prolepticGregorian, noLeap, days360 };

/// Of its name; "gregorian" and "365_day" are other names of two of them.
Calendar calendarNamed(const std::string& name);

/// A unit and the time from which it counts.
class TimeUnits {
 public:
  /// Throws BIO_BAD_ARGUMENT where CF would not read the text, or there is no such date.
  TimeUnits(const std::string& text, Calendar calendar);

  /// The value that stands for `date`; throws BIO_BAD_ARGUMENT if there is no such date.
  [[nodiscard]] double valueOf(const bio_date& date) const;
  /// The date, to the millisecond.
  [[nodiscard]] bio_date dateOf(double value) const;

 private:
  Calendar calendar_;
  double unitSeconds_ = 1;
  std::int64_t day_ = 0;    // of the reference, as daysBefore counts
  double secondOfDay_ = 0;  // of the reference, in UTC; may lie in another day
};

}  // namespace bundleio
