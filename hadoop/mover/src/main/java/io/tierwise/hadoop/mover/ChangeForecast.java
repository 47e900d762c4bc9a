package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.hadoop.mover.MoverReport.TierChange;
import io.tierwise.hadoop.mover.MoverReport.TierFill;
import java.util.ArrayList;
import java.util.List;

/**
 * What HDFS will make of changes of layouts, if nothing else is written meanwhile: the placement
 * policy was asked where each copy goes and which replica is dropped, as the NameNode asks it.
 *
 * @param blocks that were looked at
 * @param blocksToChange that get or lose replicas
 * @param coming replicas that HDFS copies
 * @param going replicas that HDFS drops
 * @param left what will not be as the layouts want it, the most first; a fault is a copy that gets
 *     no place as wanted, all else is of replicas that stay
 * @param tiers what comes to and goes from each tier, fastest first
 * @param fills how full these get, in the same order
 * @param seconds that HDFS takes for the copies, at least
 * @param paceKeys the keys of HDFS that say so, for people
 * @param energy that the copies are expected to add
 */
public record ChangeForecast(
    long blocks,
    long blocksToChange,
    Amount coming,
    Amount going,
    List<Left> left,
    List<TierChange> tiers,
    List<TierFill> fills,
    double seconds,
    String paceKeys,
    AddedEnergy energy) {
  public ChangeForecast {
    left = List.copyOf(left);
    tiers = List.copyOf(tiers);
    fills = List.copyOf(fills);
  }

  /** Copies that get no place where the layouts want them. */
  Amount homeless() {
    return left.stream()
        .filter(Left::fault)
        .map(Left::amount)
        .reduce(Amount.NONE, (sum, one) -> sum.plus(one.replicas(), one.bytes()));
  }

  /** All of it for a terminal. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(Fold.text(text()));
    if (coming.replicas() + going.replicas() > 0) {
      lines.addAll(TextTable.lines(TierChange.table(tiers, fills)));
    }
    if (coming.replicas() > 0) {
      lines.add(Fold.text(energy.text()));
    }
    if (!left.isEmpty()) {
      lines.add("would not be as the layout wants it:");
      left.forEach(one -> lines.add(Fold.text("- " + one.text())));
    }
    return lines;
  }

  private String text() {
    String changed =
        Words.count(coming.replicas(), "replica")
            + " ("
            + Words.bytes(coming.bytes())
            + ") would come and "
            + Words.count(going.replicas(), "replica")
            + " ("
            + Words.bytes(going.bytes())
            + ") would go, of "
            + blocksToChange
            + " of "
            + Words.count(blocks, "block");
    return coming.replicas() == 0
        ? changed
        : changed
            + "; HDFS copies by itself, in "
            + Words.duration(seconds)
            + " or more ("
            + paceKeys
            + ")";
  }
}
