package io.tierwise.core.cluster;

import java.util.Objects;

/**
 * The measured kind of a device: what every volume of a tier can do.
 *
 * <p>A figure that nobody measured is {@link Double#NaN} (or 0 for {@code readersAtPeak}), never a
 * guess.
 *
 * @param name the class's name, for example {@code "pcie-ssd"}
 * @param readBytesPerSecond sequential read of one reader
 * @param writeBytesPerSecond sequential write of one writer
 * @param randomReadsPerSecond 4 KiB random reads per second (IOPS)
 * @param readersAtPeak the number of concurrent readers at which total throughput peaks: the
 *     default of the storage threshold T_r; 0 when unknown
 * @param peakReadBytesPerSecond total read throughput with {@code readersAtPeak} readers
 * @param power that one volume draws
 */
public record DeviceClass(
    String name,
    double readBytesPerSecond,
    double writeBytesPerSecond,
    double randomReadsPerSecond,
    int readersAtPeak,
    double peakReadBytesPerSecond,
    Power power) {

  public DeviceClass {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(power, "power");
    requirePositiveOrUnknown(name, "readBytesPerSecond", readBytesPerSecond);
    requirePositiveOrUnknown(name, "writeBytesPerSecond", writeBytesPerSecond);
    requirePositiveOrUnknown(name, "randomReadsPerSecond", randomReadsPerSecond);
    requirePositiveOrUnknown(name, "peakReadBytesPerSecond", peakReadBytesPerSecond);
    if (readersAtPeak < 0) {
      throw new IllegalArgumentException(
          "device class "
              + name
              + ": readersAtPeak is "
              + readersAtPeak
              + ", must not be negative");
    }
  }

  /** A class whose power nobody told. */
  public DeviceClass(
      String name,
      double readBytesPerSecond,
      double writeBytesPerSecond,
      double randomReadsPerSecond,
      int readersAtPeak,
      double peakReadBytesPerSecond) {
    this(
        name,
        readBytesPerSecond,
        writeBytesPerSecond,
        randomReadsPerSecond,
        readersAtPeak,
        peakReadBytesPerSecond,
        Power.UNKNOWN);
  }

  /** A class of which nothing has been measured. */
  public static DeviceClass unmeasured(String name) {
    return new DeviceClass(name, Double.NaN, Double.NaN, Double.NaN, 0, Double.NaN);
  }

  private static void requirePositiveOrUnknown(String name, String figure, double value) {
    if (!Double.isNaN(value) && !(value > 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(
          "device class " + name + ": " + figure + " is " + value + ", must be positive");
    }
  }
}
