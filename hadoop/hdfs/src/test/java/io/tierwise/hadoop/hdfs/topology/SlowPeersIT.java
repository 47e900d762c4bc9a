package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.SlowPeerTracker;
import org.apache.hadoop.hdfs.server.protocol.OutlierMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of DataNodes about each other count in the order of a NameNode with {@code auto}. */
class SlowPeersIT {
  private static final OutlierMetrics TWENTY_TIMES_AS_LONG =
      new OutlierMetrics(1.0, 0.1, 2.0, 20.0);

  @Test
  void aNodeThatItsPeersReportSlowIsReadLast(@TempDir File folder) throws IOException {
    try (AutoHdfs auto =
        AutoHdfs.start(folder, DFSConfigKeys.DFS_DATANODE_PEER_STATS_ENABLED_KEY, "true")) {
      byte[] data = auto.hdfs().write("/file", MiniHdfs.BLOCK_BYTES, AutoHdfs.NODES);
      auto.silenceNodes();
      DatanodeDescriptor slow = auto.descriptor(auto.hdfs().cluster().getDataNodes().get(2));
      assertThat(auto.topology().linkShare(slow.getDatanodeUuid())).isEqualTo(1);
      SlowPeerTracker tracker = auto.nodes().getSlowPeerTracker();
      for (String reporter : List.of("other:1", "third:2")) {
        tracker.addReport(slow.getInfoAddr(), reporter, TWENTY_TIMES_AS_LONG);
      }
      auto.await(() -> auto.topology().linkShare(slow.getDatanodeUuid()) < 1);
      assertThat(auto.topology().linkShare(slow.getDatanodeUuid())).isLessThan(0.1);
      for (int look = 0; look < 20; look++) {
        assertThat(auto.firstForOutsider("/file")).isNotEqualTo(slow.getHostName());
      }
      try (var in = auto.hdfs().stock().open(new org.apache.hadoop.fs.Path("/file"))) {
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
      assertThat(auto.topology().failureCount()).isZero();
    }
  }
}
