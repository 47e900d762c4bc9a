package io.tierwise.hadoop.inspect.advise;

import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.GlobPattern;

/**
 * Finds the runs that name a file as their input: by its path, by a folder above it, or by a
 * pattern of either. Inputs of other file systems are left out: their paths may be the same.
 */
final class JobPaths {
  private static final int[] NOBODY = {};
  private static final String ROOT = "/";

  /** Scheme, authority, if any, and path. */
  private static final java.util.regex.Pattern URI =
      java.util.regex.Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(?://([^/]*))?(/.*)?");

  private final Map<String, BitSet> runsByPath = new HashMap<>();

  /** Patterns by the folder that they begin with. */
  private final Map<String, List<Pattern>> patterns = new HashMap<>();

  private final Map<String, int[]> runsByFolder = new HashMap<>();
  private final boolean[] named;

  /** Matches a path of as many names: a name's pattern holds no slash. */
  private record Pattern(int names, String text, GlobPattern glob, BitSet runs) {}

  private final ImageNames ours;

  JobPaths(List<RunRecord> runs, ImageNames ours) {
    this.ours = ours;
    named = new boolean[runs.size()];
    for (int run = 0; run < runs.size(); run++) {
      BracedPaths braced = new BracedPaths();
      for (String input : runs.get(run).inputs()) {
        add(run, input, braced);
      }
    }
  }

  /** Whether a run names an input at all. */
  boolean names(int run) {
    return named[run];
  }

  private void add(int run, String input, BracedPaths braced) {
    Matcher uri = URI.matcher(input);
    if (uri.matches() && !ours.mayHave(uri.group(1), uri.group(2) == null ? "" : uri.group(2))) {
      return;
    }
    try {
      for (String path :
          braced.of(
              plain(uri.matches() ? Objects.requireNonNullElse(uri.group(3), ROOT) : input))) {
        if (isPattern(path)) {
          addPattern(run, path);
        } else {
          runsByPath.computeIfAbsent(path, none -> new BitSet()).set(run);
        }
        named[run] = true;
      }
    } catch (IOException e) {
      // A pattern that Hadoop itself would refuse names nothing, and neither does one of too many
      // paths: a run without any other input is told as one that names none.
    }
  }

  /** A pattern that Hadoop refuses is refused by the filter. */
  private void addPattern(int run, String path) throws IOException {
    new GlobFilter(path);
    String folder = path;
    while (isPattern(folder)) {
      folder = above(folder);
    }
    List<Pattern> below = patterns.computeIfAbsent(folder, none -> new ArrayList<>());
    for (Pattern known : below) {
      if (known.text().equals(path)) {
        known.runs().set(run);
        return;
      }
    }
    BitSet runs = new BitSet();
    runs.set(run);
    below.add(new Pattern(names(path), path, new GlobPattern(path), runs));
  }

  private static boolean isPattern(String path) {
    return path.chars().anyMatch(c -> "*?[{\\".indexOf(c) >= 0);
  }

  private static int names(String path) {
    return (int) path.chars().filter(c -> c == '/').count();
  }

  /** A path without the slash at its end. */
  private static String plain(String input) {
    String path = input;
    while (path.length() > 1 && path.endsWith(ROOT)) {
      path = path.substring(0, path.length() - 1);
    }
    return path;
  }

  private static String above(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? ROOT : path.substring(0, slash);
  }

  /** The runs that may read a file, in their order. */
  int[] of(String file) {
    int[] ofFolder = runsByFolder.computeIfAbsent(above(file), this::ofFolder);
    BitSet own = new BitSet();
    addExactly(file, own);
    if (own.isEmpty()) {
      return ofFolder;
    }
    for (int run : ofFolder) {
      own.set(run);
    }
    return own.stream().toArray();
  }

  /** Those that name a folder or one above it: the same array for all files in it. */
  private int[] ofFolder(String folder) {
    BitSet runs = new BitSet();
    String path = folder;
    addExactly(path, runs);
    while (!path.equals(ROOT)) {
      path = above(path);
      addExactly(path, runs);
    }
    return runs.isEmpty() ? NOBODY : runs.stream().toArray();
  }

  private void addExactly(String path, BitSet runs) {
    BitSet exact = runsByPath.get(path);
    if (exact != null) {
      runs.or(exact);
    }
    if (patterns.isEmpty()) {
      return;
    }
    int names = names(path);
    String folder = path;
    while (!folder.equals(ROOT)) {
      folder = above(folder);
      for (Pattern each : patterns.getOrDefault(folder, List.of())) {
        if (each.names() == names && each.glob().matches(path)) {
          runs.or(each.runs());
        }
      }
    }
  }
}
