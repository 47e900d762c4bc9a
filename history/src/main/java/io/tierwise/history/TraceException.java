package io.tierwise.history;

import java.io.IOException;

/**
 * A file of history that cannot be read on. The message is one line: file, line, bad value, what to
 * change.
 */
public class TraceException extends IOException {
  /** Characters of a bad value that a message shows. */
  private static final int SHOWN_CHARACTERS_MAX = 40;

  public TraceException(String message) {
    super(message);
  }

  public TraceException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A value from a file, fit for one line of a terminal: printable, quoted, cut short. */
  public static String quoted(CharSequence value) {
    return "'" + printable(value, SHOWN_CHARACTERS_MAX) + "'";
  }

  /** A text from a file, printable and cut short. */
  static String printable(CharSequence value, int charactersMax) {
    StringBuilder shown = new StringBuilder();
    int length = Math.min(value.length(), charactersMax);
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      shown.append(c < ' ' || (c >= 0x7f && c < 0xa0) || Character.isSurrogate(c) ? '?' : c);
    }
    return shown.append(value.length() > length ? "..." : "").toString();
  }
}
