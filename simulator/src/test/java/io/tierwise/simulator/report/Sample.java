package io.tierwise.simulator.report;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.measure.RunResult.Series;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.util.List;
import java.util.Optional;

/** Results with figures that a test can foretell. */
final class Sample {
  static final Scenario SCENARIO =
      ScenarioFiles.parse(
              """
              cluster: {racks: [{nodes: [{kind: ssd-node, count: 3}]}]}
              workload: {dfsio: {tasks: 1, file: 1 GB}}
              """,
              "sample")
          .scenario();

  private Sample() {}

  /** A run with two tiers that took so long. */
  static RunResult run(long seed, double makespanSeconds, boolean complete) {
    return new RunResult(
        "sample",
        "hybrid",
        "greedy",
        seed,
        complete,
        makespanSeconds,
        List.of("sata-ssd", "hdd"),
        new RunResult.Jobs(2, 0, 10, 1, 0, makespanSeconds / 2, 3, 4, 5, 6, ""),
        new RunResult.JobTimes(new int[0], new double[0], new double[0]),
        new RunResult.Reads(
            1000,
            50e6,
            51e6,
            1e6,
            new long[] {600, 200},
            new long[] {400, 100},
            200,
            300,
            300,
            300,
            100,
            new double[] {6e-6, 8e-6, 10e-6, 4e-6},
            0.5,
            0,
            Optional.empty()),
        new RunResult.Writes(
            2000,
            20e6,
            21e6,
            1e6,
            new long[] {1000, 5000},
            0.25,
            new long[] {6000},
            new long[] {20},
            0,
            0),
        new RunResult.Network(4_000_000_000L, 1_000_000_000, 0, 500),
        new RunResult.Cost(
            900, List.of("sata-ssd", "hdd"), new double[] {40, 60}, new long[] {1, 2}, 0, 6500, 0),
        new RunResult.Faults(0, 0, 0),
        List.of(),
        Optional.empty(),
        List.of(),
        RunResult.Stored.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        new RunResult.AtEnd(new long[] {0, 0, 0, 1}, 3, 0.6, 0.208),
        new RunResult.Engine(1234, 56, 0.5, 0xabcdefL),
        List.of(new Series("reads", "bytes per second", 1, new double[] {1, 2, Double.NaN})));
  }

  static RunCase runs(String label, double... makespans) {
    RunResult[] runs = new RunResult[makespans.length];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = run(i + 1, makespans[i], true);
    }
    return new RunCase(label, SCENARIO, List.of(runs));
  }
}
