package io.tierwise.hadoop.inspect.audit;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;

/** A file of a log, gzipped or not, that is opened when it is read first, and read to its end. */
final class WholeLog implements AccessMerge.Log, Closeable {
  private final Path file;
  private final LogLines lines;
  private InputStream in;
  private boolean ended;
  private boolean damaged;

  /**
   * Opens nothing yet.
   *
   * @param lines what reads it, and nothing else until its end
   */
  WholeLog(Path file, LogLines lines) {
    this.file = file;
    this.lines = lines;
  }

  @Override
  public boolean readSome() throws IOException {
    if (ended) {
      return false;
    }
    try {
      if (in == null) {
        // First: a file that is damaged at its begin is named, too.
        lines.begin(file.toString());
        in = AuditLogFiles.open(file);
      }
      if (lines.readSome(in)) {
        return true;
      }
      lines.end();
    } catch (EOFException | ZipException e) {
      damaged = true;
      lines.endsEarly("the gzip file is cut or damaged: " + e.getMessage());
    }
    ended = true;
    close();
    return false;
  }

  /** The file, where it ended before its time: lines of it are missing. */
  Optional<Path> damaged() {
    return damaged ? Optional.of(file) : Optional.empty();
  }

  @Override
  public void close() throws IOException {
    if (in != null) {
      in.close();
      in = null;
    }
  }
}
