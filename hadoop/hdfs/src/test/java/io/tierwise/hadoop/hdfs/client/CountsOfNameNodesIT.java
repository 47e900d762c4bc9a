package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.topology.OrderKeys;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each NameNode counts the reads that it answered, and after a failover the next one does. */
@Tag("long")
class CountsOfNameNodesIT {
  private static final int BLOCKS = 3;
  private static final byte[] DATA = new byte[BLOCKS * ObserverCluster.BLOCK_BYTES];
  private static final Path FILE = new Path("/file");

  private ObserverCluster cluster;

  @AfterEach
  void stop() {
    cluster.close();
  }

  private double counted(int nameNode) {
    TierwiseTopology topology = cluster.topology(nameNode);
    assertThat(topology.failureCount()).isZero();
    return topology.countedReads();
  }

  private static void read(TierwiseFileSystem client) throws IOException {
    try (InputStream in = client.open(FILE)) {
      assertThat(in.readAllBytes()).isEqualTo(DATA);
    }
  }

  @Test
  void whoAnswersCountsAndReadsGoOnThroughAFailover() throws IOException {
    cluster = ObserverCluster.start(3, OrderKeys.of("auto"));
    try (TierwiseFileSystem client = cluster.fileSystem(Map.of(ClientKeys.STRATEGY, "auto"))) {
      try (OutputStream out = client.create(FILE)) {
        out.write(DATA);
      }
      ObserverCluster.await(
          () -> {
            try {
              read(client);
              return cluster.isFromObserver(client);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      double before = counted(cluster.observer());
      double others = counted(0) + counted(1);
      read(client);
      assertThat(counted(cluster.observer()) - before).isEqualTo(BLOCKS);
      assertThat(counted(0) + counted(1)).isEqualTo(others);

      cluster.stopObserver();
      int first = cluster.active();
      before = counted(first);
      read(client);
      assertThat(counted(first) - before).isEqualTo(BLOCKS);

      cluster.failOver();
      int second = cluster.active();
      assertThat(second).isNotEqualTo(first);
      before = counted(second);
      read(client);
      assertThat(counted(second) - before).isEqualTo(BLOCKS);
    }
  }
}
