package io.tierwise.hadoop.secondary;

import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * One attempt to move one file. It stands in the name of each file that it makes. No two attempts
 * share a name, so runs at the same time cannot hinder each other. A name also tells its age.
 */
record Attempt(Instant begun, int salt) {
  static final String PATTERN = "\\d{8}T\\d{6}Z-[0-9a-f]{8}";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  static Attempt begin() {
    return new Attempt(Instant.now().truncatedTo(ChronoUnit.SECONDS), RANDOM.nextInt());
  }

  /** Reads a text that has the pattern; empty when its time makes no sense. */
  static Optional<Attempt> parse(String text) {
    int dash = text.indexOf('-');
    try {
      return Optional.of(
          new Attempt(
              TIME.parse(text.substring(0, dash), Instant::from),
              Integer.parseUnsignedInt(text.substring(dash + 1), 16)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return TIME.format(begun) + String.format("-%08x", salt);
  }
}
