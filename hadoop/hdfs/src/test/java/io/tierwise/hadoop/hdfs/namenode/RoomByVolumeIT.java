package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.datanode.StorageIdVolumeChoosingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two tiers of one storage type on a real node: blocks on their way to one fill none but it. */
class RoomByVolumeIT {
  private static final int BLOCK = TieredCluster.BLOCK_BYTES;
  private static final int SMALL_BLOCKS = 12;
  private static final int OPEN_FILES = 40;

  private TieredCluster cluster;
  private String small;
  private String large;
  private final List<FSDataOutputStream> open = new ArrayList<>();

  /** The ids of volumes are known once they are formatted: the tiers are told by a second start. */
  @BeforeEach
  void start() throws IOException {
    Configuration conf =
        TieredCluster.settings("tiers:\n  - {name: x, match: {storage-type: SSD}}");
    conf.set(
        DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY,
        StorageIdVolumeChoosingPolicy.class.getName());
    cluster =
        TieredCluster.start(
            conf,
            new String[] {"/r1"},
            new StorageType[][] {{StorageType.SSD, StorageType.SSD}},
            new long[][] {{(long) SMALL_BLOCKS * BLOCK, 1000L * BLOCK}});
    for (StorageReport report : node().getStorageReports()) {
      String id = report.getStorage().getStorageID();
      if (report.getCapacity() < 500L * BLOCK) {
        small = id;
      } else {
        large = id;
      }
    }
    Files.writeString(
        java.nio.file.Path.of(conf.get("tierwise.tiers.file")),
        """
        tiers:
          - {name: nvme, match: {storage-type: SSD, storage-ids: ["%s"]}}
          - {name: sata, match: {storage-type: SSD, storage-ids: ["%s"]}}
        """
            .formatted(small, large));
    Outages.restartNameNode(cluster);
    cluster.directory("/nvme", "layout:1 x nvme");
    cluster.directory("/sata", "layout:1 x sata");
  }

  @AfterEach
  void stop() throws IOException {
    for (FSDataOutputStream out : open) {
      out.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private DatanodeDescriptor node() throws IOException {
    return cluster
        .mini()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(cluster.mini().getDataNodes().get(0).getDatanodeUuid());
  }

  /** Opens files whose first block is on its way; the volumes that they went to. */
  private List<String> begin(String directory, int files) throws IOException {
    List<String> volumes = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      Path file = new Path(directory, "open" + i);
      FSDataOutputStream out = cluster.files().create(file, true, 4096, (short) 1, BLOCK);
      open.add(out);
      out.write(i);
      out.hflush();
      volumes.add(cluster.blocks(file).get(0).getStorageIDs()[0]);
    }
    return volumes;
  }

  @Test
  void manyBlocksOnTheirWayToALargeTierLeaveASmallOneItsRoomAndTheReverse() throws IOException {
    assertThat(begin("/sata", OPEN_FILES)).containsOnly(large);
    assertThat(node().getBlocksScheduled(StorageType.SSD)).isGreaterThan(SMALL_BLOCKS);
    Path file = new Path("/nvme/whole");
    cluster.write(file, 2, 1);
    assertThat(cluster.blocks(file))
        .allSatisfy(block -> assertThat(block.getStorageIDs()).containsExactly(small));
    cluster.assertWhole(file, 2);

    List<String> beyond = begin("/nvme", SMALL_BLOCKS + 2);
    assertThat(beyond.get(0)).isEqualTo(small);
    assertThat(beyond).as("its own blocks fill it").contains(large);
    assertThat(begin("/sata/more", 1)).containsOnly(large);
  }
}
