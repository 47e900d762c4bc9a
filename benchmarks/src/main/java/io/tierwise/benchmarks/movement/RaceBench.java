package io.tierwise.benchmarks.movement;

import io.tierwise.benchmarks.movement.Contender.Turn;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;

/**
 * Brings 2,000 blocks of 1 MiB with three replicas from disks to SSDs, by turns with ours and
 * Hadoop's own tools, each without a throttle and warm, until the NameNode reports every replica in
 * place. Prints a table and, as its last line, one JSON object.
 */
public final class RaceBench {
  private static final int BLOCKS = 2_000;

  private RaceBench() {}

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
    PrintStream out = System.out;
    // Hadoop's Mover talks.
    System.setOut(System.err);
    // The satisfier, which holds the Mover's lock, runs on beside it, idle.
    NameNodeConnector.checkOtherInstanceRunning(false);
    Map<Contender, List<Turn>> turns = new EnumMap<>(Contender.class);
    try (BenchHdfs hdfs = new BenchHdfs();
        Satisfier satisfier = new Satisfier(hdfs)) {
      hdfs.write(BenchHdfs.DATA, BLOCKS);
      for (Contender warm : List.of(Contender.OURS, Contender.MOVER_TUNED)) {
        turn(warm, hdfs, satisfier);
      }
      for (int round = 0; round < rounds; round++) {
        for (Contender contender : Contender.values()) {
          Turn turn = turn(contender, hdfs, satisfier);
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
    print(out, turns);
    System.exit(0);
  }

  private static Turn turn(Contender contender, BenchHdfs hdfs, Satisfier satisfier)
      throws IOException {
    Turn turn = contender.run(hdfs, BLOCKS, satisfier);
    hdfs.back(BenchHdfs.DATA);
    return turn;
  }

  private static void print(PrintStream out, Map<Contender, List<Turn>> turns) {
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
        "{\"ratio_mover_default\": %.2f, \"ratio_sps_raised\": %.2f, \"ratio_mover_tuned\": %.2f,"
            + " \"processor_ratio_mover_tuned\": %.2f, \"idle_gap_seconds_max\": %.2f}%n",
        median(turns.get(Contender.MOVER_DEFAULT), Turn::seconds) / seconds,
        median(turns.get(Contender.SATISFIER), Turn::seconds) / seconds,
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
