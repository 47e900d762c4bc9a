package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.dfsio.DfsioTask;
import io.tierwise.lab.dfsio.TaskFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A line for each task that read: from which nodes and tiers, and how fast. It says why one order
 * of replicas was faster than another, which medians of all tasks do not.
 */
final class TaskLines {
  /** Stands in the folder of the results. */
  static final String FILE = "tasks.csv";

  private static final String HEADER =
      "phase,link_megabits_per_second,data_set,access,task,reader,megabytes_per_second,sources,bytes";

  private final List<String> lines = new ArrayList<>(List.of(HEADER));

  /**
   * @param read by the tasks, in their order
   */
  void add(
      BenchPhase phase,
      int linkMegabits,
      BenchPhase.Row row,
      List<DfsioTask> tasks,
      List<TaskFigures> read) {
    Map<Integer, String> readers = new TreeMap<>();
    tasks.forEach(task -> readers.put(task.index(), task.place().hostName()));
    for (TaskFigures task : read) {
      lines.add(
          String.join(
              ",",
              phase.name(),
              String.valueOf(linkMegabits),
              row.data().name(),
              row.access(),
              String.valueOf(task.index()),
              readers.get(task.index()),
              String.format(Locale.ROOT, "%.3f", task.bytesPerSecond() / 1e6),
              String.join(" ", task.sources()),
              byTier(task)));
    }
  }

  private static String byTier(TaskFigures task) {
    List<String> tiers = new ArrayList<>();
    new TreeMap<>(task.bytesByTier()).forEach((tier, bytes) -> tiers.add(tier + ":" + bytes));
    return String.join(" ", tiers);
  }

  void write(Path folder) throws IOException {
    Files.write(folder.resolve(FILE), lines);
  }
}
