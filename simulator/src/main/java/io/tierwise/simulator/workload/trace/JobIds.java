package io.tierwise.simulator.workload.trace;

/**
 * The ids of a trace's jobs until now, each with the number of its job: at most 48 bytes a job,
 * however long the ids are.
 *
 * <p>Own: an id is kept as a hash of 64 bits. Among ten million different ids two have the same one
 * in one of 370,000 traces.
 */
final class JobIds {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long EMPTY = 0;

  private long[] hashes = new long[64];
  private int[] numbers = new int[64];
  private int count;

  /**
   * Adds the id of the next job.
   *
   * @return the number, from 1, of the job that has this id already; 0 when none has, and it is
   *     added
   */
  int add(String id) {
    int slot = slotOf(hash(id));
    if (hashes[slot] != EMPTY) {
      return numbers[slot];
    }
    hashes[slot] = hash(id);
    numbers[slot] = ++count;
    if (2 * count > hashes.length) {
      grow();
    }
    return 0;
  }

  private void grow() {
    long[] oldHashes = hashes;
    int[] oldNumbers = numbers;
    hashes = new long[2 * oldHashes.length];
    numbers = new int[hashes.length];
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != EMPTY) {
        int slot = slotOf(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }

  /** Where the hash stands, or would. */
  private int slotOf(long hash) {
    int mask = hashes.length - 1;
    int slot = (int) (hash ^ hash >>> 32) & mask;
    while (hashes[slot] != EMPTY && hashes[slot] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** FNV-1a over the id's characters. */
  private static long hash(String id) {
    long hash = FNV_BASIS;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * FNV_PRIME;
    }
    return hash == EMPTY ? 1 : hash;
  }
}
