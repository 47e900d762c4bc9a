package io.tierwise.lab.testbed.bench;

/**
 * A fault of the cluster during reads, on the first node that has a fast device. Files are written
 * before, so that replicas lie where they lie in a healthy cluster.
 */
public enum BenchFault {
  /** Its fast device gives a fifth of its speed. */
  SLOW_DEVICE("slow_device", 10_000, ReadsPart.SLOW_DEVICE),
  /** Its link carries a tenth, in both directions. */
  SLOW_LINK("slow_link", 1_000, ReadsPart.SLOW_LINK),
  /** Four writers are at work on its fast device. */
  BACKGROUND_WRITERS("background_writer", 10_000, ReadsPart.BACKGROUND_WRITERS);

  static final double SLOW_DEVICE_SHARE = 0.2;
  static final int SLOW_LINK_DIVISOR = 10;
  static final int WRITERS = 4;

  private final String key;
  private final int linkMegabits;
  private final ReadsPart part;

  BenchFault(String key, int linkMegabits, ReadsPart part) {
    this.part = part;
    this.key = key;
    this.linkMegabits = linkMegabits;
  }

  /** As the summary's keys begin. */
  String key() {
    return key;
  }

  /** The part of the bench that is this fault alone. */
  ReadsPart part() {
    return part;
  }

  /** The links' speed before scaling: fast links make devices the limit, slow ones the links. */
  int linkMegabits() {
    return linkMegabits;
  }
}
