package io.tierwise.policies.access;

/** What hosts told of one device, in all and by host, so that each can be left out. */
final class DeviceMeter {
  /** Two hosts of one group are one: then it takes a third. */
  private static final int GROUPS = 16;

  /** Own: less time than this is latency. */
  private static final double BUSY_SECONDS_MIN = 0.1;

  private final BusyMeter all = new BusyMeter();
  private final BusyMeter[] groups = new BusyMeter[GROUPS];

  /** As {@link BusyMeter#add}, told by that host. */
  void add(long host, double work, long waitedMillis, long endedMillis, long nowMillis) {
    all.add(work, waitedMillis, endedMillis, nowMillis);
    int group = (int) Long.remainderUnsigned(host, GROUPS);
    if (groups[group] == null) {
      groups[group] = new BusyMeter();
    }
    groups[group].add(work, waitedMillis, endedMillis, nowMillis);
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

  /**
   * Whether the share is below the limit, whichever host's word is left out. The others were busy
   * for as long as any of them at least: at worst they look faster than they were.
   */
  Verdict verdict(double limit, double pendingSeconds, long nowMillis) {
    double work = all.workSeconds(nowMillis) + pendingSeconds;
    Verdict verdict = Verdict.SLOW;
    for (int left = 0; left < GROUPS; left++) {
      if (groups[left] == null) {
        continue;
      }
      double busy = busySecondsWithout(left, nowMillis);
      if (busy < BUSY_SECONDS_MIN) {
        verdict = Verdict.UNKNOWN;
      } else if ((work - groups[left].workSeconds(nowMillis)) / busy >= limit) {
        return Verdict.NOT_SLOW;
      }
    }
    return verdict;
  }

  private double busySecondsWithout(int left, long nowMillis) {
    double busy = 0;
    for (int other = 0; other < GROUPS; other++) {
      if (other != left && groups[other] != null) {
        busy = Math.max(busy, groups[other].busySeconds(nowMillis));
      }
    }
    return busy;
  }
}
