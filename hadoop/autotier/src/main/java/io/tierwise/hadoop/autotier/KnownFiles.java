package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.popularity.UseWindow;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The files that were read, as HDFS has them. A file is looked at in each window in which it was
 * read, and when it has got another name; others stay as they were seen last.
 */
final class KnownFiles {
  private final DistributedFileSystem fs;
  private final AutotierSettings settings;
  private final KnownFile[] files;
  private final long[] bytes;

  /** Files that were read in the last window and that HDFS places by rules of its own. */
  private LeftFiles others = new LeftFiles();

  private WalkTurns.Pulse pulse = WalkTurns.Pulse.NONE;
  private long beatNanos;

  /**
   * A plain file below the directories that may be changed.
   *
   * @param isStored whether its bytes are in the secondary store, and the id is its placeholder's
   */
  record KnownFile(
      String path,
      long fileId,
      long bytes,
      int blocks,
      int replicas,
      long writtenMillis,
      boolean isStored) {
    /** One whose bytes are in HDFS. */
    KnownFile(String path, long fileId, long bytes, int blocks, int replicas, long writtenMillis) {
      this(path, fileId, bytes, blocks, replicas, writtenMillis, false);
    }
  }

  KnownFiles(DistributedFileSystem fs, AutotierSettings settings) {
    this.fs = fs;
    this.settings = settings;
    files = new KnownFile[settings.filesMax()];
    bytes = new long[settings.filesMax()];
  }

  /** Hears each second that time passes while files are looked up. */
  void beat(WalkTurns.Pulse each) {
    pulse = each;
  }

  /** The number is that of another file from now on. */
  void begins(int number) {
    files[number] = null;
  }

  /** The file has another number of replicas now. */
  void made(int number, int replicas) {
    KnownFile file = files[number];
    if (file != null) {
      files[number] =
          new KnownFile(
              file.path(),
              file.fileId(),
              file.bytes(),
              file.blocks(),
              replicas,
              file.writtenMillis(),
              file.isStored());
    }
  }

  /**
   * Looks at a file once more, which somebody else may have changed; null likewise.
   *
   * @throws IOException when the NameNode is away
   */
  KnownFile again(int number) throws IOException {
    if (files[number] != null) {
      beat();
      files[number] = find(files[number].path());
    }
    return files[number];
  }

  /** Null for a number that no file has that may be changed. */
  KnownFile file(int number) {
    return files[number];
  }

  /** Sizes by number. */
  long[] bytes() {
    return bytes;
  }

  long count() {
    return Arrays.stream(files).filter(file -> file != null).count();
  }

  /** Why nothing is decided about files that were read in the last window. */
  List<RoundPlan.Left> others() {
    return others.list();
  }

  /**
   * Tells a window which files exist.
   *
   * @return why files could not be looked at: then they are as they were seen last
   */
  Optional<String> fill(UseWindow window, HeatReport report) {
    window.forgetFiles();
    others = new LeftFiles();
    Optional<String> away = Optional.empty();
    int end = Math.min(files.length, report.numbersEnd());
    for (int number = 0; number < end; number++) {
      if (!report.isNumber(number)) {
        files[number] = null;
        continue;
      }
      String path = report.pathOf(number);
      boolean renamed = files[number] != null && !files[number].path().equals(path);
      if (away.isEmpty() && (renamed || window.reads(number) > 0)) {
        away = look(number, path);
      }
      tell(window, number);
    }
    return away;
  }

  private void beat() throws IOException {
    long now = System.nanoTime();
    if (now - beatNanos > TimeUnit.SECONDS.toNanos(1)) {
      beatNanos = now;
      pulse.beat();
    }
  }

  private Optional<String> look(int number, String path) {
    try {
      beat();
      files[number] = find(path);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(FailureText.line(FailureText.cause(e)));
    }
  }

  private KnownFile find(String path) throws IOException {
    if (!settings.covers(path)) {
      return null;
    }
    HdfsFileStatus status;
    try {
      status = fs.getClient().getFileInfo(path);
    } catch (AccessControlException e) {
      return null; // Nobody may change what he cannot see.
    } catch (RemoteException e) {
      if (e.getClassName().endsWith(".InvalidPathException")) {
        return null; // A line of the log that names no path.
      }
      throw e;
    }
    if (status == null || status.isDirectory() || status.isSymlink()) {
      return null;
    }
    Optional<String> own = FileJudge.ownRules(status);
    if (own.isPresent()) {
      others.add(own.get() + ", however often they are read", path);
      return null;
    }
    if (Placeholder.is(status)) {
      return stored(path, status);
    }
    return new KnownFile(
        path,
        status.getFileId(),
        status.getLen(),
        blocks(status.getLen(), status.getBlockSize()),
        status.getReplication(),
        status.getModificationTime());
  }

  /**
   * Null where nothing is decided about such files.
   *
   * <p>Own: a placeholder does not tell the file's size of blocks. HDFS's default is assumed.
   */
  private KnownFile stored(String path, HdfsFileStatus status) throws IOException {
    if (settings.unreadFor().isEmpty() || !Placeholder.isWhole(status)) {
      return null;
    }
    long bytes = Placeholder.fileBytes(status, path);
    return new KnownFile(
        path,
        status.getFileId(),
        bytes,
        blocks(bytes, fs.getServerDefaults(new Path("/")).getBlockSize()),
        status.getReplication(),
        status.getModificationTime(),
        true);
  }

  private static int blocks(long bytes, long blockBytes) {
    long most = Math.max(1, blockBytes);
    return (int) Math.min(Integer.MAX_VALUE, (bytes + most - 1) / most);
  }

  private void tell(UseWindow window, int number) {
    KnownFile file = files[number];
    bytes[number] = file == null ? 0 : file.bytes();
    if (file == null) {
      return;
    }
    if (file.writtenMillis() >= window.startSeconds() * 1e3) {
      window.create(number, file.blocks());
    } else {
      window.keep(number, file.blocks());
    }
  }
}
