package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several hosts read a disk all the time. Each of them tells how long a block took and then asks
 * for the next one. The NameNode must not take the answers that it counts for speed of the disk.
 */
class SaturatedDeviceTest {
  private static final double RATE = 100e6;
  private static final int BLOCK = 128 << 20;
  private static final long DEVICE = 8;
  private static final long HEALTHY = 80;
  private static final int STEP_MILLIS = 10;
  private static final int END_MILLIS = 600_000;
  private static final int WARM_MILLIS = 100_000;

  private final ReadLoads loads = new ReadLoads();
  private final ReportedSpeeds speeds = new ReportedSpeeds();

  private void told(
      long device, double pendingSeconds, int host, long bytes, long millis, long now) {
    long[] links = {device + 1};
    double[] linkRates = {1250e6};
    speeds.reported(
        new ReportedSpeeds.Source(device, RATE, pendingSeconds, links, linkRates),
        new ReadReport(device, true, bytes, Math.max(1, millis), 0),
        host,
        now);
  }

  /** The share of the time in which it is taken for slow. */
  private double slowShare(double speed, int hosts) {
    double[] bytesLeft = new double[hosts];
    long[] began = new long[hosts];
    for (int host = 0; host < hosts; host++) {
      bytesLeft[host] = (double) BLOCK * (host + 1) / hosts;
    }
    int slow = 0;
    for (int now = 0; now < END_MILLIS; now += STEP_MILLIS) {
      for (int host = 0; now % 1_000 == 0 && host < 5; host++) {
        told(HEALTHY, 0, host, (long) RATE, 1_000, now);
      }
      for (int host = 0; host < hosts; host++) {
        bytesLeft[host] -= speed * RATE / hosts * STEP_MILLIS / 1_000;
        if (bytesLeft[host] <= 0) {
          double pending = loads.backlogBytes(DEVICE, RATE, now) / RATE;
          told(DEVICE, pending, host, BLOCK, now - began[host], now);
          count(now);
          bytesLeft[host] = BLOCK;
          began[host] = now;
        }
      }
      slow += now >= WARM_MILLIS && speeds.share(DEVICE, now) < 0.7 ? 1 : 0;
    }
    return (double) slow * STEP_MILLIS / (END_MILLIS - WARM_MILLIS);
  }

  /** As the strategy counts an answer. */
  private void count(long now) {
    double rate = RATE * speeds.share(DEVICE, now);
    double bytesMax =
        Math.max(rate * AutoAccess.BACKLOG_SECONDS_MAX, BLOCK * AutoAccess.BACKLOG_BLOCKS_MIN);
    loads.add(DEVICE, rate, BLOCK, bytesMax, now);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16})
  void aDiskAtAFifthIsFoundSlow(int hosts) {
    assertThat(slowShare(0.2, hosts)).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16})
  void aHealthyOneIsNot(int hosts) {
    assertThat(slowShare(1, hosts)).isZero();
  }
}
