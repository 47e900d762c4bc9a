package io.tierwise.lab.testbed.bench;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.testbed.plan.DaemonKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One order of replicas for all readers ({@code auto}), beside stock's best answer and the other
 * strategies on the same files: with the readers that the bench is told, with few and many, and
 * with something slow.
 *
 * <p>Rows that never come near the best are left out: stock HOT, and greedy with many readers; of
 * the whole bench, which keeps within half an hour, also what is named below. Source:
 * docs/results/testbed.md and docs/decisions/0090-reads-by-expected-completion.md.
 */
final class ReadsPhases {
  static final String USUAL_READERS = "reads";
  static final int FEW_READERS = 3;
  static final int MANY_READERS = 60;
  static final String AUTO = "auto";
  static final String AUTO_TOLD_A_TENTH = "auto told a tenth";
  static final String AUTO_TOLD_TENFOLD = "auto told tenfold";
  static final String AUTO_TOLD_DEVICE = "auto told of the device";
  static final String AUTO_WITHOUT_REPORTS = "auto without reports";

  /** {@link #AUTO} with and without reports, where nothing is slow. */
  static final String REPORTS = "reports";

  /** Files over two and over three racks. */
  static final String THIRD_RACK = "third rack";

  static final String UNTOLD_UPLINKS = "uplinks untold";
  static final String AUTO_UPLINKS_UNTOLD = "auto uplinks untold";

  /** A tier table without uplinks, on the class path of the NameNode. */
  static final String UNTOLD_UPLINKS_FILE = "untold-uplinks.yaml";

  /** A tier table that names the slow device, on the class path of the NameNode. */
  static final String TOLD_DEVICE_FILE = "told-device.yaml";

  static final String WRONG_LINKS = "links told wrongly";
  static final double A_TENTH = 0.1;
  static final double TENFOLD = 10;

  private static final String BY_STORAGE_TYPE = "stock-considerStorageType";
  private static final List<String> ALL = List.of(AUTO, "tier-aware", "hybrid", "greedy", "dld");
  private static final List<String> WITHOUT_GREEDY = List.of(AUTO, "tier-aware", "hybrid", "dld");

  /** Own, for the time it takes: three files differ more from each other than sixty do. */
  private static final int REPEATS_OF_FEW = 2;

  private static final int REPEATS_OF_MANY = 1;
  private static final int REPEATS_OF_FAULTS = 2;

  private static final int SLOW_LINKS = 1000;
  private static final Set<ReadsPart> WHOLE =
      Set.of(ReadsPart.LINKS, ReadsPart.READERS, ReadsPart.FAULTS);

  /**
   * Of the whole, by phase: orders that had less than 0.7 of the best order of the same files in
   * five repeats. Behind full links they also take longest. A part that is named without the others
   * has them. Source: docs/results/testbed.md.
   */
  private static final Map<String, Map<Integer, Set<String>>> FAR_BEHIND =
      Map.of(
          USUAL_READERS,
          Map.of(SLOW_LINKS, Set.of("tier-aware", "greedy")),
          nameOf(MANY_READERS),
          Map.of(SLOW_LINKS, Set.of("tier-aware")),
          nameOf(BenchFault.SLOW_DEVICE),
          Map.of(BenchFault.SLOW_DEVICE.linkMegabits(), Set.of("greedy")),
          // dld had 0.6 there; the simulator has it first.
          nameOf(BenchFault.SLOW_LINK),
          Map.of(BenchFault.SLOW_LINK.linkMegabits(), Set.of("tier-aware", "hybrid", "greedy")));

  private ReadsPhases() {}

  /**
   * @param blockBytes of the bench's files: the NameNode counts by its own setting
   */
  static List<BenchPhase> of(Set<ReadsPart> parts, long blockBytes) {
    List<BenchPhase> phases = all(parts, blockBytes);
    return parts.containsAll(WHOLE)
        ? phases.stream().map(ReadsPhases::withoutFarBehind).toList()
        : phases;
  }

