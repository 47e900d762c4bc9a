package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.Words;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a log into lines. A line that cannot be used is counted, the first one is named, and reading
 * goes on.
 */
abstract class LogLines {
  private static final int BUFFER_BYTES = 1 << 18;

  /** Own: HDFS allows 8,000 characters a path, of up to six bytes when escaped, and two paths. */
  private static final int LINE_BYTES_MAX = 1 << 20;

  private static final int SHOWN_BYTES = 120;

  private byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private boolean tooLong;
  private boolean afterCut;

  private String file = "";
  private long lineOfFile;
  private long lines;
  private long corrupt;
  private String firstCorrupt = "";

  /**
   * Takes a line, without its newline.
   *
   * @param follows whether the line before was cut
   * @return whether this one is, or may go on
   */
  abstract boolean line(byte[] bytes, int from, int to, boolean follows);

  final long lines() {
    return lines;
  }

  final long corrupt() {
    return corrupt;
  }

  final String firstCorrupt() {
    return firstCorrupt;
  }

  /** Says which file comes now. */
  final void begin(String name) {
    file = name;
    lineOfFile = 0;
  }

  /** Reads files, gzipped or not, to their ends; they may get other names meanwhile. */
  final void readFiles(List<Path> files) throws IOException {
    List<NamedFile> named = new ArrayList<>();
    for (Path each : files) {
      named.add(NamedFile.of(each));
    }
    for (NamedFile each : named) {
      try (WholeLog log = new WholeLog(each.nowOrThen(), this)) {
        boolean more = true;
        while (more) {
          more = log.readSome();
        }
      }
    }
  }

  /** Reads all that there is; the begin of a line that is not whole yet is kept. */
  final void readAvailable(InputStream in) throws IOException {
    boolean more = true;
    while (more) {
      more = readSome(in);
    }
  }

  /** Reads no more than a buffer; false when there was nothing. */
  final boolean readSome(InputStream in) throws IOException {
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
  final void end() {
    if (filled > 0 && !tooLong) {
      take(0, filled);
    }
    filled = 0;
    tooLong = false;
    afterCut = false;
  }

  /**
   * The file has ended in the middle of what it should hold. That is told rather than a line that
   * cannot be used: any number of lines is missing.
   */
  final void endsEarly(String why) {
    firstCorrupt = "";
    spoilt(why, 0, 0);
    end();
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
    afterCut = line(buffer, from, to, afterCut);
  }

  /** Counts a line that cannot be used. */
  final void spoilt(String why, int from, int to) {
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
