package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.access.ReadReports;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static final String REPORT_SEPARATOR = ";";

  /** No number with so few digits is too large for a long. */
  private static final Pattern REPORT =
      Pattern.compile("([0-9a-f]{16})\\.([nr])\\.([0-9]{1,16})\\.([0-9]{1,6})\\.([0-9]{1,5})");

  /** The longest report, and a separator. */
  private static final int REPORT_LENGTH_MAX = 16 + 1 + 16 + 6 + 5 + 5;

  private static final int FIELD_LENGTH_MAX = ReadReports.TOLD_MAX * REPORT_LENGTH_MAX;

  private ReadReportText() {}

  /** The field's value. */
  public static String of(List<ReadReport> reports) {
    return reports.stream().map(ReadReportText::of).collect(Collectors.joining(REPORT_SEPARATOR));
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
    String[] texts = context.substring(from, end).split(REPORT_SEPARATOR, -1);
    if (texts.length > ReadReports.TOLD_MAX) {
      return List.of();
    }
    List<ReadReport> reports = new ArrayList<>(texts.length);
    for (String text : texts) {
      ReadReport read = read(text);
      if (read == null) {
        return List.of();
      }
      reports.add(read);
    }
    return reports;
  }

  private static ReadReport read(String text) {
    Matcher parts = REPORT.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    long bytes = Long.parseLong(parts.group(3));
    long millis = Long.parseLong(parts.group(4));
    long agoMillis = Long.parseLong(parts.group(5));
    if (bytes > ReadReport.BYTES_MAX
        || millis < 1
        || millis > ReadReport.MILLIS_MAX
        || agoMillis > ReadReport.AGO_MILLIS_MAX) {
      return null;
    }
    long device = HexFormat.fromHexDigitsToLong(parts.group(1));
    return new ReadReport(device, parts.group(2).equals("r"), bytes, millis, agoMillis);
  }
}
