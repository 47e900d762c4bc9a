package io.tierwise.policies.access;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How fast devices and nodes were by the reads of one process, as a share of the expected speed.
 * The memory of {@link SlowReads}.
 *
 * <p>Shares are kept as logarithms, so that half and double weigh alike. A new one counts as much
 * as all before it. Observations fade: after {@value #FADING_MILLIS} ms a logarithm counts half, so
 * a device that was seen at a tenth of its speed is tried again within two minutes, however many
 * avoid it.
 *
 * <p>A node is known by its devices: only when reads from two of them came over its link does it
 * say something of a third. So a slow device does not make its neighbours look slow, and a slow
 * link need not be found anew for each device behind it.
 *
 * <p>Safe for many threads; calls are short and lock the object. Bounded: {@value #FACTS_MAX}
 * devices and nodes, those that were read last.
 */
public final class ReadSpeeds {
  static final int FACTS_MAX = 4096;

  /** Own: long enough for what is slow to matter, short enough to notice that it was mended. */
  static final long FADING_MILLIS = 30_000;

  /** Own: what the latest read counts in the usual share; 0.2 to 0.4 make no difference. */
  private static final double USUAL_WEIGHT = 0.3;

  /**
   * Own: less is no worse. One read that waited for its first byte would make all others look fast,
   * and what is usual look slow for minutes.
   */
  private static final double SHARE_MIN = 0.01;

  private static final int DEVICE = 0;
  private static final int NODE = 1;

  /** Where a read came from: a device, or a node over its link. */
  private record Source(int kind, long key) {}

  private static final class Fact {
    double logShare;
    long atMillis;

    /** The device behind the link that was read first; and whether there was another. */
    final long firstDevice;

    boolean ofSeveral;

    Fact(long firstDevice, long nowMillis) {
      this.firstDevice = firstDevice;
      this.atMillis = nowMillis;
    }

    double faded(long nowMillis) {
      // A clock that went back makes nothing older.
      double age = Math.max(0, nowMillis - atMillis);
      return logShare * Math.pow(2, -age / FADING_MILLIS);
    }

    void add(double added, long nowMillis) {
      logShare = (faded(nowMillis) + added) / 2;
      atMillis = nowMillis;
    }
  }

  private final Map<Source, Fact> facts =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Source, Fact> eldest) {
          return size() > FACTS_MAX;
        }
      };

  private final ReadReports reports = new ReadReports();

  /** Logarithms of the usual shares: what is expected, until reads said otherwise. */
  private double usualLocal;

  private double usualRemote;

  /** The same of reads that are over; what is looked at under way is mostly slow. */
  private double endedLocal;

  private double endedRemote;

  /**
   * A read, or what of it is over, was that fast.
   *
   * @param share of the speed that was expected; more than 1 is 1
   */
  synchronized void saw(long device, long node, boolean remote, double share, long nowMillis) {
    if (Double.isNaN(share)) {
      return;
    }
    double log = log(share);
    fact(DEVICE, device, device, nowMillis).add(log, nowMillis);
    if (remote) {
      Fact link = fact(NODE, node, device, nowMillis);
      link.ofSeveral |= link.firstDevice != device;
      link.add(log, nowMillis);
      usualRemote = moved(usualRemote, log);
    } else {
      usualLocal = moved(usualLocal, log);
    }
  }

  /** A read is over, of which {@link #saw} has heard. */
  synchronized void ended(boolean remote, double share) {
    if (Double.isNaN(share)) {
      return;
    }
    if (remote) {
      endedRemote = moved(endedRemote, log(share));
    } else {
      endedLocal = moved(endedLocal, log(share));
    }
  }

  private static double log(double share) {
    return Math.log(Math.max(SHARE_MIN, Math.min(1, share)));
  }

  private static double moved(double usual, double log) {
    return usual + USUAL_WEIGHT * (log - usual);
  }

  private Fact fact(int kind, long key, long device, long nowMillis) {
    return facts.computeIfAbsent(new Source(kind, key), source -> new Fact(device, nowMillis));
  }

  /** The share that a read is expected to reach; the usual one where nothing is known. */
  synchronized double share(long device, long node, boolean remote, long nowMillis) {
    Fact known = facts.get(new Source(DEVICE, device));
    if (known == null && remote) {
      Fact link = facts.get(new Source(NODE, node));
      known = link != null && link.ofSeveral ? link : null;
    }
    return known == null ? usualShare(remote) : Math.exp(known.faded(nowMillis));
  }

  /** The share that remote reads reach at this moment, or those on the reader's own node. */
  synchronized double usualShare(boolean remote) {
    return Math.exp(remote ? usualRemote : usualLocal);
  }

  /** The share that such reads had reached in all when they were over. */
  synchronized double usualShareOfEnded(boolean remote) {
    return Math.exp(remote ? endedRemote : endedLocal);
  }

  /** What the process has not told yet of what it saw. */
  public ReadReports reports() {
    return reports;
  }

  synchronized int factCount() {
    return facts.size();
  }
}
