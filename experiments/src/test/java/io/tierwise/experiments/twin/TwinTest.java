package io.tierwise.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.Census;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TwinTest {
  private static final String LONG = "/" + "a".repeat(70);

  private static Scenario captured(String... racks) {
    List<Census.Volume> volumes = new ArrayList<>();
    for (String rack : racks) {
      String node = "node of " + rack;
      volumes.add(new Census.Volume(rack, "/", node, "DISK", 0, true, 1L << 40, 1L << 39));
    }
    TierTable tiers = TierTable.of(List.of(DeviceClass.unmeasured("disk")));
    Twin twin = new Twin(new Census(tiers, Map.of(), volumes), false);
    return Twin.withSettings(twin.scenario("twin", 1L << 27, 3), List.of());
  }

  /** A scenario's names have fewer characters than paths of racks. */
  @Test
  void racksOfLikePathsStayDifferentRacks() {
    Scenario twin = captured("/east/r1", "/east.r1", "/east r1", LONG + "b", LONG + "c");

    assertThat(twin.cluster().racks()).hasSize(5);
    assertThat(twin.cluster().racks()).extracting(Rack::name).doesNotHaveDuplicates();
    assertThat(twin.cluster().racks()).extracting(Rack::name).contains("east.r1");
    assertThat(twin.cluster().racks()).extracting(Rack::region).containsOnly("r");
  }
}
