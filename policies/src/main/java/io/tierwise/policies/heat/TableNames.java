package io.tierwise.policies.heat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table that a directory belongs to: the part of its path that a pattern matches, or else what
 * stands above its first partition ({@code year=2026}).
 */
public final class TableNames {
  /** Where Hive puts tables, in its own layout and in that of its distributions. */
  public static final List<String> DEFAULTS =
      List.of("/user/hive/warehouse/*.db/*", "/warehouse/tablespace/*/hive/*.db/*");

  private final List<String[]> patterns = new ArrayList<>();

  /**
   * Tables as patterns name them; the first that matches counts.
   *
   * @param patterns absolute paths; {@code *} stands for any run of characters within a name
   */
  public TableNames(List<String> patterns) {
    for (String pattern : patterns) {
      String[] names = pattern.split("/", -1);
      boolean whole = names.length > 1 && names[0].isEmpty();
      for (int i = 1; i < names.length; i++) {
        whole &= !names[i].isEmpty() && !names[i].contains("**");
      }
      if (!whole) {
        throw new IllegalArgumentException(
            "table pattern \"" + pattern + "\": give an absolute path, with * within a name");
      }
      this.patterns.add(names);
    }
  }

  /** The table of a directory, as a path. */
  public Optional<String> of(String directory) {
    String[] names = directory.split("/", -1);
    for (String[] pattern : patterns) {
      if (matches(pattern, names)) {
        return Optional.of(prefix(names, pattern.length));
      }
    }
    for (int i = 2; i < names.length; i++) {
      if (names[i].indexOf('=') > 0) {
        return Optional.of(prefix(names, i));
      }
    }
    return Optional.empty();
  }

  private static String prefix(String[] names, int count) {
    return String.join("/", List.of(names).subList(0, count));
  }

  private static boolean matches(String[] pattern, String[] names) {
    if (names.length < pattern.length) {
      return false;
    }
    for (int i = 1; i < pattern.length; i++) {
      if (!matches(pattern[i], names[i])) {
        return false;
      }
    }
    return true;
  }

  /** Goes back to the last star only: pattern length times name length steps at most. */
  private static boolean matches(String pattern, String name) {
    int at = 0;
    int star = -1;
    int resume = 0;
    int n = 0;
    while (n < name.length()) {
      if (at < pattern.length() && pattern.charAt(at) == '*') {
        star = at++;
        resume = n;
      } else if (at < pattern.length() && pattern.charAt(at) == name.charAt(n)) {
        at++;
        n++;
      } else if (star >= 0) {
        at = star + 1;
        n = ++resume;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == '*') {
      at++;
    }
    return at == pattern.length();
  }
}
