package io.tierwise.hadoop.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class KeptFreeTest {
  private static final String CHOICE = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final String BYTES =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private static long keptFree(Map<String, String> keys) {
    return KeptFree.of(key -> Optional.ofNullable(keys.get(key)));
  }

  @Test
  void hadoopsDefaultsKeepOneGibibyte() {
    assertThat(keptFree(Map.of())).isEqualTo(1L << 30);
    Configuration defaults = new HdfsConfiguration();
    assertThat(KeptFree.of(key -> Optional.ofNullable(defaults.get(key)))).isEqualTo(1L << 30);
  }

  @Test
  void onlyRoundRobinReadsItsKey() {
    assertThat(keptFree(Map.of(BYTES, "5"))).isEqualTo(5);
    assertThat(keptFree(Map.of(BYTES, "0x10"))).as("as Hadoop reads it").isEqualTo(16);
    assertThat(keptFree(Map.of(BYTES, "-1"))).isZero();
    String emptier =
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy";
    assertThat(keptFree(Map.of(CHOICE, emptier, BYTES, "5"))).isZero();
    assertThat(keptFree(Map.of(CHOICE, StorageIdVolumeChoosingPolicy.class.getName()))).isZero();
  }

  @Test
  void theNameNodesOwnKeyIsStronger() {
    assertThat(keptFree(Map.of(KeptFree.KEY, "2g", BYTES, "5"))).isEqualTo(2L << 30);
  }

  @Test
  void whatIsNoNumberOfBytesIsNamed() {
    assertThatThrownBy(() -> keptFree(Map.of(KeptFree.KEY, "much")))
        .hasMessage(
            "tierwise.namenode.volume.kept-free-bytes is \"much\": must be a number of bytes, such"
                + " as 0 or 1g");
    assertThatThrownBy(() -> keptFree(Map.of(BYTES, "1g")))
        .hasMessage(
            BYTES + " is \"1g\": must be a number of bytes without a unit, such as 1073741824");
  }
}
