package io.tierwise.simulator.movement;

import io.tierwise.policies.movement.LookTimes;
import io.tierwise.simulator.storage.StoredFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;

/**
 * When the mover learns that moves are in place: it asks about their file at {@link LookTimes}, as
 * the mover of a running cluster does. An answer takes no time.
 */
final class FileLooks {
  private final Map<StoredFile, Watch> watches = new LinkedHashMap<>();
  private final ObjLongConsumer<StoredFile> lookAtNanos;

  /** The moves of a file that are made, and of those the ones that are in place. */
  private static final class Watch {
    final LookTimes times = new LookTimes();
    final Set<ReplicaMove> made = new LinkedHashSet<>();
    final List<ReplicaMove> inPlace = new ArrayList<>();
  }

  /**
   * @param lookAtNanos has {@link #look} called for a file then
   */
  FileLooks(ObjLongConsumer<StoredFile> lookAtNanos) {
    this.lookAtNanos = lookAtNanos;
  }

  /** A move is made: from now on the file is looked at. */
  void made(ReplicaMove move, long nowNanos) {
    StoredFile file = move.work().file();
    Watch watch = watches.computeIfAbsent(file, key -> new Watch());
    watch.times.moved(nowNanos, file.blockCount());
    watch.made.add(move);
    lookAtNanos.accept(file, watch.times.nextNanos());
  }

  /** A move that was made is in place: the next look finds it so. */
  void inPlace(ReplicaMove move) {
    watches.get(move.work().file()).inPlace.add(move);
  }

  /** A move that was made is not waited for any more. */
  void forget(ReplicaMove move) {
    StoredFile file = move.work().file();
    Watch watch = watches.get(file);
    watch.made.remove(move);
    if (watch.made.isEmpty()) {
      watches.remove(file);
    }
  }

  /** The moves that are found in place; none when it is not the time of a look. */
  List<ReplicaMove> look(StoredFile file, long nowNanos) {
    Watch watch = watches.get(file);
    if (watch == null || watch.times.nextNanos() != nowNanos) {
      // An earlier look was asked for meanwhile.
      return List.of();
    }
    List<ReplicaMove> found = List.copyOf(watch.inPlace);
    watch.inPlace.clear();
    found.forEach(watch.made::remove);
    if (watch.made.isEmpty()) {
      watches.remove(file);
    } else {
      watch.times.looked(nowNanos);
      lookAtNanos.accept(file, watch.times.nextNanos());
    }
    return found;
  }
}
