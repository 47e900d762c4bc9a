package io.tierwise.simulator.movement;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.Repair;
import io.tierwise.simulator.storage.StoredFile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Gives files the replicas that were decided for them.
 *
 * <p>Additional replicas are copied as lost ones are ({@link Repair}), where the file's placement
 * policy wants them. A file that changes its store has both until all its blocks are whole in the
 * new one; then the old replicas go, at once, and until then no other decision about it is heard.
 * It stays where it is when the other store has no room for all of it. A copy that finds no room in
 * the file's own store is tried again at the end of the next window.
 */
final class ReplicaChanges {
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final Repair repair;
  private final SecondaryStore store;
  private final Map<StoredFile, Way> ways = new LinkedHashMap<>();

  /**
   * Of files in the secondary store, or on their way to it: the policy that each had of its own.
   */
  private final Map<StoredFile, PlacementPolicy> ownPolicies = new LinkedHashMap<>();

  /** A file between two decisions. */
  private static final class Way {
    private final boolean changesStore;
    private final int wanted;
    private final int replicationBefore;

    /** All blocks before this index had what is wanted when they were looked at. */
    private int next;

    Way(boolean changesStore, int wanted, int replicationBefore) {
      this.changesStore = changesStore;
      this.wanted = wanted;
      this.replicationBefore = replicationBefore;
    }

    boolean leavesPrimary() {
      return changesStore && wanted == DecisionEngine.SECONDARY;
    }
  }

  /** Nothing is wanted yet; {@link #copied} has to be told of each copy that is whole. */
  ReplicaChanges(Namespace namespace, BlockPlacer placer, Repair repair, SecondaryStore store) {
    this.namespace = namespace;
    this.placer = placer;
    this.repair = repair;
    this.store = store;
  }

  /**
   * Gives an existing file so many replicas in the primary store, or puts it into the secondary
   * one.
   *
   * @param replicas or {@link DecisionEngine#SECONDARY}
   * @return the bytes that are copied for it; empty when the file stays as it is
   */
  OptionalLong want(StoredFile file, int replicas) {
    Way way = ways.get(file);
    if (way != null && way.changesStore) {
      return OptionalLong.empty();
    }
    boolean leaves = replicas == DecisionEngine.SECONDARY;
    int now = file.replication();
    if (leaves && !store.has(file)) {
      if (hasRoomFor(file)) {
        file.policy().ifPresent(own -> ownPolicies.put(file, own));
        file.setPolicy(store.placement().orElseThrow());
        copy(file, new Way(true, replicas, now), now + 1);
        return OptionalLong.of(file.bytes());
      }
    } else if (!leaves && store.has(file)) {
      file.setPolicy(ownPolicies.get(file));
      copy(file, new Way(true, replicas, now), replicas + 1);
      return OptionalLong.of(file.bytes() * replicas);
    } else if (!leaves && replicas > now) {
      copy(file, new Way(false, replicas, now), replicas);
      return OptionalLong.of(file.bytes() * (replicas - now));
    } else if (!leaves && replicas < now) {
      ways.remove(file);
      placer.keepReplicas(file, replicas);
      return OptionalLong.of(0);
    }
    return OptionalLong.empty();
  }

  /** Of files on their way there all bytes count, those that are there already too. */
  private boolean hasRoomFor(StoredFile file) {
    long coming = 0;
    for (Map.Entry<StoredFile, Way> way : ways.entrySet()) {
      coming += way.getValue().leavesPrimary() ? way.getKey().bytes() : 0;
    }
    return store.freeBytes() - coming >= file.bytes();
  }

  private void copy(StoredFile file, Way way, int replication) {
    ways.put(file, way);
    file.setReplication(replication);
    repair.writtenShort(file, 0, file.blockCount());
    settleIfThrough(file, way);
  }

  /** Room may have come up since: what waits for it is tried again. */
  void tryAgain() {
    ways.keySet().removeIf(file -> !namespace.holds(file));
    ownPolicies.keySet().removeIf(file -> !namespace.holds(file));
    if (!ways.isEmpty()) {
      repair.roomMayBe();
    }
  }

  /** A copy of a block is whole. */
  void copied(int block) {
    StoredFile file = namespace.fileOf(block);
    Way way = ways.get(file);
    if (way != null && wentElsewhere(file, block, way)) {
      giveUp(file, way);
    } else if (way != null) {
      settleIfThrough(file, way);
    } else if (file != null && namespace.wholeReplicas(block).length > file.replication()) {
      // Fewer are wanted than when its copies began.
      placer.keepReplicas(file, file.replication());
    }
  }

  /** The new store is full: a placement policy falls back to other tiers then. */
  private boolean wentElsewhere(StoredFile file, int block, Way way) {
    return way.changesStore
        && namespace.wholeReplicas(block).length >= file.replication()
        && !hasWanted(block, way.wanted);
  }

  /** The file stays where it is; a block that is in the other store alone is copied back. */
  private void giveUp(StoredFile file, Way way) {
    ways.remove(file);
    boolean stays = way.leavesPrimary();
    file.setPolicy(stays ? ownPolicies.remove(file) : store.placement().orElseThrow());
    file.setReplication(way.replicationBefore);
    dropIn(file, stays);
    placer.keepReplicas(file, way.replicationBefore);
    repair.writtenShort(file, 0, file.blockCount());
  }

  /** When all blocks have what is wanted, what is left over goes. */
  private void settleIfThrough(StoredFile file, Way way) {
    advance(file, way);
    if (way.next == file.blockCount() && way.changesStore) {
      // A disk may have died since a block was looked at, and the other store is all it has then.
      way.next = 0;
      advance(file, way);
    }
    if (way.next < file.blockCount()) {
      return;
    }
    ways.remove(file);
    if (way.changesStore) {
      dropIn(file, !way.leavesPrimary());
      file.setReplication(way.leavesPrimary() ? 1 : way.wanted);
    } else {
      // A block may have copies that began when more were wanted.
      placer.keepReplicas(file, way.wanted);
    }
    if (!way.leavesPrimary()) {
      ownPolicies.remove(file);
    }
  }

  private void advance(StoredFile file, Way way) {
    while (way.next < file.blockCount() && hasWanted(file.block(way.next), way.wanted)) {
      way.next++;
    }
  }

  private boolean hasWanted(int block, int wanted) {
    return wholeIn(wanted == DecisionEngine.SECONDARY, block) >= Math.max(1, wanted);
  }

  /** Whole replicas of a block in one of the stores. */
  private int wholeIn(boolean secondary, int block) {
    int there = 0;
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.wholeReplica(block, i);
      there += volume != ClusterView.NONE && store.has(volume) == secondary ? 1 : 0;
    }
    return there;
  }

  /** Drops all whole replicas in one of the stores, of blocks that the other one has whole. */
  private void dropIn(StoredFile file, boolean secondary) {
    for (int index = 0; index < file.blockCount(); index++) {
      int block = file.block(index);
      boolean isSafe = wholeIn(!secondary, block) > 0;
      for (int i = 0; isSafe && i < namespace.slotCount(); i++) {
        int volume = namespace.wholeReplica(block, i);
        if (volume != ClusterView.NONE && store.has(volume) == secondary) {
          placer.drop(block, i, file.blockBytes(index));
        }
      }
    }
  }
}
