package io.tierwise.hadoop.inspect.history;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.HistoryLog;
import io.tierwise.history.TraceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/**
 * All history below a path, however deep, in the order of names: the history server's folder of
 * finished jobs has one folder a year, month, day and thousand.
 */
public final class StoredHistory {
  /** Own: the history server's folders are six deep. */
  private static final int DEPTH_MAX = 32;

  private final FileSystem fs;
  private final HistoryLog.Reader reader;

  private StoredHistory(FileSystem fs, HistoryLog.Reader reader) {
    this.fs = fs;
    this.reader = reader;
  }

  /**
   * Looks whether all paths are there, before the first of them is read.
   *
   * @throws OperatorException when one is no path
   */
  public static void requireThere(List<String> paths, Configuration conf) throws IOException {
    for (String path : paths) {
      Path top = ClusterConnection.pathOf(path);
      top.getFileSystem(conf).getFileStatus(top);
    }
  }

  /**
   * Hands each log below a path to a reader.
   *
   * @param path as Hadoop names it: without a scheme on the default file system
   * @throws OperatorException when there is no such path
   */
  public static void read(String path, Configuration conf, HistoryLog.Reader reader)
      throws IOException {
    read(ClusterConnection.pathOf(path), conf, reader);
  }

  /** The same, of a path whose name may have any character. */
  public static void read(Path top, Configuration conf, HistoryLog.Reader reader)
      throws IOException {
    FileSystem fs = top.getFileSystem(conf);
    FileStatus status = fs.getFileStatus(top);
    StoredHistory history = new StoredHistory(fs, reader);
    if (status.isDirectory()) {
      history.folder(status.getPath(), fs.listStatus(status.getPath()), 1);
    } else {
      reader.read(HistoryLog.named(new Stored(fs, status)));
    }
  }

  private void folder(Path folder, FileStatus[] entries, int depth) throws IOException {
    if (depth > DEPTH_MAX) {
      throw new TraceException(folder + ": lies more than " + DEPTH_MAX + " folders deep");
    }
    Arrays.sort(entries);
    if (HistoryLog.isRolled(folder.getName())) {
      List<HistoryFile> parts = new ArrayList<>();
      for (FileStatus entry : entries) {
        parts.add(new Stored(fs, entry));
      }
      reader.read(HistoryLog.rolled(folder.toString(), parts));
      return;
    }
    for (FileStatus entry : entries) {
      if (entry.isDirectory()) {
        below(entry.getPath(), depth + 1);
      } else if (entry.isFile() && !isHidden(entry.getPath().getName())) {
        reader.read(HistoryLog.found(new Stored(fs, entry)));
      }
    }
  }

  /**
   * A folder of a folder. One that this user may not read, or that a history server has just moved,
   * is skipped, and all others are read.
   */
  private void below(Path folder, int depth) throws IOException {
    FileStatus[] entries;
    try {
      entries = fs.listStatus(folder);
    } catch (FileNotFoundException | AccessControlException | AccessDeniedException e) {
      reader.read(HistoryLog.named(new Unlisted(folder, e)));
      return;
    }
    folder(folder, entries, depth);
  }

  private static boolean isHidden(String name) {
    return name.startsWith(".") || name.startsWith("_");
  }

  /** A file as a listing shows it. */
  private record Stored(FileSystem fs, FileStatus status) implements HistoryFile {
    @Override
    public String name() {
      return status.getPath().toString();
    }

    @Override
    public long bytes() {
      return status.getLen();
    }

    @Override
    public long changedMillis() {
      return status.getModificationTime();
    }

    @Override
    public InputStream open() throws IOException {
      try {
        return fs.open(status.getPath());
      } catch (AccessControlException e) {
        throw new TraceException(name() + ": may not be read", e);
      }
    }
  }

  /** A folder that cannot be looked into: whoever reads it hears why. */
  private record Unlisted(Path folder, IOException why) implements HistoryFile {
    @Override
    public String name() {
      return folder.toString();
    }

    /** None would be taken for an empty file. */
    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public long changedMillis() {
      return 0;
    }

    @Override
    public InputStream open() throws IOException {
      throw new TraceException(
          folder
              + (why instanceof FileNotFoundException
                  ? ": was there, and is not any longer"
                  : ": may not be looked into"),
          why);
    }
  }
}
