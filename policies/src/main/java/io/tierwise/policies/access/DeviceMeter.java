package io.tierwise.policies.access;

/** What hosts told of one device, in all and by host, so that each can be left out. */
final class DeviceMeter {
  /** Two hosts of one group are one: then it takes a third. */
  static final int GROUPS = 16;

  /** Own: less time than this is latency. */
  private static final double BUSY_SECONDS_MIN = 0.1;

  private final BusyMeter all = new BusyMeter();

  /** By group what all others told; null where nobody of the group told anything. */
  private final BusyMeter[] without = new BusyMeter[GROUPS];

  /** As {@link BusyMeter#add}, told by that host. */
  void add(long host, double work, long waitedMillis, long endedMillis, long nowMillis) {
    int group = group(host);
    if (without[group] == null) {
      without[group] = new BusyMeter(all);
    }
    for (int other = 0; other < GROUPS; other++) {
      if (other != group && without[other] != null) {
        without[other].add(work, waitedMillis, endedMillis, nowMillis);
      }
    }
    all.add(work, waitedMillis, endedMillis, nowMillis);
  }

  /** Which of {@value #GROUPS} a host belongs to. */
  static int group(long host) {
    return (int) Long.remainderUnsigned(host, GROUPS);
  }

  /**
   * Of the speed that it is said to have; 1 while next to nothing is known.
   *
   * @param pendingSeconds work that is done, and that nobody has told of
   */
  double share(double pendingSeconds, long nowMillis) {
    return share(all, pendingSeconds, nowMillis);
  }

  /** The same of a link. */
  static double share(BusyMeter meter, double pendingSeconds, long nowMillis) {
    double busy = meter.busySeconds(nowMillis);
    return busy < BUSY_SECONDS_MIN
        ? 1
        : Math.min(1, (meter.workSeconds(nowMillis) + pendingSeconds) / busy);
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
    for (BusyMeter others : without) {
      if (others == null) {
        continue;
      }
      if (others.busySeconds(nowMillis) < BUSY_SECONDS_MIN) {
        verdict = Verdict.UNKNOWN;
      } else if (share(others, pendingSeconds, nowMillis) >= limit) {
        return Verdict.NOT_SLOW;
      }
    }
    return verdict;
  }
}
