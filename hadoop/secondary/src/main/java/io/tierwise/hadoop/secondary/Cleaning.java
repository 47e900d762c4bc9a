package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;

/**
 * Makes room: takes away copies of files that have their bytes in HDFS, what unfinished runs left,
 * and copies that belong to no file any more.
 */
public final class Cleaning {
  private static final long HOUR_MILLIS = 3_600_000;

  private final SecondaryTier tier;
  private final boolean dryRun;
  private final List<SecondaryReport.Left> left = new ArrayList<>();
  private JournalRun journal;
  private long files;
  private long bytes;

  /**
   * @param dryRun whether to count only
   */
  public Cleaning(SecondaryTier tier, boolean dryRun) {
    this.tier = tier;
    this.dryRun = dryRun;
  }

  /** Takes away copies of files at paths and below that have their bytes in HDFS, too. */
  public SecondaryReport copiesBelow(List<String> paths, JobRun.Start start) throws IOException {
    return run(
        start,
        () -> {
          for (String path : paths) {
            FilesOf.walk(tier.fs(), path, this::below);
          }
        });
  }

  private boolean below(PrimaryFile file) throws IOException {
    if (file.isWork()) {
      remove(
          file.path(),
          file.fileId(),
          0,
          "unfinished",
          () -> tier.fs().delete(file.hdfsPath(), false));
    } else if (!file.isPlaceholder() && file.status().getLen() > 0) {
      LazyCopies lazy = new LazyCopies(tier.fs(), tier.stores());
      if (lazy.isMarked(file)) {
        remove(
            file.path(),
            file.fileId(),
            file.status().getLen(),
            "both",
            () -> {
              // First, so that nobody relies on a copy that is half gone.
              lazy.unmark(file);
              for (SecondaryStore store : tier.stores().all()) {
                discard(store.copy(file.pool(), file.fileId()));
              }
            });
      }
    }
    return true;
  }

  private static void discard(StoredCopy copy) throws StoreException {
    if (!CopyMaker.discard(copy)) {
      throw new StoreException(copy.store(), "cannot be written", null);
    }
  }

  /**
   * Takes away copies of no file: their placeholder was deleted or replaced.
   *
   * @param hoursMin since the copy was written, so that runs that go on are left alone
   * @throws OperatorException when the caller is not HDFS's superuser, who alone sees all files
   */
  public SecondaryReport orphans(Configuration conf, int hoursMin, JobRun.Start start)
      throws IOException {
    String pool = pool(conf);
    long before = System.currentTimeMillis() - hoursMin * HOUR_MILLIS;
    return run(
        start,
        () -> {
          for (SecondaryStore store : tier.stores().all()) {
            orphansIn(store, pool, before);
          }
        });
  }

  /** The store's clock and the NameNode's; own: a machine whose clock is further off is broken. */
  private static final long CLOCKS_DIFFER_MILLIS = HOUR_MILLIS;

  private String pool(Configuration conf) throws IOException {
    try {
      return NameNodeProxies.createProxy(conf, tier.fs().getUri(), NamenodeProtocol.class)
          .getProxy()
          .versionRequest()
          .getBlockPoolID();
    } catch (IOException e) {
      throw OperatorException.cluster(
          "copies of no file are for HDFS's superuser to find, who sees all files ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + "): run as that, or name PATHs",
          e);
    }
  }

  /** When the last snapshot was taken; a deleted placeholder may live on in it. */
  private long latestSnapshotMillis() throws IOException {
    long latest = 0;
    SnapshottableDirectoryStatus[] roots = tier.fs().getSnapshottableDirListing();
    if (roots == null) {
      return latest;
    }
    for (SnapshottableDirectoryStatus root : roots) {
      for (FileStatus snapshot : tier.fs().listStatus(new Path(root.getFullPath(), ".snapshot"))) {
        latest = Math.max(latest, snapshot.getModificationTime());
      }
    }
    return latest;
  }

  private void orphansIn(SecondaryStore store, String pool, long before) throws IOException {
    FileStatus[] folders;
    try {
      folders = store.fs().listStatus(store.ofPool(pool));
    } catch (FileNotFoundException e) {
      return;
    } catch (IOException e) {
      throw new StoreException(store, "cannot be read", e);
    }
    for (FileStatus folder : folders) {
      for (FileStatus stored : store.fs().listStatus(folder.getPath())) {
        String id = stored.getPath().getName().replaceFirst("\\..*", "");
        if (!id.matches("\\d{1,18}") || stored.getModificationTime() > before) {
          continue;
        }
        if (isOrphan(Long.parseLong(id))) {
          // Asked anew: a snapshot may have been taken since, and the placeholder deleted.
          if (stored.getModificationTime() <= latestSnapshotMillis() + CLOCKS_DIFFER_MILLIS) {
            left.add(
                new SecondaryReport.Left(
                    "a snapshot was taken since, and may hold its placeholder",
                    false,
                    1,
                    stored.getLen(),
                    stored.getPath().toString()));
          } else {
            remove(
                stored.getPath().toString(),
                Long.parseLong(id),
                stored.getLen(),
                "secondary",
                () -> store.fs().delete(stored.getPath(), false));
          }
        }
      }
    }
  }

  private boolean isOrphan(long id) throws IOException {
    HdfsFileStatus status;
    DistributedFileSystem fs = tier.fs();
    try {
      status = fs.getClient().getFileInfo(PrimaryFile.byId(id));
    } catch (FileNotFoundException e) {
      return true;
    }
    return status == null;
  }

  private interface Action {
    void run() throws IOException;
  }

  private SecondaryReport run(JobRun.Start start, Action action) throws IOException {
    tier.requireReachable();
    long begun = System.nanoTime();
    if (dryRun) {
      action.run();
      return report(null, begun);
    }
    try (JournalRun opened = start.begin()) {
      journal = opened;
      action.run();
      SecondaryReport report = report(opened.id(), begun);
      opened.append(report.journalEnd());
      return report;
    }
  }

  private SecondaryReport report(String id, long begun) {
    return new SecondaryReport(
        id,
        tier.target().toString(),
        files,
        bytes,
        left,
        dryRun ? null : (System.nanoTime() - begun) / 1e9,
        false);
  }

  private void remove(String path, long fileId, long fileBytes, String was, Action action)
      throws IOException {
    if (!dryRun) {
      long number =
          journal.append(
              new JournalEntry.Store(
                  path, fileId, fileBytes, was, "cleaned", tier.target().toString()));
      journal.sync();
      try {
        action.run();
      } catch (IOException e) {
        journal.append(new JournalEntry.Result(number, e.getMessage()));
        left.add(new SecondaryReport.Left(e.getMessage(), true, 1, fileBytes, path));
        return;
      }
      journal.append(new JournalEntry.Result(number, null));
    }
    files++;
    bytes += fileBytes;
  }
}
