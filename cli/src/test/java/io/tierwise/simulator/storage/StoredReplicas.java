package io.tierwise.simulator.storage;

/** Lets a test say where the replicas of a block are. */
public final class StoredReplicas {
  private StoredReplicas() {}

  /** Notes a whole replica of the block on the volume. */
  public static void put(BlockPlacer placer, int block, int volume, long bytes) {
    placer.put(block, volume, bytes);
  }
}
