package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Tries which stores keep the rights that files are given: makes an empty file in the store, gives
 * it rights, and reads them back, once for each store. The word of a file system is not enough:
 * some keep rights and do not say so, and a mounted share may take rights and keep none.
 */
final class KeptRights {
  /** Two, since a store may show all files with one of them. */
  private static final FsPermission[] TRIED = {
    new FsPermission((short) 0600), new FsPermission((short) 0440)
  };

  private final Map<SecondaryStore, Boolean> known = new ConcurrentHashMap<>();

  /**
   * Whether the store of a copy keeps them.
   *
   * @throws StoreException when the store takes no file
   */
  boolean byStoreOf(StoredCopy copy, Attempt attempt) throws IOException {
    Boolean kept = known.get(copy.store());
    if (kept == null) {
      StoreFolders.make(copy);
      kept = keeps(copy.store(), copy.part(attempt.toString()).data());
      known.put(copy.store(), kept);
    }
    return kept;
  }

  /**
   * Tries it.
   *
   * @param path of no file yet
   */
  static boolean keeps(SecondaryStore store, Path path) throws IOException {
    FileSystem fs = store.fs();
    try {
      // It is empty: anybody may read it.
      StoreFiles.create(fs, path, true).close();
      try {
        for (FsPermission rights : TRIED) {
          if (!keeps(fs, path, rights)) {
            return false;
          }
        }
        return true;
      } finally {
        Removal.of(fs, path);
      }
    } catch (IOException e) {
      throw new StoreException(store, "cannot be written", e);
    }
  }

  private static boolean keeps(FileSystem fs, Path path, FsPermission rights) throws IOException {
    try {
      fs.setPermission(path, rights);
    } catch (IOException | UnsupportedOperationException e) {
      // Refused by some mounts. Of a store that is down the status cannot be had, either.
      fs.getFileStatus(path);
      return false;
    }
    return fs.getFileStatus(path).getPermission().equals(rights);
  }
}
