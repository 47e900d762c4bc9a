package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The report of a run, or of a dry one.
 *
 * @param files that were looked at
 * @param blocks of theirs that were looked at
 * @param blocksAsWanted that had nothing to move
 * @param moved replicas that the NameNode reports in their new place, or that would be moved
 * @param networkBytes of {@code moved}, between nodes
 * @param left what should move and did not, by reason, the most first
 * @param tiers what comes to and goes from each tier, fastest first
 * @param fills how full tiers get, fastest first; told by a plan only
 * @param seconds that it took; of a plan, that it would take at the rates asked for
 * @param stopped whether it was ended before its end
 */
public record MoverReport(
    long files,
    long blocks,
    long blocksAsWanted,
    Amount moved,
    long networkBytes,
    List<Left> left,
    List<TierChange> tiers,
    List<TierFill> fills,
    double seconds,
    boolean stopped) {
  public MoverReport {
    left = List.copyOf(left);
    tiers = List.copyOf(tiers);
    fills = List.copyOf(fills);
  }

  /** So many replicas. */
  public record Amount(long replicas, long bytes) {
    static final Amount NONE = new Amount(0, 0);

    Amount plus(long moreReplicas, long moreBytes) {
      return new Amount(replicas + moreReplicas, bytes + moreBytes);
    }
  }

  /**
   * Replicas that stay.
   *
   * @param reason one line for people
   * @param fault whether something went wrong, as against a rule that keeps it where it is
   * @param amount replicas; of files that are left out whole, their blocks
   * @param example one of the paths
   */
  public record Left(String reason, boolean fault, Amount amount, String example) {
    /** The same as a journal has it. */
    public JournalEntry.Left journaled() {
      return new JournalEntry.Left(reason, fault, amount.replicas(), amount.bytes(), example);
    }
  }

  /** Bytes that come to a tier and that it gets free; of a tier named null, volumes in none. */
  public record TierChange(String tier, long comeBytes, long goBytes) {}

  /**
   * The fill of a tier, its volumes that are in service counted.
   *
   * @param usedBytes by HDFS when it was planned
   * @param usedBytesThen after the moves, if nothing else is written
   */
  public record TierFill(String tier, long capacityBytes, long usedBytes, long usedBytesThen) {}

  /** A plan with what it does to the volumes of a cluster. */
  MoverReport filling(ClusterVolumes cluster) {
    List<TierFill> all = new ArrayList<>();
    for (TierChange change : tiers) {
      long capacity = 0;
      long used = 0;
      for (ClusterVolumes.Volume volume : cluster.volumes()) {
        if (volume.inService() && Objects.equals(cluster.tierName(volume), change.tier())) {
          capacity += volume.capacityBytes();
          used += volume.usedBytes();
        }
      }
      all.add(
          new TierFill(
              change.tier(), capacity, used, used + change.comeBytes() - change.goBytes()));
    }
    return new MoverReport(
        files, blocks, blocksAsWanted, moved, networkBytes, left, tiers, all, seconds, stopped);
  }

  /**
   * The last line of a run's journal.
   *
   * @param alsoLeft what else stays, beside replicas
   */
  public JournalEntry.End journalEnd(long alsoDone, List<Left> alsoLeft) {
    return new JournalEntry.End(
        alsoDone + moved.replicas(),
        moved.bytes(),
        Stream.concat(alsoLeft.stream(), left.stream()).map(Left::journaled).toList(),
        stopped);
  }

  /** Whether all is as it was asked for. */
  public boolean complete() {
    return left.isEmpty() && !stopped;
  }
}
