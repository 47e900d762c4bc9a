package io.tierwise.history;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A trace file line by line: reads end at the end of a line until {@link #nextLine} goes on to the
 * next. A line of any length costs no more memory than a short one.
 */
public final class LineStream extends InputStream implements Position {
  private static final int NEWLINE = '\n';

  private final TraceFile trace;
  private final byte[] buffer = new byte[64 * 1024];
  private int position;
  private int limit;
  private boolean started;
  private boolean lineEnded;
  private boolean newlineSeen;
  private boolean binary;
  private boolean readOn;
  private long line;

  public LineStream(TraceFile trace) {
    this.trace = trace;
  }

  /** Goes on to the next line, leaving out what is left of this one; false after the last. */
  public boolean nextLine() throws IOException {
    while (started && !lineEnded && fill()) {
      skipToNewline();
    }
    started = true;
    if (!fill()) {
      lineEnded = true;
      return false;
    }
    lineEnded = false;
    newlineSeen = false;
    line++;
    return true;
  }

  private void skipToNewline() {
    while (position < limit) {
      if (buffer[position++] == NEWLINE) {
        endLine();
        return;
      }
    }
  }

  /** Whether there is a byte; reads more when none is left. */
  private boolean fill() throws IOException {
    if (position < limit) {
      return true;
    }
    try {
      limit = Math.max(0, trace.read(buffer, 0, buffer.length));
    } catch (IOException e) {
      throw new TraceException(trace.file() + ":" + (line + 1) + ": " + TraceFile.reason(e), e);
    }
    position = 0;
    return limit > 0;
  }

  /** Takes back the byte that {@link #read()} returned last. */
  void unread() {
    position--;
    readOn = false;
  }

  /** Whether anything was read since {@link #unread()}. */
  boolean readOn() {
    return readOn;
  }

  @Override
  public int read() throws IOException {
    if (lineEnded || !fill()) {
      lineEnded = true;
      return -1;
    }
    readOn = true;
    int value = buffer[position++] & 0xff;
    if (value == NEWLINE && !binary) {
      endLine();
      return -1;
    }
    return value;
  }

  private void endLine() {
    lineEnded = true;
    newlineSeen = true;
  }

  /** Whether the line, read to its end, ended with the file and not with a newline. */
  public boolean endsWithoutNewline() {
    return !newlineSeen;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (lineEnded || !fill()) {
      lineEnded = true;
      return -1;
    }
    readOn = true;
    int end = position;
    int endMax = Math.min(limit, position + length);
    while (end < endMax && (binary || buffer[end] != NEWLINE)) {
      end++;
    }
    int count = end - position;
    System.arraycopy(buffer, position, target, offset, count);
    position = end;
    if (end < endMax) {
      position++;
      endLine();
    }
    return count > 0 ? count : -1;
  }

  /**
   * The whole line, without its line ending, as Latin-1 (every byte is one character).
   *
   * @throws BadRowException when it is longer than a row may be
   */
  public String text() throws IOException {
    byte[] bytes = readNBytes(TraceLimits.ROW_BYTES_MAX + 1);
    if (bytes.length > TraceLimits.ROW_BYTES_MAX) {
      throw new BadRowException(
          where() + ": is longer than " + TraceLimits.ROW_BYTES_MAX + " bytes, not a row");
    }
    int length = bytes.length;
    if (length > 0 && bytes[length - 1] == '\r') {
      length--;
    }
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** From here on, the file is no text: everything that is left of it is one last line. */
  boolean restIsBinary() throws IOException {
    binary = nextLine();
    return binary;
  }

  /** File and line, as messages name them. */
  @Override
  public String where() {
    return trace.file() + ":" + line;
  }

  @Override
  public double progress() {
    return trace.progress();
  }

  @Override
  public void close() throws IOException {
    trace.close();
  }
}
