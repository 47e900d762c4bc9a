package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.Words;
import io.tierwise.core.use.AccessSink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Reads lines of an audit log and hands their accesses on. A line that is none of the log is
 * counted, the first one is named, and reading goes on.
 *
 * <p>The line behind a cut one is not counted either. Releases before Hadoop 3 write a newline in a
 * name as it is: whoever may name a file could otherwise write lines of his own into the log. It
 * costs one access for each crash of a NameNode in the middle of a line.
 */
final class AuditLogReader {
  private static final int BUFFER_BYTES = 1 << 18;

  /** Own: HDFS allows 8,000 characters a path, of up to six bytes when escaped, and two paths. */
  private static final int LINE_BYTES_MAX = 1 << 20;

  private static final int SHOWN_BYTES = 120;

  private final AuditLine line;
  private final AccessSink sink;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private boolean tooLong;
  private boolean afterCut;

  private String file = "";
  private long lineOfFile;
  private long lines;
  private long accesses;
  private long refused;
  private long corrupt;
  private String firstCorrupt = "";

  AuditLogReader(ZoneId zone, AccessSink sink) {
    line = new AuditLine(zone);
    this.sink = sink;
  }

  AuditCounts counts() {
    return new AuditCounts(lines, accesses, refused, corrupt, firstCorrupt);
  }

  /** Says which file comes now. */
  void begin(String name) {
    file = name;
    lineOfFile = 0;
  }

  /** Reads all that there is; the begin of a line that is not whole yet is kept. */
  void readAvailable(InputStream in) throws IOException {
    boolean more = true;
    while (more) {
      more = readSome(in);
    }
  }

  /** Reads no more than a buffer; false when there was nothing. */
  boolean readSome(InputStream in) throws IOException {
    int got = in.read(buffer, filled, buffer.length - filled);
    if (got < 0) {
      return false;
    }
    int scanned = filled;
    filled += got;
    takeLines(scanned);
    return true;
  }

  /** The file has ended: the bytes that are kept are the whole last line. */
  void end() {
    if (filled > 0 && !tooLong) {
      take(0, filled);
    }
    filled = 0;
    tooLong = false;
    afterCut = false;
  }

  /** The file has ended in the middle of what it should hold. */
  void endsEarly(String why) {
    end();
    spoilt(why, 0, 0);
  }

  private void takeLines(int scanned) {
    int start = 0;
    int newline = ByteScan.indexOf(buffer, scanned, filled, (byte) '\n');
    while (newline >= 0) {
      if (!tooLong) {
        take(start, newline);
      }
      tooLong = false;
      start = newline + 1;
      newline = ByteScan.indexOf(buffer, start, filled, (byte) '\n');
    }
    System.arraycopy(buffer, start, buffer, 0, filled - start);
    filled -= start;
    if (tooLong) {
      filled = 0;
    } else if (filled == buffer.length) {
      makeRoom();
    }
  }

  private void makeRoom() {
    if (buffer.length < LINE_BYTES_MAX) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      return;
    }
    lines++;
    lineOfFile++;
    spoilt("a line of more than " + LINE_BYTES_MAX + " bytes", 0, filled);
    tooLong = true;
    afterCut = true;
    filled = 0;
  }

  private void take(int from, int to) {
    lines++;
    lineOfFile++;
    AuditLine.Verdict verdict = line.parse(buffer, from, to);
    boolean follows = afterCut;
    afterCut = verdict == AuditLine.Verdict.CUT;
    switch (verdict) {
      case CUT -> spoilt("the line ends before its path does", from, to);
      case FOREIGN -> spoilt("this is no line of an HDFS audit log", from, to);
      case REFUSED -> refused++;
      case ACCESS -> {
        if (follows) {
          spoilt("it follows a line that was cut, and may be part of a name", from, to);
        } else {
          accesses++;
          sink.accessed(
              line.timeMillis(), line.kind(), line.path(), line.destination(), line.reader());
        }
      }
    }
  }

  private void spoilt(String why, int from, int to) {
    corrupt++;
    if (firstCorrupt.isEmpty()) {
      int shown = Math.min(to, from + SHOWN_BYTES);
      String begin =
          Words.plain(new String(buffer, from, shown - from, StandardCharsets.UTF_8))
              + (shown < to ? "..." : "");
      firstCorrupt = file + ":" + lineOfFile + ": " + why + (from < to ? ": " + begin : "");
    }
  }
}
