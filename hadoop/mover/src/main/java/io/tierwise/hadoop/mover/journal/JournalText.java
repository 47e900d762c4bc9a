package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.OperatorException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Hands out the lines of a file. Errors of whoever takes them are not the file's. */
record JournalText(Path file, InputStream in) implements AutoCloseable {
  static JournalText of(Path file) {
    try {
      return new JournalText(file, new BufferedInputStream(Files.newInputStream(file)));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** The next line with its end, which a cut line lacks; null behind the last one. */
  String next() {
    try {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int c = in.read();
      while (c >= 0) {
        line.write(c);
        if (c == '\n') {
          break;
        }
        c = in.read();
      }
      return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static OperatorException unreadable(Path file, IOException e) {
    return OperatorException.cluster(
        "the journal " + file + " cannot be read (" + describe(e) + ")", e);
  }

  /** For people. */
  static String describe(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
