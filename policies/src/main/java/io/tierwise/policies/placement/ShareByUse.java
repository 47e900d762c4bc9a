package io.tierwise.policies.placement;

import io.tierwise.core.data.Ratio;
import io.tierwise.core.message.Words;

/**
 * Chooses HDFS_H's ρ while a cluster runs: the share of a data set's new blocks that goes to the
 * first of two zones, by how the data set was used lately.
 *
 * <p>A zone has n devices that each read r and write w bytes a second. Of the data set R bytes are
 * read and W written a second, the latter k times. If all of it were in one zone, the use would
 * take a = R / r + k W / w seconds of that zone's devices each second, and keep each of them busy
 * for the part A = a / n of the time. With a share ρ they are busy for U = ρ A; the other zone's
 * for U = (1 - ρ) A. Requests that come at random and share a device are n U / (1 - U) at a time in
 * a zone (M/G/1 with processor sharing). By Little's law the sum over both zones, divided by R + W,
 * is the mean time for each byte. It is least where both slopes are equal:
 *
 * <p>ρ = (q - p + p A1) / (p A1 + q A0), with p = sqrt(a0) and q = sqrt(a1)
 *
 * <p>A light load is served by the faster zone alone, a heavy one by both. Where no ρ keeps up, the
 * one is chosen at which both zones are equally busy: A1 / (A0 + A1).
 *
 * <p>Bounds: after the time for which a share is held the data set has B = k (S + W h) bytes with
 * its replicas. A zone takes no larger share than what it has of them and its room hold of B, and
 * than its room holds of what is written until then.
 *
 * <p>Hysteresis: a share stays unless another one saves {@code gainMin} of the time, and for the
 * time h after each change; but for one that a zone has no room for.
 *
 * <p>Source: HDFS_H names such a heuristic as future work (section 7), and gives none. Own: all of
 * this. It knows nothing of the time that programs compute: that is the same at each ρ. Energy and
 * money are not weighed: in the paper they favour the SSD with time, and the disk for each byte
 * stored; an SSD that was bought is used.
 *
 * @param gainMin of the time, that another share has to save, from 0 to 1
 * @param holdSeconds for which a share is kept
 */
public record ShareByUse(double gainMin, double holdSeconds) {
  /** Its name in journals and reports. */
  public static final String NAME = "share-by-use";

  /** Own: what the mover's own choices have to gain. */
  public static final double GAIN_MIN = 0.05;

  private static final int PARTS = 100;
  private static final double STEP = 1.0 / PARTS;

  /**
   * A zone.
   *
   * @param name for people
   * @param devices in service
   * @param readBytesPerSecond of one of them; {@link Double#NaN} when nobody measured
   * @param writeBytesPerSecond likewise
   * @param roomBytes that it can still take
   * @param thereBytes of the data set's replicas that it has
   */
  public record Zone(
      String name,
      int devices,
      double readBytesPerSecond,
      double writeBytesPerSecond,
      double roomBytes,
      double thereBytes) {
    public Zone {
      require(devices >= 0, "devices", devices);
      require(roomBytes >= 0, "roomBytes", roomBytes);
      require(thereBytes >= 0, "thereBytes", thereBytes);
    }

    private boolean isMeasured() {
      return readBytesPerSecond > 0 && writeBytesPerSecond > 0;
    }
  }

  /**
   * The data set and its use in the last window.
   *
   * @param bytes of it, with one replica
   * @param replicas that its files have, on average
   * @param readBytesPerSecond of it
   * @param writtenBytesPerSecond of it, once for all replicas
   */
  public record DataSet(
      double bytes, double replicas, double readBytesPerSecond, double writtenBytesPerSecond) {
    public DataSet {
      require(bytes >= 0 && bytes < Double.POSITIVE_INFINITY, "bytes", bytes);
      require(replicas >= 1, "replicas", replicas);
      require(isRate(readBytesPerSecond), "readBytesPerSecond", readBytesPerSecond);
      require(isRate(writtenBytesPerSecond), "writtenBytesPerSecond", writtenBytesPerSecond);
    }

    private static boolean isRate(double value) {
      return value >= 0 && value < Double.POSITIVE_INFINITY;
    }

    private double usedBytesPerSecond() {
      return readBytesPerSecond + writtenBytesPerSecond;
    }
  }

  /**
   * The share that holds.
   *
   * @param share of the first zone
   * @param sinceSeconds how long ago it was set; infinite when nobody knows
   */
  public record Present(Ratio share, double sinceSeconds) {}

  /**
   * The answer.
   *
   * @param share of the first zone from now on
   * @param changes whether it is another one than before
   * @param secondsBefore for each GB that is read or written, waiting included, with the share that
   *     held; infinite where devices do not keep up, {@link Double#NaN} where nothing is known
   * @param secondsAfter the same with the best share, whether it is taken or not
   * @param why a sentence
   */
  public record Choice(
      Ratio share, boolean changes, double secondsBefore, double secondsAfter, String why) {}

  public ShareByUse {
    require(gainMin >= 0 && gainMin < 1, "gainMin", gainMin);
    require(holdSeconds >= 0, "holdSeconds", holdSeconds);
  }

