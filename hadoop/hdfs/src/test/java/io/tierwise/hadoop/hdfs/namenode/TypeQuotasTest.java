package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.PlacementRequest.Allowance;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;

/** The room that a quota of a storage type leaves to a block, as HDFS charges for it. */
class TypeQuotasTest {
  private static final long BLOCK = 128L << 20;
  private static final int FILE_REPLICAS = 3;

  private final Configuration conf = new Configuration(false);
  private final DatanodeStorageInfo ssd = storage(1, StorageType.SSD);
  private final DatanodeStorageInfo disk = storage(2, StorageType.DISK);
  private final ClusterIndex index =
      ClusterIndex.of(
          List.of(ssd.getDatanodeDescriptor(), disk.getDatanodeDescriptor()),
          TierConfiguration.byStorageType(),
          new RegionNames(conf),
          new WriteAdmission(conf, null),
          BLOCK);

  private static DatanodeStorageInfo storage(int number, StorageType type) {
    return DFSTestUtil.createDatanodeStorageInfo(
            "s" + number, "10.0.0." + number, "/r" + number, "h" + number, type, null)
        .getDatanodeDescriptor()
        .getStorageInfos()[0];
  }

  /** How many of {@code asked} more replicas may go to the storage's type, under ONE_SSD. */
  private int left(DatanodeStorageInfo storage, int asked, DatanodeStorageInfo... existing) {
    BlockStoragePolicy oneSsd = BlockStoragePolicySuite.createDefaultSuite().getPolicy("ONE_SSD");
    ManagedFile file =
        new ManagedFile(
            null,
            new FileView(1, 0, FILE_REPLICAS),
            "/f",
            EnumSet.of(StorageType.SSD, StorageType.DISK),
            List.of(),
            List.of(),
            List.of());
    PlacementHost.Question question =
        new PlacementHost.Question(
            DecisionKind.RECONSTRUCTION,
            asked,
            null,
            true,
            List.of(existing),
            Set.of(),
            BLOCK,
            oneSsd,
            Avoid.NOTHING,
            asked);
    Allowance allowance = TypeQuotas.allowance(file, question, index);
    return allowance.replicasLeft(allowance.limitOf(index.idOf(storage)));
  }

  @Test
  void aNewBlockGetsWhatTheStoragePolicyIsChargedFor() {
    assertThat(left(ssd, 3)).isEqualTo(1);
    assertThat(left(disk, 3)).isEqualTo(2);
  }

  @Test
  void whatIsThereIsTakenOff() {
    assertThat(left(ssd, 2, ssd)).isZero();
    assertThat(left(disk, 2, disk)).isEqualTo(1);
  }

  @Test
  void aSingleCopyMayStandForAnyReplicaThatTheFileIsChargedFor() {
    assertThat(left(disk, 1, disk)).isEqualTo(1);
    assertThat(left(ssd, 1, disk)).isEqualTo(1);
  }

  @Test
  void replicasBeyondThoseOfTheFileAreChargedAsTheyCome() {
    assertThat(left(disk, 5)).isEqualTo(4);
  }
}
