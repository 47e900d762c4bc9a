package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that meet what nobody foresaw, a path at which nothing is any more, or full disks. */
@ExtendWith(MixedCluster.class)
class MoverTroubleIT {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final int BLOCKS = 3;

  private final LiveCluster cluster;

  MoverTroubleIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  /** Each move that is in place is told to it, by the thread that looks for such. */
  private static Listener.Step failing() {
    return new Listener.Step() {
      @Override
      public void add(long amount) {
        throw new StackOverflowError("deep");
      }

      @Override
      public void finish(String remark) {}
    };
  }

  @Test
  @Timeout(120)
  void aThreadThatFailsEndsTheRunInOneLine() throws IOException {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    try (Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick())) {
      assertThatThrownBy(() -> mover.run(cluster.order(ALL_SSD, "/t"), failing()))
          .isInstanceOf(OperatorException.class)
          .hasMessageStartingWith("the mover failed (StackOverflowError: deep)");
    }
    cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t"));

    assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");
    cluster.assertWhole(file, BLOCKS);
  }

  @Test
  void aPathThatIsGoneIsSaidAndConcernsNoOtherOne() throws IOException {
    Path file = cluster.write("/t/file", BLOCKS, 3);

    MoverReport report =
        cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t/gone", "/t/file"));

    assertThat(report.left())
        .singleElement()
        .satisfies(
            left -> {
              assertThat(left.reason()).isEqualTo("it was deleted meanwhile");
              assertThat(left.fault()).isTrue();
              assertThat(left.example()).isEqualTo("/t/gone");
            });
    assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");
  }

  /** New files have no place any more; what is moved away is what makes room. */
  @Test
  void fromDisksThatAreFullDataIsMovedToSsdsThatHaveRoom() throws IOException {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    List<FsVolumeImpl> disks = new ArrayList<>();
    List<Long> capacities = new ArrayList<>();
    for (DataNode node : cluster.mini().getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          if (volume.getStorageType() == StorageType.DISK) {
            disks.add((FsVolumeImpl) volume);
            capacities.add(((FsVolumeImpl) volume).getCapacity());
            ((FsVolumeImpl) volume).setCapacityForTesting(1);
          }
        }
      }
    }
    cluster.tellOfVolumes();
    try {
      assertThatThrownBy(() -> cluster.write("/t/another", 1, 3)).isInstanceOf(IOException.class);

      MoverReport report = cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t/file"));

      assertThat(report.left()).isEmpty();
      assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");
      cluster.assertWhole(file, BLOCKS);
    } finally {
      for (int i = 0; i < disks.size(); i++) {
        disks.get(i).setCapacityForTesting(capacities.get(i));
      }
      cluster.tellOfVolumes();
    }
  }
}
