package io.tierwise.hadoop.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which classes are run, read from {@code classes.tsv}, and which of their failures are stock's
 * own, read from {@code known-stock-failures.tsv}. Lines that begin with # are comments.
 *
 * @param known by full class name
 */
record Suite(List<TestClass> classes, Map<String, Set<String>> known) {

  private static final double UNKNOWN_SECONDS = 60;

  static Suite load(Path home) throws IOException, UsageException {
    List<TestClass> classes = new ArrayList<>();
    for (String[] row : rows(home.resolve("classes.tsv"), 4)) {
      classes.add(new TestClass(row[0], row[1], Double.parseDouble(row[2]), row[3]));
    }
    Map<String, Set<String>> known = new HashMap<>();
    for (String[] row : rows(home.resolve("known-stock-failures.tsv"), 3)) {
      known.computeIfAbsent(row[0], name -> new HashSet<>()).add(row[1]);
    }
    return new Suite(List.copyOf(classes), Map.copyOf(known));
  }

  private static List<String[]> rows(Path file, int columns) throws IOException, UsageException {
    List<String[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] row = line.split("\t");
      if (row.length != columns) {
        throw UsageException.badInput(
            file + ": '" + line + "' has " + row.length + " columns: use " + columns + ", by tabs");
      }
      rows.add(row);
    }
    return rows;
  }

  /** Tests of {@code className} whose failure on stock has a written cause. */
  Set<String> knownStockFailuresOf(String className) {
    return known.getOrDefault(className, Set.of());
  }

  /** The classes that the patterns name; all without patterns. A dotted name need not be ours. */
  List<TestClass> select(List<String> patterns) throws UsageException {
    if (patterns.isEmpty()) {
      return classes;
    }
    List<TestClass> chosen = new ArrayList<>();
    for (String pattern : patterns) {
      Pattern regex = Pattern.compile(globToRegex(pattern));
      List<TestClass> matching =
          classes.stream()
              .filter(
                  c -> regex.matcher(c.name()).matches() || regex.matcher(c.simpleName()).matches())
              .collect(Collectors.toList());
      if (matching.isEmpty() && pattern.contains(".") && !pattern.contains("*")) {
        matching.add(new TestClass("other", pattern, UNKNOWN_SECONDS, "named on the command line"));
      }
      if (matching.isEmpty()) {
        throw UsageException.badInput(
            "--classes '"
                + pattern
                + "': no such class in the suite: --list prints it;"
                + " name other classes in full");
      }
      matching.removeAll(chosen);
      chosen.addAll(matching);
    }
    return List.copyOf(chosen);
  }

  private static String globToRegex(String glob) {
    return Pattern.quote(glob).replace("*", "\\E.*\\Q");
  }
}
