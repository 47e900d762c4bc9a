package io.tierwise.simulator.movement;

import java.util.regex.Pattern;

/** Paths of a scenario. */
final class PathPattern {
  private PathPattern() {}

  /** Files at the path and below it; {@code *} stands for any part of a name. */
  static Pattern below(String path) {
    StringBuilder pattern = new StringBuilder();
    for (String part : path.replaceFirst("/+$", "").split("\\*", -1)) {
      pattern.append(pattern.length() == 0 ? "" : "[^/]*").append(Pattern.quote(part));
    }
    return Pattern.compile(pattern.append("(/.*)?").toString());
  }
}
