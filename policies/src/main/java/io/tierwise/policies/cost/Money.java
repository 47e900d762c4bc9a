package io.tierwise.policies.cost;

/** Money: what storage, network ports and electricity cost. Dollars, whatever the currency. */
public final class Money {
  /** Bytes of a gigabyte, by which storage is sold. */
  public static final double BYTES_PER_GIGABYTE = 1e9;

  private Money() {}

  /**
   * Price of keeping a data set partly on SSDs and partly on hard disks.
   *
   * <p>cost = size(DS) (SSD_prop SSD_costPerGB + (1 - SSD_prop) HD_costPerGB): dollars; size in
   * gigabytes, replicas included when they are to be counted.
   *
   * <p>Source: HDFS_H, Eq. 10-13.
   *
   * @param ssdShare SSD_prop, the share of the data on SSDs, from 0 to 1
   */
  public static double storageDollars(
      double bytes, double ssdShare, double ssdDollarsPerGigabyte, double hdDollarsPerGigabyte) {
    Require.probability("ssdShare", ssdShare);
    Require.notNegative("ssdDollarsPerGigabyte", ssdDollarsPerGigabyte);
    Require.notNegative("hdDollarsPerGigabyte", hdDollarsPerGigabyte);
    double dollarsPerGigabyte =
        ssdShare * ssdDollarsPerGigabyte + (1 - ssdShare) * hdDollarsPerGigabyte;
    return capacityDollars(bytes, dollarsPerGigabyte);
  }

  /** Price of storage by its capacity. */
  public static double capacityDollars(double bytes, double dollarsPerGigabyte) {
    Require.notNegative("bytes", bytes);
    Require.notNegative("dollarsPerGigabyte", dollarsPerGigabyte);
    return bytes / BYTES_PER_GIGABYTE * dollarsPerGigabyte;
  }

  /**
   * Price of equipment by the piece: disks and network ports.
   *
   * <p>Source: DerbyhatS, section 3.2 (equipment cost comparison: 50 dollars a disk, 5 dollars a
   * port).
   *
   * @param ports need not be whole: the paper counts bonded ports by their observed bandwidth
   */
  public static double equipmentDollars(
      double disks, double dollarsPerDisk, double ports, double dollarsPerPort) {
    Require.notNegative("disks", disks);
    Require.notNegative("dollarsPerDisk", dollarsPerDisk);
    Require.notNegative("ports", ports);
    Require.notNegative("dollarsPerPort", dollarsPerPort);
    return disks * dollarsPerDisk + ports * dollarsPerPort;
  }

  /** Price of electricity. */
  public static double energyDollars(double joules, double dollarsPerKilowattHour) {
    Require.notNegative("joules", joules);
    Require.notNegative("dollarsPerKilowattHour", dollarsPerKilowattHour);
    return Energy.kilowattHours(joules) * dollarsPerKilowattHour;
  }
}