  private static void require(boolean holds, String name, double value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " " + value + " is out of range");
    }
  }

  /**
   * The least and the largest share of the first zone that both zones have room for.
   *
   * @param fit whether there is one
   */
  private record Bounds(double least, double most, boolean fit) {
    static final Bounds NONE = new Bounds(0, 1, true);

    static Bounds of(double first, double second) {
      // Where both are too small, each takes its part of what there is no room for.
      return first + second < 1
          ? new Bounds(first / (first + second), first / (first + second), false)
          : new Bounds(1 - second, first, true);
    }

    double clip(double share) {
      return Math.max(least, Math.min(most, share));
    }

    /** The same in hundredths, of a share in hundredths. */
    double clipHundredths(double share) {
      double floor = Math.floor(most * PARTS + 1e-9) / PARTS;
      double ceiling = Math.ceil(least * PARTS - 1e-9) / PARTS;
      return Math.min(floor, Math.max(ceiling, share));
    }

    boolean excludes(double share) {
      return share > most + STEP || share < least - STEP;
    }
  }

  /** The use of both zones, if all of the data set were there. */
  private record Demand(double n0, double busy0, double n1, double busy1) {
    double peak(double share) {
      return Math.max(share * busy0, (1 - share) * busy1);
    }

    /** Requests at a time in both zones. */
    double requests(double share) {
      return peak(share) < 1
          ? queued(n0, share * busy0) + queued(n1, (1 - share) * busy1)
          : Double.POSITIVE_INFINITY;
    }

    private static double queued(double devices, double busy) {
      return devices * busy / (1 - busy);
    }

    double best(Bounds bounds) {
      double p = Math.sqrt(n0 * busy0);
      double q = Math.sqrt(n1 * busy1);
      double least = bounds.clip((q - p + p * busy1) / (p * busy1 + q * busy0));
      return Double.isFinite(requests(least)) ? least : bounds.clip(busy1 / (busy0 + busy1));
    }

    /** The better of the hundredths beside the best: near its limit one of them may not keep up. */
    double bestHundredth(Bounds bounds) {
      double best = best(bounds);
      double below = bounds.clipHundredths(Math.floor(best * PARTS) / PARTS);
      double above = bounds.clipHundredths(Math.ceil(best * PARTS) / PARTS);
      return gain(below, above) > 0 ? above : below;
    }

    /** The part of the time that {@code after} saves; of the busiest zone, where none keeps up. */
    double gain(double before, double after) {
      double now = requests(before);
      double then = requests(after);
      if (Double.isInfinite(then)) {
        return Double.isInfinite(now) ? 1 - peak(after) / peak(before) : 0;
      }
      return Double.isInfinite(now) ? 1 : 1 - then / now;
    }
  }

  /**
   * Chooses.
   *
   * @param first the zone whose share it is
   */
  public Choice choose(DataSet use, Zone first, Zone second, Present present) {
    for (Zone zone : new Zone[] {first, second}) {
      if (zone.devices() == 0) {
        return kept(present, zone.name() + " has no volume in service");
      }
      if (!zone.isMeasured()) {
        return kept(present, "nobody measured how fast " + zone.name() + " reads and writes");
      }
    }
    if (use.usedBytesPerSecond() == 0) {
      return kept(present, "nothing of it was read or written");
    }
    Demand demand =
        new Demand(first.devices(), busy(use, first), second.devices(), busy(use, second));
    double firstMost = shareMax(use, first);
    double secondMost = shareMax(use, second);
    if (firstMost + secondMost == 0) {
      return kept(present, "neither zone has any room");
    }
    Bounds bounds = Bounds.of(firstMost, secondMost);
    double best = demand.bestHundredth(bounds);
    double now = (double) present.share().numerator() / present.share().denominator();
    Ratio share = new Ratio(Math.round(best * PARTS), PARTS);
    String why = reason(demand, bounds, first.name(), second.name());
    String stays = null;
    if (share.equals(present.share())) {
      stays = "it is the best: " + why;
    } else if (!bounds.excludes(now)) {
      stays = stays(share, demand.gain(now, best), present, why);
    }
    double forGigabyte = 1e9 / use.usedBytesPerSecond();
    return new Choice(
        stays == null ? share : present.share(),
        stays == null,
        demand.requests(now) * forGigabyte,
        demand.requests(best) * forGigabyte,
        stays == null ? why : stays);
  }

  /** Why another share is not taken though both zones have room for both; null when it is. */
  private String stays(Ratio share, double gain, Present present, String why) {
    if (gain < gainMin) {
      return share + " would save less than " + Words.percent(gainMin) + " of the time";
    }
    return present.sinceSeconds() < holdSeconds
        ? "it was set less than "
            + Words.duration(holdSeconds)
            + " ago, and would be "
            + share
            + ": "
            + why
        : null;
  }

  private static Choice kept(Present present, String why) {
    return new Choice(present.share(), false, Double.NaN, Double.NaN, why);
  }

  private static double busy(DataSet use, Zone zone) {
    return (use.readBytesPerSecond() / zone.readBytesPerSecond()
            + use.replicas() * use.writtenBytesPerSecond() / zone.writeBytesPerSecond())
        / zone.devices();
  }

  /** The share of the data set, and of what is written, that a zone has room for. */
  private double shareMax(DataSet use, Zone zone) {
    double coming = use.replicas() * use.writtenBytesPerSecond() * holdSeconds;
    double all = use.replicas() * use.bytes() + coming;
    return Math.min(
        part(zone.roomBytes() + zone.thereBytes(), all), part(zone.roomBytes(), coming));
  }

  /** What so many bytes are of others: at most all. */
  private static double part(double bytes, double of) {
    return of <= bytes ? 1 : bytes / of;
  }

  private static String reason(Demand demand, Bounds bounds, String first, String second) {
    if (!bounds.fit()) {
      return "neither zone has room for its part";
    }
    double free = demand.best(Bounds.NONE);
    if (bounds.most() < free - STEP) {
      return first + " has no room for more";
    }
    if (bounds.least() > free + STEP) {
      return second + " has no room for more";
    }
    return Double.isFinite(demand.requests(bounds.clip(free)))
        ? "accesses take the least time"
        : "no share keeps up with the use, and both zones are equally busy";
  }
}
