package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** More devices are slow than are remembered. */
class ManySlowDevicesTest {
  private static final double RATE = 100e6;
  private static final double LINK_RATE = 1250e6;
  private static final long HEALTHY = 1;
  private static final long READ_MILLIS = 1_000;
  private static final int MILLIS_BETWEEN = 10;
  private static final int MORE = 100;

  private final ReportedSpeeds speeds = new ReportedSpeeds();

  private void told(long device, int host, double share, long nowMillis) {
    long key = 8 * device;
    speeds.reported(
        new ReportedSpeeds.Source(key, RATE, 0, new long[] {key + 1}, new double[] {LINK_RATE}),
        new ReadReport(key, true, (long) (share * RATE), READ_MILLIS, 0),
        host,
        nowMillis);
  }

  @Test
  void thoseThatWereToldOfLongestAgoAreForgotten() {
    int devices = ReportedSpeeds.FACTS_MAX + MORE;
    long now = 0;
    for (int device = 1; device <= devices; device++) {
      now += MILLIS_BETWEEN;
      for (int host = 0; host < 5; host++) {
        told(HEALTHY, host, 1, now);
      }
      told(HEALTHY + device, 7, 0.1, now);
      told(HEALTHY + device, 8, 0.1, now);
    }
    assertThat(speeds.slowCount()).isEqualTo(ReportedSpeeds.FACTS_MAX);
    for (int device = 1; device <= devices; device++) {
      double share = speeds.share(8 * (HEALTHY + device), now);
      assertThat(share < 0.5).as("device %s of %s", device, devices).isEqualTo(device > MORE);
    }
  }
}
