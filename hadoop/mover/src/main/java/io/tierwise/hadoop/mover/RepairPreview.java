package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.namenode.MonitorReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * Says what the monitor has found, and what a repair of the most urgent blocks would do now.
 *
 * @param asked how many of the blocks that wait are in the plan, the most urgent
 */
public record RepairPreview(MonitorReport monitor, long asked, MoverReport plan) {
  /** Whether nothing waits. */
  public boolean nothingWaits() {
    return monitor.backlogBlocks().values().stream().allMatch(blocks -> blocks == 0);
  }

  /** All of it for a terminal. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(Fold.text(walked()));
    if (!nothingWaits()) {
      lines.addAll(TextTable.lines(backlog()));
      lines.add("the oldest has waited for " + Words.duration(monitor.oldestAgeSeconds()));
    }
    lines.add(Fold.text("a mover is " + spaced(monitor.moverState()) + "; " + since()));
    if (monitor.asyncFiles() > 0) {
      lines.add(Fold.text(async()));
    }
    if (asked > 0) {
      lines.add("of " + Words.count(asked, "block") + " that a mover would get now:");
      lines.addAll(plan.lines(true));
    }
    return lines;
  }

  private String walked() {
    return Words.count(monitor.managedBlocks(), "managed block")
        + " in "
        + Words.count(monitor.managedFiles(), "file")
        + ": walked in "
        + Words.duration(monitor.walkSeconds())
        + "; "
        + monitor.leftToHdfsBlocks()
        + " left to HDFS, which copies or drops replicas of them, "
        + monitor.leftAloneBlocks()
        + " left alone, because they were moved back";
  }

  private Table backlog() {
    Table table = new Table().text("waits").number("blocks", "to move");
    monitor
        .backlogBlocks()
        .forEach(
            (urgency, blocks) ->
                table.row(
                    spaced(urgency),
                    blocks,
                    Words.bytes(monitor.backlogBytes().getOrDefault(urgency, 0L))));
    return table;
  }

  private String since() {
    return "since the NameNode began, bytes moved: "
        + some(monitor.movedBytes(), Words::bytes)
        + "; failures: "
        + some(monitor.failures(), String::valueOf)
        + "; moved back by others: "
        + some(monitor.backOffs(), String::valueOf);
  }

  private static String some(Map<String, Long> counts, LongFunction<String> shown) {
    String text =
        counts.entrySet().stream()
            .filter(count -> count.getValue() > 0)
            .map(count -> shown.apply(count.getValue()) + " " + spaced(count.getKey()))
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? "none" : text;
  }

  private static String spaced(String label) {
    return label.replace('_', ' ');
  }

  private String async() {
    return Words.bytes(monitor.asyncBytes())
        + " of replicas are still to come after their writes, of "
        + Words.count(monitor.asyncBlocks(), "block")
        + " in "
        + Words.count(monitor.asyncFiles(), "file")
        + "; the oldest for "
        + Words.duration(monitor.asyncOldestAgeSeconds());
  }
}
