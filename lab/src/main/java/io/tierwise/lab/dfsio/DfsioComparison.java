package io.tierwise.lab.dfsio;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Measures placements and strategies against each other, run by run; a run writes files once and
 * reads them with each strategy. The caller repeats runs in turns, so that a busy moment of the
 * machine hits all rows alike.
 */
public final class DfsioComparison {
  /** Hears that a step begins. */
  public interface Bars {
    Listener.Step bar(String label, long totalBytes);
  }

  /**
   * The figures of a run.
   *
   * @param writes the write tasks
   * @param reads the tasks that read the same files, with each strategy
   */
  public record Files(List<DfsioTask> writes, List<DfsioTask> reads) {}

  private record Key(String placement, String access) {}

  private static final long REPORTED_NANOS_MAX = 10_000_000_000L;

  private final DfsioPlan plan;
  private final List<BenchPlace> places;
  private final Function<BenchPlace, Configuration> configurations;
  private final TierConfiguration tiers;
  private final Bars bars;
  private final Map<String, List<DfsioFigures>> writes = new LinkedHashMap<>();
  private final Map<Key, List<DfsioFigures>> reads = new LinkedHashMap<>();
  private final Map<Key, List<List<List<String>>>> sources = new HashMap<>();
  private int writeCount;

  /**
   * @param places the nodes of the tasks
   * @param configurations a fresh client configuration for a place
   */
  public DfsioComparison(
      DfsioPlan plan,
      List<BenchPlace> places,
      Function<BenchPlace, Configuration> configurations,
      TierConfiguration tiers,
      Bars bars) {
    this.plan = plan;
    this.places = List.copyOf(places);
    this.configurations = configurations;
    this.tiers = tiers;
    this.bars = bars;
  }

  /** Runs so far. */
  public int writeCount() {
    return writeCount;
  }

  /**
   * One run: writes into a folder that carries the placement, then reads with each strategy.
   *
   * @param stock tells where the replicas are, in the NameNode's order
   * @return its files, to read them again
   */
  public Files run(String placement, List<String> accesses, String folder, FileSystem stock)
      throws IOException {
    List<DfsioTask> written = plan.writes(folder, places);
    DfsioRun.Result write;
    Listener.Step bar = bars.bar("write  " + placement, plan.totalBytes());
    try (ClientSet clients = new ClientSet(configurations, ClientKeysFor.access("stock"))) {
      write =
          new DfsioRun(clients, tiers, bar::add)
              .write(written, plan.replication(), plan.blockBytes());
    }
    bar.finish(megabytes(write.figures()));
    writes.computeIfAbsent(placement, name -> new ArrayList<>()).add(write.figures());
    writeCount++;
    // On a cluster of fewer nodes they never come: then it reads what there is.
    ReportedReplicas.await(stock, written, plan.replication(), REPORTED_NANOS_MAX);
    List<DfsioTask> tasks = plan.reads(written, write.tasks(), places, stock);
    for (String access : accesses) {
      read(placement, access, tasks);
    }
    return new Files(written, tasks);
  }

  /** Reads files that a run has written, and adds the figures to that row. */
  public void read(String placement, String access, List<DfsioTask> tasks) throws IOException {
    read(placement, access, ClientKeysFor.access(access), tasks);
  }

  /** The same by clients with these keys. */
  void read(String placement, String access, Map<String, String> keys, List<DfsioTask> tasks)
      throws IOException {
    Listener.Step bar = bars.bar("read   " + placement + " / " + access, plan.totalBytes());
    DfsioRun.Result result;
    try (ClientSet clients = new ClientSet(configurations, keys)) {
      result = new DfsioRun(clients, tiers, bar::add).read(tasks);
    }
    bar.finish(megabytes(result.figures()));
    reads
        .computeIfAbsent(new Key(placement, access), key -> new ArrayList<>())
        .add(result.figures());
    sources
        .computeIfAbsent(new Key(placement, access), key -> new ArrayList<>())
        .add(result.tasks().stream().map(TaskFigures::sources).toList());
  }

  /**
   * The nodes that served a row's reads: by repeat, task and block the host name of the block's
   * node.
   */
  public List<List<List<String>>> sources(String placement, String access) {
    return List.copyOf(sources.getOrDefault(new Key(placement, access), List.of()));
  }

  /** A row for each placement and strategy, in the order of their first run. */
  public List<BenchRow> rows() {
    List<BenchRow> rows = new ArrayList<>();
    reads.forEach(
        (key, figures) ->
            rows.add(
                new BenchRow(
                    key.placement(),
                    key.access(),
                    writes.getOrDefault(key.placement(), List.of()),
                    figures)));
    return rows;
  }

  private static String megabytes(DfsioFigures figures) {
    return String.format(
        Locale.ROOT,
        "%6.1f MB/s a task, %6.1f in all",
        figures.throughputBytesPerSecond() / 1e6,
        figures.aggregateBytesPerSecond() / 1e6);
  }
}
