package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** More replicas are wanted in a region than it has nodes: the east has two. */
@ExtendWith(MixedCluster.class)
class FewNodesIT {
  private static final int BLOCKS = 4;
  private static final String ALL_EAST = "layout:3 x disk in region east";

  private final LiveCluster cluster;

  FewNodesIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  private static long inEast(LocatedBlock block) {
    return List.of(block.getLocations()).stream()
        .map(DatanodeInfo::getNetworkLocation)
        .filter(rack -> rack.startsWith("/east/"))
        .count();
  }

  @Test
  @Timeout(180)
  void asManyComeAsThereAreNodesAndTheRestStaysWhereItIs() throws IOException {
    Path file = cluster.write("/t/few/file", BLOCKS, 3);
    cluster.setPolicy("/t/few", ALL_EAST);
    MoveOrder order = cluster.order("", "/t/few");
    MoverReport plan = Mover.plan(cluster.cluster(), LiveCluster.quick(), order);
    MoverReport report;
    try (Watcher unused = new Watcher(cluster, List.of(file), BLOCKS, 3)) {
      report = cluster.move(LiveCluster.quick(), order);
    }

    assertThat(report.moved()).isEqualTo(plan.moved());
    assertThat(report.left()).hasSize(1);
    assertThat(report.left()).isEqualTo(plan.left());
    assertThat(report.left().get(0).amount().replicas()).isEqualTo(BLOCKS);
    assertThat(report.left().get(0).fault()).isFalse();
    assertThat(report.complete()).isFalse();
    for (LocatedBlock block : cluster.blocks(file)) {
      assertThat(inEast(block)).as("%s", block).isEqualTo(2);
      assertThat(block.getLocations()).hasSize(3);
    }
    assertThat(cluster.move(LiveCluster.quick(), order).moved().replicas())
        .as("asked again")
        .isZero();
    cluster.assertWhole(file, BLOCKS);
  }

  /** HDFS keeps each block in two racks, and the region has one: of two replicas one is outside. */
  @Test
  @Timeout(180)
  void aVerbSaysThatAReplicaStandsOutside() throws IOException {
    cluster.setPolicy("/t/few", "layout:2 x disk in region east");
    cluster.write("/t/few/file", BLOCKS, 2);
    FileTiers.Change change = new FileRegions(cluster.cluster()).setRepRegion("/t/few", "east", 3);

    ChangeForecast forecast =
        new LayoutChanges(new FileTiers(cluster.cluster()), List.of(change)).forecast();

    assertThat(forecast.coming().replicas()).as("%s", forecast).isEqualTo(BLOCKS);
    assertThat(forecast.homeless().replicas()).as("%s", forecast).isZero();
    assertThat(forecast.left()).hasSize(1);
    assertThat(forecast.left().get(0).reason()).startsWith("it stands elsewhere than its layout");
    assertThat(forecast.left().get(0).amount().replicas()).isEqualTo(BLOCKS);
  }
}
