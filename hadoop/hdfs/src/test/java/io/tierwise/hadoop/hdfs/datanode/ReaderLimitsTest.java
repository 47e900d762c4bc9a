package io.tierwise.hadoop.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReaderLimitsTest {
  private static final int NVME = 0;
  private static final int SATA = 1;
  private static final int DISK = 2;

  @TempDir Path folder;

  private Configuration conf(String... settings) throws IOException {
    return confOf(
        """
        tiers:
          - name: nvme
            match: {storage-type: SSD}
            class: {readers-at-peak: 6}
          - name: sata
            match: {storage-type: NVDIMM}
          - name: disk
            match: {storage-type: DISK}
        """,
        settings);
  }

  private Configuration confOf(String tiers, String... settings) throws IOException {
    Path file = folder.resolve("tiers.yaml");
    Files.writeString(file, tiers);
    Configuration conf = new Configuration(false);
    conf.set(TierConfiguration.FILE_KEY, file.toString());
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  @Test
  void nothingIsLimitedByDefault() throws IOException {
    assertThat(ReaderLimits.of(conf())).isNull();
  }

  @Test
  void measuredTakesThePeakOfTheTierAndThePapersFigureWhereNobodyMeasured() throws IOException {
    ReaderLimits limits = ReaderLimits.of(conf(DataNodeKeys.VOLUME_READERS, "measured"));
    assertThat(limits.perVolume(NVME)).isEqualTo(6);
    assertThat(limits.perVolume(SATA)).isEqualTo(4);
    assertThat(limits.perVolume(-1)).isEqualTo(ReaderLimits.NONE);
    assertThat(limits.perNode()).isEqualTo(ReaderLimits.NONE);
  }

  @Test
  void measuredLeavesTheSlowestTierToThoseWhoWereRefusedElsewhere() throws IOException {
    ReaderLimits all = ReaderLimits.of(conf(DataNodeKeys.VOLUME_READERS, "measured"));
    assertThat(all.perVolume(DISK)).isEqualTo(ReaderLimits.NONE);
    ReaderLimits asked =
        ReaderLimits.of(conf(DataNodeKeys.TIER_READERS_PREFIX + "disk", "measured"));
    assertThat(asked.perVolume(DISK)).isEqualTo(4);
  }

  @Test
  void aTiersOwnLimitIsStronger() throws IOException {
    ReaderLimits limits =
        ReaderLimits.of(
            conf(
                DataNodeKeys.VOLUME_READERS,
                "8",
                DataNodeKeys.TIER_READERS_PREFIX + "nvme",
                "2",
                DataNodeKeys.NODE_READERS,
                "9"));
    assertThat(limits.perVolume(NVME)).isEqualTo(2);
    assertThat(limits.perVolume(DISK)).isEqualTo(8);
    assertThat(limits.perNode()).isEqualTo(9);
  }

  /** As an administrator says who keeps readers off a tier. */
  @Test
  void zeroIsALimit() throws IOException {
    ReaderLimits limits =
        ReaderLimits.of(
            conf(
                DataNodeKeys.VOLUME_READERS,
                "8",
                DataNodeKeys.TIER_READERS_PREFIX + "disk",
                "0",
                DataNodeKeys.NODE_READERS,
                "0"));
    assertThat(limits.perVolume(DISK)).isZero();
    assertThat(limits.perVolume(NVME)).isEqualTo(8);
    assertThat(limits.perNode()).isZero();
  }

  /** There is nothing slower that refused readers could go to. */
  @Test
  void theOnlyTierIsLimitedAsMeasured() throws IOException {
    String one = "tiers: [{name: ssd, match: {storage-type: SSD}, class: {readers-at-peak: 6}}]";
    assertThat(ReaderLimits.of(confOf(one, DataNodeKeys.VOLUME_READERS, "measured")).perVolume(0))
        .isEqualTo(6);
  }

  @Test
  void aBadValueIsNamedWithItsKey() throws IOException {
    assertThatThrownBy(() -> ReaderLimits.of(conf(DataNodeKeys.NODE_READERS, "-1")))
        .hasMessageContaining(DataNodeKeys.NODE_READERS)
        .hasMessageContaining("\"-1\"");
    String unknown = DataNodeKeys.TIER_READERS_PREFIX + "tape";
    assertThatThrownBy(() -> ReaderLimits.of(conf(unknown, "3")))
        .hasMessageContaining(unknown)
        .hasMessageContaining("nvme, sata, disk");
  }
}
