package io.tierwise.lab.demo;

import io.tierwise.core.message.Table;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/** A summary for readers who have seen nothing of the demo: a headline, a few rows, the terms. */
public final class DemoSummary {
  /** At least so many; the recommended row may be neither the frugal nor the fastest. */
  private static final int ROWS = 5;

  /**
   * Own: between the most local of our reads and the fastest, most rows move half as much again.
   */
  private static final double LITTLE_MORE = 1.25;

  private final List<BenchRow> rows;
  private final BenchRow stock;
  private final BenchRow fastest;

  /** The recommended row, or the fastest of ours where that was not read. */
  private final BenchRow lead;

  /** Faster than stock's best with little more network than it; the lead where none is. */
  private final BenchRow frugal;

  public DemoSummary(List<BenchRow> rows) {
    this.rows = List.copyOf(rows);
    stock = best(rows.stream().filter(DemoSummary::isStock).toList());
    List<BenchRow> ours = rows.stream().filter(row -> !isStock(row)).toList();
    fastest = best(ours);
    lead = ours.stream().filter(DemoSummary::isRecommended).findFirst().orElse(fastest);
    frugal =
        ours.stream()
            .filter(row -> row.networkBytes() <= LITTLE_MORE * stock.networkBytes())
            .filter(row -> row.readBytesPerSecond() > stock.readBytesPerSecond())
            .max(Comparator.comparingDouble(BenchRow::readBytesPerSecond))
            .orElse(lead);
  }

  private static boolean isRecommended(BenchRow row) {
    return row.placement().equals(DemoPlacement.HYBRID) && row.access().equals(DemoPlacement.AUTO);
  }

  static boolean isStock(BenchRow row) {
    return row.access().startsWith(DemoPlacement.STOCK);
  }

  private static BenchRow best(List<BenchRow> rows) {
    return rows.stream()
        .max(Comparator.comparingDouble(BenchRow::readBytesPerSecond))
        .orElseThrow();
  }

  /** Its speed as a multiple of stock's best row. */
  private double speed(BenchRow row) {
    return row.readBytesPerSecond() / stock.readBytesPerSecond();
  }

  String times(BenchRow row) {
    return String.format(Locale.ROOT, "%.2f", speed(row));
  }

  private double network(BenchRow row) {
    return row.networkBytes() / stock.networkBytes();
  }

  /** The row of the headline against stock HDFS's best one, as README says it. */
  String timesTheReadRate() {
    return String.format(Locale.ROOT, "%.1f times", speed(lead));
  }

  public String headline() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Tierwise reads %.1f times as fast as stock HDFS's best answer on the same devices, and"
                + " moves %.1f times its bytes over the network (%s%s).",
            speed(lead),
            network(lead),
            isRecommended(lead) ? "the recommended " : "",
            name(lead)));
    if (!fastest.equals(lead)) {
      text.append(
          String.format(
              Locale.ROOT, " Fastest was %s: %.1f times.", name(fastest), speed(fastest)));
    }
    if (!frugal.equals(lead)) {
      text.append(
          String.format(
              Locale.ROOT,
              " For a dear network: %.1f times as fast with %.1f times the bytes (%s).",
              speed(frugal),
              network(frugal),
              name(frugal)));
    }
    return text.toString();
  }

  public static String name(BenchRow row) {
    return isStock(row)
        ? row.access().equals(DemoPlacement.STOCK)
            ? row.placement().replace("-", " ")
            : row.placement().replace("-", " ") + ", by type"
        : row.placement() + " / " + row.access();
  }

  /** Stock HDFS's rows, and of ours the recommended, the frugal and the fastest. */
  List<BenchRow> few() {
    Set<BenchRow> few = new LinkedHashSet<>(rows.stream().filter(DemoSummary::isStock).toList());
    few.add(lead);
    few.add(frugal);
    few.add(fastest);
    rows.stream()
        .filter(row -> !isStock(row))
        .sorted(Comparator.comparingDouble(BenchRow::readBytesPerSecond).reversed())
        .filter(row -> few.size() < ROWS)
        .forEach(few::add);
    List<BenchRow> sorted = new ArrayList<>(few);
    sorted.sort(Comparator.comparingDouble(BenchRow::readBytesPerSecond));
    return sorted;
  }

  private static final List<String> TITLES =
      List.of("placement / access", "read", "range", "x best", "of bound", "write", "network");

  private String[] cells(BenchRow row) {
    return new String[] {
      (isStock(row) ? "" : "Tierwise ") + name(row),
      megabytes(row.readBytesPerSecond()),
      megabytes(row.lowest(row.reads())) + "-" + megabytes(row.highest(row.reads())),
      times(row),
      Objects.requireNonNullElse(BenchRow.percent(row.shareOfBound()), ""),
      megabytes(row.writeBytesPerSecond()),
      String.format(Locale.ROOT, "%.0f", row.networkBytes() / 1e6)
    };
  }

  private List<String> terms() {
    List<DfsioFigures> reads = rows.get(0).reads();
    return List.of(
        "read, write: MB/s that one of "
            + reads.get(0).taskCount()
            + " tasks at once gets, median of "
            + reads.size()
            + "; range: the slowest and the fastest of them",
        "x best: against stock HDFS's best; network: MB read from another node",
        BenchRow.BOUND,
        "HOT, ONE_SSD: HDFS's storage policies: disks only; one replica of three on an SSD",
        "by type: HDFS's own preference for SSDs (dfs.namenode.read.considerStorageType)",
        "placement / access: what chose the devices / what chose the replica to read",
        "layout:one-fast: one replica on a PCIe SSD, two on disks");
  }

  /** Those rows as people read them. */
  public Table table() {
    Table table = new Table().text(TITLES.get(0));
    TITLES.subList(1, TITLES.size()).forEach(table::number);
    few().forEach(row -> table.row((Object[]) cells(row)));
    return table;
  }

  /** The lines below the table: what its words mean, and where its data came from. */
  public List<String> legend() {
    List<String> lines = new ArrayList<>(terms());
    lines.add("Devices and links are emulated; data was read from the page cache.");
    return lines;
  }

  /** All of it for a page. */
  String markdown() {
    StringBuilder text = new StringBuilder("**" + headline() + "**\n\n");
    text.append("![Reads and writes of all rows, fastest reads first](hdfs-demo.svg)\n\n");
    text.append("| ")
        .append(String.join(" | ", TITLES))
        .append(" |\n|---|---:|---|---:|---:|---:|---:|\n");
    for (BenchRow row : few()) {
      text.append("| ").append(String.join(" | ", cells(row))).append(" |\n");
    }
    text.append('\n');
    terms().forEach(term -> text.append("- ").append(term).append(".\n"));
    return text.toString();
  }

  static String megabytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / 1e6);
  }
}
