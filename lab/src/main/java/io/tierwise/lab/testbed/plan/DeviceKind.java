package io.tierwise.lab.testbed.plan;

/**
 * The kinds of device of a testbed, fastest first, before scaling.
 *
 * <p>Source: hatS, Table 4.2 (read and write MB/s); access strategies, Fig. 8 (four readers
 * maximise the throughput of an SSD).
 */
public enum DeviceKind {
  PCIE_SSD("pcie-ssd", "SSD", 533, 245, 4),
  SATA_SSD("sata-ssd", "SSD", 191, 139, 4),
  DISK("disk", "DISK", 61, 46, 1);

  private final String tier;
  private final String storageType;
  private final long readMegabytesPerSecond;
  private final long writeMegabytesPerSecond;
  private final int readersAtPeak;

  DeviceKind(
      String tier,
      String storageType,
      long readMegabytesPerSecond,
      long writeMegabytesPerSecond,
      int readersAtPeak) {
    this.tier = tier;
    this.storageType = storageType;
    this.readMegabytesPerSecond = readMegabytesPerSecond;
    this.writeMegabytesPerSecond = writeMegabytesPerSecond;
    this.readersAtPeak = readersAtPeak;
  }

  /** The tier that such devices make up in the testbed's {@code tiers.yaml}. */
  public String tier() {
    return tier;
  }

  /** HDFS's storage type of such a device: it knows no two kinds of SSD. */
  public String storageType() {
    return storageType;
  }

  /** The number of readers that the tier table names as the storage threshold T_r. */
  public int readersAtPeak() {
    return readersAtPeak;
  }

  public long readBytesPerSecond(int scaleDown) {
    return readMegabytesPerSecond * 1_000_000 / scaleDown;
  }

  public long writeBytesPerSecond(int scaleDown) {
    return writeMegabytesPerSecond * 1_000_000 / scaleDown;
  }
}
