package io.tierwise.cli.testbed.plan;

/**
 * The kinds of device of a testbed, fastest first, before scaling.
 *
 * <p>Source: hatS, Table 4.2 (read and write MB/s).
 */
public enum DeviceKind {
  PCIE_SSD("nvme", "SSD", 533, 245),
  SATA_SSD("sata", "SSD", 191, 139),
  DISK("disk", "DISK", 61, 46);

  private final String tier;
  private final String storageType;
  private final long readMegabytesPerSecond;
  private final long writeMegabytesPerSecond;

  DeviceKind(
      String tier, String storageType, long readMegabytesPerSecond, long writeMegabytesPerSecond) {
    this.tier = tier;
    this.storageType = storageType;
    this.readMegabytesPerSecond = readMegabytesPerSecond;
    this.writeMegabytesPerSecond = writeMegabytesPerSecond;
  }

  /** The tier that such devices make up in the testbed's {@code tiers.yaml}. */
  public String tier() {
    return tier;
  }

  /** HDFS's storage type of such a device: it knows no two kinds of SSD. */
  public String storageType() {
    return storageType;
  }

  public long readBytesPerSecond(int scaleDown) {
    return readMegabytesPerSecond * 1_000_000 / scaleDown;
  }

  public long writeBytesPerSecond(int scaleDown) {
    return writeMegabytesPerSecond * 1_000_000 / scaleDown;
  }
}
