package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadReportsTest {
  private static final long DEVICE = 7;
  private static final double MEGABYTE = 1 << 20;

  private final ReadReports reports = new ReadReports();

  @Test
  void whatWasReadIsToldOnce() {
    reports.saw(DEVICE, true, 2 * MEGABYTE, 0.4, 1_000);
    assertThat(reports.take(1_050)).containsExactly(new ReadReport(DEVICE, true, 2 << 20, 400, 50));
    assertThat(reports.take(1_050)).isEmpty();
  }

  @Test
  void readsOfOneDeviceAfterEachOtherAreSummed() {
    reports.saw(DEVICE, true, MEGABYTE, 0.4, 1_000);
    reports.saw(DEVICE, true, MEGABYTE, 0.2, 3_000);
    assertThat(reports.take(3_000)).containsExactly(new ReadReport(DEVICE, true, 2 << 20, 590, 0));
  }

  /** Of a near read the links say nothing. */
  @Test
  void nearAndRemoteReadsOfADeviceAreToldApart() {
    reports.saw(DEVICE, true, MEGABYTE, 0.4, 1_000);
    reports.saw(DEVICE, false, 3 * MEGABYTE, 0.2, 1_000);
    assertThat(reports.take(1_000))
        .containsExactly(
            new ReadReport(DEVICE, false, 3 << 20, 200, 0),
            new ReadReport(DEVICE, true, 1 << 20, 400, 0));
  }

  /** By position, from a healthy disk: to seek takes longer than to read. */
  @Test
  void manyShortReadsDoNotMakeADeviceSlow() {
    double rate = 100e6;
    double seconds = MEGABYTE / rate + 1.5 * ReportedSpeeds.LATENCY_SECONDS;
    ReportedSpeeds speeds = new ReportedSpeeds();
    ReportedSpeeds.Source disk =
        new ReportedSpeeds.Source(DEVICE, rate, 0, new long[0], new double[0]);
    for (int host = 0; host < 3; host++) {
      for (int read = 1; read <= 100; read++) {
        reports.saw(DEVICE, false, MEGABYTE, seconds, 3_000L * host + 30L * read);
      }
      long now = 3_000L * (host + 1);
      speeds.reported(disk, reports.take(now).get(0), host, now);
      assertThat(speeds.share(DEVICE, now)).isOne();
    }
  }

  /** Four threads that wait for one device for a second wait for a second. */
  @Test
  void readsAtOneTimeWaitTogether() {
    for (int thread = 0; thread < 4; thread++) {
      reports.saw(DEVICE, true, MEGABYTE, 1, 5_000 + thread);
    }
    assertThat(reports.take(5_003))
        .containsExactly(new ReadReport(DEVICE, true, 4 << 20, 1_000, 0));
  }

  /** A footer, or a reader that stops at once, waits for the first byte of its block. */
  @Test
  void whatIsShortAndSmallIsNotTold() {
    reports.saw(DEVICE, true, 4096, 0.02, 0);
    reports.saw(DEVICE, true, MEGABYTE, 0.0001, 0);
    reports.saw(DEVICE, true, Double.NaN, 1, 0);
    reports.saw(DEVICE, true, -1, 1, 0);
    reports.saw(DEVICE, true, MEGABYTE, Double.NaN, 0);
    assertThat(reports.take(0)).isEmpty();
    reports.saw(DEVICE, true, 4096, 0.2, 0);
    assertThat(reports.take(0)).as("a crawl is told, however little came").hasSize(1);
  }

  /** 25 days in milliseconds and 3 GiB do not fit into 32 bits. */
  @Test
  void longReadsOfManyBytesAreToldAsSuch() {
    double seconds = TimeUnit.DAYS.toSeconds(25);
    reports.saw(DEVICE, true, 3072 * MEGABYTE, seconds, Long.MAX_VALUE / 2);
    assertThat(reports.take(Long.MAX_VALUE / 2))
        .containsExactly(new ReadReport(DEVICE, true, 3L << 30, ReadReport.MILLIS_MAX, 0));
    reports.saw(DEVICE, true, Double.MAX_VALUE, Double.MAX_VALUE, 0);
    assertThat(reports.take(0))
        .containsExactly(
            new ReadReport(DEVICE, true, ReadReport.BYTES_MAX, ReadReport.MILLIS_MAX, 0));
  }

  @Test
  void whatIsOldIsNotTold() {
    reports.saw(DEVICE, true, MEGABYTE, 1, 0);
    assertThat(reports.take(ReadReport.AGO_MILLIS_MAX + 1)).isEmpty();
    reports.saw(DEVICE, true, MEGABYTE, 1, 100_000);
    assertThat(reports.take(99_000)).as("a clock that went back").hasSize(1);
  }

  @Test
  void theDevicesThatWereReadLastAreTold() {
    for (int device = 0; device < 3 * ReadReports.PENDING_MAX; device++) {
      reports.saw(device, true, MEGABYTE, 1, device);
    }
    List<ReadReport> told = reports.take(3 * ReadReports.PENDING_MAX);
    assertThat(told).extracting(ReadReport::device).containsExactly(47L, 46L, 45L, 44L);
    assertThat(told).hasSize(ReadReports.TOLD_MAX);
    assertThat(reports.take(3 * ReadReports.PENDING_MAX)).as("the others are no news").isEmpty();
  }

  @Test
  void aReportWithoutSenseCannotBeMade() {
    assertThatThrownBy(() -> new ReadReport(DEVICE, true, -1, 1, 0)).hasMessageContaining("bytes");
    assertThatThrownBy(() -> new ReadReport(DEVICE, true, 1, 0, 0)).hasMessageContaining("millis");
    assertThatThrownBy(() -> new ReadReport(DEVICE, true, 1, 1, 30_001))
        .hasMessageContaining("agoMillis");
  }
}
