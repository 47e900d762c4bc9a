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
 * The classes that are run, read from {@code classes.tsv}, and their known failures: those that are
 * stock's own, read from {@code known-stock-failures.tsv}, and those that are the test's, read from
 * {@code known-differences.tsv} and, where our code decides, from {@code
 * known-differences-deciding.tsv} as well. {@code undecided.tsv} names the classes in which our
 * code has nothing to decide. Lines that begin with # are comments.
 *
 * @param stockFailures by full class name
 * @param differences by full class name
 * @param decidingDifferences by full class name; {@value #WHOLE_CLASS} for a class that is left out
 * @param undecided full class names
 */
record Suite(
    List<TestClass> classes,
    Map<String, Set<String>> stockFailures,
    Map<String, Set<String>> differences,
    Map<String, Set<String>> decidingDifferences,
    Set<String> undecided) {

  /** In place of a test's name. */
  static final String WHOLE_CLASS = "*";

  private static final double UNKNOWN_SECONDS = 60;

  static Suite load(Path home) throws IOException, UsageException {
    List<TestClass> classes = new ArrayList<>();
    for (String[] row : rows(home.resolve("classes.tsv"), 4)) {
      classes.add(new TestClass(row[0], row[1], Double.parseDouble(row[2]), row[3]));
    }
    return new Suite(
        List.copyOf(classes),
        testsByClass(home.resolve("known-stock-failures.tsv")),
        testsByClass(home.resolve("known-differences.tsv")),
        testsByClass(home.resolve("known-differences-deciding.tsv")),
        rows(home.resolve("undecided.tsv"), 2).stream()
            .map(row -> row[0])
            .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * The part that runs on another line of Hadoop, as {@code classes-LINE.tsv} names it: a class and
   * why it was chosen. The facts known of a test hold on every line.
   *
   * @param version of Hadoop, for instance 3.4.2
   */
  Suite onLine(Path home, String version) throws IOException, UsageException {
    String line = version.substring(0, version.lastIndexOf('.'));
    Path file = home.resolve("classes-" + line + ".tsv");
    if (!Files.isRegularFile(file)) {
      throw UsageException.badInput(
          "--hadoop '" + version + "': no classes are chosen for this line: " + file.getFileName());
    }
    List<String> names = rows(file, 2).stream().map(row -> row[0]).toList();
    return new Suite(select(names), stockFailures, differences, decidingDifferences, undecided);
  }

  private static Map<String, Set<String>> testsByClass(Path file)
      throws IOException, UsageException {
    Map<String, Set<String>> tests = new HashMap<>();
    for (String[] row : rows(file, 3)) {
      tests.computeIfAbsent(row[0], name -> new HashSet<>()).add(row[1]);
    }
    return Map.copyOf(tests);
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

  /** The written notes about tests of {@code className} on a side with the plug-ins. */
  KnownCauses knownCausesOf(String className, Side side) {
    Set<String> known = new HashSet<>(differences.getOrDefault(className, Set.of()));
    if (side == Side.DECIDING) {
      known.addAll(decidingDifferences.getOrDefault(className, Set.of()));
    }
    return new KnownCauses(stockFailures.getOrDefault(className, Set.of()), known);
  }

  /** Whether the class cannot hold on this side, for a cause that is written down. */
  boolean leavesOut(String className, Side side) {
    return side == Side.DECIDING
        && decidingDifferences.getOrDefault(className, Set.of()).contains(WHOLE_CLASS);
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
