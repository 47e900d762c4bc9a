package io.tierwise.policies.movement;

import io.tierwise.core.cluster.DeviceClass;

/**
 * The number of additional replicas of a file that pay.
 *
 * <p>Of n reads to come c begin at one time; a file has s bytes and k replicas on devices that read
 * r and write w bytes a second. Readers at one time share the replicas evenly, so that a read takes
 * (s / r) max(1, c / k) seconds. Replica k + 1 saves the difference for all n reads, and costs one
 * read and one write of the file, s / r + s / w seconds of devices. It pays when it saves more than
 * it costs; each further one saves less.
 *
 * <p>Own: the papers compare no cost with what a replica brings. Reads to come are those of the
 * window times as many windows as the change is held. Where nobody measured the devices they are
 * taken to write as fast as they read: then the comparison needs no speed, and no seconds are told.
 *
 * <p>Replicas up to the usual number protect the file: they are not weighed, so that a file that
 * had fewer for a time gets them back whenever they are wanted.
 *
 * @param device the class of the tier that replicas are on
 * @param usualReplicas that files have whose number nobody chose
 */
public record ReplicaWorth(DeviceClass device, int usualReplicas) {
  /**
   * The replicas that pay.
   *
   * @param replicas afterwards: from those that there are up to those wanted
   * @param savedSeconds of readers, by all of them; {@link Double#NaN} when nobody measured
   * @param costSeconds of devices, for all of them; likewise
   */
  public record Worth(int replicas, double savedSeconds, double costSeconds) {}

  /**
   * The reads that are expected.
   *
   * @param count of them
   * @param atOnce of them, the most
   */
  public record Reads(double count, int atOnce) {}

  /** So many of the replicas between {@code now} and {@code wanted} pay. */
  public Worth of(long bytes, Reads reads, int now, int wanted) {
    double read = 1;
    double write = 1;
    boolean measured =
        !Double.isNaN(device.readBytesPerSecond()) && !Double.isNaN(device.writeBytesPerSecond());
    if (measured) {
      read = device.readBytesPerSecond();
      write = device.writeBytesPerSecond();
    }
    double costOfOne = bytes / read + bytes / write;
    double saved = 0;
    int replicas = now;
    while (replicas < wanted) {
      double less = share(reads.atOnce(), replicas) - share(reads.atOnce(), replicas + 1);
      double savedByOne = reads.count() * bytes / read * less;
      if (replicas >= usualReplicas && savedByOne <= costOfOne) {
        break;
      }
      saved += savedByOne;
      replicas++;
    }
    return new Worth(
        replicas,
        measured ? saved : Double.NaN,
        measured ? costOfOne * (replicas - now) : Double.NaN);
  }

  private static double share(int readers, int replicas) {
    return Math.max(1, (double) readers / replicas);
  }
}
