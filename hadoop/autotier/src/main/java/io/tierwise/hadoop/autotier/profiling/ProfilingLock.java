package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Lets one profiling at a time move input, by a file beside the journal. While it goes on the file
 * has the ids of the journal's runs that are to be taken back: whoever finds some there knows that
 * it was killed.
 */
final class ProfilingLock implements Closeable {
  private static final String NAME = "profile-run.lock";

  private final FileChannel file;

  private ProfilingLock(FileChannel file) {
    this.file = file;
  }

  /**
   * Takes it.
   *
   * @throws OperatorException when another process has it
   */
  static ProfilingLock take(Journal journal) throws IOException {
    journal.makeDirectory();
    FileChannel file =
        FileChannel.open(
            path(journal),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = file.tryLock();
    } catch (OverlappingFileLockException e) {
      // It is taken in this process.
    }
    if (lock == null) {
      file.close();
      throw OperatorException.cluster(
          "another 'tierwise profile run' goes on with the journal "
              + journal.directory()
              + ": wait for its end",
          null);
    }
    return new ProfilingLock(file);
  }

  private static Path path(Journal journal) {
    return journal.directory().resolve(NAME);
  }

  /** The ids of runs that somebody is to take back, the oldest first. */
  static List<String> left(Journal journal) throws IOException {
    return Files.isRegularFile(path(journal)) ? Files.readAllLines(path(journal)) : List.of();
  }

  /** Durable before the run moves anything. */
  void note(String id) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((id + "\n").getBytes(StandardCharsets.UTF_8));
    file.position(file.size());
    while (line.hasRemaining()) {
      file.write(line);
    }
    file.force(true);
  }

  /** All was taken back, as far as it can be. */
  void clear() throws IOException {
    file.truncate(0);
    file.force(true);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
