package io.tierwise.benchmarks.movement;

import io.tierwise.benchmarks.movement.Contender.Turn;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Brings blocks of 1 MiB with three replicas from disks to SSDs, by turns with ours and Hadoop's
 * own tools, each without a throttle and warm, until the NameNode reports every replica in place.
 * Prints a table and, as its last line, one JSON object.
 *
 * <p>Arguments: rounds, blocks, and {@code testbed} for the cluster of the configuration on the
 * class path; by default it is one in this process.
 */
public final class RaceBench {
  private RaceBench() {}

  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    int blocks = Integer.parseInt(arguments[1]);
    boolean testbed = arguments.length > 2;
    PrintStream out = System.out;
    // Hadoop's Mover talks.
    System.setOut(System.err);
    // Hadoop's Mover counts under one name, and runs here more than once.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Set<Contender> contenders = EnumSet.allOf(Contender.class);
    if (testbed) {
      // Some nodes have no SSD there: of their replicas it leaves some where they are, for ever.
      contenders.remove(Contender.SATISFIER);
    }
    Map<Contender, List<Turn>> turns = new EnumMap<>(Contender.class);
    try (BenchHdfs hdfs = testbed ? BenchHdfs.configured() : BenchHdfs.inThisProcess();
        Satisfier satisfier = testbed ? null : new Satisfier(hdfs)) {
      hdfs.write(BenchHdfs.DATA, blocks);
      for (Contender warm : List.of(Contender.OURS, Contender.MOVER_TUNED)) {
        turn(warm, hdfs, blocks, satisfier);
      }
      for (int round = 0; round < rounds; round++) {
        for (Contender contender : contenders) {
          Turn turn = turn(contender, hdfs, blocks, satisfier);
          turns.computeIfAbsent(contender, none -> new ArrayList<>()).add(turn);
          out.printf(
              Locale.ROOT,
              "round %d %-26s %6.1f s, %6.1f s of processors%n",
              round,
              contender.text(),
              turn.seconds(),
              turn.processorSeconds());
        }
      }
    }
    print(out, turns, testbed ? "testbed_" : "");
    System.exit(0);
  }

  private static Turn turn(Contender contender, BenchHdfs hdfs, int blocks, Satisfier satisfier)
      throws IOException {
    Turn turn = contender.run(hdfs, blocks, satisfier);
    hdfs.back(BenchHdfs.DATA);
    return turn;
  }

  private static void print(PrintStream out, Map<Contender, List<Turn>> turns, String prefix) {
    turns.forEach(
        (contender, all) -> {
          List<Double> sorted = all.stream().map(Turn::seconds).sorted().toList();
          out.printf(
              Locale.ROOT,
              "%-26s %6.1f s (%.1f to %.1f), %6.1f s of processors%n",
              contender.text(),
              median(all, Turn::seconds),
              sorted.get(0),
              sorted.get(sorted.size() - 1),
              median(all, Turn::processorSeconds));
        });
    List<Turn> ours = turns.get(Contender.OURS);
    double seconds = median(ours, Turn::seconds);
    double processors = median(ours, Turn::processorSeconds);
    List<Turn> tuned = turns.get(Contender.MOVER_TUNED);
    out.printf(
        Locale.ROOT,
        "{\"%1$sratio_mover_default\": %2$.2f, \"%1$sratio_sps_raised\": %3$s,"
            + " \"%1$sratio_mover_tuned\": %4$.2f,"
            + " \"%1$sprocessor_ratio_mover_tuned\": %5$.2f,"
            + " \"%1$sidle_gap_seconds_max\": %6$.2f}%n",
        prefix,
        median(turns.get(Contender.MOVER_DEFAULT), Turn::seconds) / seconds,
        turns.containsKey(Contender.SATISFIER)
            ? String.format(
                Locale.ROOT,
                "%.2f",
                median(turns.get(Contender.SATISFIER), Turn::seconds) / seconds)
            : "null",
        median(tuned, Turn::seconds) / seconds,
        processors / median(tuned, Turn::processorSeconds),
        ours.stream().mapToDouble(Turn::gapSeconds).max().orElse(0));
  }

  private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
    double[] sorted = turns.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
