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
    double wattsIdle,
    double wattsActive,
    double dollarsPerGigabyte) {
  public DeviceSpec {
    curve = List.copyOf(curve);
  }

  /** With {@code streams} concurrent streams, {@code share} of the single stream's throughput. */
  public record CurvePoint(int streams, double share) {}
}
