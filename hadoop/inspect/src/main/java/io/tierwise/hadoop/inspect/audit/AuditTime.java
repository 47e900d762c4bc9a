package io.tierwise.hadoop.inspect.audit;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Reads the time that a line begins with: log4j's {@code ISO8601}, {@code 2026-03-24 16:59:01,123},
 * in the time zone of the NameNode. Keeps the last hour, so that a calendar is asked once an hour.
 */
final class AuditTime {
  /** Bytes of a time. */
  static final int LENGTH = 23;

  private static final int HOUR_LENGTH = 13;
  static final long NONE = Long.MIN_VALUE;

  private final ZoneId zone;
  private final byte[] hour = new byte[HOUR_LENGTH];
  private long hourMillis = NONE;

  AuditTime(ZoneId zone) {
    this.zone = zone;
  }

  /** Milliseconds since 1970, or {@link #NONE} where no time stands. */
  long parse(byte[] line, int from, int to) {
    if (to - from < LENGTH
        || line[from + 13] != ':'
        || line[from + 16] != ':'
        || (line[from + 19] != ',' && line[from + 19] != '.')) {
      return NONE;
    }
    if (!Arrays.equals(line, from, from + HOUR_LENGTH, hour, 0, HOUR_LENGTH)
        || hourMillis == NONE) {
      hourMillis = startOfHour(line, from);
      System.arraycopy(line, from, hour, 0, HOUR_LENGTH);
    }
    int minute = digits(line, from + 14, 2);
    int second = digits(line, from + 17, 2);
    int milli = digits(line, from + 20, 3);
    if (hourMillis == NONE || minute < 0 || minute > 59 || second < 0 || second > 60 || milli < 0) {
      return NONE;
    }
    return hourMillis + (minute * 60L + second) * 1000 + milli;
  }

  private long startOfHour(byte[] line, int from) {
    if (line[from + 4] != '-'
        || line[from + 7] != '-'
        || (line[from + 10] != ' ' && line[from + 10] != 'T')) {
      return NONE;
    }
    try {
      return LocalDateTime.of(
              digits(line, from, 4),
              digits(line, from + 5, 2),
              digits(line, from + 8, 2),
              digits(line, from + 11, 2),
              0)
          .atZone(zone)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      return NONE;
    }
  }

  /** A number of so many digits; -1 where another byte stands. */
  private static int digits(byte[] line, int from, int count) {
    int number = 0;
    for (int i = from; i < from + count; i++) {
      int digit = line[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
