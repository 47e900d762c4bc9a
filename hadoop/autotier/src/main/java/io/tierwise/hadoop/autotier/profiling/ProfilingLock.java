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
import java.util.Optional;

/**
 * Lets one profiling at a time move input, by a file beside the journal. While it goes on the file
 * has the ids of the journal's runs that are to be taken back: whoever finds some there knows that
 * it was killed.
 *
 * <p>The one that has the lock must not open the file again: POSIX takes a lock from a process as
 * soon as that closes the file, by whichever of its handles.
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

  /**
   * For somebody who looks: the ids of runs that a profiling left that was killed, the oldest
   * first; empty while one goes on, whose runs they are.
   */
  static Optional<List<String>> look(Journal journal) throws IOException {
    if (!Files.isRegularFile(path(journal))) {
      return Optional.of(List.of());
    }
    try (FileChannel file = FileChannel.open(path(journal), StandardOpenOption.READ);
        FileLock lock = file.tryLock(0, Long.MAX_VALUE, true)) {
      return lock == null ? Optional.empty() : Optional.of(lines(file));
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  /** The ids of runs that somebody is to take back, the oldest first. */
  List<String> left() throws IOException {
    return lines(file);
  }

  private static List<String> lines(FileChannel file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
    int end = 0;
    while (bytes.hasRemaining() && end >= 0) {
      end = file.read(bytes, bytes.position());
    }
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString().lines().toList();
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
