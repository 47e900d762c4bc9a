package io.tierwise.simulator.scenario;

import java.util.List;

/**
 * A class of devices.
 *
 * @param readBytesPerSecond sequential, one reader
 * @param writeBytesPerSecond sequential, one writer
 * @param curve throughput with n streams as a share of that with one, at the stream counts given;
 *     linear between them, constant after the last; empty: 1 everywhere
 * @param seekSeconds before the first byte of each transfer
 * @param readersAtPeak readers at which throughput peaks, the default of the storage threshold T_r;
 *     0: by the curve
 * @param wattsIdle powered and idle
 * @param wattsActive while transferring
 * @param dollarsPerGigabyte 10^9 bytes
 */
public record DeviceSpec(
    String name,
    double readBytesPerSecond,
    double writeBytesPerSecond,
    List<CurvePoint> curve,
    double seekSeconds,
    int readersAtPeak,
    double wattsIdle,
    double wattsActive,
    double dollarsPerGigabyte) {
  /** A device whose curve says where it peaks. */
  public DeviceSpec(
      String name,
      double readBytesPerSecond,
      double writeBytesPerSecond,
      List<CurvePoint> curve,
      double seekSeconds,
      double wattsIdle,
      double wattsActive,
      double dollarsPerGigabyte) {
    this(
        name,
        readBytesPerSecond,
        writeBytesPerSecond,
        curve,
        seekSeconds,
        0,
        wattsIdle,
        wattsActive,
        dollarsPerGigabyte);
  }

  public DeviceSpec {
    curve = List.copyOf(curve);
  }

  /** With {@code streams} concurrent streams, {@code share} of the single stream's throughput. */
  public record CurvePoint(int streams, double share) {}
}
