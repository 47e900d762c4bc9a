package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes come up although others take ports at the same time. */
@Tag("long")
class HdfsProcessesIT {
  @TempDir private Path folder;

  @Test
  void aPortThatAnotherProcessTookInBetweenIsReplaced() throws IOException {
    try (HdfsProcesses hdfs = new HdfsProcesses(folder)) {
      int taken = hdfs.uri().getPort();
      try (ServerSocket other = new ServerSocket(taken, 1, InetAddress.getLoopbackAddress())) {
        hdfs.startNameNode(Map.of(), "");
        assertThat(hdfs.uri().getPort()).isNotEqualTo(other.getLocalPort());
        hdfs.startDataNode("data", Map.of(), "");
        assertThat(hdfs.get("data", "/jmx?qry=Hadoop:service=DataNode,name=DataNodeInfo"))
            .contains("ClusterId");
      }
    }
  }
}
