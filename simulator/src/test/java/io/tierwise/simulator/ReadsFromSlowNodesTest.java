package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads where a device or a link is slower than everybody is told. */
class ReadsFromSlowNodesTest {
  private static final int SEEDS = 6;

  private static final String SCENARIO =
      OrderedReads.NINE_NODES
          + """
          workload: {dfsio: {tasks: 18, file: 1 GB, local: 65%}}
          faults: [{at: 0 s, TARGET, slow: SHARE}]
          """;

  /** The same with the sizes of the testbed: all speeds by 20, blocks of less than a second. */
  private static final String SMALL_BLOCKS =
      """
      devices:
        p: {read: 26.65 MB/s, write: 12.25 MB/s}
        s: {read: 9.55 MB/s, write: 6.95 MB/s}
        d: {read: 3.05 MB/s, write: 2.3 MB/s}
      nodes:
        d: {page-cache: 1 MiB, map-slots: 8, link: 500 Mbps, volumes: [d]}
        s: {based-on: d, volumes: [d, {device: s, temporary: false}]}
        p: {based-on: d, volumes: [d, {device: p, temporary: false}]}
      cluster: {racks: [{name: rack, count: 3, nodes: [p, s, d]}]}
      tiers: [p, s, d]
      policies: {placement: hybrid, access: ACCESS, block: 2 MiB}
      model: {drop-caches: true, task-start: 0 s, job-start: 0 s}
      workload: {dfsio: {tasks: 18, file: 8 MiB, local: 65%}}
      faults: [{at: 0 s, TARGET, slow: SHARE}]
      """;

  private static double megabytesPerSecond(String access, int gigabits, String target, String share)
      throws IOException {
    return megabytesPerSecond(SCENARIO, access, gigabits, target, share);
  }

  private static double megabytesPerSecond(
      String scenario, String access, int gigabits, String target, String share)
      throws IOException {
    String yaml =
        scenario
            .replace("LINK", String.valueOf(gigabits))
            .replace("ACCESS", access)
            .replace("TARGET", target)
            .replace("SHARE", share);
    return OrderedReads.megabytesPerSecond(SEEDS, seed -> "seed: " + seed + "\n" + yaml);
  }

  /** Own: means of 16 seeds are 1.66, 1.37, 1.68, 1.16 and 1.17 in the order of the lines. */
  @ParameterizedTest
  @CsvSource({
    "10, 'device: node-0/1', 20%",
    "10, 'device: node-1/1', 20%",
    "1, 'link: node-0', 10%",
    "1, 'link: node-1', 10%",
    "1, 'link: node-2', 10%"
  })
  void autoReadsAheadOfEveryOtherOrderWhenSomethingIsSlow(int gigabits, String target, String share)
      throws IOException {
    double auto = megabytesPerSecond("auto", gigabits, target, share);
    for (String other : OrderedReads.OTHERS) {
      assertThat(auto / megabytesPerSecond(other, gigabits, target, share))
          .as("auto / %s", other)
          .isGreaterThan(1);
    }
  }

  /**
   * Own: means of 16 seeds are 1.39 and 1.27; with a look each second and 10 times, 1.0 and 1.0.
   */
  @ParameterizedTest
  @CsvSource({"'device: node-0/1'", "'device: node-1/1'"})
  void autoLeavesASlowDeviceAlsoWhereBlocksAreShort(String target) throws IOException {
    String told = "auto:link-megabytes-per-second=63";
    double auto = megabytesPerSecond(SMALL_BLOCKS, told, 10, target, "20%");
    for (String other : OrderedReads.OTHERS) {
      assertThat(auto / megabytesPerSecond(SMALL_BLOCKS, other, 10, target, "20%"))
          .as("auto / %s", other)
          .isGreaterThan(1.15);
    }
  }

  /**
   * What a short-lived reader learnt serves the next ones. Own: means of 24 seeds are 1.45 with
   * large blocks, 1.33 with small ones.
   */
  @Test
  void readersThatTellTheHostSaveOthersFromASlowDevice() throws IOException {
    String target = "device: node-0/1";
    assertThat(
            megabytesPerSecond("auto", 10, target, "20%")
                / megabytesPerSecond("'auto:reports=false'", 10, target, "20%"))
        .isGreaterThan(1.2);
    String told = "auto:link-megabytes-per-second=63";
    assertThat(
            megabytesPerSecond(SMALL_BLOCKS, told, 10, target, "20%")
                / megabytesPerSecond(
                    SMALL_BLOCKS, "'" + told + ",reports=false'", 10, target, "20%"))
        .isGreaterThan(1.15);
  }

  /** Own: 0.998 to 1.001 in 16 cases of 24 seeds. */
  @Test
  void readersThatTellTheHostOfAHealthyClusterLoseNothing() throws IOException {
    String target = "device: node-0/1";
    assertThat(
            megabytesPerSecond("auto", 10, target, "100%")
                / megabytesPerSecond("'auto:reports=false'", 10, target, "100%"))
        .isGreaterThan(0.97);
  }
}
