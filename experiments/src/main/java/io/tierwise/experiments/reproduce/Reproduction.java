package io.tierwise.experiments.reproduce;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A paper's folder, read and checked: every printed number has a formula and a tolerance, and every
 * formula a printed number. Another simulator's numbers stand in a file that {@code numbers} names:
 * a row without a formula takes its own. Numbers that stand {@code beside} have no printed one.
 */
public record Reproduction(
    String paper,
    Path folder,
    List<ExpectedRow> expected,
    Map<RowKey, RowPlan> plans,
    Map<RowKey, Tolerance> tolerances,
    Map<String, RunPlan> runs,
    Templates templates) {
  static final String EXPECTED_HEADER = "figure,case,metric,value,unit,where";
  static final String NUMBERS_HEADER = "figure,case,metric,value";

  private static final Set<String> ROW_KEYS =
      Set.of("figure", "case", "metric", "ours", "calibrated", "given", "no-effect", "cause");
  private static final Set<String> BESIDE_KEYS = Set.of("figure", "case", "metric", "unit", "ours");
  private static final String DATA = "{data}";

  /** Reads a folder. */
  public static Reproduction read(Path folder) {
    try {
      YamlTree file = YamlTree.read(folder.resolve("runs.yaml"));
      Map<String, YamlTree> parts =
          file.entries(Set.of("sets", "seeds", "runs", "numbers", "rows", "beside"));
      Templates templates = Templates.of(part(parts, "sets"));
      int seeds = parts.containsKey("seeds") ? count(parts.get("seeds")) : 1;
      Map<String, RunPlan> runs = runs(part(parts, "runs"), templates, seeds);
      Map<RowKey, String> numbers = numbers(folder, part(parts, "numbers"));
      Map<RowKey, RowPlan> plans = rows(part(parts, "rows"), ROW_KEYS, templates, runs, numbers);
      List<ExpectedRow> expected = expected(folder.resolve("expected.csv"));
      Map<RowKey, Tolerance> tolerances = tolerances(folder.resolve("tolerance.yaml"), templates);
      Set<RowKey> printed = new HashSet<>();
      expected.forEach(row -> printed.add(row.key()));
      requireSame(folder + ": rows of runs.yaml", plans.keySet(), printed);
      requireSame(folder + ": tolerance.yaml", tolerances.keySet(), printed);
      YamlTree beside = part(parts, "beside");
      rows(beside, BESIDE_KEYS, templates, runs, numbers)
          .forEach(
              (key, plan) -> {
                if (plans.put(key, plan) != null) {
                  throw beside.wrong("has " + key + ", which the paper prints");
                }
              });
      beside.items().forEach(item -> addBeside(expected, item, templates));
      return new Reproduction(
          folder.getFileName().toString(), folder, expected, plans, tolerances, runs, templates);
    } catch (IOException e) {
      throw OperatorException.badInput(folder + ": cannot be read: " + e.getMessage());
    }
  }

  private static YamlTree part(Map<String, YamlTree> parts, String name) {
    return parts.getOrDefault(name, new YamlTree(name, null));
  }

  private static void requireSame(String where, Set<RowKey> found, Set<RowKey> printed) {
    for (RowKey key : printed) {
      if (!found.contains(key)) {
        throw OperatorException.badInput(where + ": nothing for " + key);
      }
    }
    for (RowKey key : found) {
      if (!printed.contains(key)) {
        throw OperatorException.badInput(where + ": expected.csv has no " + key);
      }
    }
  }

  private static Map<String, RunPlan> runs(YamlTree tree, Templates templates, int seeds) {
    Map<String, RunPlan> runs = new LinkedHashMap<>();
    for (YamlTree item : tree.items()) {
      Map<String, YamlTree> run = item.entries(Set.of("name", "scenario", "set", "seeds", "quick"));
      String template = required(item, run, "name").text();
      String scenario = required(item, run, "scenario").text();
      List<String> settings = part(run, "set").items().stream().map(YamlTree::text).toList();
      int count = run.containsKey("seeds") ? count(run.get("seeds")) : seeds;
      boolean quick = isTrue(run, "quick");
      for (UnaryOperator<String> filled : templates.combinations(template)) {
        String name = filled.apply(template);
        List<String> own = settings.stream().map(filled).toList();
        boolean needsData = own.stream().anyMatch(setting -> setting.contains(DATA));
        RunPlan plan =
            new RunPlan(name, filled.apply(scenario), own, count, quick && !needsData, needsData);
        if (runs.put(name, plan) != null) {
          throw item.wrong("is the second run named " + name);
        }
      }
    }
    return runs;
  }

  private static YamlTree required(YamlTree item, Map<String, YamlTree> entries, String key) {
    YamlTree value = entries.get(key);
    if (value == null) {
      throw item.wrong("has no " + key);
    }
    return value;
  }

  private static String textOf(Map<String, YamlTree> entries, String key) {
    return entries.containsKey(key) ? entries.get(key).text() : "";
  }

  private static boolean isTrue(Map<String, YamlTree> entries, String key) {
    String text = entries.containsKey(key) ? entries.get(key).text() : "false";
    if (!text.equals("true") && !text.equals("false")) {
      throw entries.get(key).wrong("is " + text + "; must be true or false");
    }
    return text.equals("true");
  }

  private static int count(YamlTree tree) {
    String text = tree.text();
    if (!text.matches("[1-9][0-9]{0,2}")) {
      throw tree.wrong("is " + text + "; must be 1 to 999");
    }
    return Integer.parseInt(text);
  }

  /** The numbers that another simulator wrote, as they stand there; none when no file is named. */
  private static Map<RowKey, String> numbers(Path folder, YamlTree name) throws IOException {
    Map<RowKey, String> numbers = new LinkedHashMap<>();
    if (name.value() != null) {
      for (List<String> cells : CsvRows.read(folder.resolve(name.text()), NUMBERS_HEADER)) {
        numbers.put(new RowKey(cells.get(0), cells.get(1), cells.get(2)), cells.get(3));
      }
    }
    return numbers;
  }

  private static Map<RowKey, RowPlan> rows(
      YamlTree tree,
      Set<String> keys,
      Templates templates,
      Map<String, RunPlan> runs,
      Map<RowKey, String> numbers) {
    Map<RowKey, RowPlan> plans = new LinkedHashMap<>();
    for (YamlTree item : tree.items()) {
      Map<String, YamlTree> row = item.entries(keys);
      RowKey template = key(item, row);
      String formula = row.containsKey("ours") ? row.get("ours").text() : null;
      Basis basis = basis(item, row);
      String cause = textOf(row, "cause");
      String noEffect = textOf(row, "no-effect");
      for (UnaryOperator<String> filled : templates.combinations(template.toString())) {
        RowKey key = template.filled(filled);
        String own = formula == null ? numbers.get(key) : filled.apply(formula);
        if (own == null) {
          throw item.wrong("has no ours, and no file of numbers has " + key);
        }
        Set<String> needed = needed(item, own, templates, runs);
        boolean counts = keys.equals(ROW_KEYS) && basis == Basis.PREDICTED;
        if (counts && formula != null && needed.isEmpty()) {
          throw item.wrong("names no run, so that nothing predicts it: say given: true");
        }
        RowPlan plan = new RowPlan(key, own, needed, basis, noEffect, cause);
        if (plans.put(key, plan) != null) {
          throw item.wrong("is the second row for " + key);
        }
      }
    }
    return plans;
  }

  private static Basis basis(YamlTree item, Map<String, YamlTree> row) {
    boolean calibrated = isTrue(row, "calibrated");
    boolean given = isTrue(row, "given");
    if (calibrated && given) {
      throw item.wrong("is calibrated and given: it can be one of them");
    }
    return calibrated ? Basis.CALIBRATED : given ? Basis.GIVEN : Basis.PREDICTED;
  }

  /** Adds numbers that the paper does not have behind those of their figure. */
  private static void addBeside(List<ExpectedRow> rows, YamlTree item, Templates templates) {
    Map<String, YamlTree> entries = item.entries(BESIDE_KEYS);
    RowKey template = key(item, entries);
    String unit = required(item, entries, "unit").text();
    for (UnaryOperator<String> filled : templates.combinations(template.toString())) {
      RowKey key = template.filled(filled);
      int at = rows.size();
      while (at > 0 && !rows.get(at - 1).key().figure().equals(key.figure())) {
        at--;
      }
      rows.add(at == 0 ? rows.size() : at, ExpectedRow.beside(key, unit));
    }
  }

  private static Set<String> needed(
      YamlTree item, String formula, Templates templates, Map<String, RunPlan> runs) {
    Set<String> needed = new TreeSet<>();
    try {
      Formula.evaluate(
          formula,
          templates.members(),
          (run, figure) -> {
            needed.add(run);
            return 1;
          });
    } catch (IllegalArgumentException e) {
      throw item.wrong(e.getMessage());
    }
    for (String run : needed) {
      if (!runs.containsKey(run)) {
        throw item.wrong("names the run " + run + ", which is not there");
      }
    }
    return needed;
  }

  private static RowKey key(YamlTree item, Map<String, YamlTree> row) {
    return new RowKey(
        required(item, row, "figure").text(),
        required(item, row, "case").text(),
        required(item, row, "metric").text());
  }

  private static List<ExpectedRow> expected(Path file) throws IOException {
    List<ExpectedRow> rows = new ArrayList<>();
    Set<RowKey> seen = new HashSet<>();
    for (List<String> cells : CsvRows.read(file, EXPECTED_HEADER)) {
      RowKey key = new RowKey(cells.get(0), cells.get(1), cells.get(2));
      if (!seen.add(key)) {
        throw OperatorException.badInput(file + ": has two lines for " + key);
      }
      try {
        rows.add(new ExpectedRow(key, Printed.parse(cells.get(3)), cells.get(4), cells.get(5)));
      } catch (NumberFormatException e) {
        throw OperatorException.badInput(file + ": " + key + ": is no number: " + cells.get(3));
      }
    }
    return rows;
  }

  /** A list of tolerances, each with the rows that it holds for. */
  private static Map<RowKey, Tolerance> tolerances(Path file, Templates templates)
      throws IOException {
    Map<RowKey, Tolerance> tolerances = new LinkedHashMap<>();
    for (YamlTree item : YamlTree.read(file).items()) {
      Map<String, YamlTree> entry = item.entries(Set.of("absolute", "relative", "reason", "rows"));
      if (entry.containsKey("absolute") == entry.containsKey("relative")) {
        throw item.wrong("must have either absolute or relative");
      }
      Tolerance tolerance =
          new Tolerance(
              number(entry.get("absolute")),
              number(entry.get("relative")),
              required(item, entry, "reason").text());
      for (YamlTree row : required(item, entry, "rows").items()) {
        RowKey template = key(row, row.entries(Set.of("figure", "case", "metric")));
        for (UnaryOperator<String> filled : templates.combinations(template.toString())) {
          RowKey key = template.filled(filled);
          if (tolerances.put(key, tolerance) != null) {
            throw row.wrong("is the second tolerance for " + key);
          }
        }
      }
    }
    return tolerances;
  }

  private static double number(YamlTree tree) {
    if (tree == null) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(tree.text());
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw tree.wrong("is no number: " + tree.text());
    }
    throw tree.wrong("must not be negative");
  }

  /** Names of all reproductions in a folder that this simulator runs, in order. */
  public static List<String> papers(Path folder) {
    try (var all = Files.list(folder)) {
      return all.filter(each -> Files.exists(each.resolve("runs.yaml")))
          .map(each -> each.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw OperatorException.badInput(
          folder + " is no folder of reproductions: name one with --folder");
    }
  }

  /**
   * Reads reproductions.
   *
   * @param papers names; empty for all that are there
   */
  public static List<Reproduction> read(Path folder, List<String> papers) {
    List<String> known = papers(folder);
    for (String paper : papers) {
      if (!known.contains(paper)) {
        throw OperatorException.badInput(
            "no reproduction is named " + paper + "; there are: " + String.join(", ", known));
      }
    }
    List<String> wanted = papers.isEmpty() ? known : papers;
    return wanted.stream().map(paper -> read(folder.resolve(paper))).toList();
  }

  /** The size of a reproduction. */
  public record Size(String paper, int printedNumbers, int runs) {
    /** For people. */
    public String text() {
      return paper + ": " + printedNumbers + " printed numbers, " + runs + " runs";
    }
  }

  public Size size() {
    int printed = (int) expected.stream().filter(ExpectedRow::isPrinted).count();
    return new Size(paper, printed, runs.size());
  }

  /**
   * Chooses rows.
   *
   * @param text that figure, case or metric contain
   * @param quick whether only those that come from quick runs
   */
  public Predicate<RowPlan> rows(String text, boolean quick) {
    return row ->
        row.key().toString().contains(text)
            && (!quick || row.runs().stream().allMatch(run -> runs().get(run).quick()));
  }

  /** Refuses a text that no row of these papers contains. */
  public static void requireAny(List<Reproduction> papers, String figure) {
    if (papers.stream()
        .noneMatch(each -> each.plans.values().stream().anyMatch(each.rows(figure, false)))) {
      throw OperatorException.badInput(
          "--figure "
              + figure
              + ": no row's figure, case or metric contains it; see ours.csv in the papers'"
              + " folders");
    }
  }

  /** The comparisons of those rows. */
  public List<Comparison> only(Predicate<RowPlan> wanted, List<Comparison> comparisons) {
    return comparisons.stream().filter(each -> wanted.test(plans.get(each.row().key()))).toList();
  }
}
