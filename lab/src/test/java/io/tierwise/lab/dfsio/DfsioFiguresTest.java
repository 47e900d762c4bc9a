package io.tierwise.lab.dfsio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.lab.dfsio.BenchPlace.Distance;
import io.tierwise.simulator.bound.ReadBound;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DfsioFiguresTest {
  private static final long SECOND = 1_000_000_000L;

  private static TaskFigures task(int index, long bytes, long nanos, String tier, Distance far) {
    return new TaskFigures(
        index, bytes, nanos, 0, Map.of(tier, bytes), Map.of(far, bytes), List.of());
  }

  /** Two tasks of 100 bytes at 100 and 25 bytes per second: worked out by hand. */
  @Test
  void computesWhatTestDfsioComputes() {
    DfsioFigures figures =
        DfsioFigures.of(
            List.of(
                task(0, 100, SECOND, "fast", Distance.LOCAL),
                task(1, 100, 4 * SECOND, "slow", Distance.REMOTE)),
            4 * SECOND,
            3,
            0);

    assertThat(figures.throughputBytesPerSecond()).isCloseTo(200 / 5.0, within(1e-9));
    assertThat(figures.averageBytesPerSecond()).isCloseTo(62.5, within(1e-9));
    assertThat(figures.deviationBytesPerSecond()).isCloseTo(37.5, within(1e-9));
    assertThat(figures.aggregateBytesPerSecond()).isCloseTo(50, within(1e-9));
    assertThat(figures.refusals()).isEqualTo(3);
  }

  @Test
  void onlyBytesOfOtherNodesCountAsNetwork() {
    DfsioFigures figures =
        DfsioFigures.of(
            List.of(
                task(0, 100, SECOND, "fast", Distance.LOCAL),
                task(1, 30, SECOND, "fast", Distance.RACK),
                task(2, 70, SECOND, "slow", Distance.REMOTE)),
            SECOND,
            0,
            0);

    assertThat(figures.networkBytes()).isEqualTo(100);
    assertThat(figures.tierShare("fast")).isCloseTo(0.65, within(1e-9));
    assertThat(figures.tierShare("absent")).isZero();
    assertThat(figures.distanceShare(Distance.RACK)).isCloseTo(0.15, within(1e-9));
  }

  @Test
  void aRowShowsTheMedianOfItsRepeats() {
    List<DfsioFigures> repeats =
        List.of(
            DfsioFigures.of(List.of(task(0, 900, SECOND, "fast", Distance.LOCAL)), SECOND, 0, 0),
            DfsioFigures.of(List.of(task(0, 100, SECOND, "fast", Distance.LOCAL)), SECOND, 0, 0),
            DfsioFigures.of(List.of(task(0, 200, SECOND, "fast", Distance.LOCAL)), SECOND, 0, 0));

    BenchRow row = new BenchRow("hybrid", "greedy", List.of(), repeats);

    assertThat(row.readBytesPerSecond()).isEqualTo(200);
    assertThat(row.columns(List.of("fast")))
        .containsEntry("placement", "hybrid")
        .containsEntry("share_fast", 1.0)
        .containsEntry("repeats", 3);
  }

  @Test
  void aRowShowsTheMedianShareOfWhatWasPossible() {
    DfsioFigures run =
        DfsioFigures.of(List.of(task(0, 100, SECOND, "fast", Distance.LOCAL)), SECOND, 0, 0);
    List<DfsioFigures> repeats =
        List.of(
            run.withBound(new ReadBound(200, 400)),
            run.withBound(new ReadBound(125, 250)),
            run.withBound(new ReadBound(100, 100)));

    assertThat(new BenchRow("hybrid", "greedy", List.of(), repeats).columns(List.of()))
        .containsEntry("share_of_bound", 0.8)
        .containsEntry("share_of_limit", 0.4)
        .containsEntry("share_of_choices", null);
    assertThat(new BenchRow("hybrid", "greedy", List.of(), List.of(run)).columns(List.of()))
        .containsEntry("share_of_bound", null);
    assertThat(
            new BenchRow("hybrid", "greedy", List.of(), List.of(run.withChosen(160.0)))
                .columns(List.of()))
        .containsEntry("share_of_choices", 0.625);
  }

  /** A disk at 3 behind a link of 2; the third of three readers stands beside it. */
  @Test
  void readersOfANodeUseItsDeviceAndOthersItsLinkToo() {
    NodeReads reads = new NodeReads(2, 2);
    int disk = reads.addDevice(readers -> 3);
    for (int node : new int[] {1, 1, 0}) {
      reads.addReader(node);
      reads.addBlock(6);
      reads.addReplica(0, disk);
    }

    // All together 3, each 1: done at 6; at best one after another: 2, 4 and 6.
    assertThat(reads.bound().bytesPerSecond()).isCloseTo(1, within(1e-9));
    assertThat(reads.bound().limitBytesPerSecond()).isLessThanOrEqualTo(18 / 12.0 + 1e-9);
  }

  /** A reader in the rack of an SSD at 9, and two in another one, all with links of 6. */
  @Test
  void readersInAnotherRackShareTheUplinks() {
    NodeReads reads = new NodeReads(new int[] {0, 0, 1, 1}, 6, 2);
    int ssd = reads.addDevice(readers -> 9);
    for (int node : new int[] {1, 2, 3}) {
      reads.addReader(node);
      reads.addBlock(4);
      reads.addReplica(0, ssd);
    }

    assertThat(reads.bytesPerSecondFrom(List.of(List.of(0), List.of(0), List.of(0))))
        .as("one has what two of an uplink of 2 leave of a link of 6")
        .isCloseTo(12 / (4 / 4.0 + 4 + 4), within(1e-6));
  }

  /** Two readers beside a disk at 3 and an SSD at 9 behind a link of 2. */
  @Test
  void whatWasReadFromNamedNodesIsFoundAmongTheReplicas() {
    NodeReads reads = new NodeReads(2, 2);
    int disk = reads.addDevice(readers -> 3);
    int ssd = reads.addDevice(readers -> 9);
    for (int reader = 0; reader < 2; reader++) {
      reads.addReader(0);
      reads.addBlock(6);
      reads.addReplica(0, disk);
      reads.addReplica(1, ssd);
    }

    assertThat(reads.bytesPerSecondFrom(List.of(List.of(0), List.of(0))))
        .as("6 bytes each at half of 3")
        .isCloseTo(12 / 8.0, within(1e-6));
    assertThat(reads.bytesPerSecondFrom(List.of(List.of(0), List.of(1))))
        .as("one at 3, one over the link")
        .isCloseTo(12 / 5.0, within(1e-6));
    assertThat(reads.bytesPerSecondFrom(List.of(List.of(0), List.of(2))))
        .as("a node that has no replica")
        .isNull();
    assertThat(reads.bytesPerSecondFrom(List.of(List.of(0), List.of(0, 0))))
        .as("a node too many")
        .isNull();
  }

  @Test
  void workersReportsMergeIntoOneRun() {
    WorkerReport early =
        new WorkerReport(
            List.of(task(1, 100, SECOND, "fast", Distance.LOCAL)), 10 * SECOND, SECOND, 2, 0);
    WorkerReport late =
        new WorkerReport(
            List.of(task(0, 100, SECOND, "fast", Distance.LOCAL)), 11 * SECOND, SECOND, 1, 0);

    DfsioRun.Result merged = WorkerReport.merge(List.of(early, late));

    assertThat(merged.tasks()).extracting(TaskFigures::index).containsExactly(0, 1);
    assertThat(merged.figures().aggregateBytesPerSecond()).isCloseTo(100, within(1e-9));
    assertThat(merged.figures().refusals()).isEqualTo(3);
  }
}
