package io.tierwise.policies.access;

/** What hosts told of one device, in all and by host, so that each can be left out. */
final class DeviceMeter {
  /** Two hosts of one group are one: then it takes a third. */
  static final int GROUPS = 16;

  /** Own: less time than this is latency. */
  private static final double BUSY_SECONDS_MIN = 0.1;

  /** What all hosts told; behind it by group what all but that one told. */
  private static final int ALL = 0;

  private static final int WITHOUT_FIRST = 1;

  private final BusyMeter meter = new BusyMeter(WITHOUT_FIRST + GROUPS);

  /** A bit for each group of which somebody told anything. */
  private int heard;

  /** As {@link BusyMeter#add}, told by that host. */
  void add(long host, double work, long waitedMillis, long endedMillis, long nowMillis) {
    int group = group(host);
    int own = 1 << group;
    meter.fade(nowMillis);
    if ((heard & own) == 0) {
      heard |= own;
      meter.copy(ALL, WITHOUT_FIRST + group);
    }
    for (int others = heard & ~own; others != 0; others &= others - 1) {
      meter.add(without(others), work, waitedMillis, endedMillis);
    }
    meter.add(ALL, work, waitedMillis, endedMillis);
  }

  /** The pair without the first group of these. */
  private static int without(int groups) {
    return WITHOUT_FIRST + Integer.numberOfTrailingZeros(groups);
  }

  /** Which of {@value #GROUPS} a host belongs to. */
  static int group(long host) {
    return (int) (host & (GROUPS - 1));
  }

  /**
   * Of the speed that it is said to have; 1 while next to nothing is known.
   *
   * @param pendingSeconds work that is done, and that nobody has told of
   */
  double share(double pendingSeconds, long nowMillis) {
    return share(meter, ALL, pendingSeconds, nowMillis);
  }

  /** The same of a link, of which nobody is left out. */
  static double shareOfLink(BusyMeter link, double pendingSeconds, long nowMillis) {
    return share(link, 0, pendingSeconds, nowMillis);
  }

  private static double share(BusyMeter meter, int pair, double pendingSeconds, long nowMillis) {
    double busy = meter.busySeconds(pair, nowMillis);
    return busy < BUSY_SECONDS_MIN
        ? 1
        : Math.min(1, (meter.workSeconds(pair, nowMillis) + pendingSeconds) / busy);
  }

  /** What hosts say of a device of which one may be wrong. */
  enum Verdict {
    SLOW,
    /** Not slow when one host's word is left out. */
    NOT_SLOW,
    /** Nobody but one host has told enough. */
    UNKNOWN
  }

  /** Whether the share is below the limit, whichever host's word is left out. */
  Verdict verdict(double limit, double pendingSeconds, long nowMillis) {
    Verdict verdict = Verdict.SLOW;
    for (int groups = heard; groups != 0; groups &= groups - 1) {
      int others = without(groups);
      if (meter.busySeconds(others, nowMillis) < BUSY_SECONDS_MIN) {
        verdict = Verdict.UNKNOWN;
      } else if (share(meter, others, pendingSeconds, nowMillis) >= limit) {
        return Verdict.NOT_SLOW;
      }
    }
    return verdict;
  }
}
