package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfilingWishTest {
  private static ProfilingWish of(String fast, String slow, TierTable tiers) {
    return ProfilingWish.of(List.of("true"), fast, slow, tiers, 1, null, Path.of("/conf"), null);
  }

  /** As of a cluster without a tier table that has SSDs and disks. */
  @Test
  void tiersThatNobodyNamesAreTheFastestAndTheSlowestThatCount() {
    TierConfiguration stock = TierConfiguration.byStorageType();
    TierTable counted = stock.counting(List.of("ssd", "disk")).table();

    ProfilingWish wish = of(null, null, counted);

    assertThat(List.of(wish.fastTier(), wish.slowTier())).containsExactly("ssd", "disk");
    assertThat(of("ram", null, counted).fastTier()).isEqualTo("ram");
    assertThatThrownBy(() -> of(null, null, stock.counting(List.of("disk")).table()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("--fast-tier and --slow-tier are both disk");
  }
}
