package io.tierwise.policies.access;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast devices are by what readers told of their reads ({@link ReadReport}), as a share of the
 * speed that they are said to have. The memory of {@link AutoAccess} with reports; its host's.
 *
 * <p>u(d) = (W + P) / T, at most 1: W the seconds that the told bytes of device d should have taken
 * one reader alone, T the seconds in which at least one of these readers waited, P the seconds that
 * the host thinks readers need there yet, who will have had about as much and told nothing. So
 * readers that share a device do not make it slow: together they get all of its speed. Where the
 * bytes came over the link of the device's node, u of that link counts if it is higher: a full link
 * makes no device slow. Both sums fade ({@link BusyMeter}).
 *
 * <p>A device is slow when u is below {@value #SLOW_SHARE} of what u usually is when something is
 * told. Where all reads are slow, nothing is.
 *
 * <p>Against lies: it must be slow whichever host's word is left out ({@link DeviceMeter}), no read
 * counts as faster than one of a reader alone, none for more than {@value #TOLD_MILLIS_MAX} ms, and
 * no device is taken for slower than {@value #SHARE_MIN}. The worst that lies do is that others
 * read elsewhere.
 *
 * <p>What is known fades: the logarithm counts half after {@value #FADING_MILLIS} ms without a
 * report that says the same. So a device that recovers is read again, though all avoid it. No
 * reader is counted here: nothing is left of one that ends.
 *
 * <p>Own; why so: docs/decisions/0140-readers-tell-how-fast-they-read.md. Safe for many threads:
 * reports lock the object, {@link #share} does not, and allocates nothing. Bounded: {@value
 * #METERS_MAX} devices, as many links, {@value #FACTS_MAX} that are slow.
 */
final class ReportedSpeeds {
  static final int METERS_MAX = 4096;

  /**
   * Own: each report of a slow device copies the facts; more than this are not seen at one time.
   */
  static final int FACTS_MAX = 512;

  /** Own: shorter than the minute in which a device that recovered should be read again. */
  static final long FADING_MILLIS = 30_000;

  /**
   * Own: readers do not tell all that they read, so that a healthy device can look half as fast.
   */
  static final double SLOW_SHARE = 0.5;

  static final double SHARE_MIN = 0.05;

  /** Of one report; what was before is no news. */
  static final long TOLD_MILLIS_MAX = 10_000;

  /** Own: what the latest report counts in what is usual. */
  private static final double USUAL_WEIGHT = 0.05;

  private static final double MILLIS_PER_SECOND = 1e3;

  private static final Slow NOTHING = new Slow(new long[0], new double[0], new long[0]);

  /**
   * The replica of a report.
   *
   * @param device its key on the path
   * @param link the key of its node's link on the path; nothing, where the read was a near one
   * @param deviceBytesPerSecond alone
   * @param linkBytesPerSecond alone
   * @param pendingSeconds of readers that are expected at the device yet
   */
  record Source(
      long device,
      long link,
      double deviceBytesPerSecond,
      double linkBytesPerSecond,
      double pendingSeconds) {}

  private final Map<Long, DeviceMeter> devices = bounded();
  private final Map<Long, BusyMeter> links = bounded();

  /** The logarithm. */
  private double usual;

  /** By device. */
  private final TreeMap<Long, Fact> facts = new TreeMap<>();

  /** A copy of the facts, for who only looks. */
  private volatile Slow slow = NOTHING;

  private record Fact(double logShare, long atMillis) {}

  /** Side by side, by device. */
  private record Slow(long[] devices, double[] logShares, long[] atMillis) {}

  private static <M> Map<Long, M> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Long, M> eldest) {
        return size() > METERS_MAX;
      }
    };
  }

  /**
   * A reader told of a read.
   *
   * @param host a number that is the same for all readers of a host, well mixed
   * @param nowMillis monotonic time
   */
  synchronized void reported(Source source, ReadReport read, long host, long nowMillis) {
    long millis = Math.min(read.millis(), TOLD_MILLIS_MAX);
    double bytes = (double) read.bytes() * millis / read.millis();
    double seconds = millis / MILLIS_PER_SECOND;
    long ended = nowMillis - read.agoMillis();
    double alone = source.deviceBytesPerSecond();
    double linkShare = 0;
    if (read.remote()) {
      double ofLink = source.linkBytesPerSecond();
      alone = Math.min(alone, ofLink);
      BusyMeter link = links.computeIfAbsent(source.link(), any -> new BusyMeter());
      link.add(Math.min(bytes / ofLink, seconds), millis, ended, nowMillis);
      linkShare = DeviceMeter.share(link, source.pendingSeconds(), nowMillis);
    }
    DeviceMeter device = devices.computeIfAbsent(source.device(), any -> new DeviceMeter());
    device.add(host, Math.min(bytes / alone, seconds), millis, ended, nowMillis);
    double deviceShare = device.share(source.pendingSeconds(), nowMillis);
    judge(source, device, Math.max(SHARE_MIN, Math.max(linkShare, deviceShare)), nowMillis);
  }

  private void judge(Source source, DeviceMeter device, double share, long nowMillis) {
    long key = source.device();
    double limit = SLOW_SHARE * Math.exp(usual);
    double relative = Math.log(share) - usual;
    usual += USUAL_WEIGHT * relative;
    DeviceMeter.Verdict verdict =
        share >= limit
            ? DeviceMeter.Verdict.NOT_SLOW
            : device.verdict(limit, source.pendingSeconds(), nowMillis);
    switch (verdict) {
      case SLOW -> {
        facts.put(key, new Fact(relative, nowMillis));
        if (facts.size() > FACTS_MAX) {
          forgetOldest();
        }
        show();
      }
      case NOT_SLOW -> {
        if (facts.remove(key) != null) {
          show();
        }
      }
      case UNKNOWN -> {
        // What is known fades.
      }
    }
  }

  private void forgetOldest() {
    long oldest = facts.firstKey();
    for (Map.Entry<Long, Fact> fact : facts.entrySet()) {
      if (fact.getValue().atMillis() < facts.get(oldest).atMillis()) {
        oldest = fact.getKey();
      }
    }
    facts.remove(oldest);
  }

  private void show() {
    long[] keys = new long[facts.size()];
    double[] logShares = new double[facts.size()];
    long[] times = new long[facts.size()];
    int at = 0;
    for (Map.Entry<Long, Fact> fact : facts.entrySet()) {
      keys[at] = fact.getKey();
      logShares[at] = fact.getValue().logShare();
      times[at] = fact.getValue().atMillis();
      at++;
    }
    slow = new Slow(keys, logShares, times);
  }

  /** The share that is left of the device's speed; 1 where nobody says that it is slow. */
  double share(long device, long nowMillis) {
    Slow known = slow;
    if (known.devices.length == 0) {
      return 1;
    }
    int at = Arrays.binarySearch(known.devices, device);
    if (at < 0) {
      return 1;
    }
    // A clock that went back makes nothing older.
    double age = Math.max(0, nowMillis - known.atMillis[at]);
    return Math.exp(known.logShares[at] * Math.pow(0.5, age / FADING_MILLIS));
  }

  synchronized int deviceCount() {
    return devices.size();
  }

  int slowCount() {
    return slow.devices.length;
  }
}
