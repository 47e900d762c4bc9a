package io.tierwise.simulator;

import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;

/** Reads in one order of replicas or another, on nodes of hatS's three kinds. */
final class OrderedReads {
  /** The orders that auto is compared with. */
  static final List<String> OTHERS = List.of("stock", "tier-aware", "greedy", "hybrid", "dld");

  /**
   * Nine nodes in three racks with links of {@code LINK}, read by the order {@code ACCESS}; node 0
   * has a PCIe SSD, node 1 a SATA SSD.
   */
  static final String NINE_NODES =
      """
      nodes:
        d: {page-cache: 64 MiB, map-slots: 8, link: LINK Gbps, volumes: [hdd]}
        s: {based-on: d, volumes: [hdd, {device: sata-ssd, temporary: false}]}
        p: {based-on: d, volumes: [hdd, {device: pcie-ssd, temporary: false}]}
      cluster: {racks: [{name: rack, count: 3, nodes: [p, s, d]}]}
      tiers: [pcie-ssd, sata-ssd, hdd]
      policies: {placement: hybrid, access: ACCESS}
      model: {drop-caches: true, task-start: 0 s, job-start: 0 s}
      """;

  private OrderedReads() {}

  /** The mean of runs with the seeds 1, 2 and so on. */
  static double megabytesPerSecond(int seeds, IntFunction<String> yamlOfSeed) throws IOException {
    double sum = 0;
    for (int seed = 1; seed <= seeds; seed++) {
      Simulation run =
          Simulation.of(ScenarioFiles.parse(yamlOfSeed.apply(seed), "reads").scenario());
      sum += run.run(Progress.NONE).reads().totalBytesPerSecond() / 1e6;
    }
    return sum / seeds;
  }
}
