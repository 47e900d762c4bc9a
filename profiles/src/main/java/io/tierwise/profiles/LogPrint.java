package io.tierwise.profiles;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tierwise.history.HistoryFile;
import io.tierwise.history.HistoryLog;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a log looks like from outside: its name, and the name, length and time of change of each of
 * its files. A log that looks as it did when it was imported whole has nothing new to tell, and is
 * not read again. One that grew, or was written anew, looks different.
 *
 * <p>Own: a digest, since names may be longer than a database takes for a key.
 */
final class LogPrint {
  private LogPrint() {}

  /**
   * A log's print, as its files are now: taken before they are read, so that what is written
   * meanwhile makes it another one.
   *
   * @throws IOException when a file cannot be looked at
   */
  static String of(HistoryLog log) throws IOException {
    MessageDigest digest = sha256();
    add(digest, log.name());
    for (HistoryFile file : log.parts()) {
      add(digest, file.name());
      add(digest, file.bytes() + " " + file.changedMillis());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** With its length before it, so that no two names run into each other. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    digest.update((bytes.length + ":").getBytes(UTF_8));
    digest.update(bytes);
  }
}
