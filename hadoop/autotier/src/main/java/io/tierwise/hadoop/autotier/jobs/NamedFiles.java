package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.hadoop.autotier.jobs.StagedSplits.Unusable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * The files below directories that a job names, as Spark's sources of files take them: all of them
 * but those that are hidden, or in a hidden directory. Patterns are no paths here: {@code
 * {a/b,c/d}} twenty times over would be a million.
 */
final class NamedFiles {
  private final DistributedFileSystem fs;
  private final int entriesMax;
  private final List<String> files = new ArrayList<>();

  /** Files and directories, empty ones too, so that no tree of them is walked for long. */
  private int seen;

  /**
   * @param fs with the rights of the job's user: what he may not list is not there
   * @param entriesMax files and directories that are looked at
   */
  NamedFiles(DistributedFileSystem fs, int entriesMax) {
    this.fs = fs;
    this.entriesMax = entriesMax;
  }

  List<String> files() {
    return files;
  }

  /**
   * Adds a file, or those below a directory.
   *
   * @throws Unusable when these are more than are asked about for one job
   */
  void add(String text) throws IOException, Unusable {
    Deque<Path> directories = new ArrayDeque<>();
    try {
      Path path = fs.makeQualified(new Path(text));
      take(fs.getFileStatus(path), directories);
    } catch (FileNotFoundException | AccessControlException | IllegalArgumentException e) {
      return;
    }
    while (!directories.isEmpty()) {
      list(directories.pop(), directories);
    }
  }

  private void list(Path directory, Deque<Path> directories) throws IOException, Unusable {
    try {
      RemoteIterator<FileStatus> entries = fs.listStatusIterator(directory);
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (!isHidden(entry.getPath().getName())) {
          take(entry, directories);
        }
      }
    } catch (FileNotFoundException | AccessControlException e) {
      return;
    }
  }

  private void take(FileStatus entry, Deque<Path> directories) throws Unusable {
    if (entry.isDirectory()) {
      directories.push(entry.getPath());
    } else {
      files.add(entry.getPath().toString());
    }
    seen++;
    if (seen > entriesMax) {
      throw new Unusable("it reads more than " + entriesMax + " files and directories");
    }
  }

  /** Source: Apache Spark 4.2.0, {@code HadoopFSUtils.shouldFilterOutPathName}. */
  private static boolean isHidden(String name) {
    return (name.startsWith("_") && !name.contains("="))
        || name.startsWith(".")
        || name.endsWith("._COPYING_");
  }
}
