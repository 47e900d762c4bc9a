package io.tierwise.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file of history, wherever it is stored. */
public interface HistoryFile {
  /** As messages name it. */
  String name();

  /**
   * Its length.
   *
   * @throws TraceException when there is none, when it is no file or may not be read
   */
  long bytes() throws IOException;

  /**
   * When it was changed last, in milliseconds since 1970; 0 where nobody tells.
   *
   * @throws IOException when it cannot be looked at
   */
  long changedMillis() throws IOException;

  /** Its bytes as they are stored. */
  InputStream open() throws IOException;

  /** A file of this machine. */
  static HistoryFile of(Path file) {
    return new Local(file);
  }

  /** A file of this machine. */
  record Local(Path file) implements HistoryFile {
    @Override
    public String name() {
      return file.toString();
    }

    @Override
    public long bytes() throws IOException {
      try {
        if (Files.isDirectory(file)) {
          throw new TraceException(file + ": is a folder, name a file in it");
        }
        long bytes = Files.size(file);
        if (bytes > 0 && !Files.isReadable(file)) {
          throw new TraceException(file + ": may not be read");
        }
        return bytes;
      } catch (NoSuchFileException e) {
        throw new TraceException(file + ": does not exist", e);
      } catch (AccessDeniedException e) {
        throw new TraceException(file + ": may not be read", e);
      }
    }

    @Override
    public long changedMillis() throws IOException {
      return Files.getLastModifiedTime(file).toMillis();
    }

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(file);
    }
  }
}
