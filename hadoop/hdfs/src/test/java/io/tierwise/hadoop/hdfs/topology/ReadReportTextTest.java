package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.access.ReadReport;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
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
