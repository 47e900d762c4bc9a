package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PipelineTest {
  private static final int ROUNDS = 3_000;

  /** Distances from location strings are those of Hadoop's topology, at every depth. */
  @ParameterizedTest
  @ValueSource(strings = {"/r%d", "/g%2$d/r%1$d", "/d%3$d/g%2$d/r%1$d", "/g/r1%d", "/rr%1$d/r%1$d"})
  void eachHopOfThePipelineIsTheShortestLeftByHadoopsOwnDistances(String pattern) {
    NetworkTopology topology = new NetworkTopology();
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      int rack = i / 2;
      DatanodeStorageInfo storage =
          DFSTestUtil.createDatanodeStorageInfo(
              "s" + i,
              "10.0.0." + i,
              String.format(pattern, rack, rack / 3, rack / 6),
              "h" + i,
              StorageType.DISK,
              null);
      topology.add(storage.getDatanodeDescriptor());
      storages.add(storage);
    }
    Random random = new Random(5);
    for (int round = 0; round < ROUNDS; round++) {
      Collections.shuffle(storages, random);
      DatanodeDescriptor writer = storages.get(23).getDatanodeDescriptor();
      DatanodeStorageInfo[] targets =
          storages.subList(0, 1 + random.nextInt(6)).toArray(DatanodeStorageInfo[]::new);
      DatanodeStorageInfo[] sorted = targets.clone();
      Pipeline.sort(writer, sorted);
      assertThat(sorted).containsExactlyInAnyOrder(targets);
      DatanodeDescriptor from = writer;
      for (int at = 0; at < sorted.length; at++) {
        DatanodeDescriptor here = from;
        int shortest =
            Arrays.stream(sorted, at, sorted.length)
                .mapToInt(s -> topology.getDistance(here, s.getDatanodeDescriptor()))
                .min()
                .orElseThrow();
        assertThat(topology.getDistance(here, sorted[at].getDatanodeDescriptor()))
            .isEqualTo(shortest);
        from = sorted[at].getDatanodeDescriptor();
      }
    }
  }
}
