package io.tierwise.hadoop.hdfs.tiers;

/**
 * The paths that are meant.
 *
 * @param text an absolute path; {@code *} within a name, {@code **} across directories. Without a
 *     wildcard it stands for the path and all below it. A slash at its end changes nothing
 */
public record PathPattern(String text) {
  public PathPattern {
    requireAbsolute(text);
    text = withoutSlashes(text);
  }

  private static boolean hasWildcard(String text) {
    return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
  }

  /** Shells end a directory's name with a slash; no path that is asked about has one. */
  private static String withoutSlashes(String text) {
    int end = text.length();
    while (end > 1 && text.charAt(end - 1) == '/') {
      end--;
    }
    return text.substring(0, end);
  }

  static void requireAbsolute(String text) {
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException("path pattern \"" + text + "\" must begin with /");
    }
  }

  /** The directory, or the path itself, that all of its paths are at or below. */
  public String root() {
    int wild = 0;
    while (wild < text.length() && text.charAt(wild) != '*' && text.charAt(wild) != '?') {
      wild++;
    }
    String plain =
        wild == text.length() ? text : text.substring(0, text.lastIndexOf('/', wild) + 1);
    return plain.length() > 1 && plain.endsWith("/")
        ? plain.substring(0, plain.length() - 1)
        : plain;
  }

  /** Whether the path is meant. */
  public boolean matches(String path) {
    if (!hasWildcard(text)) {
      return path.equals(text)
          || text.equals("/")
          || (path.startsWith(text) && path.charAt(text.length()) == '/');
    }
    return new Glob(text).matches(path);
  }

  /** Whether it matches the path or something that may be created below it. */
  public boolean mayMatchAtOrBelow(String path) {
    if (matches(path) || path.equals("/")) {
      return true;
    }
    String[] names = text.split("/");
    String[] given = path.split("/");
    for (int i = 0; i < Math.min(names.length, given.length); i++) {
      if (names[i].contains("**")) {
        return true; // From here on it spans directories: what it leaves out is not worked out.
      }
      if (!new Glob(names[i]).matches(given[i])) {
        return false;
      }
    }
    return names.length > given.length;
  }
}
