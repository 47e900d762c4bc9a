package io.tierwise.hadoop.hdfs.datanode;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers for a while which client was refused which block, so that one who comes back, since the
 * other replicas failed it too, is served.
 *
 * <p>Bounded: when it is full of refusals that still count, nothing more may be refused, since a
 * refusal that is forgotten could be repeated without end.
 */
final class RefusalMemory {
  private record Key(String client, String block) {}

  private final int entriesMax;
  private final long memoryNanos;
  private final LinkedHashMap<Key, Long> refusedAtNanos = new LinkedHashMap<>();

  RefusalMemory(int entriesMax, long memoryNanos) {
    this.entriesMax = entriesMax;
    this.memoryNanos = memoryNanos;
  }

  /**
   * Whether that client was refused that block not long ago. It stays so however often it is asked:
   * several threads of one client may have been refused, and each of them comes back.
   */
  synchronized boolean remembers(String client, String block, long nowNanos) {
    Long refusedAt = refusedAtNanos.get(new Key(client, block));
    return refusedAt != null && nowNanos - refusedAt <= memoryNanos;
  }

  /**
   * Notes a refusal.
   *
   * @return false when there is no room: then the read must not be refused
   */
  synchronized boolean put(String client, String block, long nowNanos) {
    Key key = new Key(client, block);
    // Removed first, so that the entries stay sorted by time.
    refusedAtNanos.remove(key);
    Iterator<Map.Entry<Key, Long>> oldest = refusedAtNanos.entrySet().iterator();
    while (oldest.hasNext() && nowNanos - oldest.next().getValue() > memoryNanos) {
      oldest.remove();
    }
    if (refusedAtNanos.size() >= entriesMax) {
      return false;
    }
    refusedAtNanos.put(key, nowNanos);
    return true;
  }

  synchronized int size() {
    return refusedAtNanos.size();
  }
}
