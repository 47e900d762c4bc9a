package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioFigures;
import io.tierwise.lab.testbed.host.Machine;
import io.tierwise.lab.testbed.plan.DeviceKind;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Collects the figures of a bench, and writes them as JSON and CSV. */
public final class BenchReport {
  public static final List<String> TIERS =
      Arrays.stream(DeviceKind.values()).map(DeviceKind::tier).toList();

  /** The rows of one phase at one link speed. */
  public record Comparison(String title, List<BenchRow> rows) {}

  /** As large as the phase has readers. */
  private record Written(String phase, BenchDataSet data) {}

  private record Table(String phase, int linkMegabits) {}

  private record Reads(
      BenchPhase.Row row, List<DfsioFigures> figures, List<Machine.ProcessorShare> shares) {}

  private final BenchSettings settings;
  private final TestbedPlan plan;
  private final Map<Written, List<DfsioFigures>> writes = new LinkedHashMap<>();
  private final Map<Table, Map<BenchPhase.Row, Reads>> tables = new LinkedHashMap<>();

  BenchReport(BenchSettings settings, TestbedPlan plan) {
    this.settings = settings;
    this.plan = plan;
  }

  void wrote(BenchPhase phase, BenchDataSet data, DfsioFigures figures) {
    writes.computeIfAbsent(new Written(phase.name(), data), key -> new ArrayList<>()).add(figures);
  }

  public void read(
      BenchPhase phase,
      int linkMegabits,
      BenchPhase.Row row,
      DfsioFigures figures,
      Machine.ProcessorShare share) {
    Map<BenchPhase.Row, Reads> table =
        tables.computeIfAbsent(
            new Table(phase.name(), linkMegabits),
            key -> inOrder(phase.at(linkMegabits, phase.rows())));
    table.get(row).figures().add(figures);
    table.get(row).shares().add(share);
  }

  private static Map<BenchPhase.Row, Reads> inOrder(List<BenchPhase.Row> rows) {
    Map<BenchPhase.Row, Reads> table = new LinkedHashMap<>();
    rows.forEach(row -> table.put(row, new Reads(row, new ArrayList<>(), new ArrayList<>())));
    return table;
  }

  /** By row: bytes per second of a task, one a repeat; empty when nothing was measured there. */
  Map<BenchPhase.Row, List<Double>> throughputs(String phase, int linkMegabits) {
    Map<BenchPhase.Row, List<Double>> found = new LinkedHashMap<>();
    tables
        .getOrDefault(new Table(phase, linkMegabits), Map.of())
        .forEach(
            (row, read) ->
                found.put(
                    row,
                    read.figures().stream().map(DfsioFigures::throughputBytesPerSecond).toList()));
    return found;
  }

  /** By repeat: bytes per second of a task that wrote. */
  List<Double> written(String phase, BenchDataSet data) {
    return writes.getOrDefault(new Written(phase, data), List.of()).stream()
        .map(DfsioFigures::throughputBytesPerSecond)
        .toList();
  }

  /** A row that was measured. */
  BenchRow row(String phase, int linkMegabits, BenchPhase.Row row) {
    Table table = new Table(phase, linkMegabits);
    return row(table, tables.get(table).get(row));
  }

  List<Integer> linkMegabits() {
    return settings.linkMegabits();
  }

  private BenchRow row(Table table, Reads reads) {
    return new BenchRow(
        reads.row().data().name(),
        reads.row().access(),
        writes.getOrDefault(new Written(table.phase(), reads.row().data()), List.of()),
        reads.figures());
  }

  /** One table a phase and link speed, each against its own stock row, which is its first. */
  public List<Comparison> comparisons() {
    List<Comparison> all = new ArrayList<>();
    tables.forEach(
        (table, reads) -> {
          List<BenchRow> rows = reads.values().stream().map(read -> row(table, read)).toList();
          String title =
              String.format(
                  Locale.ROOT,
                  "%s; links %d Mbit/s / %d = %.0f Mbit/s; median of %d",
                  table.phase(),
                  table.linkMegabits(),
                  plan.scaleDown(),
                  plan.scaledLinkBitsPerSecond(table.linkMegabits()) / 1e6,
                  rows.get(0).reads().size());
          all.add(new Comparison(title, rows));
        });
    return all;
  }

  /** Remarks on all tables, a line each. */
  public List<String> remarks() {
    return List.of(
        "All speeds are the real ones divided by "
            + plan.scaleDown()
            + ". Writes return from the page cache; reads start with it empty.",
        "Results: " + settings.results());
  }

  /** Writes {@code results.json} and {@code results.csv}. */
  void write(Path folder) throws IOException {
    List<Map<String, Object>> all = columns();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.json"), BenchRow.json(all));
    Files.writeString(folder.resolve("results.csv"), BenchRow.csv(all));
  }

  private List<Map<String, Object>> columns() {
    List<Map<String, Object>> all = new ArrayList<>();
    tables.forEach(
        (table, reads) -> {
          double stock = row(table, reads.values().iterator().next()).readBytesPerSecond();
          for (Reads row : reads.values()) {
            Map<String, Object> columns = new LinkedHashMap<>();
            columns.put("phase", table.phase());
            columns.put("link_megabits_per_second", table.linkMegabits());
            columns.put("scale_down", plan.scaleDown());
            columns.putAll(row(table, row).columns(TIERS));
            columns.put("ratio_to_stock", rounded(row(table, row).readBytesPerSecond() / stock));
            columns.put(
                "machine_processor_share_highest", highest(row, Machine.ProcessorShare::busy));
            columns.put(
                "testbed_processor_share_highest", highest(row, Machine.ProcessorShare::own));
            all.add(columns);
          }
        });
    return all;
  }

  private static double highest(Reads row, ToDoubleFunction<Machine.ProcessorShare> share) {
    return rounded(row.shares().stream().mapToDouble(share).max().orElse(0));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
