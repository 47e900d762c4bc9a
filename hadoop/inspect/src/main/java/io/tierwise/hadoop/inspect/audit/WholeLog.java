package io.tierwise.hadoop.inspect.audit;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** A file of a log, gzipped or not, that is opened when it is read first, and read to its end. */
final class WholeLog implements AccessMerge.Log, Closeable {
  private final Path file;
  private final LogLines lines;
  private InputStream in;
  private boolean ended;

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
        in = AuditLogFiles.open(file);
        lines.begin(file.toString());
      }
      if (lines.readSome(in)) {
        return true;
      }
      lines.end();
    } catch (EOFException | ZipException e) {
      lines.endsEarly("the gzip file is cut or damaged: " + e.getMessage());
    }
    ended = true;
    close();
    return false;
  }

  @Override
  public void close() throws IOException {
    if (in != null) {
      in.close();
      in = null;
    }
  }
}
