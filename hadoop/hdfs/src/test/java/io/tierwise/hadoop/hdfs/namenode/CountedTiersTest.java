package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountedTiersTest {
  private static final int SSD = 2;
  private static final int DISK = 3;

  private final CountedTiers tiers = new CountedTiers(TierConfiguration.byStorageType());
  private final PolicyCatalog catalog = new PolicyCatalog(tiers);

  @Test
  void storageTypesCountFromTheFirstVolumeOnAndForEver() {
    assertThat(tiers.note(new int[0])).isFalse();
    assertThat(tiers.configuration().countedNames())
        .as("before DataNodes register")
        .containsExactly("ram", "nvdimm", "ssd", "disk", "archive");
    assertThat(tiers.note(new int[] {DISK, TierTable.NONE, SSD, DISK})).isTrue();
    assertThat(tiers.configuration().countedNames()).containsExactly("ssd", "disk");
    assertThat(tiers.note(new int[] {DISK})).isFalse();
    assertThat(tiers.configuration().countedNames()).containsExactly("ssd", "disk");
  }

  @Test
  void policiesAreReadAnewWhenOtherTiersCount() {
    tiers.note(new int[] {DISK});
    assertThat(catalog.get("zone-ratio:0.3").problem()).contains("needs a fast and a slow tier");
    PolicyCatalog.Entry layout = catalog.get("layout:1 x ram + 2 x disk");
    assertThat(layout.policy()).as("a tier without a volume can be named").isNotNull();

    tiers.note(new int[] {SSD});
    assertThat(catalog.get("zone-ratio:0.3").policy().name())
        .isEqualTo("zone-ratio:ssd=0.3,disk=0.7");
    assertThat(catalog.get("zone-ratio:0.3")).isSameAs(catalog.get("zone-ratio:0.3"));
  }

  @Test
  void allTiersOfAWrittenTableCount() {
    CountedTiers written =
        new CountedTiers(
            TierConfiguration.parse(
                """
                tiers:
                  - {name: fast, match: {storage-type: SSD}}
                  - {name: slow, match: {storage-type: DISK}}
                """,
                "tiers.yaml"));
    assertThat(written.note(new int[] {1})).isFalse();
    assertThat(written.configuration().countedNames()).containsExactly("fast", "slow");
  }

  @Test
  void theStatusTellsThemAndOneOfAnOlderPlugInTellsNone() {
    String text =
        new PluginStatus(
                "BP-1",
                7,
                8,
                "storage types",
                "d",
                List.of("ssd", "disk"),
                List.of("default"),
                "",
                Optional.of(true),
                "")
            .format();
    assertThat(PluginStatus.parse(text).countedTiers()).containsExactly("ssd", "disk");
    assertThat(PluginStatus.parse(text.replaceAll("counted-tiers=.*\n", "")).countedTiers())
        .isEmpty();
    assertThat(TierConfiguration.byStorageType().counting(List.of()).countedNames()).hasSize(5);
    assertThat(PluginStatus.parse(text).nodeGroups()).contains(true);
    assertThat(PluginStatus.parse(text.replaceAll("\nnode-groups=.*", "")).nodeGroups()).isEmpty();
  }
}
