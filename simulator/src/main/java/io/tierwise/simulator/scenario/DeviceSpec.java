package io.tierwise.simulator.scenario;

import java.util.List;

/**
 * A class of devices.
 *
 * @param readBytesPerSecond sequential, one reader
 * @param writeBytesPerSecond sequential, one writer
 * @param curve throughput with n streams as a share of that with one, at the stream counts given;
 *     linear between them, constant after the last; empty: 1 everywhere; what buffers write back is
 *     one stream
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

  /** Throughput with {@code streams} streams as a share of that with one. */
  public double share(int streams) {
    CurvePoint below = new CurvePoint(1, 1);
    for (CurvePoint point : curve) {
      if (point.streams() >= streams) {
        int gap = point.streams() - below.streams();
        return gap <= 0
            ? point.share()
            : below.share() + (point.share() - below.share()) * (streams - below.streams()) / gap;
      }
      below = point;
    }
    return below.share();
  }

  /**
   * Readers at which throughput peaks: as stated, or where the curve does, the first of equal
   * peaks; 0, unknown, when neither says so.
   */
  public int streamsAtPeak() {
    if (readersAtPeak > 0 || curve.isEmpty()) {
      return readersAtPeak;
    }
    CurvePoint best = new CurvePoint(1, 1);
    for (CurvePoint point : curve) {
      if (point.share() > best.share()) {
        best = point;
      }
    }
    return best.streams();
  }

  /** With {@code streams} concurrent streams, {@code share} of the single stream's throughput. */
  public record CurvePoint(int streams, double share) {}
}
