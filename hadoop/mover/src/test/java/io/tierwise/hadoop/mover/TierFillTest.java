package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes.Volume;
import io.tierwise.hadoop.mover.MoverReport.TierChange;
import io.tierwise.hadoop.mover.MoverReport.TierFill;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.junit.jupiter.api.Test;

class TierFillTest {
  private static final TierConfiguration TIERS = TierConfiguration.byStorageType();
  private static final int DISK = TIERS.table().require("disk").index();

  private static Volume disk(AdminStates state, boolean failed, long usedBytes) {
    return new Volume(
        "n",
        "10.0.0.1:9866",
        "/r",
        state.toString(),
        "DS-1",
        "DISK",
        failed,
        100,
        usedBytes,
        90,
        List.of(DISK));
  }

  private static TierFill fill(long come, long go, Volume... volumes) {
    List<TierChange> changes = List.of(new TierChange("disk", come, go));
    return TierFill.of(new ClusterVolumes(TIERS, List.of(volumes)), changes).get(0);
  }

  @Test
  void volumesThatAreInServiceCount() {
    assertThat(
            fill(
                7,
                2,
                disk(AdminStates.NORMAL, false, 10),
                disk(AdminStates.NORMAL, false, 20),
                disk(AdminStates.NORMAL, true, 40),
                disk(AdminStates.DECOMMISSIONED, false, 80)))
        .isEqualTo(new TierFill("disk", 200, 30, 35));
  }

  /** Blocks of the last three seconds are in no heartbeat yet. */
  @Test
  void lessThanNothingIsNeverUsed() {
    assertThat(fill(0, 50, disk(AdminStates.NORMAL, false, 10)))
        .isEqualTo(new TierFill("disk", 100, 10, 0));
  }
}
