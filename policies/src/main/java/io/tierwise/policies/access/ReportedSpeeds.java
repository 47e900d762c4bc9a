package io.tierwise.policies.access;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How fast devices are by what readers told of their reads ({@link ReadReport}), as a share of the
 * speed that they are said to have. The memory of {@link AutoAccess} with reports; its host's.
 *
 * <p>u(d) = (W + P) / T, at most 1: W the seconds that the told bytes of device d should have taken
 * one reader alone, who gets {@value #READER_BYTES_PER_SECOND_MAX} bytes a second at most, T the
 * seconds in which at least one of these readers waited, P the seconds that the host thinks readers
 * need there yet, who will have had about as much and told nothing. So readers that share a device
 * do not make it slow: together they get all of its speed. Where the bytes came over links, the
 * highest u of a link counts if it is higher: a full link makes no device slow. Each read has
 * {@value #LATENCY_SECONDS} s besides, in which no byte needs to come. All sums fade ({@link
 * BusyMeter}).
 *
 * <p>A device is slow when u is below {@value #SLOW_SHARE} of what u usually is when something is
 * told. Where all reads are slow, nothing is.
 *
 * <p>Against lies: it must be slow whichever host's word is left out ({@link DeviceMeter}), no read
 * counts as faster than one of a reader alone, none for more than {@value #TOLD_MILLIS_MAX} ms, no
 * device is taken for slower than {@value #SHARE_MIN}, and what is usual moves by a little for each
 * host and second. The worst that lies do is that others read elsewhere.
 *
 * <p>What is known fades: the logarithm counts half after {@value #FADING_MILLIS} ms without a
 * report that says the same. So a device that recovers is read again, though all avoid it. No
 * reader is counted here: nothing is left of one that ends.
 *
 * <p>Own; why so: docs/decisions/0140-readers-tell-how-fast-they-read.md. Safe for many threads: a
 * report that finds another one being counted is dropped, so that nobody waits; {@link #share}
 * takes no lock, and allocates nothing. Bounded: {@value #METERS_MAX} devices, as many links,
 * {@value #FACTS_MAX} that are slow.
 */
final class ReportedSpeeds {
  /** Own: of the largest clusters; a device that is forgotten between two reports is never slow. */
  static final int METERS_MAX = 1 << 14;

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

  /** Own: of one read, to open the block and for its checksums; a disk's seek is less. */
  static final double LATENCY_SECONDS = 0.01;

  /**
   * Own: what one reader of HDFS gets at best, who makes checksums and copies. A device that is
   * faster is not slow because of that.
   */
  static final double READER_BYTES_PER_SECOND_MAX = 1e9;

  /** Own: what the latest report counts in what is usual. */
  private static final double USUAL_WEIGHT = 0.05;

  /** Own: of the logarithm; half as fast, or twice. What is further off counts as that much. */
  private static final double UNUSUAL_MAX = 0.7;

  /** Own: of each host. */
  private static final long USUAL_MILLIS_MIN = 1_000;

  /** Own: what moved by less is shown a second later. */
  private static final double SHOWN_CHANGE_MIN = 0.05;

  private static final long SHOWN_MILLIS_MAX = 1_000;

  private static final double MILLIS_PER_SECOND = 1e3;

  private static final Slow NOTHING = new Slow(new long[0], new double[0], new long[0]);

  /**
   * The replica of a report, and how its bytes came.
   *
   * @param device its key on the path
   * @param deviceBytesPerSecond alone
   * @param pendingSeconds of readers that are expected at the device yet
   * @param links keys of the links that the bytes passed; empty where the read was a near one
   * @param linkBytesPerSecond of each link alone
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one call, and handed on
  record Source(
      long device,
      double deviceBytesPerSecond,
      double pendingSeconds,
      long[] links,
      double[] linkBytesPerSecond) {}

  private final ReentrantLock lock = new ReentrantLock();

  private final Map<Long, DeviceMeter> devices = bounded();
  private final Map<Long, BusyMeter> links = bounded();

  /** The logarithm. */
  private double usual;

  /** The share that follows from it. */
  private double slowBelow = SLOW_SHARE;

  /** When each group of hosts moved it. */
  private final long[] usualMillis = new long[DeviceMeter.GROUPS];

  /** What is replaced and never changed, for who only looks. */
  private volatile Slow slow = NOTHING;

  /** Devices that are slow, in the order of their numbers, with facts of each side by side. */
  private record Slow(long[] devices, double[] logShares, long[] atMillis) {
    /** Where the device is; less than 0 where nobody says that it is slow. */
    int place(long device) {
      return devices.length == 0 ? -1 : Arrays.binarySearch(devices, device);
    }

    /** Whether the facts need not be copied for the sake of this one. */
    boolean isAbout(int place, double logShare, long nowMillis) {
      long age = nowMillis - atMillis[place];
      return age >= 0
          && age < SHOWN_MILLIS_MAX
          && Math.abs(logShare - logShares[place]) < SHOWN_CHANGE_MIN;
    }

    Slow with(long device, double logShare, long nowMillis) {
      int known = place(device);
      int place = known < 0 ? ~known : known;
      Slow changed =
          known < 0
              ? moved(place, place + 1)
              : new Slow(devices.clone(), logShares.clone(), atMillis.clone());
      changed.devices[place] = device;
      changed.logShares[place] = logShare;
      changed.atMillis[place] = nowMillis;
      return changed;
    }

    Slow without(int place) {
      return moved(place + 1, place);
    }

    /** What stands at a place and behind it stands at another one and behind it. */
    private Slow moved(int from, int to) {
      int count = devices.length + to - from;
      Slow changed = new Slow(new long[count], new double[count], new long[count]);
      move(devices, changed.devices, from, to, count);
      move(logShares, changed.logShares, from, to, count);
      move(atMillis, changed.atMillis, from, to, count);
      return changed;
    }

    @SuppressWarnings("SuspiciousSystemArraycopy") // arrays of one kind
    private static void move(Object facts, Object changed, int from, int to, int count) {
      System.arraycopy(facts, 0, changed, 0, Math.min(from, to));
      System.arraycopy(facts, from, changed, to, count - to);
    }

    int oldest() {
      int oldest = 0;
      for (int place = 1; place < atMillis.length; place++) {
        oldest = atMillis[place] < atMillis[oldest] ? place : oldest;
      }
      return oldest;
    }
  }

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
  void reported(Source source, ReadReport read, long host, long nowMillis) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      count(source, read, host, nowMillis);
    } finally {
      lock.unlock();
    }
  }

  private void count(Source source, ReadReport read, long host, long nowMillis) {
    long millis = Math.min(read.millis(), TOLD_MILLIS_MAX);
    double bytes = (double) read.bytes() * millis / read.millis();
    double seconds = millis / MILLIS_PER_SECOND;
    long ended = nowMillis - read.agoMillis();
    double alone = Math.min(source.deviceBytesPerSecond(), READER_BYTES_PER_SECOND_MAX);
    double share = SHARE_MIN;
    for (int i = 0; i < source.links().length; i++) {
      double ofLink = source.linkBytesPerSecond()[i];
      alone = Math.min(alone, ofLink);
      BusyMeter link = links.computeIfAbsent(source.links()[i], any -> new BusyMeter(1));
      link.fade(nowMillis);
      link.add(0, work(bytes / ofLink, seconds), millis, ended);
      share = Math.max(share, DeviceMeter.shareOfLink(link, source.pendingSeconds(), nowMillis));
    }
    DeviceMeter device = devices.computeIfAbsent(source.device(), any -> new DeviceMeter());
    device.add(host, work(bytes / alone, seconds), millis, ended, nowMillis);
    share = Math.max(share, device.share(source.pendingSeconds(), nowMillis));
    double limit = slowBelow;
    int group = DeviceMeter.group(host);
    boolean movesUsual = mayMoveUsual(group, nowMillis);
    if (share >= limit && !movesUsual) {
      // Mostly so; a logarithm takes long.
      believe(source.device());
      return;
    }
    double relative = Math.log(share) - usual;
    if (movesUsual) {
      moveUsual(relative, group, nowMillis);
    }
    DeviceMeter.Verdict verdict =
        share >= limit
            ? DeviceMeter.Verdict.NOT_SLOW
            : device.verdict(limit, source.pendingSeconds(), nowMillis);
    judge(source.device(), verdict, relative, nowMillis);
  }

  /** What a read should have taken; not longer than it did. */
  private static double work(double seconds, double waitedSeconds) {
    return Math.min(seconds + LATENCY_SECONDS, waitedSeconds);
  }

  private boolean mayMoveUsual(int group, long nowMillis) {
    long since = nowMillis - usualMillis[group];
    // Calls of one time come in any order; a clock that goes back further stops nobody for long.
    return since >= USUAL_MILLIS_MIN || since < -USUAL_MILLIS_MIN;
  }

  private void moveUsual(double relative, int group, long nowMillis) {
    usual += USUAL_WEIGHT * Math.max(-UNUSUAL_MAX, Math.min(relative, UNUSUAL_MAX));
    slowBelow = SLOW_SHARE * Math.exp(usual);
    usualMillis[group] = nowMillis;
  }

  private void judge(long device, DeviceMeter.Verdict verdict, double relative, long nowMillis) {
    switch (verdict) {
      case SLOW -> condemn(device, relative, nowMillis);
      case NOT_SLOW -> believe(device);
      case UNKNOWN -> {
        // What is known fades.
      }
    }
  }

  private void condemn(long device, double logShare, long nowMillis) {
    Slow known = slow;
    int place = known.place(device);
    if (place < 0 || !known.isAbout(place, logShare, nowMillis)) {
      Slow changed = known.with(device, logShare, nowMillis);
      slow = changed.devices.length > FACTS_MAX ? changed.without(changed.oldest()) : changed;
    }
  }

  /** Nothing that was told of the device counts any more. */
  private void believe(long device) {
    Slow known = slow;
    int place = known.place(device);
    if (place >= 0) {
      slow = known.without(place);
    }
  }

  /** The share that is left of the device's speed; 1 where nobody says that it is slow. */
  double share(long device, long nowMillis) {
    Slow known = slow;
    int at = known.place(device);
    if (at < 0) {
      return 1;
    }
    // A clock that went back makes nothing older.
    double age = Math.max(0, nowMillis - known.atMillis[at]);
    return Math.exp(known.logShares[at] * Math.pow(0.5, age / FADING_MILLIS));
  }

  /** For one thread. */
  int deviceCount() {
    return devices.size();
  }

  int slowCount() {
    return slow.devices.length;
  }
}
