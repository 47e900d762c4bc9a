package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.access.ReadReport;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadReportTextTest {
  private static final ReadReport REMOTE = new ReadReport(-1, true, 2 << 20, 400, 7);
  private static final ReadReport NEAR =
      new ReadReport(
          1, false, ReadReport.BYTES_MAX, ReadReport.MILLIS_MAX, ReadReport.AGO_MILLIS_MAX);
  private static final String FIELD = "twr:ffffffffffffffff.r.2097152.400.7";

  @Test
  void reportsAreReadAsTheyWereWritten() {
    assertThat(ReadReportText.KEY + ":" + ReadReportText.of(List.of(REMOTE))).isEqualTo(FIELD);
    List<ReadReport> four = List.of(REMOTE, NEAR, REMOTE, NEAR);
    assertThat(ReadReportText.in("twr:" + ReadReportText.of(four))).isEqualTo(four);
  }

  /** What audit logs print, and how much of it. */
  @Test
  void theFieldIsShortAndOfPlainLetters() {
    String longest = "twr:" + ReadReportText.of(List.of(NEAR, NEAR, NEAR, NEAR));
    assertThat(longest).hasSizeLessThan(200).matches("[a-z0-9:.;]+");
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(ReadReportText.of(List.of(NEAR))).matches("[a-z0-9.]+");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void theFieldStandsBesideOthers() {
    for (String context :
        List.of(
            FIELD,
            "job_1," + FIELD,
            "clientIp:10.0.0.1,clientPort:9," + FIELD + ",clientId:a",
            "job=1|" + FIELD,
            "twr:nonsense," + FIELD)) {
      assertThat(ReadReportText.in(context)).as(context).containsExactly(REMOTE);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "job_1",
        "twr",
        "twr:",
        "twr:;",
        "xtwr:ffffffffffffffff.r.2097152.400.7",
        "twr:ffffffffffffffff.r.2097152.400",
        "twr:ffffffffffffffff.r.2097152.400.7;",
        "twr:ffffffffffffffff.r.2097152.400.7.",
        "twr:ffffffffffffffff.r.2097152.400.7 ",
        "twr:ffffffffffffffff.r.2097152.400.7\n",
        "twr: ffffffffffffffff.r.2097152.400.7",
        "twr:FFFFFFFFFFFFFFFF.r.2097152.400.7",
        "twr:fffffffffffffff.r.2097152.400.7",
        "twr:ffffffffffffffff.x.2097152.400.7",
        "twr:ffffffffffffffff.r.-1.400.7",
        "twr:ffffffffffffffff.r.+1.400.7",
        "twr:ffffffffffffffff.r.1e9.400.7",
        "twr:ffffffffffffffff.r.9999999999999999.400.7",
        "twr:ffffffffffffffff.r.99999999999999999999.400.7",
        "twr:ffffffffffffffff.r.1.0.7",
        "twr:ffffffffffffffff.r.1.600001.7",
        "twr:ffffffffffffffff.r.1.2147483648.7",
        "twr:ffffffffffffffff.r.1.400.30001",
        "twr:ffffffffffffffff.r.1.400.99999",
        "twr:ffffffffffffffff.r.\u0661.400.7",
        "twr:ffffffffffffffff.r.1.400.7;x",
        "twr:ffffffffffffffff.r.1.400.7;;ffffffffffffffff.r.1.400.7",
      })
  void whatIsNotToTheLetterIsNone(String context) {
    assertThat(ReadReportText.in(context)).isEmpty();
    assertThat(ReadReportText.in("job_1," + context)).isEmpty();
  }

  @Test
  void moreThanThereCanBeIsNone() {
    String one = "ffffffffffffffff.r.1.400.7";
    assertThat(ReadReportText.in("twr:" + String.join(";", one, one, one, one))).hasSize(4);
    assertThat(ReadReportText.in("twr:" + String.join(";", one, one, one, one, one))).isEmpty();
    assertThat(ReadReportText.in("twr:" + (one + ";").repeat(1_000_000))).isEmpty();
    assertThat(ReadReportText.in("x".repeat(10_000_000) + "," + FIELD)).hasSize(1);
    assertThat(ReadReportText.in(null)).isEmpty();
  }

  /** The same, said as a pattern. */
  @Test
  void whatIsReadIsWhatThePatternSays() {
    String report = "[0-9a-f]{16}\\.[nr]\\.[0-9]{1,16}\\.[0-9]{1,6}\\.[0-9]{1,5}";
    Pattern field = Pattern.compile(report + "(;" + report + "){0,3}");
    String letters = "0123456789abfgnrA.;-";
    SplittableRandom random = new SplittableRandom(6);
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder(FIELD.substring(4) + ";" + FIELD.substring(4));
      for (int change = random.nextInt(0, 3); change > 0; change--) {
        int at = random.nextInt(text.length());
        String letter = letters.substring(random.nextInt(letters.length())).substring(0, 1);
        int end = at + random.nextInt(2);
        text.replace(at, end, random.nextInt(3) == 0 ? "" : letter);
      }
      boolean some = !ReadReportText.in("twr:" + text).isEmpty();
      boolean inRange =
          Stream.of(text.toString().split(";")).allMatch(ReadReportTextTest::isInRange);
      assertThat(some).as("%s", text).isEqualTo(field.matcher(text).matches() && inRange);
      read += some ? 1 : 0;
    }
    assertThat(read).isBetween(10_000, 45_000);
  }

  private static boolean isInRange(String report) {
    String[] parts = report.split("\\.");
    return parts.length == 5
        && !parts[3].isEmpty()
        && !parts[3].matches("0+|[^0-9]*|[0-9]*[^0-9].*")
        && Long.parseLong(parts[3]) <= ReadReport.MILLIS_MAX
        && parts[4].matches("[0-9]+")
        && Long.parseLong(parts[4]) <= ReadReport.AGO_MILLIS_MAX;
  }

  @Test
  void noTextMakesItFail() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder("a," + FIELD + ";" + FIELD.substring(4));
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
      }
      assertThat(ReadReportText.in(text.toString())).hasSizeLessThanOrEqualTo(2);
    }
  }
}
