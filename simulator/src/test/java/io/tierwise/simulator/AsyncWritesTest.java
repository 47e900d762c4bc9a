package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Writes that do not wait for the replicas in another region, over a slow link between the two. */
class AsyncWritesTest {
  private static final String TWO_REGIONS =
      """
      nodes:
        disks: {page-cache: 0 B, link: 10 Gbps, volumes: [{device: sata-ssd, capacity: 1 TB}]}
      cluster:
        racks:
          - {name: a, region: east, uplink: 100 Mbps, nodes: [{kind: disks, count: 3}]}
          - {name: b, region: west, uplink: 100 Mbps, nodes: [{kind: disks, count: 3}]}
      tiers: [{name: ssd, device: sata-ssd}]
      policies: {placement: "PLACEMENT", access: greedy, block: 64 MiB}
      workload: {dfsio: {tasks: 1, file: 256 MB, read: false}}
      """;

  private static double seconds(String placement) throws IOException {
    Simulation simulation =
        Simulation.of(
                ScenarioFiles.parse(TWO_REGIONS.replace("PLACEMENT", placement), "test").scenario())
            .checkBetween(0, Double.POSITIVE_INFINITY);
    return simulation.run(Progress.NONE).makespanSeconds();
  }

  @Test
  void aWriteReturnsBeforeTheOtherRegionHasItsReplica() throws IOException {
    String layout = "layout:2 x any in region east + 1 x any in region west";
    double waiting = seconds(layout);

    // 256 MB at 100 Mbit/s; the two replicas in the writer's region are there within seconds.
    assertThat(waiting).isGreaterThan(20);
    assertThat(seconds(layout + " async")).isLessThan(waiting / 2);
  }
}
