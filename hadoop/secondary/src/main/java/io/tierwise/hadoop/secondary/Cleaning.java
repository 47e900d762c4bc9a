package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;

/**
 * Makes room: takes away copies of files that have their bytes in HDFS, what unfinished runs left,
 * and copies that belong to no file any more.
 */
public final class Cleaning {
  private final SecondaryTier tier;
  private final boolean dryRun;
  private final int hoursMin;
  private final Instant before;
  private final RollbackGuard rollback;
  private final LazyCopies lazy;
  private final LeftFiles left = new LeftFiles();
  private JournalRun journal;
  private long files;
  private long bytes;

  /**
   * @param dryRun whether to count only
   * @param hoursMin the age of what a run that goes on might have made
   */
  public Cleaning(SecondaryTier tier, boolean dryRun, int hoursMin) {
    this.tier = tier;
    this.dryRun = dryRun;
    this.hoursMin = hoursMin;
    this.before = Instant.now().minus(Duration.ofHours(hoursMin));
    this.rollback = new RollbackGuard(tier);
    this.lazy = new LazyCopies(tier.fs(), tier.stores());
  }

  /** Takes away copies of files at paths and below that have their bytes in HDFS, too. */
  public SecondaryReport copiesBelow(List<String> paths, JobRun.Start start) throws IOException {
    return run(
        start,
        () -> {
          for (String path : paths) {
            FilesOf.walk(
                tier.fs(),
                path,
                new Below(),
                (directory, e) -> left.add(FaultLine.of(e), true, 0, directory));
          }
        });
  }

  private final class Below implements FilesOf.Visitor {
    @Override
    public boolean file(PrimaryFile file) {
      Optional<WorkName> work = WorkName.of(file.hdfsPath());
      try {
        if (work.isPresent()) {
          unfinished(file.path(), file.fileId(), work.get().attempt());
        } else if (!file.isPlaceholder() && file.status().getLen() > 0 && lazy.isMarked(file)) {
          lazyCopy(file);
        }
      } catch (IOException | RuntimeException e) {
        left.add(FaultLine.of(e), true, file.knownBytes(), file.path());
      }
      return true;
    }

    @Override
    public void directory(String path, HdfsFileStatus directory) {
      WorkName.parse(new Path(path).getName())
          .filter(name -> name.kind() == WorkName.Kind.FOLDER)
          .ifPresent(name -> unfinished(path, directory.getFileId(), name.attempt()));
    }
  }

  /** Its name and not its inode is deleted: a run that goes on may have given that to a file. */
  private void unfinished(String path, long fileId, Attempt attempt) {
    if (attempt.begun().isAfter(before)) {
      left.add(
          "a run made it less than "
              + Words.count(hoursMin, "hour")
              + " ago, and may go on: wait, or give a smaller --older-than when none does",
          false,
          0,
          path);
      return;
    }
    remove(path, fileId, 0, "unfinished", () -> Removal.of(tier.fs(), new Path(path)));
  }

  private void lazyCopy(PrimaryFile file) throws IOException {
    Optional<String> kept = whyKept(file);
    if (kept.isPresent()) {
      left.add(kept.get(), false, file.status().getLen(), file.path());
      return;
    }
    HeldBytes.require(tier.fs(), file);
    remove(
        file.path(),
        file.fileId(),
        file.status().getLen(),
        "both",
        () -> {
          for (SecondaryStore store : tier.stores().all()) {
            if (!StoreFiles.discard(store.copy(file.pool(), file.fileId()))) {
              throw new StoreException(store, "cannot be written", null);
            }
          }
          // Last, so that what could not be taken away is found again; a copy whose description
          // is gone is relied on by nobody.
          lazy.unmark(file);
        });
  }

  private Optional<String> whyKept(PrimaryFile file) throws IOException {
    Optional<String> reason = rollback.beforeRollback();
    for (SecondaryStore store : tier.stores().all()) {
      if (reason.isEmpty()) {
        StoredCopy copy = store.copy(file.pool(), file.fileId());
        requireIts(file, copy);
        reason = sinceSnapshot(file, copy);
      }
    }
    return reason;
  }

  /** No placeholder ever had a copy that was made under the file's number. */
  private Optional<String> sinceSnapshot(PrimaryFile file, StoredCopy copy) throws IOException {
    Optional<CopyDescription> its = StoreFiles.description(copy);
    return its.isEmpty() || its.get().fileId() == file.fileId()
        ? Optional.empty()
        : SnapshotGuard.since(tier.fs(), copy.store().fs().getFileStatus(copy.meta()));
  }

  /** An HDFS that was rolled back gives out numbers again that copies have. */
  private void requireIts(PrimaryFile file, StoredCopy copy) throws IOException {
    if (!lazy.mayReplace(file, copy)) {
      throw new IOException(
          "the copy under its number is of something else, as after a rollback of HDFS: nothing was"
              + " taken away ("
              + copy.meta()
              + " tells whose it is)");
    }
  }

  /**
   * Takes away copies of no file: their placeholder was deleted or replaced.
   *
   * @throws OperatorException when the caller is not HDFS's superuser, who alone sees all files
   */
  public SecondaryReport orphans(Configuration conf, JobRun.Start start) throws IOException {
    String pool = pool(conf);
    Orphans orphans = new Orphans(tier, rollback, new OrphanRemoval());
    return run(
        start,
        () -> {
          for (SecondaryStore store : tier.stores().all()) {
            orphans.in(store, pool, before.toEpochMilli());
          }
        });
  }

  private final class OrphanRemoval implements Orphans.Visitor {
    @Override
    public void orphan(SecondaryStore store, FileStatus stored, long id, boolean unfinished) {
      remove(
          stored.getPath().toString(),
          id,
          stored.getLen(),
          unfinished ? "unfinished" : "secondary",
          () -> Removal.of(store.fs(), stored.getPath()));
    }

    @Override
    public void kept(FileStatus stored, String reason) {
      left.add(reason, false, stored.getLen(), stored.getPath().toString());
    }

    @Override
    public void unknown(FileStatus stored, UnknownCopyException e) {
      left.add(FaultLine.of(e), true, stored.getLen(), stored.getPath().toString());
    }
  }

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
        null,
        left.list(),
        dryRun ? null : (System.nanoTime() - begun) / 1e9,
        false);
  }

  private void remove(String path, long fileId, long fileBytes, String was, Action action) {
    if (!dryRun) {
      long number =
          journal.append(
              new JournalEntry.Store(
                  path, fileId, fileBytes, was, "cleaned", tier.target().toString()));
      journal.sync();
      try {
        action.run();
      } catch (IOException | RuntimeException e) {
        String line = FaultLine.of(e);
        journal.append(new JournalEntry.Result(number, line));
        left.add(line, true, fileBytes, path);
        return;
      }
      journal.append(new JournalEntry.Result(number, null));
    }
    files++;
    bytes += fileBytes;
  }
}
