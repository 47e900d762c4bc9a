package io.tierwise.history;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The paths that a run names as its input, each once, as they stand in its history. */
final class InputPaths {
  /** Own: a job that reads more names a folder or a pattern. */
  private static final int PATHS_MAX = 10_000;

  /** Own: 256 characters each of as many as are there, mostly; of long ones fewer are kept. */
  private static final int CHARACTERS_MAX = 1 << 20;

  private static final String LOCATION_BEGIN = "[";
  private static final String LOCATION_END = "]";
  private static final String CUT_SHORT = "...";

  private final Set<String> paths = new LinkedHashSet<>();
  private int characters;

  /** Adds a path; those above what is kept are left out. */
  void add(String path) {
    boolean fits = paths.size() < PATHS_MAX && characters + path.length() <= CHARACTERS_MAX;
    if (!path.isBlank() && fits && paths.add(path.strip())) {
      characters += path.length();
    }
  }

  /**
   * Adds a text when it is a path: Spark names what reads a file by its path, all else by words.
   */
  void addIfPath(String name) {
    if (name.startsWith("/") || name.contains(":/")) {
      addList(name);
    }
  }

  /**
   * Adds the paths of a plan of Spark: {@code InMemoryFileIndex(2 paths)[hdfs://nn/a,
   * hdfs://nn/b]}. Spark cuts a long list short, between paths.
   */
  void addLocation(String location) {
    int begin = location.indexOf(LOCATION_BEGIN);
    int end = location.lastIndexOf(LOCATION_END);
    if (begin < 0 || end < begin) {
      return;
    }
    for (String path : location.substring(begin + 1, end).split(",")) {
      if (!path.isBlank() && !path.strip().endsWith(CUT_SHORT)) {
        add(path);
      }
    }
  }

  /**
   * Adds a list as MapReduce writes it: commas separate paths unless they stand in braces or behind
   * a backslash.
   */
  void addList(String list) {
    StringBuilder path = new StringBuilder();
    int braces = 0;
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      if (c == '\\' && i + 1 < list.length() && ",\\".indexOf(list.charAt(i + 1)) >= 0) {
        path.append(list.charAt(++i));
      } else if (c == ',' && braces == 0) {
        add(path.toString());
        path.setLength(0);
      } else {
        braces += c == '{' ? 1 : 0;
        braces -= c == '}' && braces > 0 ? 1 : 0;
        path.append(c);
      }
    }
    add(path.toString());
  }

  List<String> list() {
    return List.copyOf(paths);
  }
}
