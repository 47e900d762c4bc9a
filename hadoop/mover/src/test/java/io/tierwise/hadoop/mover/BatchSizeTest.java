package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.RepairBacklog;
import org.junit.jupiter.api.Test;

/** Batches of repairs take about a minute, however fast blocks move. */
class BatchSizeTest {
  /** The longest batch of many, when a block takes so long. */
  private static double longest(double secondsPerBlock) {
    BatchSize size = new BatchSize();
    double longest = 0;
    for (int batch = 0; batch < 10; batch++) {
      double seconds = size.blocks() * secondsPerBlock;
      longest = batch == 0 ? 0 : Math.max(longest, seconds);
      size.took(size.blocks(), seconds);
    }
    return longest;
  }

  @Test
  void slowBlocksComeInSmallBatches() {
    assertThat(longest(1.6)).as("three replicas of 128 MiB at 250 MB/s").isLessThanOrEqualTo(60);
    assertThat(longest(16)).as("where nodes yield").isLessThanOrEqualTo(60);
    assertThat(longest(600)).as("one at a time").isEqualTo(600);
  }

  @Test
  void fastBlocksComeInAsLargeBatchesAsThereAre() {
    BatchSize size = new BatchSize();
    for (int batch = 0; batch < 5; batch++) {
      size.took(size.blocks(), 0.1);
    }
    assertThat(size.blocks()).isEqualTo(RepairBacklog.BATCH_BLOCKS);
  }

  @Test
  void aBatchThatTheMonitorCouldNotFillLetsTheNextOneGrow() {
    BatchSize size = new BatchSize();
    size.took(3, 0.1);
    assertThat(size.blocks()).isEqualTo(12);
    size.took(12, 0.1);
    assertThat(size.blocks()).isEqualTo(48);
  }
}
