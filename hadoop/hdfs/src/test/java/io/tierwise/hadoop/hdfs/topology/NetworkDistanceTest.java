package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkDistanceTest {
  @ParameterizedTest
  @CsvSource({
    "/rack1, /rack1",
    "/rack1, /rack10",
    "/rack1, /rack2",
    "/east/rack1, /east/rack1",
    "/east/rack1, /east/rack2",
    "/east/rack1, /west/rack1",
    "/east/rack1, /eastern/rack1"
  })
  void countsHopsAsHadoopDoes(String rack, String otherRack) {
    NodeBase node = new NodeBase("host1", rack);
    NodeBase other = new NodeBase("host2", otherRack);
    assertThat(NetworkDistance.betweenNodes(rack, otherRack))
        .isEqualTo(NetworkTopology.getDistanceByPath(node, other));
  }

  @ParameterizedTest
  @CsvSource({"/rack1,", ",/rack1"})
  void assumesAnotherRackWhenALocationIsUnknown(String rack, String otherRack) {
    assertThat(NetworkDistance.betweenNodes(rack, otherRack)).isEqualTo(4);
  }
}
