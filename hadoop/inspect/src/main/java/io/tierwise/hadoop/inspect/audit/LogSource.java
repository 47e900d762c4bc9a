package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.AccessSink;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneId;
import java.util.Optional;

/** One NameNode's log, read piece by piece: its earlier files, then the one that grows. */
final class LogSource implements AccessMerge.Log, Closeable {
  private final Path file;
  private final EarlierFiles earlier;
  private final AuditLogReader reader;
  private final AuditTail tail;
  private final HeardLog heard;
  private WholeLog whole;
  private boolean grows;
  private boolean away;

  LogSource(NameNodeLogs.Source source, ZoneId zone, AccessSink sink) throws IOException {
    file = source.file();
    heard = HeardLog.of(file.toString());
    AccessSink both =
        (time, kind, path, destination, who) -> {
          heard.at(time);
          sink.accessed(time, kind, path, destination, who);
        };
    earlier = new EarlierFiles(file, source.rotated(), zone);
    reader = new AuditLogReader(zone, both);
    tail = new AuditTail(file, zone, both);
  }

  /**
   * Looks whether it can be read now.
   *
   * @throws OperatorException when it cannot
   */
  void requireFile() throws IOException {
    AuditLogFiles.open(file).close();
  }

  /** Reads no more than a buffer; false when there is nothing for now. */
  @Override
  public boolean readSome() throws IOException {
    if (whole == null && !grows) {
      Optional<Path> next = earlier.next(heard::isGone);
      if (next.isPresent()) {
        whole = new WholeLog(next.get(), reader);
        heard.fileBegins();
      }
    }
    if (whole != null) {
      if (!whole.readSome()) {
        whole.damaged().ifPresent(heard::isDamaged);
        whole = null;
      }
      return true;
    }
    if (!grows) {
      grows = true;
      heard.fileBegins();
    }
    long rotations = tail.rotations();
    long cuts = tail.cuts();
    boolean more = tail.pollSome();
    if (tail.rotations() > rotations && away) {
      heard.fileIsMissing();
    }
    if (tail.cuts() > cuts) {
      heard.isCutInPlace(file);
    }
    if (!more) {
      away = false;
    }
    if (!more && heard.isUnheard()) {
      hearEmptyFile();
    }
    return more;
  }

  /** Nothing was read for long: more than one file may have followed the one that is open. */
  void wasAway() {
    away = true;
  }

  /** A NameNode that has always been on standby has made its file, and written nothing. */
  private void hearEmptyFile() throws IOException {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      if (now.size() == 0) {
        heard.emptySince(now.lastModifiedTime().toMillis());
      }
    } catch (NoSuchFileException e) {
      // It is waited for.
    }
  }

  HeardLog heard() {
    return heard;
  }

  AuditCounts counts() {
    return reader.counts().plus(tail.counts());
  }

  @Override
  public void close() throws IOException {
    tail.close();
    if (whole != null) {
      whole.close();
    }
  }
}
