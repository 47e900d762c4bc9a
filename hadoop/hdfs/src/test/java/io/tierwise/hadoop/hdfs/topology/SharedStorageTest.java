package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storage outside the cluster has one id, which all nodes that lead to it report. */
class SharedStorageTest {
  @TempDir private Path folder;

  private TierwiseTopology topology() throws IOException {
    Path tiers = folder.resolve("tiers.yaml");
    Files.writeString(
        tiers,
        """
        tiers:
          - name: fast
            match: {storage-type: SSD}
          - name: slow
            match: {storage-type: DISK}
        """);
    Configuration conf = new Configuration(false);
    conf.set(TierConfiguration.FILE_KEY, tiers.toString());
    conf.set(TierwiseTopology.STRATEGY, "auto");
    TierwiseTopology topology = new TierwiseTopology();
    topology.setConf(conf);
    assertThat(topology.strategy()).isNotNull();
    return topology;
  }

  private static DatanodeInfoWithStorage provided(int node) {
    return storage(node, "DS-PROVIDED", StorageType.PROVIDED);
  }

  private static DatanodeInfoWithStorage storage(int node, String id, StorageType type) {
    DatanodeInfo info =
        new DatanodeInfoBuilder()
            .setNodeID(
                new DatanodeID("10.0.0." + node, "host" + node, "uuid" + node, 9866, 9864, 0, 9867))
            .setNetworkLocation("/rack" + node)
            .build();
    return new DatanodeInfoWithStorage(info, id, type);
  }

  @Test
  void theNodeOfTheReaderIsStillTheNearest() throws IOException {
    TierwiseTopology topology = topology();
    for (int i = 0; i < 50; i++) {
      List<DatanodeInfoWithStorage> nodes = Arrays.asList(provided(1), provided(2), provided(3));
      Collections.rotate(nodes, i);
      DatanodeInfoWithStorage[] replicas = nodes.toArray(DatanodeInfoWithStorage[]::new);
      topology.sortByDistance(provided(2), replicas, replicas.length, null);
      assertThat(replicas[0].getHostName()).isEqualTo("host2");
    }
  }

  @Test
  void replicasInsideTheClusterAreOrderedAndStandBeforeIt() throws IOException {
    DatanodeInfoWithStorage[] replicas = {
      provided(2),
      storage(4, "DS-4", StorageType.DISK),
      provided(3),
      storage(5, "DS-5", StorageType.SSD),
      provided(1)
    };
    topology().sortByDistance(provided(2), replicas, replicas.length, null);
    assertThat(replicas)
        .extracting(DatanodeInfoWithStorage::getHostName)
        .startsWith("host5", "host4", "host2");
  }
}
