package io.tierwise.lab.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.lab.embedded.network.EmulatedNetwork;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded cluster is a cluster to the NameNode: nodes, racks, locality, and its links. */
class EmbeddedClusterIT {
  private static final int FILE_BYTES = 600_000;

  @TempDir private static Path directory;
  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = EmbeddedCluster.start(EmbeddedPlan.SMALL, new Configuration(false), directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static byte[] write(EmbeddedNode writer, String file) throws Exception {
    byte[] content = new byte[FILE_BYTES];
    new Random(writer.index()).nextBytes(content);
    try (FileSystem client = cluster.clientOn(writer);
        FSDataOutputStream out =
            client.create(new org.apache.hadoop.fs.Path(file), true, 4096, (short) 3, 1 << 20)) {
      out.write(content);
    }
    return content;
  }

  /** A file is closed when one replica is reported; the others' reports follow. */
  private static BlockLocation whenReported(FileSystem client, String file) throws Exception {
    long deadlineNanos = System.nanoTime() + 60_000_000_000L;
    while (true) {
      BlockLocation block =
          client.getFileBlockLocations(new org.apache.hadoop.fs.Path(file), 0, FILE_BYTES)[0];
      if (block.getHosts().length == 3 || System.nanoTime() > deadlineNanos) {
        return block;
      }
      Thread.sleep(10);
    }
  }

  @Test
  void everyWriterGetsItsFirstReplicaOnItsOwnNode() throws Exception {
    for (EmbeddedNode node : cluster.nodes()) {
      String file = "/first/" + node.hostName();
      write(node, file);
      try (FileSystem client = cluster.clientOn(node)) {
        BlockLocation block = whenReported(client, file);
        assertThat(block.getHosts()).hasSize(3).contains(node.hostName());
        assertThat(block.getTopologyPaths()).anyMatch(path -> path.startsWith(node.rack() + "/"));
        assertThat(Arrays.stream(block.getTopologyPaths()).map(p -> p.split("/")[1]).distinct())
            .as("racks of the replicas")
            .hasSize(2);
      }
    }
  }

  @Test
  void everyReaderOfALocalReplicaReadsItAndGetsWhatWasWritten() throws Exception {
    for (EmbeddedNode node : cluster.nodes()) {
      String file = "/local/" + node.hostName();
      byte[] content = write(node, file);
      try (FileSystem client = cluster.clientOn(node)) {
        assertThat(whenReported(client, file).getHosts()).contains(node.hostName());
      }
      long crossedBytes = EmulatedNetwork.shared().transferredBytes();
      try (FileSystem client = cluster.clientOn(node);
          FSDataInputStream in = client.open(new org.apache.hadoop.fs.Path(file))) {
        assertThat(in.readNBytes(FILE_BYTES)).isEqualTo(content);
        DatanodeInfo served = ((HdfsDataInputStream) in).getCurrentDatanode();
        assertThat(served.getIpAddr()).isEqualTo(node.address().getHostAddress());
        assertThat(served.getNetworkLocation()).isEqualTo(node.rack());
      }
      assertThat(EmulatedNetwork.shared().transferredBytes())
          .as("bytes that crossed the network")
          .isEqualTo(crossedBytes);
    }
  }

  @Test
  void aRemoteReadCrossesTheNetwork() throws Exception {
    write(cluster.nodes().get(0), "/remote/file");
    try (FileSystem anyClient = cluster.clientOn(cluster.nodes().get(0))) {
      String[] hosts = whenReported(anyClient, "/remote/file").getHosts();
      EmbeddedNode outsider =
          cluster.nodes().stream()
              .filter(node -> !Arrays.asList(hosts).contains(node.hostName()))
              .findFirst()
              .orElseThrow();
      long crossedBytes = EmulatedNetwork.shared().transferredBytes();
      try (FileSystem client = cluster.clientOn(outsider);
          FSDataInputStream in = client.open(new org.apache.hadoop.fs.Path("/remote/file"))) {
        in.readNBytes(FILE_BYTES);
      }
      assertThat(EmulatedNetwork.shared().transferredBytes() - crossedBytes)
          .isGreaterThanOrEqualTo(FILE_BYTES);
    }
  }
}
