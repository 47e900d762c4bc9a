package io.tierwise.policies.access;

/**
 * What one reader got from one replica, as it tells the host that orders replicas: {@link
 * AutoAccess}.
 *
 * @param device of the replica; a number that is the same in every process of the cluster
 * @param remote whether the bytes came over links
 * @param bytes that came, 0 to {@link #BYTES_MAX}
 * @param millis that the reader waited for them, 1 to {@link #MILLIS_MAX}
 * @param agoMillis since the read ended, 0 to {@link #AGO_MILLIS_MAX}
 */
public record ReadReport(long device, boolean remote, long bytes, long millis, long agoMillis) {
  /** A block is never so long. */
  public static final long BYTES_MAX = 1L << 50;

  /** A reader that waited longer says no more than "long". */
  public static final long MILLIS_MAX = 600_000;

  /** Own: what is older says nothing of now. */
  public static final long AGO_MILLIS_MAX = 30_000;

  public ReadReport {
    require("bytes", bytes, 0, BYTES_MAX);
    require("millis", millis, 1, MILLIS_MAX);
    require("agoMillis", agoMillis, 0, AGO_MILLIS_MAX);
  }

  /** The same read, so long ago. */
  public ReadReport ended(long millisAgo) {
    return new ReadReport(device, remote, bytes, millis, millisAgo);
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " is " + value + ", allowed: " + min + " to " + max);
    }
  }
}
