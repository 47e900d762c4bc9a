package io.tierwise.hadoop.hdfs.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecondaryStoresTest {
  private static Configuration naming(String store) {
    Configuration conf = new Configuration(false);
    conf.set(SecondaryKeys.STORES, store);
    return conf;
  }

  @ParameterizedTest
  @CsvSource({
    "/mnt/nas, names \"/mnt/nas\": give a directory with its file system",
    "hdfs://archive:8020, names \"hdfs://archive:8020\": give a directory",
    "'hdfs://[archive', which is no URI"
  })
  void whatIsNoStoreIsNamed(String store, String message) {
    assertThatThrownBy(() -> SecondaryStores.of(naming(store)))
        .hasMessageContaining(SecondaryKeys.STORES)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://key:secret@archive/tierwise",
        "s3a://key:sec/secret@archive/tierwise",
        "s3a://key:secret@archive_2/tierwise",
        "s3a://key:sec ret secret@archive/tierwise"
      })
  void aPasswordInAStoresAddressIsRefusedAndNotShown(String store) {
    assertThatThrownBy(() -> SecondaryStores.of(naming(store)))
        .hasMessageContaining("names a store of archive")
        .hasNoCause()
        .hasMessageNotContainingAny("secret", "key:");
  }

  /** As Azure's file systems write it. */
  @Test
  void aContainerBeforeTheHostIsNoPassword() throws IOException {
    assertThat(SecondaryStores.of(naming("abfs://box@archive.example/tierwise")).all()).hasSize(1);
    assertThat(SecondaryStores.of(naming("hdfs://archive:8020/a@b/tierwise")).all()).hasSize(1);
  }
}