  private static BenchPhase withoutFarBehind(BenchPhase phase) {
    Map<Integer, Set<String>> leftOut = FAR_BEHIND.getOrDefault(phase.name(), Map.of());
    return new BenchPhase(phase.name(), phase.turns(), phase.conditions(), leftOut);
  }

  private static List<BenchPhase> all(Set<ReadsPart> parts, long blockBytes) {
    List<BenchPhase> phases = new ArrayList<>();
    if (parts.contains(ReadsPart.LINKS)) {
      List<BenchPhase.Turn> turns = turns(ALL, blockBytes);
      phases.add(new BenchPhase(USUAL_READERS, turns, BenchPhase.Conditions.USUAL));
    }
    int few = repeatsMax(parts, ReadsPart.FEW_READERS, ReadsPart.READERS, REPEATS_OF_FEW);
    if (few > 0) {
      phases.add(readers(FEW_READERS, ALL, few, blockBytes));
    }
    int many = repeatsMax(parts, ReadsPart.MANY_READERS, ReadsPart.READERS, REPEATS_OF_MANY);
    if (many > 0) {
      phases.add(readers(MANY_READERS, WITHOUT_GREEDY, many, blockBytes));
    }
    if (parts.contains(ReadsPart.WRONG_LINKS)) {
      phases.add(wrongLinks(blockBytes));
    }
    if (parts.contains(ReadsPart.UNTOLD_UPLINKS)) {
      phases.add(untoldUplinks(blockBytes));
    }
    if (parts.contains(ReadsPart.REPORTS)) {
      List<BenchPhase.Turn> turns = new ArrayList<>(turns(List.of(AUTO), blockBytes));
      turns.add(withoutReports(turns.get(1).keys()));
      phases.add(new BenchPhase(REPORTS, turns, BenchPhase.Conditions.USUAL));
    }
    if (parts.contains(ReadsPart.THIRD_RACK)) {
      phases.add(new BenchPhase(THIRD_RACK, overRacks(blockBytes), BenchPhase.Conditions.USUAL));
    }
    for (BenchFault fault : BenchFault.values()) {
      int faulty = repeatsMax(parts, fault.part(), ReadsPart.FAULTS, REPEATS_OF_FAULTS);
      if (faulty > 0) {
        List<BenchPhase.Turn> turns = new ArrayList<>(turns(ALL, blockBytes));
        // Each takes a NameNode of its own, and the whole has no time for them.
        if (fault == BenchFault.SLOW_DEVICE && !parts.containsAll(WHOLE)) {
          turns.add(withoutReports(turns.get(1).keys()));
          turns.add(toldOfDevice(turns.get(1).keys()));
        }
        phases.add(
            new BenchPhase(nameOf(fault), turns, new BenchPhase.Conditions(0, fault, faulty)));
      }
    }
    return phases;
  }

