package io.tierwise.hadoop.conformance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The findings of a campaign on one side, as text, Markdown and JSON.
 *
 * @param undecided classes in which our code has nothing to decide
 * @param seconds wall time of the campaign
 */
record Report(SideResult result, Set<String> undecided, int jobs, double seconds) {

  /** The plug-in that decides in each class that writes a block. */
  private static final String PLACEMENT = "placement";

  /** The plug-ins that must decide in some class of the whole suite, besides placement. */
  private static final List<String> KINDS = List.of("deletion", "read", "listing", "admission");

  private static final List<String> HEADER =
      List.of(
          "area", "class", "tests", "stock p/f/s", "ours p/f/s", "stock s", "ours s", "verdict");

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Verdicts that deserve a line for each of their tests. */
  private static final List<Verdict> LISTED =
      List.of(
          Verdict.REGRESSION,
          Verdict.NOT_COMPARED,
          Verdict.FLAKY,
          Verdict.STOCK_FAILURE,
          Verdict.KNOWN_DIFFERENCE,
          Verdict.KNOWN_STOCK_FAILURE);

  /** The table and all that is not simply equal, in columns for a terminal. */
  String toText() {
    List<List<String>> rows = rows();
    int[] widths = new int[HEADER.size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        boolean number = column >= 2 && column <= 6;
        line.append(
            String.format("%" + (number ? "" : "-") + widths[column] + "s  ", row.get(column)));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    findings().forEach(line -> text.append(line).append('\n'));
    return text.append(summary()).append('\n').toString();
  }

  String toMarkdown() {
    StringBuilder text =
        new StringBuilder("# Hadoop's own HDFS tests: " + result.side().label() + "\n\n");
    List<List<String>> rows = rows();
    for (int index = 0; index < rows.size(); index++) {
      text.append("| ").append(String.join(" | ", rows.get(index))).append(" |\n");
      if (index == 0) {
        text.append("|").append("---|".repeat(HEADER.size())).append('\n');
      }
    }
    text.append("\np/f/s: passed, failed, skipped in the last run of the class.\n\n");
    findings().forEach(line -> text.append("- ").append(line).append('\n'));
    return text.append('\n').append(summary()).append('\n').toString();
  }

  /** Writes both; the path of the JSON file. */
  Path write(Path folder) throws IOException {
    String name = "results-" + result.side().label();
    Files.writeString(folder.resolve(name + ".md"), toMarkdown());
    Path json = folder.resolve(name + ".json");
    JSON.writeValue(json.toFile(), toJson());
    return json;
  }

  /**
   * Reasons why this report is no proof, one line each; empty when all is well.
   *
   * @param wantedPlugins classes that some test of our side must have loaded
   */
  List<String> problems(List<String> wantedPlugins) {
    List<String> problems = new ArrayList<>();
    for (Comparison comparison : comparisons()) {
      switch (comparison.verdict()) {
        case REGRESSION ->
            problems.add(simpleName(comparison) + " passes on stock and not with the plug-ins");
        case NOT_COMPARED ->
            problems.add(simpleName(comparison) + " fails with the plug-ins; stock was not run");
        case NOTHING_RAN ->
            problems.add(simpleName(comparison) + " passed no test: nothing checked");
        default -> {}
      }
    }
    wantedPlugins.stream()
        .filter(plugin -> classesThatLoaded(plugin) == 0)
        .forEach(plugin -> problems.add("no test loaded " + plugin));
    if (result.side() == Side.DECIDING) {
      problems.addAll(undecidedProblems(!wantedPlugins.isEmpty()));
    }
    return problems;
  }

  /** Our code must have decided where it could; each kind of decision, once all classes ran. */
  private List<String> undecidedProblems(boolean wholeSuite) {
    List<String> problems = new ArrayList<>();
    for (Comparison comparison : comparisons()) {
      boolean decided = comparison.decisions().getOrDefault(PLACEMENT, 0L) > 0;
      if (!decided && !undecided.contains(comparison.className())) {
        problems.add(simpleName(comparison) + ": our code placed no block, and should have");
      }
    }
    if (wholeSuite) {
      KINDS.stream()
          .filter(kind -> comparisons().stream().noneMatch(c -> c.decisions().containsKey(kind)))
          .forEach(kind -> problems.add("our code made no decision of kind " + kind));
    }
    return problems;
  }

  private List<Comparison> comparisons() {
    return result.comparisons();
  }

  private List<TestClass> classes() {
    return result.classes();
  }

  /** 0 when there are no problems, 1 when the plug-ins break a test, 3 when too little ran. */
  int exitCode(List<String> wantedPlugins) {
    boolean broken =
        comparisons().stream()
            .map(Comparison::verdict)
            .anyMatch(v -> v == Verdict.REGRESSION || v == Verdict.NOT_COMPARED);
    if (broken) {
      return 1;
    }
    return problems(wantedPlugins).isEmpty() ? 0 : UsageException.BAD_STATE;
  }

  private long classesThatLoaded(String plugin) {
    return comparisons().stream()
        .filter(c -> c.ours().stream().anyMatch(run -> run.pluginClasses().contains(plugin)))
        .count();
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADER);
    for (int index = 0; index < classes().size(); index++) {
      Comparison comparison = comparisons().get(index);
      TestClass testClass = classes().get(index);
      rows.add(
          List.of(
              testClass.area(),
              testClass.simpleName(),
              Integer.toString(comparison.tests().size()),
              counts(comparison.stock()),
              counts(comparison.ours()),
              secondsOf(comparison.stock()),
              secondsOf(comparison.ours()),
              verdictText(comparison)));
    }
    return rows;
  }

