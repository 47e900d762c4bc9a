package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessStrategies;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.StaticMapping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers on hosts without a DataNode, and readers that are not this machine. */
class ReadExplanationTest {
  private final Configuration conf = new Configuration(false);

  @AfterEach
  void forgetHosts() {
    StaticMapping.resetMap();
  }

  /** As a NameNode lists them for a reader on the host of the first. */
  private static LocatedBlocks listed() {
    DatanodeInfoWithStorage[] replicas =
        Stream.of("/r1/lsn1", "/r1/lsn2", "/r2/lsn1")
            .map(ReadExplanationTest::replica)
            .toArray(DatanodeInfoWithStorage[]::new);
    LocatedBlock block = new LocatedBlock(new ExtendedBlock("pool", 1), replicas);
    return new LocatedBlocks(1, false, List.of(block), block, true, null, null);
  }

  private static DatanodeInfoWithStorage replica(String location) {
    String name = location.substring(1).replace('/', '-');
    return new DatanodeInfoWithStorage(
        new DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("10.0.0.1", name, "uuid-" + name, 9866, 9864, 9865, 9867))
            .setNetworkLocation(location)
            .build(),
        "DS-" + name,
        StorageType.DISK);
  }

  private List<ReadExplanation.Replica> explained(boolean elsewhere) {
    TierConfiguration tiers =
        TierConfiguration.parse("tiers: [{name: disk, match: {storage-type: DISK}}]", "tiers.yaml");
    return new ReadExplanation(conf, tiers, AccessStrategies.parse("network-aware"), elsewhere)
        .explain("/f", listed())
        .get(0)
        .replicas();
  }

  private static List<String> locations(List<ReadExplanation.Replica> replicas) {
    return replicas.stream().map(replica -> replica.location().getNetworkLocation()).toList();
  }

  @Test
  void aReaderWhoseRackNobodyToldHasNoDistances() {
    assertThat(explained(false)).extracting(ReadExplanation.Replica::distance).containsOnlyNulls();
  }

  @Test
  void aReaderBesideNoDataNodeLearnsItsRackWhereHadoopsClientsDo() {
    conf.setBoolean(CommonConfigurationKeys.FS_CLIENT_TOPOLOGY_RESOLUTION_ENABLED, true);
    conf.setClass(
        CommonConfigurationKeys.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        StaticMapping.class,
        DNSToSwitchMapping.class);
    assertThat(explained(false))
        .as("the topology does not know the host")
        .extracting(ReadExplanation.Replica::distance)
        .containsOnlyNulls();

    StaticMapping.addNodeToRack(NetUtils.getLocalHostname(), "/r1/lsn2");

    assertThat(explained(false))
        .extracting(ReadExplanation.Replica::distance)
        .containsExactly(4, 2, 6);
  }

  /** The NameNode listed them for this machine. */
  @Test
  void forAReaderElsewhereReplicasAreListedByDistanceFromThere() {
    conf.set(ClientKeys.LOCATION, "/r2/lsn1/compute");
    assertThat(locations(explained(true))).containsExactly("/r2/lsn1", "/r1/lsn1", "/r1/lsn2");
    assertThat(locations(explained(false)))
        .as("of this machine the NameNode knows better")
        .containsExactly("/r1/lsn1", "/r1/lsn2", "/r2/lsn1");
  }
}
