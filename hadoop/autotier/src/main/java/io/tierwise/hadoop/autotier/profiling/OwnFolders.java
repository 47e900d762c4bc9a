package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The folders that a profiling makes for itself: copies of configuration here, and event logs in
 * HDFS. They are named in a file beside the journal while they are there, so that the next
 * profiling deletes what one that was killed left. For the one that has the {@link ProfilingLock}.
 */
final class OwnFolders implements Closeable {
  /** In the name of each folder; nothing else is ever deleted. */
  static final String MARK = "tierwise-profile-";

  private static final String NAME = "profile-run.folders";

  private final Path list;

  private OwnFolders(Path list) {
    this.list = list;
  }

  static OwnFolders of(Journal journal) {
    return new OwnFolders(list(journal));
  }

  private static Path list(Journal journal) {
    return journal.directory().resolve(NAME);
  }

  /** Those that a profiling left that was killed: paths here, and URIs of other file systems. */
  static List<String> left(Journal journal) throws IOException {
    return Files.isRegularFile(list(journal)) ? Files.readAllLines(list(journal)) : List.of();
  }

  /** A folder is there from now on; durable on return. */
  void note(String folder) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            list, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      file.write(StandardCharsets.UTF_8.encode(folder + "\n"));
      file.force(true);
    }
  }

  /**
   * Deletes what was left.
   *
   * @return lines for people: what was deleted, and what stays with the reason
   */
  static List<String> deleteLeft(Journal journal, Configuration conf) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String folder : left(journal)) {
      try {
        if (delete(folder, conf)) {
          lines.add("a profile run was killed and left " + Words.plain(folder) + ": it is deleted");
        }
      } catch (IOException | IllegalArgumentException e) {
        lines.add(
            "a profile run was killed and left "
                + Words.plain(folder)
                + ", which cannot be deleted ("
                + FailureText.line(FailureText.cause(e))
                + "): delete it");
      }
    }
    Files.deleteIfExists(list(journal));
    return lines;
  }

  /** Whether it was there. The list may be damaged: what bears another name is none of ours. */
  private static boolean delete(String folder, Configuration conf) throws IOException {
    var path = new org.apache.hadoop.fs.Path(folder.startsWith("/") ? "file://" + folder : folder);
    return path.getName().contains(MARK) && path.getFileSystem(conf).delete(path, true);
  }

  /** All of them are gone. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(list);
  }
}
