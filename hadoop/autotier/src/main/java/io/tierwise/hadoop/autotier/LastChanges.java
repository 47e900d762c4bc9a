package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.AdaptivePlacement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The last number of replicas that a daemon gave each file: by the mark on the file, which every
 * daemon of the cluster finds, else by this one's journal, as earlier versions left it. What {@code
 * undo} took back counts as a change, too, so that it is held.
 */
final class LastChanges {
  /** The end of what a run of the journal goes to, when it prefetches. */
  private static final String PREFETCHED = " by " + AdaptivePlacement.NAME;

  private final Map<Long, ReplicaMark> byFile = new HashMap<>();
  private final Map<Long, Placed> placed = new HashMap<>();
  private final Map<Long, String> storagePolicies = new HashMap<>();

  /**
   * A file of which a replica was moved.
   *
   * @param tier where to, the last time
   * @param prefetched for a job that waited
   */
  record Placed(String path, long bytes, String tier, double seconds, boolean prefetched) {}

  /** Reads the runs of this cluster. */
  static LastChanges of(Journal journal, String cluster) {
    LastChanges changes = new LastChanges();
    Set<String> ours = new HashSet<>();
    for (String id : journal.runs()) {
      PastRun run = PastRun.read(journal, id);
      boolean undoes = ours.contains(String.valueOf(run.begin().undoes()));
      if (run.begin().cluster().equals(cluster)
          && (run.begin().command().equals(ReplicaMark.COMMAND) || undoes)) {
        ours.add(id);
        changes.add(run);
      }
    }
    return changes;
  }

  /** Takes in what a run did. */
  void add(PastRun run) {
    boolean prefetches = String.valueOf(run.begin().to()).endsWith(PREFETCHED);
    run.read(step -> add(step, prefetches));
  }

  private void add(PastRun.Step step, boolean prefetches) {
    double seconds = step.time().toEpochMilli() / 1e3;
    if (step.mayBeMade() && step.entry() instanceof JournalEntry.Replicas entry) {
      byFile.put(
          entry.fileId(),
          new ReplicaMark(entry.fileId(), 0, entry.after(), step.time().toEpochMilli(), false));
    } else if (step.mayBeMade() && step.entry() instanceof JournalEntry.StoragePolicy policy) {
      if (policy.after().equals(TierMoves.KEEPING.name())) {
        storagePolicies.put(policy.fileId(), policy.before());
      } else {
        storagePolicies.remove(policy.fileId());
      }
    } else if (step.mayBeMade() && step.entry() instanceof JournalEntry.Moving move) {
      placed.put(
          move.fileId(),
          new Placed(
              move.file(),
              move.fileBytes(),
              String.valueOf(move.to().tier()),
              seconds,
              prefetches));
    }
  }

  /** The files whose last move went to the tier, by id, but for those that were prefetched. */
  Map<Long, Placed> placedIn(String tier) {
    return in(tier, false);
  }

  /** Those that were prefetched for jobs. */
  Map<Long, Placed> prefetchedIn(String tier) {
    return in(tier, true);
  }

  private Map<Long, Placed> in(String tier, boolean prefetched) {
    Map<Long, Placed> there = new TreeMap<>();
    placed.forEach(
        (file, last) -> {
          if (last.tier().equals(tier) && last.prefetched() == prefetched) {
            there.put(file, last);
          }
        });
    return there;
  }

  /** HDFS's storage policy that a file had before a daemon gave it another one. */
  Optional<String> storagePolicyBefore(HdfsFileStatus file) {
    return file.getStoragePolicy() == TierMoves.KEEPING.value()
        ? Optional.ofNullable(storagePolicies.get(file.getFileId()))
        : Optional.empty();
  }

  /** The file has another path now; what is known of it under that. */
  Placed renamed(long fileId, String path) {
    Placed last = placed.get(fileId);
    Placed now = new Placed(path, last.bytes(), last.tier(), last.seconds(), last.prefetched());
    placed.put(fileId, now);
    return now;
  }

  /** A file that was prefetched is kept for its readers from now on. */
  void popular(long fileId) {
    placed.computeIfPresent(
        fileId,
        (id, last) -> new Placed(last.path(), last.bytes(), last.tier(), last.seconds(), false));
  }

  /** The file was deleted, or somebody moved it. */
  void forgetPlaced(long fileId) {
    placed.remove(fileId);
  }

  /** The last change of a file with these attributes; empty for one that no daemon changed. */
  Optional<ReplicaMark> of(long fileId, Map<String, byte[]> attributes) {
    return ReplicaMark.of(fileId, attributes).or(() -> Optional.ofNullable(byFile.get(fileId)));
  }
}
