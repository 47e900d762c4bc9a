package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreExceptionTest {
  private static String line(String uri, IOException cause) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(SecondaryKeys.STORES, uri);
    SecondaryStore store = SecondaryStores.of(conf).all().get(0);
    return new StoreException(store, "cannot be written", cause).getMessage();
  }

  @Test
  void ofABucketItTellsTheKeys() throws IOException {
    assertThat(line("s3a://archive/tierwise", new AccessDeniedException("archive")))
        .contains("fs.s3a.access.key", "fs.s3a.secret.key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///mnt/nas/tierwise", "hdfs://archive:8020/tierwise"})
  void ofADirectoryItTellsTheRights(String uri) throws IOException {
    for (IOException denied :
        new IOException[] {new AccessDeniedException("/mnt"), new AccessControlException("no")}) {
      assertThat(line(uri, denied))
          .endsWith(": see whether this user may read, write, list and delete there")
          .doesNotContain("s3a", "key");
    }
    assertThat(line(uri, new IOException("full"))).endsWith("is up, mounted and has room");
  }
}
