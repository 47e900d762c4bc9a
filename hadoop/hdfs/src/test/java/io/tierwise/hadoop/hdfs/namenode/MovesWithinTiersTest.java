package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovesWithinTiersTest {
  /** The SSDs are told apart by hosts, the disks are not. */
  private static final String SSD_BY_HOST =
      """
      tiers:
        - name: nvme
          match: {storage-type: SSD, hosts: "new*"}
        - name: sata
          match: {storage-type: SSD}
        - name: disk
          match: {storage-type: DISK}
      """;

  private static final String ALL_BY_HOST =
      """
      tiers:
        - name: quick
          match: {storage-type: [SSD, DISK], hosts: "new*"}
        - name: slow
          match: {storage-type: [SSD, DISK], hosts: "old*"}
      """;

  @TempDir private Path folder;

  private Configuration conf(String tiers) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("tierwise.tiers.file", Files.writeString(folder.resolve("t.yaml"), tiers).toString());
    return conf;
  }

  private static DatanodeInfo node(String host) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setHostName(host)
        .setIpAddr("10.0.0.1")
        .setNetworkLocation("/r1")
        .build();
  }

  @Test
  void nodesThatShareNoTierExchangeNothing() throws IOException {
    MovesWithinTiers moves = MovesWithinTiers.of(conf(ALL_BY_HOST));
    assertThat(moves.allows(node("new1"), node("new2"))).isTrue();
    assertThat(moves.allows(node("old1"), node("old2"))).isTrue();
    assertThat(moves.allows(node("new1"), node("old1"))).isFalse();
    assertThat(moves.allows(node("old1"), node("new1"))).isFalse();
    assertThat(moves.allows(node("old1"), node("other1"))).isFalse();
    assertThat(moves.allows(node("other1"), node("other2"))).isTrue();
  }

  @Test
  void nodesWhoseDisksAreOfOneTierAreBalancedThoughTheirSsdsDiffer() throws IOException {
    MovesWithinTiers moves = MovesWithinTiers.of(conf(SSD_BY_HOST));
    assertThat(moves.allows(node("new1"), node("old1"))).isTrue();
    assertThat(moves.allows(node("old1"), node("new1"))).isTrue();
  }

  @Test
  void tiersByStorageTypeAloneLeaveTheBalancerAsItIs() throws IOException {
    MovesWithinTiers moves = MovesWithinTiers.of(conf(TieredCluster.THREE_TIERS));
    assertThat(moves.allows(node("new1"), node("old1"))).isTrue();
  }

  @Test
  void keyOrAMissingTableAllowsEveryMove() throws IOException {
    Configuration off = conf(ALL_BY_HOST);
    off.setBoolean(MovesWithinTiers.KEY, false);
    assertThat(MovesWithinTiers.of(off).allows(node("new1"), node("old1"))).isTrue();
    Configuration missing = new Configuration(false);
    missing.set("tierwise.tiers.file", "/no/such/file");
    assertThat(MovesWithinTiers.of(missing).allows(node("new1"), node("old1"))).isTrue();
    assertThat(MovesWithinTiers.of(null).allows(node("new1"), node("old1"))).isTrue();
  }
}