  /**
   * One phase alone is given the time for all repeats.
   *
   * @return 0 when it is not measured
   */
  private static int repeatsMax(
      Set<ReadsPart> parts, ReadsPart alone, ReadsPart group, int repeatsInGroup) {
    if (parts.contains(alone)) {
      return Integer.MAX_VALUE;
    }
    return parts.contains(group) ? repeatsInGroup : 0;
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

  /** The NameNode is told what {@code tiers probe --each-volume} finds of the slow device. */
  private static BenchPhase.Turn toldOfDevice(DaemonKeys plain) {
    return byOtherTiers(plain, TOLD_DEVICE_FILE, AUTO_TOLD_DEVICE);
  }

  /** The NameNode has another tier table. */
  private static BenchPhase.Turn byOtherTiers(DaemonKeys plain, String file, String access) {
    Map<String, String> keys = new HashMap<>(plain.nameNode());
    keys.put(TierConfiguration.FILE_KEY, file);
    BenchPhase.Row row = new BenchPhase.Row(BenchDataSet.HYBRID, access);
    return new BenchPhase.Turn(new DaemonKeys(keys, Map.of()), 1, List.of(row));
  }

  /** {@link #AUTO} that knows what the uplinks carry, and that takes them to be no limit. */
  private static BenchPhase untoldUplinks(long blockBytes) {
    List<BenchPhase.Turn> turns = new ArrayList<>(turns(List.of(AUTO), blockBytes));
    turns.add(byOtherTiers(turns.get(1).keys(), UNTOLD_UPLINKS_FILE, AUTO_UPLINKS_UNTOLD));
    return new BenchPhase(UNTOLD_UPLINKS, turns, BenchPhase.Conditions.USUAL);
  }

  /** Readers tell nothing, and the NameNode hears nothing. */
  private static BenchPhase.Turn withoutReports(DaemonKeys plain) {
    BenchPhase.Row row = new BenchPhase.Row(BenchDataSet.HYBRID, AUTO_WITHOUT_REPORTS);
    return new BenchPhase.Turn(plain, 1, List.of(row));
  }

  /** NameNode and clients are told that all links are ten times as slow or as fast as they are. */
  private static BenchPhase wrongLinks(long blockBytes) {
    List<BenchPhase.Turn> turns = new ArrayList<>(turns(ALL, blockBytes));
    DaemonKeys keys = turns.get(1).keys();
    for (String access : List.of(AUTO_TOLD_A_TENTH, AUTO_TOLD_TENFOLD)) {
      double told = access.equals(AUTO_TOLD_A_TENTH) ? A_TENTH : TENFOLD;
      BenchPhase.Row row = new BenchPhase.Row(BenchDataSet.HYBRID, access);
      turns.add(new BenchPhase.Turn(keys, told, List.of(row)));
    }
    return new BenchPhase(WRONG_LINKS, turns, BenchPhase.Conditions.USUAL);
  }

  private static List<BenchPhase.Turn> turns(List<String> orders, long blockBytes) {
    List<BenchPhase.Row> stock = new ArrayList<>();
    for (BenchDataSet data : List.of(BenchDataSet.ONE_SSD, BenchDataSet.HYBRID)) {
      stock.add(new BenchPhase.Row(data, BY_STORAGE_TYPE));
    }
    List<BenchPhase.Row> ours =
        orders.stream().map(order -> new BenchPhase.Row(BenchDataSet.HYBRID, order)).toList();
    return turns(stock, ours, blockBytes);
  }

  private static List<BenchPhase.Turn> overRacks(long blockBytes) {
    List<BenchDataSet> both = List.of(BenchDataSet.HYBRID, BenchDataSet.HYBRID_OVER_THREE);
    List<BenchPhase.Row> stock = new ArrayList<>();
    stock.add(new BenchPhase.Row(BenchDataSet.ONE_SSD, BY_STORAGE_TYPE));
    both.forEach(data -> stock.add(new BenchPhase.Row(data, BY_STORAGE_TYPE)));
    List<BenchPhase.Row> ours = new ArrayList<>();
    ours.add(new BenchPhase.Row(BenchDataSet.HYBRID, AUTO));
    ALL.forEach(order -> ours.add(new BenchPhase.Row(BenchDataSet.HYBRID_OVER_THREE, order)));
    return turns(stock, ours, blockBytes);
  }

  private static List<BenchPhase.Turn> turns(
      List<BenchPhase.Row> stock, List<BenchPhase.Row> ours, long blockBytes) {
    DaemonKeys plain = new DaemonKeys(Map.of("dfs.blocksize", Long.toString(blockBytes)), Map.of());
    return List.of(
        new BenchPhase.Turn(new DaemonKeys(BenchPhase.BY_STORAGE_TYPE, Map.of()), 0, stock),
        new BenchPhase.Turn(plain, 1, ours));
  }
}