  private static String counts(List<ClassRun> runs) {
    if (runs.isEmpty()) {
      return "-";
    }
    ClassRun last = runs.get(runs.size() - 1);
    String end = last.end() == ClassRun.End.FINISHED ? "" : " " + last.end();
    return last.count(Outcome.PASSED)
        + "/"
        + last.count(Outcome.FAILED)
        + "/"
        + last.count(Outcome.SKIPPED)
        + end;
  }

  private static String secondsOf(List<ClassRun> runs) {
    return runs.isEmpty() ? "-" : String.format("%.0f", runs.get(runs.size() - 1).seconds());
  }

  private static String verdictText(Comparison comparison) {
    int concerned = comparison.testsWith(comparison.verdict()).size();
    boolean plain = comparison.verdict() == Verdict.PASSES || concerned == 0;
    return comparison.verdict().label() + (plain ? "" : " (" + concerned + ")");
  }

  private List<String> findings() {
    List<String> lines = new ArrayList<>();
    for (Verdict verdict : LISTED) {
      for (Comparison comparison : comparisons()) {
        for (TestComparison test : comparison.testsWith(verdict)) {
          String headline = test.detail().lines().findFirst().orElse("");
          lines.add(
              String.format(
                  "%s: %s %s: stock %s, ours %s: %s",
                  verdict.label(),
                  simpleName(comparison),
                  test.test(),
                  test.stock(),
                  test.ours(),
                  headline));
        }
      }
    }
    for (Comparison comparison : comparisons()) {
      comparison.ours().stream()
          .flatMap(run -> run.pluginWarnings().stream())
          .distinct()
          .forEach(warning -> lines.add("plug-in log: " + simpleName(comparison) + ": " + warning));
    }
    lines.addAll(pluginLines());
    decisions().forEach((kind, count) -> lines.add("decisions: " + kind + ": " + count));
    return lines;
  }

  private SortedMap<String, Long> decisions() {
    SortedMap<String, Long> sums = new TreeMap<>();
    comparisons().forEach(c -> c.decisions().forEach((kind, n) -> sums.merge(kind, n, Long::sum)));
    return sums;
  }

  private static String simpleName(Comparison comparison) {
    return comparison.className().substring(comparison.className().lastIndexOf('.') + 1);
  }

  /**
   * The number of test classes that met each plug-in: a class may configure its own policy or file
   * system.
   */
  private List<String> pluginLines() {
    return comparisons().stream()
        .flatMap(c -> c.ours().stream())
        .flatMap(run -> run.pluginClasses().stream())
        .distinct()
        .sorted()
        .map(plugin -> plugin + ": loaded by " + classesThatLoaded(plugin) + " classes")
        .toList();
  }

  private String summary() {
    Map<Verdict, Long> byVerdict =
        comparisons().stream()
            .flatMap(c -> c.tests().stream())
            .collect(Collectors.groupingBy(TestComparison::verdict, Collectors.counting()));
    List<String> parts = new ArrayList<>();
    for (Verdict verdict : Verdict.values()) {
      if (byVerdict.containsKey(verdict)) {
        parts.add(byVerdict.get(verdict) + " " + verdict.label());
      }
    }
    return String.format(
        "%s: %d classes, %d tests (%s) in %.1f minutes, %d JVMs at a time",
        result.side().label(),
        comparisons().size(),
        comparisons().stream().mapToInt(c -> c.tests().size()).sum(),
        String.join(", ", parts),
        seconds / 60,
        jobs);
  }

  private Map<String, Object> toJson() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int index = 0; index < classes().size(); index++) {
      Comparison comparison = comparisons().get(index);
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("area", classes().get(index).area());
      row.put("class", comparison.className());
      row.put("tests", comparison.tests().size());
      row.put("verdict", comparison.verdict().label());
      row.put("stock", comparison.stock().stream().map(Report::sideJson).toList());
      row.put("ours", comparison.ours().stream().map(Report::sideJson).toList());
      row.put(
          "findings",
          comparison.tests().stream().filter(test -> LISTED.contains(test.verdict())).toList());
      rows.add(row);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("side", result.side().label());
    json.put("seconds", seconds);
    json.put("jobs", jobs);
    json.put("summary", summary());
    json.put("classes", rows);
    return json;
  }

  private static Map<String, Object> sideJson(ClassRun run) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("attempt", run.attempt());
    json.put("end", run.end());
    json.put("passed", run.count(Outcome.PASSED));
    json.put("failed", run.count(Outcome.FAILED));
    json.put("skipped", run.count(Outcome.SKIPPED));
    json.put("seconds", run.seconds());
    json.put("plugin_classes", run.pluginClasses());
    json.put("decisions", run.decisions());
    json.put("plugin_warnings", run.pluginWarnings());
    return json;
  }
}
