package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Files, their blocks, and the volumes of their replicas: 4 bytes a replica, 4 a block.
 *
 * <p>Block ids are given out once; those of deleted files are not used again.
 */
public final class Namespace {
  private static final int NONE = ClusterView.NONE;

  private final int replication;
  private final int slotCount;
  private final long blockBytes;
  private final List<StoredFile> files = new ArrayList<>();

  private final Map<String, StoredFile> byPath = new LinkedHashMap<>();

  /** The files with a path that are not open, by last use: the first is the one to delete. */
  private final NavigableMap<Long, StoredFile> idle = new TreeMap<>();

  private long useCount;

  /** Replicas that are being copied, by block and number: none serves a read before it is whole. */
  private final Set<Long> copying = new HashSet<>();

  private int[] fileOfBlock = new int[1024];
  private int[] replicas;
  private int blockCount;

  /** No file ever has more replicas than the file system gives. */
  public Namespace(int replication, long blockBytes) {
    this(replication, replication, blockBytes);
  }

  /**
   * No file is there yet.
   *
   * @param replication of a file that does not ask for another number
   * @param replicationMax that a file may get later
   */
  public Namespace(int replication, int replicationMax, long blockBytes) {
    this.replication = replication;
    this.slotCount = Math.max(replication, replicationMax);
    this.blockBytes = blockBytes;
    this.replicas = new int[1024 * slotCount];
  }

  /** The file of that name, or null. Counts as a use. */
  public StoredFile find(String path) {
    StoredFile file = path.isEmpty() ? null : byPath.get(path);
    if (file != null) {
      used(file);
    }
    return file;
  }

  private void used(StoredFile file) {
    idle.remove(file.lastUse());
    file.setLastUse(useCount++);
    openChanged(file);
  }

  /** A file is open from now on, or is not any more. */
  void openChanged(StoredFile file) {
    if (file.isOpen() || byPath.get(file.path()) != file) {
      idle.remove(file.lastUse());
    } else {
      idle.put(file.lastUse(), file);
    }
  }

  /** The files that have a name, in the order of names. Counts as no use. */
  public List<StoredFile> namedFiles() {
    return byPath.values().stream().sorted(Comparator.comparing(StoredFile::path)).toList();
  }

  /** All files that were not deleted, in the order in which they were made. */
  public List<StoredFile> files() {
    return files.stream().filter(Objects::nonNull).toList();
  }

  /** Makes a file without replicas, which will have as many as the file system gives. */
  public StoredFile create(String path, int partCount, long partBytes) {
    return create(path, partCount, partBytes, replication);
  }

  /**
   * Makes a file without replicas.
   *
   * @param path empty when nobody will ask for it
   * @param replicas that it will have: no more than {@link #replication}
   */
  public StoredFile create(String path, int partCount, long partBytes, int replicas) {
    StoredFile file =
        new StoredFile(
            this,
            files.size(),
            path,
            blockBytes,
            blockCount,
            partCount,
            partBytes,
            Math.min(replicas, replication));
    files.add(file);
    if (!path.isEmpty()) {
      StoredFile before = byPath.put(path, file);
      if (before != null) {
        idle.remove(before.lastUse());
      }
      used(file);
    }
    addBlocks(file.id(), file.blockCount());
    return file;
  }

  private void addBlocks(int fileId, int count) {
    int needed = Math.addExact(blockCount, count);
    if (needed > fileOfBlock.length) {
      int room = Math.max(needed, fileOfBlock.length + fileOfBlock.length / 2);
      fileOfBlock = Arrays.copyOf(fileOfBlock, room);
      replicas = Arrays.copyOf(replicas, Math.multiplyExact(room, slotCount));
    }
    Arrays.fill(fileOfBlock, blockCount, needed, fileId);
    Arrays.fill(replicas, blockCount * slotCount, needed * slotCount, NONE);
    blockCount = needed;
  }

  /** Forgets a file; its replicas must be gone. */
  void remove(StoredFile file) {
    byPath.remove(file.path(), file);
    idle.remove(file.lastUse());
    files.set(file.id(), null);
  }

  /** The files with a path that nobody uses, the one that was used longest ago first. */
  Collection<StoredFile> idleFiles() {
    return idle.values();
  }

  /** The file that was used longest ago and is not being read, or null. */
  StoredFile leastRecentlyUsed() {
    return idle.isEmpty() ? null : idle.firstEntry().getValue();
  }

  /** Whether the file was not deleted. */
  public boolean holds(StoredFile file) {
    return files.get(file.id()) == file;
  }

  /** The file of a block, or null when it was deleted. */
  public StoredFile fileOf(int block) {
    return files.get(fileOfBlock[block]);
  }

  /** Replicas of a file that does not ask for fewer. */
  public int replication() {
    return replication;
  }

  /** The most replicas that a block can have: {@link #replica} numbers them. */
  public int slotCount() {
    return slotCount;
  }

  public int blockCount() {
    return blockCount;
  }

  /** Of all blocks but a part's last one. */
  public long blockBytes() {
    return blockBytes;
  }

  /**
   * The volume of a block's i-th replica, or {@link ClusterView#NONE}; one that is being copied has
   * its room already.
   */
  public int replica(int block, int i) {
    return replicas[block * slotCount + i];
  }

  /** As {@link #replica}, but none for one that is being copied. */
  public int wholeReplica(int block, int i) {
    return isCopying(block, i) ? NONE : replica(block, i);
  }

  /** Whether that replica is being copied. */
  public boolean isCopying(int block, int i) {
    return !copying.isEmpty() && copying.contains(key(block, i));
  }

  void setReplica(int block, int i, int volume) {
    replicas[block * slotCount + i] = volume;
    if (!copying.isEmpty()) {
      copying.remove(key(block, i));
    }
  }

  /** The replica is a copy that has only begun. */
  void beginCopy(int block, int i) {
    copying.add(key(block, i));
  }

  /** The replica is whole now. */
  void endCopy(int block, int i) {
    copying.remove(key(block, i));
  }

  private long key(int block, int i) {
    return (long) block * slotCount + i;
  }

  /** The number of replicas of a block, those that are being copied included. */
  public int replicaCount(int block) {
    int count = 0;
    for (int i = 0; i < slotCount; i++) {
      if (replica(block, i) != NONE) {
        count++;
      }
    }
    return count;
  }

  /** The volumes of a block's replicas, those that are being copied included. */
  int[] replicas(int block) {
    int[] volumes = new int[replicaCount(block)];
    for (int i = 0, found = 0; found < volumes.length; i++) {
      if (replica(block, i) != NONE) {
        volumes[found++] = replica(block, i);
      }
    }
    return volumes;
  }

  /** The volumes of a block's replicas that are not being copied. */
  public int[] wholeReplicas(int block) {
    return IntStream.range(0, slotCount)
        .map(i -> wholeReplica(block, i))
        .filter(volume -> volume != NONE)
        .toArray();
  }

  /** Whether a block has a replica that is not being copied. */
  public boolean hasWholeReplica(int block) {
    for (int i = 0; i < slotCount; i++) {
      if (wholeReplica(block, i) != NONE) {
        return true;
      }
    }
    return false;
  }
}
