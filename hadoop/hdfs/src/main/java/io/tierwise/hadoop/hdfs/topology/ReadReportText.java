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
  private static final String DIGITS = "0123456789";
  private static final String HEXADECIMAL = DIGITS + "abcdef";
  private static final String WAYS = "nr";

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
        "%016x.%s.%d.%d.%d",
        read.device(),
        read.remote() ? "r" : "n",
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

  /** Without a pattern, which takes as long as all that is made of a report. */
  private static ReadReport read(String text, int from, int end) {
    int way = from + DEVICE_DIGITS + 1;
    int bytesFrom = way + 2;
    int millisFrom = endAt(text, SEPARATOR, bytesFrom, end) + 1;
    int agoFrom = endAt(text, SEPARATOR, millisFrom, end) + 1;
    boolean complete =
        agoFrom < end
            && isMadeOf(HEXADECIMAL, text, from, way - 1, DEVICE_DIGITS)
            && text.charAt(way - 1) == SEPARATOR
            && isMadeOf(WAYS, text, way, way + 1, 1)
            && text.charAt(way + 1) == SEPARATOR
            && isMadeOf(DIGITS, text, bytesFrom, millisFrom - 1, BYTES_DIGITS_MAX)
            && isMadeOf(DIGITS, text, millisFrom, agoFrom - 1, MILLIS_DIGITS_MAX)
            && isMadeOf(DIGITS, text, agoFrom, end, AGO_DIGITS_MAX);
    if (!complete) {
      return null;
    }
    long bytes = Long.parseLong(text, bytesFrom, millisFrom - 1, 10);
    long millis = Long.parseLong(text, millisFrom, agoFrom - 1, 10);
    long agoMillis = Long.parseLong(text, agoFrom, end, 10);
    if (bytes > ReadReport.BYTES_MAX
        || millis < 1
        || millis > ReadReport.MILLIS_MAX
        || agoMillis > ReadReport.AGO_MILLIS_MAX) {
      return null;
    }
    long device = Long.parseUnsignedLong(text, from, way - 1, 16);
    return new ReadReport(device, text.charAt(way) == 'r', bytes, millis, agoMillis);
  }

  /** Where a part ends that begins at {@code from}: before the separator, or at {@code end}. */
  private static int endAt(String text, char separator, int from, int end) {
    int at = from;
    while (at < end && text.charAt(at) != separator) {
      at++;
    }
    return Math.min(at, end);
  }

  /** Whether that part is not empty, not too long, and of these letters alone. */
  private static boolean isMadeOf(String letters, String text, int from, int end, int lengthMax) {
    if (end <= from || end - from > lengthMax) {
      return false;
    }
    for (int at = from; at < end; at++) {
      if (letters.indexOf(text.charAt(at)) < 0) {
        return false;
      }
    }
    return true;
  }
}
