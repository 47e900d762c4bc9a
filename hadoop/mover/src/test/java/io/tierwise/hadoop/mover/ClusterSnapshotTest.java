package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ClusterView;
import org.junit.jupiter.api.Test;

class ClusterSnapshotTest {
  /** Else replicas in two groups of one rack would seem to be safe, and HDFS would copy one. */
  @Test
  void nodeGroupsAreNoRacksAndRacksNoRegions() {
    MadeNodes nodes = new MadeNodes(6, 0);
    nodes.haveGroups();
    ClusterView view = ClusterSnapshot.of(nodes.report(), nodes.names(), 0).view();
    assertThat(view.rackCount()).isEqualTo(3);
    assertThat(view.regionCount()).isOne();
    assertThat(view.regionName(0)).isEqualTo("default");
  }
}
