package io.tierwise.hadoop.inspect.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.compliance.TierSpread.RegionRow;
import io.tierwise.hadoop.inspect.compliance.TierSpread.Row;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.junit.jupiter.api.Test;

/** What a tier and a region have of files: replicas, and parts of erasure-coded groups. */
class TierSpreadTest {
  private static final int MIB = 1 << 20;
  private static final ErasureCodingPolicy RS_6_3 =
      SystemErasureCodingPolicies.getByID(SystemErasureCodingPolicies.RS_6_3_POLICY_ID);

  private final TierSpread spread =
      new TierSpread(
          TierConfiguration.parse(
              """
              tiers:
                - {name: ssd, match: {storage-type: SSD}}
                - {name: disk, match: {storage-type: DISK}}
              """,
              "test"),
          new RegionNames(new Configuration(false)));

  /** Nodes in regions, one after the other. */
  private static DatanodeInfo[] nodes(String... regions) {
    DatanodeInfo[] nodes = new DatanodeInfo[regions.length];
    for (int i = 0; i < regions.length; i++) {
      nodes[i] =
          new DatanodeInfoBuilder()
              .setHostName("host" + i)
              .setIpAddr("192.0.2." + i)
              .setXferPort(9866)
              .setDatanodeUuid("uuid" + i)
              .setNetworkLocation("/" + regions[i] + "/rack")
              .build();
    }
    return nodes;
  }

  private static StorageType[] types(int ssds, int count) {
    StorageType[] types = new StorageType[count];
    Arrays.fill(types, StorageType.DISK);
    Arrays.fill(types, 0, ssds, StorageType.SSD);
    return types;
  }

  private static String[] storages(int count) {
    String[] storages = new String[count];
    Arrays.fill(storages, "storage");
    return storages;
  }

  private void add(ErasureCodingPolicy coding, LocatedBlock block) {
    long bytes = block.getBlockSize();
    spread.file(
        "/file",
        new HdfsFileStatus.Builder()
            .length(bytes)
            .path("file".getBytes(StandardCharsets.UTF_8))
            .ecPolicy(coding)
            .locations(new LocatedBlocks(bytes, false, List.of(block), block, true, null, coding))
            .build(),
        Map.of());
  }

  private static LocatedBlock replicas(boolean corrupt, int ssds, String... regions) {
    return new LocatedBlock(
        new ExtendedBlock("pool", 1, MIB, 1),
        nodes(regions),
        storages(regions.length),
        types(ssds, regions.length),
        0,
        corrupt,
        null);
  }

  private static LocatedBlock group(long bytes, boolean corrupt, byte[] parts, String... regions) {
    return new LocatedStripedBlock(
        new ExtendedBlock("pool", -16, bytes, 1),
        nodes(regions),
        storages(parts.length),
        types(0, parts.length),
        parts,
        0,
        corrupt,
        null);
  }

  /** Each of three regions has three of nine parts, and it takes six to read the group. */
  @Test
  void aPartOfAGroupIsNoWholeCopyOfIt() {
    byte[] parts = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    add(
        RS_6_3,
        group(
            6L * MIB, false, parts, "east", "east", "east", "west", "west", "west", "north",
            "north", "north"));

    TierSpread.Answer answer = spread.answer();
    assertThat(answer.regions())
        .containsExactly(
            new RegionRow("east", 0, 3, 3L * MIB, 0),
            new RegionRow("north", 0, 3, 3L * MIB, 0),
            new RegionRow("west", 0, 3, 3L * MIB, 0));
    assertThat(answer.tiers())
        .containsExactly(new Row("ssd", 0, 0, 0), new Row("disk", 1, 9, 9L * MIB));
    assertThat(answer.blocksWithoutReplica()).isZero();
  }

  /** Of seven parts in the east one stands twice. */
  @Test
  void aRegionWithEnoughDifferentPartsHasTheGroup() {
    byte[] parts = {0, 1, 2, 3, 4, 4, 8, 5, 6};
    add(
        RS_6_3,
        group(
            6L * MIB, false, parts, "east", "east", "east", "east", "east", "east", "east", "west",
            "west"));

    assertThat(spread.answer().regions())
        .containsExactly(
            new RegionRow("east", 1, 7, 7L * MIB, 1), new RegionRow("west", 0, 2, 2L * MIB, 0));

    byte[] five = {0, 1, 2, 3, 4, 4};
    add(RS_6_3, group(6L * MIB, false, five, "east", "east", "east", "east", "east", "east"));
    assertThat(spread.answer().regions().get(0))
        .isEqualTo(new RegionRow("east", 1, 13, 13L * MIB, 1));
    assertThat(spread.answer().blocksWithoutReplica()).as("five of six parts").isOne();
  }

  /** A group of a tenth of a cell: one part of data, and parity of as many bytes. */
  @Test
  void aSmallGroupNeedsOnePart() {
    long bytes = MIB / 10;
    byte[] parts = {0, 6, 7, 8};
    add(RS_6_3, group(bytes, false, parts, "east", "west", "west", "west"));

    assertThat(spread.answer().regions())
        .containsExactly(
            new RegionRow("east", 1, 1, bytes, 1), new RegionRow("west", 1, 3, 3 * bytes, 1));
  }

  /** The NameNode lists the replicas of a block all of which are corrupt. */
  @Test
  void corruptBlocksAreNoReplica() {
    add(null, replicas(true, 1, "east", "west"));
    byte[] parts = {0, 1, 2, 3, 4, 5};
    add(RS_6_3, group(6L * MIB, true, parts, "east", "east", "east", "east", "east", "east"));

    assertThat(spread.answer().regions()).isEmpty();
    assertThat(spread.answer().tiers())
        .containsExactly(new Row("ssd", 0, 0, 0), new Row("disk", 0, 0, 0));
    assertThat(spread.answer().blocks()).isEqualTo(2);
    assertThat(spread.answer().blocksWithoutReplica()).isEqualTo(2);
    assertThat(spread.answer().text())
        .isEqualTo("2 files of 2 blocks, 2 of them without a replica");
  }

  @Test
  void replicasAreCountedAsEver() {
    add(null, replicas(false, 1, "east", "east", "west"));

    assertThat(spread.answer().regions())
        .containsExactly(
            new RegionRow("east", 1, 2, 2L * MIB, 1), new RegionRow("west", 1, 1, MIB, 1));
    assertThat(spread.answer().tiers())
        .containsExactly(new Row("ssd", 1, 1, MIB), new Row("disk", 1, 2, 2L * MIB));
  }
}
