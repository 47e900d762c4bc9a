package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.AccessSink;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneId;

/**
 * Reads an audit log while a NameNode writes it. A file that was renamed away is read to its end
 * before the new one of its name is begun; one that became shorter is read from its begin.
 *
 * <p>Two rotations between two polls lose the file between them: poll more often than the log
 * turns.
 */
public final class AuditTail implements Closeable {
  private final Path file;
  private final AuditLogReader reader;
  private FileChannel open;
  private Object openKey;
  private long rotations;
  private long cuts;

  /** Nothing is read before the first {@link #poll}, which begins at the begin of the file. */
  public AuditTail(Path file, ZoneId zone, AccessSink sink) {
    this.file = file;
    reader = new AuditLogReader(zone, sink);
  }

  public AuditCounts counts() {
    return reader.counts();
  }

  /** How often the file was seen to be another one, or shorter than before. */
  public long rotations() {
    return rotations;
  }

  /** How often it was the same file and shorter: lines that were not read yet are gone. */
  long cuts() {
    return cuts;
  }

  /** Reads what was written since the last poll. A file that is not there yet is waited for. */
  public void poll() throws IOException {
    boolean more = true;
    while (more) {
      more = pollSome();
    }
  }

  /** Reads no more than a buffer of it; false when there is nothing for now. */
  boolean pollSome() throws IOException {
    if (open == null && !openNew()) {
      return false;
    }
    if (reader.readSome(stream())) {
      return true;
    }
    Replaced replaced = wasReplaced();
    if (replaced == Replaced.NO) {
      return false;
    }
    if (replaced == Replaced.CUT) {
      cuts++;
    }
    // Lines may have been written between the read and the rename.
    reader.readAvailable(stream());
    reader.end();
    close();
    rotations++;
    return openNew();
  }

  private boolean openNew() throws IOException {
    try {
      // Again where a rotation came between, else the key would be that of another file.
      do {
        close();
        openKey = keyOfFile();
        open = FileChannel.open(file);
      } while (!attributes().fileKey().equals(openKey));
      requirePlain();
      reader.begin(file.toString());
      return true;
    } catch (NoSuchFileException e) {
      close();
      return false;
    } catch (AccessDeniedException e) {
      throw OperatorException.cluster("no permission to read " + file, e);
    }
  }

  /** A pipe would be waited for without an end, and cannot be told from another one of its name. */
  private Object keyOfFile() throws IOException {
    BasicFileAttributes now = attributes();
    if (now.isOther() || now.isDirectory()) {
      throw OperatorException.badInput(
          file
              + (now.isDirectory() ? " is a directory" : " is a pipe or a device")
              + ": a log that grows is followed by its name, through rotations; name the log's"
              + " file");
    }
    return now.fileKey();
  }

  private void requirePlain() throws IOException {
    ByteBuffer begin = ByteBuffer.allocate(AuditLogFiles.GZIP_BEGIN_BYTES);
    open.read(begin, 0);
    if (AuditLogFiles.isGzip(begin.array())) {
      throw OperatorException.badInput(
          file
              + " is packed with gzip: a log that grows is plain; name the file that the NameNode"
              + " writes");
    }
  }

  private BasicFileAttributes attributes() throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class);
  }

  private enum Replaced {
    NO,
    BY_ANOTHER,
    CUT
  }

  private Replaced wasReplaced() throws IOException {
    try {
      BasicFileAttributes now = attributes();
      if (!now.fileKey().equals(openKey)) {
        return Replaced.BY_ANOTHER;
      }
      return now.size() < open.position() ? Replaced.CUT : Replaced.NO;
    } catch (NoSuchFileException e) {
      return Replaced.NO; // The rename is under way: the next poll sees what came of it.
    }
  }

  /** Not to be closed, since that would close the channel. */
  private InputStream stream() {
    return Channels.newInputStream(open);
  }

  @Override
  public void close() throws IOException {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
