package io.tierwise.hadoop.inspect.advise;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The paths of patterns whose braces hold slashes, as {@code /{a/b,c/d}/e}: {@code /a/b/e} and
 * {@code /c/d/e}. Braces without a slash stay, as in Hadoop's own {@code GlobExpander}.
 *
 * <p>That one knows no bound, and a job's input is what its user wrote: twenty such braces in a row
 * are a million paths. Here a budget of one run ends it.
 */
final class BracedPaths {
  /** Own: no job that means it names so many folders in braces. */
  static final int PATHS_MAX = 1_000;

  /** Own: a thousand paths as long as HDFS allows. */
  private static final long CHARACTERS_MAX = 8L << 20;

  private int paths;
  private long characters;

  /** A path of which the first characters are done. */
  private record Part(String text, int done) {}

  /** Braces around a slash that are in no other braces. */
  private record Braces(int open, int close) {}

  /**
   * The paths of a pattern.
   *
   * @throws IOException when Hadoop would refuse it, or the run's patterns have too many paths
   */
  List<String> of(String pattern) throws IOException {
    if (first(new Part(pattern, 0)) == null) {
      return List.of(pattern);
    }
    List<String> whole = new ArrayList<>();
    Deque<Part> open = new ArrayDeque<>();
    open.push(new Part(pattern, 0));
    while (!open.isEmpty()) {
      Part part = open.pop();
      Braces braces = first(part);
      if (braces == null) {
        whole.add(part.text());
        count(1, 0);
        continue;
      }
      List<String> alternatives = alternatives(part.text(), braces);
      for (int i = alternatives.size() - 1; i >= 0; i--) {
        String before = part.text().substring(0, braces.open());
        String after = part.text().substring(braces.close() + 1);
        count(0, before.length() + alternatives.get(i).length() + (long) after.length());
        open.push(new Part(before + alternatives.get(i) + after, braces.open()));
      }
    }
    return whole;
  }

  private void count(int ofPaths, long ofCharacters) throws IOException {
    paths += ofPaths;
    characters += ofCharacters;
    if (paths > PATHS_MAX || characters > CHARACTERS_MAX) {
      throw new IOException("more than " + PATHS_MAX + " paths in braces");
    }
  }

  /** The first braces to be opened; null when there are none. */
  private static Braces first(Part part) throws IOException {
    String text = part.text();
    int depth = 0;
    int open = 0;
    boolean slash = false;
    for (int i = part.done(); i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i = escaped(text, i);
        case '{' -> open = depth++ == 0 ? i : open;
        case '/' -> slash |= depth > 0;
        case '}' -> {
          if (depth > 0 && --depth == 0 && slash) {
            return new Braces(open, i);
          }
        }
        default -> {
          // Any other is itself.
        }
      }
    }
    return null;
  }

  private static List<String> alternatives(String text, Braces braces) throws IOException {
    List<String> alternatives = new ArrayList<>();
    StringBuilder alternative = new StringBuilder();
    int depth = 0;
    for (int i = braces.open() + 1; i < braces.close(); i++) {
      char c = text.charAt(i);
      if (c == ',' && depth == 0) {
        alternatives.add(alternative.toString());
        alternative.setLength(0);
        continue;
      }
      if (c == '\\') {
        i = escaped(text, i);
      } else {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      }
      alternative.append(text.charAt(i));
    }
    alternatives.add(alternative.toString());
    return alternatives;
  }

  /** The place of a character behind a backslash. */
  private static int escaped(String text, int backslash) throws IOException {
    if (backslash + 1 == text.length()) {
      throw new IOException("nothing stands behind the last backslash of " + text);
    }
    return backslash + 1;
  }
}
