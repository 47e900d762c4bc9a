package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.access.ReadReports;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Reports of reads as a field of Hadoop's caller context, which comes with a call and stands in
 * audit logs where these print it: {@code twr:DEVICE.WAY.BYTES.MILLIS.AGO;...}. {@code DEVICE} is
 * sixteen hexadecimal digits made of the storage's id, {@code WAY} is {@code n} or {@code r}, near
 * or remote. No path, name or address is in it.
 *
 * <p>Whoever calls may write anything there, so reading is strict: a field that is not like that to
 * the letter, or says more than there can be, is none.
 */
public final class ReadReportText {
  /** The field's name. */
  public static final String KEY = "twr";

  private static final String BEGIN = KEY + ":";

  /** Hadoop's default: routers take contexts apart by it, and put them together again. */
  private static final char FIELD_SEPARATOR = ',';

  private static final char REPORT_SEPARATOR = ';';
  private static final char SEPARATOR = '.';
  private static final char REMOTE = 'r';
  private static final char NEAR = 'n';

  /** No number with so few digits is too large for a long. */
  private static final int BYTES_DIGITS_MAX = 16;

  private static final int DEVICE_DIGITS = 16;
  private static final int MILLIS_DIGITS_MAX = 6;
  private static final int AGO_DIGITS_MAX = 5;

  /** The longest report, and a separator. */
  private static final int REPORT_LENGTH_MAX =
      DEVICE_DIGITS + 1 + BYTES_DIGITS_MAX + MILLIS_DIGITS_MAX + AGO_DIGITS_MAX + 5;

  private static final int FIELD_LENGTH_MAX = ReadReports.TOLD_MAX * REPORT_LENGTH_MAX;

  private ReadReportText() {}

  /** The field's value. */
  public static String of(List<ReadReport> reports) {
    return reports.stream()
        .map(ReadReportText::of)
        .collect(Collectors.joining(String.valueOf(REPORT_SEPARATOR)));
  }

  private static String of(ReadReport read) {
    return String.format(
        Locale.ROOT,
        "%016x.%c.%d.%d.%d",
        read.device(),
        read.remote() ? REMOTE : NEAR,
        read.bytes(),
        read.millis(),
        read.agoMillis());
  }

  /**
   * The reports in a caller context; none where there is no such field, or a wrong one.
   *
   * @param context may be null, and anything
   */
  static List<ReadReport> in(String context) {
    int begin = context == null ? -1 : context.lastIndexOf(BEGIN);
    if (begin < 0 || (begin > 0 && Character.isLetterOrDigit(context.charAt(begin - 1)))) {
      return List.of();
    }
    int from = begin + BEGIN.length();
    int separator = context.indexOf(FIELD_SEPARATOR, from);
    int end = separator < 0 ? context.length() : separator;
    if (end - from > FIELD_LENGTH_MAX) {
      return List.of();
    }
    List<ReadReport> reports = new ArrayList<>(ReadReports.TOLD_MAX);
    for (int at = from; at <= end; ) {
      int reportEnd = endAt(context, REPORT_SEPARATOR, at, end);
      ReadReport read = read(context, at, reportEnd);
      if (read == null || reports.size() == ReadReports.TOLD_MAX) {
        return List.of();
      }
      reports.add(read);
      at = reportEnd + 1;
    }
    return reports;
  }

  /** Letter by letter: a pattern takes as long as all that is made of a report. */
  private static ReadReport read(String text, int from, int end) {
    int way = from + DEVICE_DIGITS + 1;
    int bytesFrom = way + 2;
    int millisFrom = endAt(text, SEPARATOR, bytesFrom, end) + 1;
    int agoFrom = endAt(text, SEPARATOR, millisFrom, end) + 1;
    // Then all that stands before is there.
    if (agoFrom >= end
        || text.charAt(way - 1) != SEPARATOR
        || (text.charAt(way) != REMOTE && text.charAt(way) != NEAR)
        || text.charAt(way + 1) != SEPARATOR
        || !isDevice(text, from)) {
      return null;
    }
    long bytes = number(text, bytesFrom, millisFrom - 1, BYTES_DIGITS_MAX);
    long millis = number(text, millisFrom, agoFrom - 1, MILLIS_DIGITS_MAX);
    long agoMillis = number(text, agoFrom, end, AGO_DIGITS_MAX);
    if (bytes < 0
        || bytes > ReadReport.BYTES_MAX
        || millis < 1
        || millis > ReadReport.MILLIS_MAX
        || agoMillis < 0
        || agoMillis > ReadReport.AGO_MILLIS_MAX) {
      return null;
    }
    return new ReadReport(device(text, from), text.charAt(way) == REMOTE, bytes, millis, agoMillis);
  }

  /** Where a part ends that begins at {@code from}: before the separator, or at {@code end}. */
  private static int endAt(String text, char separator, int from, int end) {
    int at = from;
    while (at < end && text.charAt(at) != separator) {
      at++;
    }
    return Math.min(at, end);
  }

  private static boolean isDevice(String text, int from) {
    for (int at = from; at < from + DEVICE_DIGITS; at++) {
      char letter = text.charAt(at);
      if (!isDigit(letter) && (letter < 'a' || letter > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** Of letters that {@link #isDevice} has seen. */
  private static long device(String text, int from) {
    long device = 0;
    for (int at = from; at < from + DEVICE_DIGITS; at++) {
      char letter = text.charAt(at);
      device = device << 4 | (isDigit(letter) ? letter - '0' : letter - 'a' + 10);
    }
    return device;
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  /** Less than 0 where that part is empty, too long, or not of digits alone. */
  private static long number(String text, int from, int end, int digitsMax) {
    if (end <= from || end - from > digitsMax) {
      return -1;
    }
    long number = 0;
    for (int at = from; at < end; at++) {
      char letter = text.charAt(at);
      if (!isDigit(letter)) {
        return -1;
      }
      number = 10 * number + (letter - '0');
    }
    return number;
  }
}
