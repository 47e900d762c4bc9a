package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.mover.Repairs.Round;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts what became of blocks that were given out. A block that comes again counts once. */
final class RepairCount {
  private static final Set<Outcome> SETTLED = EnumSet.of(Outcome.DONE, Outcome.VOID);

  /** Blocks that failed at their last try. */
  private final Set<Long> failed = new HashSet<>();

  private long settled;
  private long replicas;
  private long bytes;

  void add(List<Result> results) {
    for (Result result : results) {
      if (SETTLED.contains(result.outcome())) {
        settled++;
        failed.remove(result.blockId());
      } else if (result.outcome() == Outcome.FAILED) {
        failed.add(result.blockId());
      }
      replicas += result.up().replicas() + result.down().replicas();
      bytes += result.up().bytes() + result.down().bytes();
    }
  }

  Round round() {
    return new Round(settled + failed.size(), settled, replicas, bytes);
  }

  /** How many of a batch were tried. */
  static int tried(List<Result> results) {
    return (int) results.stream().filter(result -> result.outcome() != Outcome.UNTRIED).count();
  }
}
