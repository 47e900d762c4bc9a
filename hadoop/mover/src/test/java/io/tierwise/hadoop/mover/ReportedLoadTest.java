package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.LoadView;
import io.tierwise.policies.movement.EngineRules;
import io.tierwise.policies.movement.LayoutMovement;
import io.tierwise.policies.movement.MovementPlan;
import io.tierwise.policies.movement.MovementRequest;
import io.tierwise.policies.movement.MovementState;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.recorded.RecordedLoad;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

/** What DataNodes reported, as movement sees it: live, and recorded as JSON and read back. */
class ReportedLoadTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int NODES = 12;
  private static final int BLOCKS = 50;
  private static final TierTable TIERS =
      TierTable.of(Stream.of("ssd", "disk").map(DeviceClass::unmeasured).toList());

  /** Every other node serves many; the reports are up to eleven seconds old. */
  private static DatanodeInfo node(int number) {
    String id = "node" + number;
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", id, id, 1, 2, 3, 4))
        .setXceiverCount(number % 2 == 0 ? 100 : 0)
        .setLastUpdateMonotonic(50_000 + 1_000L * number)
        .build();
  }

  private static LoadView live() {
    return ReportedLoad.of(
        IntStream.range(0, NODES).mapToObj(ReportedLoadTest::node).toList(),
        node -> 1e6 / (1 + node.getXceiverCount()));
  }

  /** Two nodes have a disk and the others an SSD, to which all blocks are to go. */
  private static List<MovementPlan> plans(LoadView load) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    for (int i = 0; i < NODES; i++) {
      int node = builder.addNode("node" + i, "rack" + i / 4, "region");
      builder.addVolume(node, i < 2 ? 1 : 0, 1L << 40);
    }
    MovementState state = new MovementState(builder.build(), load);
    List<MovementPlan> plans = new ArrayList<>();
    for (int block = 0; block < BLOCKS; block++) {
      plans.add(
          new LayoutMovement()
              .plan(
                  new MovementRequest(
                      PlacementPolicies.parse("layout:2 x ssd", TIERS),
                      new FileView(block, 0, 2),
                      128 << 20,
                      new int[] {0, 1},
                      new EngineRules.Obedient()),
                  state));
    }
    return plans;
  }

  @Test
  void aRecordedLoadMakesTheSamePlans() throws IOException {
    RecordedLoad recorded = RecordedLoad.of(live(), NODES);

    RecordedLoad again = JSON.readValue(JSON.writeValueAsString(recorded), RecordedLoad.class);

    for (int node = 0; node < NODES; node++) {
      assertThat(again.transfers(node)).isEqualTo(live().transfers(node));
      assertThat(again.ageMillis(node)).isEqualTo(live().ageMillis(node));
      assertThat(again.shuffleBytesPerSecond(node)).isEqualTo(live().shuffleBytesPerSecond(node));
    }
    assertThat(plans(again)).isEqualTo(plans(live())).isNotEqualTo(plans(LoadView.UNKNOWN));
  }
}
