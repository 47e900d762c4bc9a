package io.tierwise.hadoop.hdfs.tiers;

/**
 * Matches names and paths against a pattern in linear space and, whatever the pattern, at most
 * pattern length times text length steps (no backtracking blow-up on hostile input).
 *
 * <p>{@code *} stands for any run of characters other than {@code /}, {@code **} for any run,
 * {@code ?} for one character other than {@code /}.
 */
final class Glob {
  private final String pattern;

  Glob(String pattern) {
    this.pattern = pattern;
  }

  boolean matches(String text) {
    boolean[] reachable = new boolean[text.length() + 1];
    reachable[0] = true;
    for (int p = 0; p < pattern.length(); p++) {
      char symbol = pattern.charAt(p);
      if (symbol == '*') {
        boolean acrossSlashes = p + 1 < pattern.length() && pattern.charAt(p + 1) == '*';
        if (acrossSlashes) {
          p++;
        }
        extendRun(reachable, text, acrossSlashes);
      } else {
        advance(reachable, text, symbol);
      }
    }
    return reachable[text.length()];
  }

  private static void extendRun(boolean[] reachable, String text, boolean acrossSlashes) {
    for (int t = 0; t < text.length(); t++) {
      if (reachable[t] && (acrossSlashes || text.charAt(t) != '/')) {
        reachable[t + 1] = true;
      }
    }
  }

  private static void advance(boolean[] reachable, String text, char symbol) {
    for (int t = text.length(); t > 0; t--) {
      char actual = text.charAt(t - 1);
      boolean same = symbol == '?' ? actual != '/' : symbol == actual;
      reachable[t] = reachable[t - 1] && same;
    }
    reachable[0] = false;
  }

  @Override
  public String toString() {
    return pattern;
  }
}
