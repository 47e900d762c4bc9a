package io.tierwise.hadoop.mover;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.policies.movement.MoveTurns.Yielded;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The report of a run, or of a dry one.
 *
 * @param looked what was looked at
 * @param moved replicas that the NameNode reports in their new place, or that would be moved
 * @param networkBytes of {@code moved}, between nodes
 * @param left what should move and did not, by reason, the most first
 * @param tiers what comes to and goes from each tier, fastest first
 * @param fills how full tiers get, fastest first; told by a plan only
 * @param seconds that it took; of a plan, that it would take at the rates asked for
 * @param energy that a plan's moves are expected to add; null of a run
 * @param heeded what else nodes did, as far as the run could see
 * @param stopped whether it was ended before its end
 */
public record MoverReport(
    @JsonUnwrapped Looked looked,
    Amount moved,
    long networkBytes,
    List<Left> left,
    List<TierChange> tiers,
    List<TierFill> fills,
    double seconds,
    AddedEnergy energy,
    @JsonUnwrapped Heeded heeded,
    boolean stopped) {
  public MoverReport {
    left = List.copyOf(left);
    tiers = List.copyOf(tiers);
    fills = List.copyOf(fills);
  }

  /**
   * A walk over files.
   *
   * @param blocks of the files
   * @param blocksAsWanted that had nothing to move
   */
  public record Looked(long files, long blocks, long blocksAsWanted) {}

  /**
   * Moves yield to what else nodes do.
   *
   * @param yielded waits for nodes that served much else; of a plan, none
   * @param unseenShuffle a line about the shuffles to which moves could not yield; null where there
   *     is none
   * @param unseenMovers a line about the name services whose movers could not be heeded; null where
   *     there is none
   */
  public record Heeded(Yielded yielded, String unseenShuffle, String unseenMovers) {
    Heeded(Yielded yielded) {
      this(yielded, null, null);
    }

    private List<String> lines() {
      List<String> lines = new ArrayList<>();
      if (yielded.nodes() > 0) {
        lines.add(
            Fold.text(
                "held back for what else "
                    + Words.count(yielded.nodes(), "node")
                    + " served, "
                    + Words.duration(yielded.seconds())
                    + " summed over them (see --yield-above and --yield-shuffle;"
                    + " the movers of other name services count, too)"));
      }
      if (unseenShuffle != null) {
        lines.add(Fold.text(unseenShuffle + " (--yield-shuffle 0 asks nobody)"));
      }
      if (unseenMovers != null) {
        lines.add(Fold.text(unseenMovers));
      }
      return lines;
    }
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
   * @param files that have them, told by a plan: it goes from file to file. A run comes back to
   *     them, and tells no fewer; 0 where nobody counts
   * @param example one of the paths
   */
  public record Left(
      String reason, boolean fault, Amount amount, @JsonIgnore long files, String example) {
    Left(String reason, boolean fault, Amount amount, String example) {
      this(reason, fault, amount, 0, example);
    }

    /** The same as a journal has it. */
    public JournalEntry.Left journaled() {
      return new JournalEntry.Left(reason, fault, amount.replicas(), amount.bytes(), example);
    }

    /** For people. */
    public String text() {
      return Words.count(amount.replicas(), "replica")
          + " ("
          + Words.bytes(amount.bytes())
          + "): "
          + Words.plain(reason)
          + "; for example of "
          + Words.plain(example);
    }
  }

  /** Bytes that come to a tier and that it gets free; of a tier named null, volumes in none. */
  public record TierChange(String tier, long comeBytes, long goBytes) {
    /**
     * For people.
     *
     * @param fills of the same tiers; empty where nobody tells
     */
    static Table table(List<TierChange> tiers, List<TierFill> fills) {
      boolean filling = !fills.isEmpty();
      Table table = new Table().text("tier").number("comes").number("becomes free");
      if (filling) {
        table.number("used now").number("used then");
      }
      for (int i = 0; i < tiers.size(); i++) {
        TierChange tier = tiers.get(i);
        String name = tier.tier() == null ? "-" : tier.tier();
        String comes = Words.bytes(tier.comeBytes());
        String goes = Words.bytes(tier.goBytes());
        if (filling) {
          TierFill fill = fills.get(i);
          table.row(
              name,
              comes,
              goes,
              share(fill.usedBytes(), fill.capacityBytes()),
              share(fill.usedBytesThen(), fill.capacityBytes()));
        } else {
          table.row(name, comes, goes);
        }
      }
      return table;
    }

    private static String share(long used, long capacity) {
      return capacity == 0 ? null : Words.percent((double) used / capacity);
    }
  }

  /**
   * The fill of a tier, its volumes that are in service counted.
   *
   * @param usedBytes by HDFS when it was planned
   * @param usedBytesThen after the moves, if nothing else is written
   */
  public record TierFill(String tier, long capacityBytes, long usedBytes, long usedBytesThen) {
    /** Of each tier that changes. */
    static List<TierFill> of(ClusterVolumes cluster, List<TierChange> tiers) {
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
        // The bytes in use are as old as the nodes' heartbeats; replicas that go may be younger.
        long then = Math.max(0, used + change.comeBytes() - change.goBytes());
        all.add(new TierFill(change.tier(), capacity, used, then));
      }
      return all;
    }
  }

  /** A plan with what it does to the volumes of a cluster, and the energy that it adds. */
  MoverReport ofPlan(ClusterVolumes cluster, AddedEnergy added) {
    return new MoverReport(
        looked,
        moved,
        networkBytes,
        left,
        tiers,
        TierFill.of(cluster, tiers),
        seconds,
        added,
        heeded,
        stopped);
  }

  /** The same beside what else stays. */
  MoverReport alsoLeaving(List<Left> more) {
    return new MoverReport(
        looked,
        moved,
        networkBytes,
        Stream.concat(more.stream(), left.stream()).toList(),
        tiers,
        fills,
        seconds,
        energy,
        heeded,
        stopped);
  }

  /** The same with lines about shuffles and movers that moves could not heed; null for none. */
  MoverReport besideUnseen(String shuffle, String movers) {
    return new MoverReport(
        looked,
        moved,
        networkBytes,
        left,
        tiers,
        fills,
        seconds,
        energy,
        new Heeded(heeded.yielded(), shuffle, movers),
        stopped);
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

  /** The sum for people. */
  public String text(boolean plan) {
    return (plan ? "would move " : "moved ")
        + Words.count(moved.replicas(), "replica")
        + " ("
        + Words.bytes(moved.bytes())
        + ", "
        + Words.bytes(networkBytes)
        + " between nodes) "
        + (plan ? "in about " : "in ")
        + Words.duration(seconds)
        + "; "
        + Words.count(looked.blocksAsWanted(), "block")
        + " of "
        + String.format(Locale.ROOT, "%,d", looked.blocks())
        + " in "
        + Words.count(looked.files(), "file")
        + (looked.blocksAsWanted() == 1 ? " was" : " were")
        + " as wanted";
  }

  /** The bytes that come to and leave each tier, for people. */
  public Table table() {
    return TierChange.table(tiers, fills);
  }

  /** All of it for a terminal: the sum, the tiers, what stays and why. */
  public List<String> lines(boolean plan) {
    List<String> lines = new ArrayList<>();
    lines.add(Fold.text(text(plan)));
    if (moved.replicas() > 0) {
      lines.addAll(TextTable.lines(table()));
    }
    if (energy != null && moved.replicas() > 0) {
      lines.add(Fold.text(energy.text()));
    }
    lines.addAll(heeded.lines());
    if (!left.isEmpty()) {
      lines.add(plan ? "would stay:" : "stays:");
      left.forEach(one -> lines.add(Fold.text("- " + one.text())));
    }
    return lines;
  }

  /** The title of a plan's progress, for people. */
  String coming() {
    return "moving " + Words.bytes(moved.bytes()) + ", about " + Words.duration(seconds);
  }

  /** Whether all is as it was asked for. */
  public boolean complete() {
    return left.isEmpty() && !stopped;
  }
}
