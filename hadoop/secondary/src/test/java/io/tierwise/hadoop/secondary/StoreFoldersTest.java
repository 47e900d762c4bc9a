package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreFoldersTest {
  @TempDir private Path folder;

  private SecondaryStore store(Class<? extends FileSystem> type, String rights) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
    Configuration conf = new Configuration();
    conf.setClass("fs.file.impl", type, FileSystem.class);
    conf.set(SecondaryKeys.STORES, folder.toUri().toString().replaceAll("/$", ""));
    return SecondaryStores.of(conf).all().get(0);
  }

  @Test
  void aStoreThatRefusesADirectoryIsToldWithItsOwnReason() throws IOException {
    try (SecondaryStore store = store(DenyingFileSystem.class, "rwxr-xr-x")) {
      assertThatThrownBy(() -> StoreFolders.make(store.copy("BP-1", 1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("AccessControlException: " + DenyingFileSystem.WHY)
          .hasMessageEndingWith(": see whether this user may read, write, list and delete there");
    }
  }

  @Test
  void whereItGivesNoReasonTheRightsOfTheStoreAreLookedAt() throws IOException {
    try (SecondaryStore store = store(DenyingFileSystem.Silently.class, "r-xr-xr-x")) {
      assertThatThrownBy(() -> StoreFolders.make(store.copy("BP-1", 1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("AccessControlException: Permission denied")
          .hasMessageEndingWith(": see whether this user may read, write, list and delete there");
    }
  }

  @Test
  void whereTheRightsAreThereItSaysWhatWasNotMade() throws IOException {
    try (SecondaryStore store = store(DenyingFileSystem.Silently.class, "rwxr-xr-x")) {
      assertThatThrownBy(() -> StoreFolders.make(store.copy("BP-1", 1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("cannot be written (IOException: it made no directory BP-1)")
          .hasMessageEndingWith(": see whether it is up, mounted and has room");
    }
  }
}
