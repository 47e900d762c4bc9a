package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.testbed.plan.DaemonKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One order of replicas for all readers ({@code auto}), beside stock's best answer and the other
 * strategies on the same files: with the readers that the bench is told, with few and many, and
 * with something slow.
 *
 * <p>What never comes near the best is left out, so that the whole stays near half an hour: stock
 * HOT, and greedy with many readers. Source: docs/results/testbed.md and
 * docs/decisions/0090-reads-by-expected-completion.md.
 */
final class ReadsPhases {
  static final String USUAL_READERS = "reads";
  static final int FEW_READERS = 3;
  static final int MANY_READERS = 60;
  static final String AUTO = "auto";

  private static final List<String> ALL = List.of(AUTO, "tier-aware", "hybrid", "greedy", "dld");
  private static final List<String> WITHOUT_GREEDY = List.of(AUTO, "tier-aware", "hybrid", "dld");

  /** Own, for the time it takes: three files differ more from each other than sixty do. */
  private static final int REPEATS_OF_FEW = 2;

  private static final int REPEATS_OF_MANY = 1;
  private static final int REPEATS_OF_FAULTS = 2;

  private ReadsPhases() {}

  /**
   * @param blockBytes of the bench's files: the NameNode counts by its own setting
   */
  static List<BenchPhase> of(Set<ReadsPart> parts, long blockBytes) {
    List<BenchPhase> phases = new ArrayList<>();
    if (parts.contains(ReadsPart.LINKS)) {
      List<BenchPhase.Turn> turns = turns(ALL, blockBytes);
      phases.add(new BenchPhase(USUAL_READERS, turns, BenchPhase.Conditions.USUAL));
    }
    if (parts.contains(ReadsPart.READERS)) {
      phases.add(readers(FEW_READERS, ALL, REPEATS_OF_FEW, blockBytes));
      phases.add(readers(MANY_READERS, WITHOUT_GREEDY, REPEATS_OF_MANY, blockBytes));
    }
    if (parts.contains(ReadsPart.FAULTS)) {
      for (BenchFault fault : BenchFault.values()) {
        phases.add(
            new BenchPhase(
                nameOf(fault),
                turns(ALL, blockBytes),
                new BenchPhase.Conditions(0, fault, REPEATS_OF_FAULTS)));
      }
    }
    return phases;
  }

  static String nameOf(int readers) {
    return readers + " readers";
  }

  static String nameOf(BenchFault fault) {
    return "fault: " + fault.key().replace('_', ' ');
  }

  private static BenchPhase readers(
      int readers, List<String> orders, int repeatsMax, long blockBytes) {
    return new BenchPhase(
        nameOf(readers),
        turns(orders, blockBytes),
        new BenchPhase.Conditions(readers, null, repeatsMax));
  }

  private static List<BenchPhase.Turn> turns(List<String> orders, long blockBytes) {
    List<BenchPhase.Row> stock = new ArrayList<>();
    for (BenchDataSet data : List.of(BenchDataSet.ONE_SSD, BenchDataSet.HYBRID)) {
      stock.add(new BenchPhase.Row(data, "stock-considerStorageType"));
    }
    List<BenchPhase.Row> ours =
        orders.stream().map(order -> new BenchPhase.Row(BenchDataSet.HYBRID, order)).toList();
    DaemonKeys plain = new DaemonKeys(Map.of("dfs.blocksize", Long.toString(blockBytes)), Map.of());
    return List.of(
        new BenchPhase.Turn(new DaemonKeys(BenchPhase.BY_STORAGE_TYPE, Map.of()), false, stock),
        new BenchPhase.Turn(plain, true, ours));
  }
}
