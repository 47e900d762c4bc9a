package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportedSpeedsTest {
  private static final double DEVICE_RATE = 100e6;
  private static final double LINK_RATE = 1250e6;
  private static final long DEVICE = 8;
  private static final long OTHER = 16;
  private static final long HEALTHY = 80;
  private static final int HOST = 1;
  private static final int ANOTHER_HOST = 2;
  private static final long SECOND = 1_000;

  private final ReportedSpeeds speeds = new ReportedSpeeds();

  private static ReportedSpeeds.Source source(long device, double linkRate) {
    return source(device, 0, new long[] {device + 1}, linkRate);
  }

  /** Behind links that are all as fast. */
  private static ReportedSpeeds.Source source(
      long device, double pendingSeconds, long[] links, double linkRate) {
    double[] rates = new double[links.length];
    Arrays.fill(rates, linkRate);
    return new ReportedSpeeds.Source(device, DEVICE_RATE, pendingSeconds, links, rates);
  }

  /** A read that took so long, of so much of what one reader alone would have had. */
  private void told(long device, int host, double share, long millis, long nowMillis) {
    long bytes = (long) (share * DEVICE_RATE * millis / SECOND);
    ReadReport read = new ReadReport(device, true, bytes, millis, 0);
    speeds.reported(source(device, LINK_RATE), read, host, nowMillis);
  }

  private void toldByTwo(long device, double share, long nowMillis) {
    told(device, HOST, share, SECOND, nowMillis);
    told(device, ANOTHER_HOST, share, SECOND, nowMillis + SECOND);
  }

  /** So that what is usual is a healthy device. */
  private void othersReadWell(long nowMillis) {
    for (int host = 0; host < 5; host++) {
      told(HEALTHY, host, 1, SECOND, nowMillis);
    }
  }

  private double share(long device, long nowMillis) {
    return speeds.share(device, nowMillis);
  }

  @Test
  void aDeviceThatTwoHostsReadSlowlyIsSlowByThatMuch() {
    toldByTwo(DEVICE, 0.2, SECOND);
    assertThat(share(DEVICE, 2 * SECOND)).isCloseTo(0.2, within(0.05));
    assertThat(share(OTHER, 2 * SECOND)).isOne();
  }

  /** The device is read all the time, each time by another one of them. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
  void aSlowDeviceThatHostsReadInTurnsStaysSlow(int hosts) {
    for (int read = 1; read <= 30; read++) {
      othersReadWell(read * SECOND);
      told(DEVICE, read % hosts, 0.2, SECOND, read * SECOND);
      if (read > 2) {
        assertThat(share(DEVICE, read * SECOND)).as("after read %s", read).isLessThan(0.5);
      }
    }
  }

  /** Six readers on two hosts have a sixth each: the device gives all that it should. */
  @Test
  void readersThatShareADeviceDoNotMakeItSlow() {
    for (int round = 1; round <= 10; round++) {
      othersReadWell(round * SECOND);
      for (int reader = 0; reader < 6; reader++) {
        told(DEVICE, reader % 2, 1.0 / 6, SECOND, round * SECOND + reader);
      }
      assertThat(share(DEVICE, round * SECOND + 6)).isOne();
    }
  }

  /** Handlers of the NameNode take calls in any order. */
  @Test
  void readersThatShareADeviceDoNotMakeItSlowInWhicheverOrderTheyAreHeard() {
    for (int round = 1; round <= 10; round++) {
      othersReadWell(round * SECOND);
      for (int reader = 0; reader < 6; reader++) {
        told(DEVICE, reader % 2, 1.0 / 6, SECOND, round * SECOND - reader);
      }
      assertThat(share(DEVICE, round * SECOND)).isOne();
    }
  }

  /** A block is opened, and its checksums are made: most of a short read's time. */
  @Test
  void shortReadsOfADeviceThatIsVeryFastDoNotMakeItSlow() {
    double rate = 2e9;
    for (int read = 1; read <= 100; read++) {
      long now = read * SECOND / 10;
      othersReadWell(now);
      ReportedSpeeds.Source fast =
          new ReportedSpeeds.Source(DEVICE, rate, 0, new long[0], new double[0]);
      ReadReport told = new ReadReport(DEVICE, false, 1 << 20, 8, 0);
      speeds.reported(fast, told, read % 2, now);
      assertThat(share(DEVICE, now)).isOne();
    }
  }

  /** One of 7 GB/s, of which no reader of HDFS gets more than a part. */
  @Test
  void readersThatAreSlowerThanADeviceDoNotMakeItSlow() {
    double rate = 7e9;
    for (int read = 1; read <= 20; read++) {
      long now = read * SECOND;
      othersReadWell(now);
      ReportedSpeeds.Source fast =
          new ReportedSpeeds.Source(DEVICE, rate, 0, new long[0], new double[0]);
      ReadReport told = new ReadReport(DEVICE, false, 128 << 20, 150, 0);
      speeds.reported(fast, told, read % 2, now);
      assertThat(share(DEVICE, now)).isOne();
      ReadReport slow = new ReadReport(OTHER, false, 128 << 20, 1_500, 0);
      speeds.reported(
          new ReportedSpeeds.Source(OTHER, rate, 0, new long[0], new double[0]),
          slow,
          read % 2,
          now);
    }
    assertThat(share(OTHER, 20 * SECOND)).as("far slower than a reader").isLessThan(0.3);
  }

  /** A fifth of what the device gives passes: the links of the two hosts, or that of its node. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readersBehindAFullLinkMakeNoDeviceSlow(boolean ofReader) {
    double rate = DEVICE_RATE / 5;
    double[] rates = ofReader ? new double[] {LINK_RATE, rate} : new double[] {rate, LINK_RATE};
    long bytes = (long) rate / (ofReader ? 4 : 8);
    for (int read = 1; read <= 50; read++) {
      othersReadWell(read * SECOND);
      for (int host = 1; host <= 2; host++) {
        long[] links = {DEVICE + 1, 1_000 + host};
        ReportedSpeeds.Source source =
            new ReportedSpeeds.Source(DEVICE, DEVICE_RATE, 0, links, rates);
        for (int reader = 0; reader < 4; reader++) {
          ReadReport told = new ReadReport(DEVICE, true, bytes, SECOND, 0);
          speeds.reported(source, told, host, read * SECOND);
        }
      }
      // The first report of a host is a part of what passed the link.
      assertThat(share(DEVICE, read * SECOND)).isOne();
    }
  }

  @Test
  void readersThatShareASlowDeviceTellThatItIs() {
    for (int host = 0; host < 20; host++) {
      told(OTHER, host, 1, SECOND, host * SECOND);
    }
    for (int host = 0; host < 6; host++) {
      told(DEVICE, host, 0.2 / 6, 4 * SECOND, 30 * SECOND + host);
    }
    assertThat(share(DEVICE, 30 * SECOND)).isBetween(0.2, 0.4);
  }

  /** The first of six that began at one time tells; the others are nearly as far. */
  @Test
  void readersThatHaveNotToldYetAreExpectedToHaveHadTheirPart() {
    ReportedSpeeds.Source source = source(DEVICE, 0.5, new long[] {1}, LINK_RATE);
    for (int host = 1; host <= 2; host++) {
      ReadReport read = new ReadReport(DEVICE, true, (long) DEVICE_RATE / 6, SECOND, 0);
      speeds.reported(source, read, host, SECOND + host);
    }
    assertThat(share(DEVICE, SECOND)).isOne();
  }

  /** Four devices behind a link that carries less than one; two hosts with three readers each. */
  @Test
  void aFullLinkMakesNoDeviceSlow() {
    double linkRate = DEVICE_RATE / 2;
    for (int round = 1; round <= 10; round++) {
      othersReadWell(round * SECOND);
      for (int reader = 0; reader < 6; reader++) {
        for (int device = 0; device < 4; device++) {
          ReadReport read = new ReadReport(0, true, (long) linkRate / 24, SECOND, 0);
          ReportedSpeeds.Source behind = source(8L * device, 0, new long[] {1}, linkRate);
          speeds.reported(behind, read, reader % 2, round * SECOND + reader);
        }
      }
    }
    assertThat(share(DEVICE, 10 * SECOND)).isOne();
    assertThat(share(OTHER, 10 * SECOND)).isOne();
  }

  @Test
  void aNearReadIsMeasuredByTheDeviceAlone() {
    for (int host = 1; host <= 2; host++) {
      ReadReport read = new ReadReport(DEVICE, false, (long) (0.2 * DEVICE_RATE), SECOND, 0);
      speeds.reported(source(DEVICE, 0, new long[0], 0), read, host, host * SECOND);
    }
    assertThat(share(DEVICE, 2 * SECOND)).isLessThan(0.5);
  }

  @Test
  void oneHostsWordIsNothingHoweverOftenItIsSaid() {
    for (int second = 1; second <= 100; second++) {
      told(DEVICE, HOST, 0.001, SECOND, second * SECOND);
      othersReadWell(second * SECOND);
      assertThat(share(DEVICE, second * SECOND)).isOne();
    }
  }

  /** The others have a third each of a device that serves three of them now and then. */
  @Test
  void oneHostThatLiesDoesNotMakeADeviceSlowThatOthersShare() {
    for (int second = 1; second <= 100; second++) {
      othersReadWell(second * SECOND);
      told(DEVICE, 9, 0, 10 * SECOND, second * SECOND + 500);
      if (second % 5 == 0) {
        for (int host = 1; host <= 3; host++) {
          told(DEVICE, host, 1.0 / 3, SECOND, second * SECOND);
        }
      }
      assertThat(share(DEVICE, second * SECOND)).isOne();
    }
  }

  /** The one that is left goes on to read it slowly; nobody else says anything. */
  @Test
  void whatTwoHostsToldIsNotTakenBackByOneOfThem() {
    toldByTwo(DEVICE, 0.2, 0);
    for (int second = 5; second <= 40; second += 5) {
      told(DEVICE, HOST, 0.2, SECOND, second * SECOND);
      othersReadWell(second * SECOND);
    }
    assertThat(share(DEVICE, 20 * SECOND)).isBetween(0.2, 0.5);
    assertThat(share(DEVICE, 90 * SECOND)).as("and is not enough to keep it").isGreaterThan(0.7);
  }

  /** Else two honest hosts would be heard by nobody. */
  @Test
  void oneHostThatSaysThatAllIsSlowDoesNotMakeThatUsual() {
    for (int second = 1; second <= 100; second++) {
      for (int device = 0; device < 20; device++) {
        told(800 + 8L * device, 9, 0, 10 * SECOND, second * SECOND);
      }
      toldByTwo(HEALTHY, 1, second * SECOND);
    }
    toldByTwo(DEVICE, 0.2, 101 * SECOND);
    assertThat(share(DEVICE, 102 * SECOND)).isLessThan(0.5);
  }

  /** Each host has a say in each second, whoever comes first. */
  @Test
  void oneHostThatIsTheFirstToSaySoDoesNotMakeThatUsual() {
    for (int second = 1; second <= 100; second++) {
      told(800, 9, 0, 10 * SECOND, second * SECOND);
      told(HEALTHY, HOST, 1, SECOND, second * SECOND + 1);
      told(HEALTHY, ANOTHER_HOST, 1, SECOND, second * SECOND + 2);
    }
    toldByTwo(DEVICE, 0.2, 101 * SECOND);
    assertThat(share(DEVICE, 102 * SECOND)).isLessThan(0.5);
  }

  /** Calls that come at one time are handled in any order. */
  @Test
  void oneHostThatSaysSoInManyCallsAtOneTimeDoesNotMakeThatUsual() {
    for (int second = 1; second <= 100; second++) {
      for (int call = 0; call < 50; call++) {
        told(800 + 8L * call, 9, 0, 10 * SECOND, second * SECOND - call);
      }
      toldByTwo(HEALTHY, 1, second * SECOND);
    }
    toldByTwo(DEVICE, 0.2, 101 * SECOND);
    assertThat(share(DEVICE, 102 * SECOND)).isLessThan(0.5);
  }

  @Test
  void oneHostThatPraisesADeviceDoesNotMakeOthersSlow() {
    for (int second = 1; second <= 100; second++) {
      ReadReport read = new ReadReport(DEVICE, true, ReadReport.BYTES_MAX, 1, 0);
      speeds.reported(source(DEVICE, LINK_RATE), read, 9, second * SECOND);
      toldByTwo(OTHER, 0.9, second * SECOND);
    }
    assertThat(share(DEVICE, 100 * SECOND)).isOne();
    assertThat(share(OTHER, 100 * SECOND)).isOne();
  }

  @Test
  void whereAllDevicesAreSlowNothingIs() {
    for (int second = 1; second <= 100; second++) {
      for (int device = 0; device < 9; device++) {
        told(8L * device, second % 7, 0.1, SECOND, second * SECOND);
      }
    }
    for (int device = 0; device < 9; device++) {
      assertThat(share(8L * device, 100 * SECOND)).as("device %s", device).isGreaterThan(0.5);
    }
  }

  @Test
  void aDeviceThatIsReadAndStaysSlowDoesNotFade() {
    for (int second = 1; second <= 120; second++) {
      othersReadWell(second * SECOND);
      told(DEVICE, second % 2, 0.2, SECOND, second * SECOND);
    }
    assertThat(share(DEVICE, 120 * SECOND)).isCloseTo(0.2, within(0.05));
  }

  /** A thousand nodes with twelve disks each; every second one host reads each of them. */
  @Test
  void aSlowDeviceIsFoundAmongThoseOfALargeCluster() {
    int devices = 12_000;
    int slow = 5_000;
    long now = 0;
    for (int second = 1; second <= 4; second++) {
      for (int device = 0; device < devices; device++) {
        now = second * SECOND + device * SECOND / devices;
        told(8L * device, device + second, device == slow ? 0.2 : 1, SECOND, now);
      }
    }
    assertThat(share(8L * slow, now)).isLessThan(0.5);
    assertThat(speeds.slowCount()).isOne();
  }

  @Test
  void aDeviceThatAllAvoidIsBelievedAgainWithinAMinute() {
    toldByTwo(DEVICE, 0.2, 0);
    assertThat(share(DEVICE, 10 * SECOND)).isLessThan(0.3);
    assertThat(share(DEVICE, 61 * SECOND)).isGreaterThan(0.6);
    toldByTwo(OTHER, 0, 100 * SECOND);
    assertThat(share(OTHER, 102 * SECOND)).isBetween(ReportedSpeeds.SHARE_MIN, 0.1);
    assertThat(share(OTHER, 161 * SECOND)).as("the slowest that there is").isGreaterThan(0.4);
  }

  @Test
  void aDeviceThatRecoversAndIsReadIsBelievedWithinSeconds() {
    for (int second = 0; second < 60; second += 2) {
      toldByTwo(DEVICE, 0.1, second * SECOND);
      othersReadWell(second * SECOND);
    }
    assertThat(share(DEVICE, 60 * SECOND)).isLessThan(0.3);
    for (int second = 61; second <= 75; second++) {
      told(DEVICE, second % 3, 1, SECOND, second * SECOND);
    }
    assertThat(share(DEVICE, 75 * SECOND)).isOne();
  }

  /** Of a read that one host ended there is nothing left when the next ones are fast. */
  @Test
  void aReadersEndLeavesNothingBehind() {
    toldByTwo(DEVICE, 0.2, 0);
    for (int second = 30; second <= 50; second++) {
      told(DEVICE, 5, 1, SECOND, second * SECOND);
    }
    assertThat(share(DEVICE, 50 * SECOND)).isOne();
  }

  @Test
  void moreBytesAndMillisecondsThan32BitsHold() {
    long bytes = 5L << 30;
    for (int host = 1; host <= 2; host++) {
      ReadReport read = new ReadReport(DEVICE, true, bytes, ReadReport.MILLIS_MAX, 0);
      speeds.reported(source(DEVICE, LINK_RATE), read, host, (1L << 32) + host * 10_000L);
    }
    // 5 GiB in ten minutes are 9 MB/s of 100.
    assertThat(share(DEVICE, (1L << 32) + 20_000L)).isCloseTo(0.09, within(0.03));
  }

  @Test
  void clocksThatJumpMakeNoSenseAndNoHarm() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 10_000; i++) {
      told(DEVICE, random.nextInt(4), random.nextDouble(), SECOND, random.nextInt());
      assertThat(share(DEVICE, random.nextInt())).isBetween(0.99 * ReportedSpeeds.SHARE_MIN, 1.0);
    }
    for (int second = 1; second <= 30; second++) {
      told(DEVICE, second % 3, 1, SECOND, second * SECOND);
    }
    assertThat(share(DEVICE, 30 * SECOND)).isOne();
  }

  @Test
  void memoryIsBounded() {
    for (int device = 0; device < 2 * ReportedSpeeds.METERS_MAX; device++) {
      toldByTwo(8L * device, 0.01, device);
    }
    assertThat(speeds.deviceCount()).isEqualTo(ReportedSpeeds.METERS_MAX);
    assertThat(speeds.slowCount()).isLessThanOrEqualTo(ReportedSpeeds.FACTS_MAX);
  }
}
