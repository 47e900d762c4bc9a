package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SoughtCopy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.security.AccessControlException;

/**
 * Keeps copies that an HDFS needs after a rollback, also after one that is yet to come. HDFS itself
 * keeps the blocks of deleted files until an upgrade is finalized.
 */
final class RollbackGuard {
  /** A placeholder whose copy no store has under its number. */
  private record Nameless(String path, long mtime) {
    /**
     * Whether the copy may be this placeholder's: a file may have been renamed or got another time
     * since, but hardly both.
     */
    private boolean mayBe(CopyDescription copy) {
      return mtime == copy.mtime() || path.equals(copy.path());
    }
  }

  private final SecondaryTier tier;
  private Optional<String> upgrade;
  private Map<Long, List<Nameless>> nameless;

  RollbackGuard(SecondaryTier tier) {
    this.tier = tier;
  }

  /**
   * Why no copy may be taken away now; empty when copies may.
   *
   * @throws IOException when it cannot be known
   */
  Optional<String> beforeRollback() throws IOException {
    if (upgrade == null) {
      upgrade =
          isUpgrading(tier.fs())
              ? Optional.of(
                  "an upgrade of HDFS is not finalized, and a HDFS that is rolled back could need"
                      + " the copy: finalize it first (hdfs dfsadmin)")
              : Optional.empty();
    }
    return upgrade;
  }

  private static boolean isUpgrading(DistributedFileSystem fs) throws IOException {
    if (!fs.upgradeStatus()) {
      return true;
    }
    try {
      RollingUpgradeInfo rolling = fs.rollingUpgrade(RollingUpgradeAction.QUERY);
      return rolling != null && !rolling.isFinalized();
    } catch (AccessControlException e) {
      throw new IOException(
          "HDFS's superuser alone may ask whether an upgrade goes on, which could be rolled back to"
              + " a time when the copy was needed: clean as that",
          e);
    }
  }

  /**
   * A placeholder that may need a copy of no file: it came back, and the store has its copy under
   * the number that it got later. Empty when there is none.
   *
   * @param copy without a description when it has lost it
   */
  Optional<String> afterRollback(long fileBytes, Optional<CopyDescription> copy)
      throws IOException {
    if (nameless == null) {
      nameless = placeholdersWithoutCopy();
    }
    return nameless.getOrDefault(fileBytes, List.of()).stream()
        .filter(one -> copy.isEmpty() || one.mayBe(copy.get()))
        .map(Nameless::path)
        .findFirst();
  }

  private Map<Long, List<Nameless>> placeholdersWithoutCopy() throws IOException {
    Map<Long, List<Nameless>> found = new HashMap<>();
    FilesOf.walk(
        tier.fs(),
        "/",
        file -> {
          if (Placeholder.isWhole(file.status()) && !file.isWork() && !hasCopy(file)) {
            found
                .computeIfAbsent(file.fileBytes(), bytes -> new ArrayList<>())
                .add(new Nameless(file.path(), file.status().getModificationTime()));
          }
          return true;
        },
        (directory, e) -> {
          if (!(e.getCause() instanceof FileNotFoundException)) {
            throw e;
          }
        });
    return found;
  }

  private boolean hasCopy(PrimaryFile file) throws IOException {
    List<SecondaryStore> stores = tier.stores().all();
    return stores.size() > 1 ? isFound(file) : isNamed(stores.get(0), file);
  }

  /** Whether the copy under its number is likely its own; with several stores it may not be. */
  private boolean isFound(PrimaryFile file) {
    try {
      SoughtCopy sought = file.soughtCopy();
      return sought.isLikely(tier.stores().find(sought).checked().description());
    } catch (IOException e) {
      // In doubt copies that may be its own stay.
      return false;
    }
  }

  private static boolean isNamed(SecondaryStore store, PrimaryFile file) throws IOException {
    try {
      return store.fs().exists(store.copy(file.pool(), file.fileId()).meta());
    } catch (IOException e) {
      throw new StoreException(store, "cannot be read", e);
    }
  }
}
