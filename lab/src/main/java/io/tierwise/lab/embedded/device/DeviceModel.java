package io.tierwise.lab.embedded.device;

import java.util.Objects;

/**
 * How fast a kind of device is, alone and with several streams at once.
 *
 * <p>B(n) = B / (1 + p(n) · t · B / R), p(n) = (n - 1) / n: bytes per second of all n streams
 * together. B is the speed of one stream, t the positioning time in seconds, R the bytes a stream
 * gets in one run before the device turns to another stream, p(n) the probability that the next run
 * belongs to another stream. A device without positioning time keeps B at any n.
 *
 * <p>Own: neither paper prints its devices' curves. Fig. 8 of the access-strategies paper only says
 * that total read throughput is best with four readers.
 *
 * @param name the device class's name
 * @param readBytesPerSecond B of reads
 * @param writeBytesPerSecond B of writes
 * @param positioningSeconds t
 * @param runBytes R; positive
 * @param readersAtPeak the reader count beyond which more readers bring nothing
 */
public record DeviceModel(
    String name,
    double readBytesPerSecond,
    double writeBytesPerSecond,
    double positioningSeconds,
    double runBytes,
    int readersAtPeak) {
  /**
   * Average seek and half a turn of a disk with 7,200 turns a minute: 8.2 ms + 4.16 ms. Source: the
   * specification of the HGST Ultrastar 7K4000; hatS's Barracuda ES.2 has the same speed of
   * turning.
   */
  private static final double DISK_POSITIONING_SECONDS = 0.0082 + 0.00416;

  /**
   * Linux reads ahead in chunks of 2 MiB when asked for a range, and a DataNode asks for 4 MiB
   * ahead of each reader.
   */
  private static final double DISK_RUN_BYTES = 2 << 20;

  /** Source: access strategies, Fig. 8: four readers maximise the throughput of an SSD. */
  private static final int SSD_READERS_AT_PEAK = 4;

  /** Source: hatS, Table 4.2. */
  public static final DeviceModel PCIE_SSD =
      new DeviceModel("pcie-ssd", 533e6, 245e6, 0, 1, SSD_READERS_AT_PEAK);

  /** Source: hatS, Table 4.2. */
  public static final DeviceModel SATA_SSD =
      new DeviceModel("sata-ssd", 191e6, 139e6, 0, 1, SSD_READERS_AT_PEAK);

  /** Source: hatS, Table 4.2; positioning as above. */
  public static final DeviceModel DISK =
      new DeviceModel("disk", 61e6, 46e6, DISK_POSITIONING_SECONDS, DISK_RUN_BYTES, 1);

  public DeviceModel {
    Objects.requireNonNull(name, "name");
    if (!(readBytesPerSecond > 0 && writeBytesPerSecond > 0 && runBytes > 0)
        || !(positioningSeconds >= 0)
        || readersAtPeak < 1) {
      throw new IllegalArgumentException("device model " + name + " has a figure out of range");
    }
  }

  /**
   * The same device at {@code factor} times the speed. Runs shrink with it, so that positioning
   * takes the same share of the time: what the policies see keeps its proportions.
   */
  public DeviceModel scaled(double factor) {
    return new DeviceModel(
        name,
        readBytesPerSecond * factor,
        writeBytesPerSecond * factor,
        positioningSeconds,
        runBytes * factor,
        readersAtPeak);
  }

  /** Seconds that the device works on {@code bytes} while {@code streams} streams want it. */
  public double secondsToRead(long bytes, int streams) {
    return secondsFor(bytes, readBytesPerSecond, streams);
  }

  /** As {@link #secondsToRead}, for a write. */
  public double secondsToWrite(long bytes, int streams) {
    return secondsFor(bytes, writeBytesPerSecond, streams);
  }

  private double secondsFor(long bytes, double bytesPerSecond, int streams) {
    double otherStreamNext = streams <= 1 ? 0 : (streams - 1) / (double) streams;
    return bytes / bytesPerSecond + otherStreamNext * positioningSeconds * bytes / runBytes;
  }
}
