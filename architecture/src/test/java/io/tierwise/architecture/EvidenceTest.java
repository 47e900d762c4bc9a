package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of what shows each part name tests and commands that are there. */
class EvidenceTest {
  private static final String HEADING = "## What shows each part\n";
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");
  private static final Pattern MAKE = Pattern.compile("`make ([\\w-]+)`");
  private static final Pattern BENCH = Pattern.compile("`benchmarks/run-movement (\\w+)");
  private static final int SHOWN_BY = 3;

  private final Path root = Repository.root();

  /** Pages with a table, the last number of a part in it, and fewer classes than it names. */
  static Stream<Arguments> tables() {
    return Stream.of(
        Arguments.of("movement", 9, 40),
        Arguments.of("popularity", 11, 100),
        Arguments.of("simulator-evidence", 5, 25),
        Arguments.of("house", 8, 35));
  }

  private List<String[]> rows(String name) throws IOException {
    String page = Files.readString(root.resolve("docs/results/" + name + ".md"));
    String table = page.substring(page.indexOf(HEADING) + HEADING.length());
    return table
        .lines()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| ") && !line.startsWith("| #"))
        .map(line -> line.split("\\|"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void everyPartHasARow(String page, int lastPart) throws IOException {
    List<String> parts = new ArrayList<>();
    rows(page).forEach(row -> parts.addAll(List.of(row[1].strip().split(", "))));

    assertThat(parts)
        .containsAll(IntStream.rangeClosed(1, lastPart).mapToObj(String::valueOf).toList());
  }

  @ParameterizedTest
  @MethodSource("tables")
  void whatIsNamedIsThere(String page, int lastPart, int namedAtLeast) throws IOException {
    Set<String> classes = new TreeSet<>();
    Set<String> targets = new TreeSet<>();
    Set<String> parts = new TreeSet<>();
    for (String[] row : rows(page)) {
      names(CLASS, row[SHOWN_BY], classes);
      names(MAKE, row[SHOWN_BY], targets);
      names(BENCH, row[SHOWN_BY], parts);
    }
    Set<String> there =
        Repository.files(root, path -> path.toString().contains("src/test/java")).stream()
            .map(path -> path.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());

    assertThat(classes).hasSizeGreaterThan(namedAtLeast).allMatch(there::contains);
    assertThat(Files.readString(root.resolve("Makefile")))
        .contains(targets.stream().map(target -> "\n" + target + ":").toList());
    String benchmark = Files.readString(root.resolve("benchmarks/run-movement"));
    assertThat(parts).allMatch(part -> benchmark.contains(part + " "));
  }

  /** A class by its link or its name, and one of its tests behind it. */
  private static final Pattern METHOD = Pattern.compile("[\\[`]([A-Z]\\w+)[]`] `([a-z]\\w+)`");

  @ParameterizedTest
  @ValueSource(strings = {"house", "movement", "simulator-evidence", "testbed"})
  void testsThatAreNamedWithTheirClassAreInIt(String page) throws IOException {
    List<String> gone = new ArrayList<>();
    List<Path> sources = Repository.files(root, path -> path.toString().contains("src/test/java"));
    Matcher named = METHOD.matcher(Files.readString(root.resolve("docs/results/" + page + ".md")));
    while (named.find()) {
      String method = " " + named.group(2) + "(";
      boolean isThere = false;
      for (Path source : sources) {
        isThere |=
            source.endsWith(named.group(1) + ".java") && Files.readString(source).contains(method);
      }
      if (!isThere) {
        gone.add(named.group());
      }
    }
    assertThat(gone).isEmpty();
  }

  /** Behind this heading of the testbed's page stands a table a question, without numbers. */
  private static final String READS = "## Which test or command shows what is said of `auto`\n";

  private static final Pattern LINKED = Pattern.compile("\\[([A-Z]\\w+)]");
  private static final Pattern MADE = Pattern.compile("`make ([\\w-]+)");
  private static final Pattern PARTS = Pattern.compile("--parts ([\\w,]+)");
  private static final Pattern FIGURE = Pattern.compile("`(\\w+_(?:p\\d+|ratio))`");

  /** A test behind its class, if one is named, and whether it is said to be long. */
  private static final Pattern LENGTH =
      Pattern.compile("\\[([A-Z]\\w+)](?: `([a-z]\\w+)`)?( \\(long)?");

  private static final Pattern CLASS_BEGINS =
      Pattern.compile("^(?:public |abstract |final )*class ", Pattern.MULTILINE);

  /** The last column of the tables that say what shows how reads are ordered. */
  private List<String> shownOfReads() throws IOException {
    String page = Files.readString(root.resolve("docs/results/testbed.md"));
    return page.substring(page.indexOf(READS) + READS.length())
        .lines()
        .filter(line -> line.startsWith("| ") && !line.endsWith("| shown by |"))
        .map(line -> line.split("\\|")[2])
        .toList();
  }

  @Test
  void whatShowsHowReadsAreOrderedIsThere() throws IOException {
    Set<String> classes = new TreeSet<>();
    Set<String> targets = new TreeSet<>();
    Set<String> figures = new TreeSet<>();
    for (String shown : shownOfReads()) {
      assertThat(shown).as("a test, a command or a table").containsPattern("\\[|`make |`bin/");
      names(LINKED, shown, classes);
      names(MADE, shown, targets);
      names(FIGURE, shown, figures);
    }
    Set<String> there =
        Repository.files(root, path -> path.toString().contains("src/test/java")).stream()
            .map(path -> path.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    StringBuilder benches = new StringBuilder();
    for (Path source :
        Repository.files(root, path -> path.toString().startsWith("benchmarks/src/main"))) {
      benches.append(Files.readString(source));
    }

    assertThat(classes).hasSizeGreaterThan(25).allMatch(there::contains);
    assertThat(targets).hasSizeGreaterThan(3);
    assertThat(Files.readString(root.resolve("Makefile")))
        .contains(targets.stream().map(target -> "\n" + target + ":").toList());
    assertThat(figures).hasSizeGreaterThan(4);
    assertThat(benches).contains(figures.stream().map(figure -> '"' + figure + '"').toList());
  }

  @Test
  void partsOfTheBenchThatAreNamedAreThere() throws IOException {
    Set<String> named = new TreeSet<>();
    for (String page : List.of("docs/results/testbed.md", "docs/how-to/testbed.md")) {
      Set<String> lists = new TreeSet<>();
      names(PARTS, Files.readString(root.resolve(page)), lists);
      lists.forEach(list -> named.addAll(List.of(list.split(","))));
    }
    String parts =
        Files.readString(
            root.resolve("lab/src/main/java/io/tierwise/lab/testbed/bench/ReadsPart.java"));

    assertThat(named).hasSizeGreaterThan(7);
    // The testbed's bench does not measure what an order costs.
    assertThat(named)
        .allMatch(
            part -> part.equals("order") || parts.contains("  " + part.toUpperCase(Locale.ROOT)));
  }

  /** Who runs `make test` must know which of them did not run. */
  @Test
  void longTestsAreCalledLongAndOthersAreNot() throws IOException {
    List<Path> sources = Repository.files(root, path -> path.toString().contains("src/test/java"));
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (String shown : shownOfReads()) {
      Matcher named = LENGTH.matcher(shown);
      while (named.find()) {
        String file = named.group(1) + ".java";
        for (Path source : sources.stream().filter(path -> path.endsWith(file)).toList()) {
          seen++;
          if (isLong(Files.readString(source), named.group(2)) != (named.group(3) != null)) {
            wrong.add(named.group());
          }
        }
      }
    }

    assertThat(seen).isGreaterThan(40);
    assertThat(wrong).isEmpty();
  }

  /** A class by its own tag; a test of it by that, or by one of its own. */
  private static boolean isLong(String source, String test) {
    String tag = "@Tag(\"long\")";
    Matcher declared = CLASS_BEGINS.matcher(source);
    boolean isClassLong = declared.find() && source.substring(0, declared.start()).contains(tag);
    if (isClassLong || test == null) {
      return isClassLong;
    }
    int at = source.indexOf(" " + test + "(");
    return source.substring(source.lastIndexOf("\n\n", at), at).contains(tag);
  }

  private static void names(Pattern pattern, String text, Set<String> names) {
    pattern.matcher(text).results().map(found -> found.group(1)).forEach(names::add);
  }
}
