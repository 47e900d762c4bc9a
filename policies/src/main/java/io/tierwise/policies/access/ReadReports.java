package io.tierwise.policies.access;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a reading process has not told yet of its reads, for the host that orders replicas.
 *
 * <p>Reads from one device are summed: their bytes, and the time in which at least one of them
 * waited. Who hears of the sum allows for one block that is opened, so what others may have taken
 * for that is left out: many short reads make no device slow. Safe for many threads; bounded: the
 * {@value #PENDING_MAX} devices that were read last.
 */
public final class ReadReports {
  static final int PENDING_MAX = 16;

  /** Own: mostly one is told, the block before; two when it was left in the middle. */
  public static final int TOLD_MAX = 4;

  /** Own: a read that is both shorter and smaller waited for its first byte, mostly. */
  private static final double BYTES_MIN = 1 << 20;

  private static final double MILLIS_PER_SECOND = 1e3;

  private static final double OPENING_MILLIS = ReportedSpeeds.LATENCY_SECONDS * MILLIS_PER_SECOND;

  /** The device that was read last stands last. */
  private final Deque<Pending> pending = new ArrayDeque<>();

  private static final class Pending {
    final long device;
    final boolean remote;
    double bytes;
    double millis;
    long endMillis;

    Pending(long device, boolean remote) {
      this.device = device;
      this.remote = remote;
    }

    boolean isOf(long otherDevice, boolean isRemote) {
      return device == otherDevice && remote == isRemote;
    }

    /** Reads at one time wait together. */
    void add(double addedBytes, double waitedMillis, long nowMillis) {
      bytes += addedBytes;
      if (millis == 0) {
        millis = waitedMillis;
      } else {
        double alone = Math.min(waitedMillis, (double) (nowMillis - endMillis));
        millis += Math.max(0, alone - OPENING_MILLIS);
      }
      endMillis = nowMillis;
    }

    ReadReport told(long nowMillis) {
      // From double to long what is too large becomes the largest: nothing wraps.
      return new ReadReport(
          device,
          remote,
          Math.min((long) bytes, ReadReport.BYTES_MAX),
          Math.max(1, Math.min((long) millis, ReadReport.MILLIS_MAX)),
          Math.max(0, nowMillis - endMillis));
    }
  }

  /**
   * A read is over, or left.
   *
   * @param device a number that is the same in every process
   * @param seconds that the reader waited
   * @param nowMillis monotonic time
   */
  synchronized void saw(long device, boolean remote, double bytes, double seconds, long nowMillis) {
    double millis = seconds * MILLIS_PER_SECOND;
    boolean tells = millis >= SlowReads.LOOK_MILLIS_MIN || (millis >= 1 && bytes >= BYTES_MIN);
    if (!tells || !(bytes >= 0)) {
      return;
    }
    Pending sum = remove(device, remote);
    if (sum == null) {
      sum = new Pending(device, remote);
    }
    sum.add(bytes, millis, nowMillis);
    if (pending.size() == PENDING_MAX) {
      pending.removeFirst();
    }
    pending.addLast(sum);
  }

  private Pending remove(long device, boolean remote) {
    for (Pending each : pending) {
      if (each.isOf(device, remote)) {
        pending.remove(each);
        return each;
      }
    }
    return null;
  }

  /**
   * Takes what is to be told now, the latest first. What is too old, or too much, is forgotten.
   *
   * @param nowMillis monotonic time
   */
  public synchronized List<ReadReport> take(long nowMillis) {
    if (pending.isEmpty()) {
      return List.of();
    }
    List<ReadReport> told = new ArrayList<>(TOLD_MAX);
    while (!pending.isEmpty() && told.size() < TOLD_MAX) {
      Pending last = pending.removeLast();
      if (nowMillis - last.endMillis <= ReadReport.AGO_MILLIS_MAX) {
        told.add(last.told(nowMillis));
      }
    }
    pending.clear();
    return told;
  }
}
