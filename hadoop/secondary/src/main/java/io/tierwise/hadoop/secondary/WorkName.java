package io.tierwise.hadoop.secondary;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file that an attempt makes beside the one that it moves, and takes away again. Jobs
 * do not see names that begin with a dot.
 *
 * @param fileId of the file that is moved
 */
record WorkName(long fileId, Attempt attempt, Kind kind) {
  /** The kind of file that is made. */
  enum Kind {
    PLACEHOLDER("placeholder"),
    BODY("body"),
    RECALL("recall");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private static final Pattern PATTERN =
      Pattern.compile(
          "\\.tierwise-(\\d{1,18})-(" + Attempt.PATTERN + ")\\.(placeholder|body|recall)");

  /** Of a file's name; empty when no attempt made it. */
  static Optional<WorkName> parse(String name) {
    Matcher matcher = PATTERN.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Attempt.parse(matcher.group(2))
        .map(
            attempt ->
                new WorkName(Long.parseLong(matcher.group(1)), attempt, kind(matcher.group(3))));
  }

  private static Kind kind(String text) {
    for (Kind kind : Kind.values()) {
      if (kind.text.equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(text);
  }

  @Override
  public String toString() {
    return ".tierwise-" + fileId + "-" + attempt + "." + kind.text;
  }
}
