package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  private static void names(Pattern pattern, String text, Set<String> names) {
    pattern.matcher(text).results().map(found -> found.group(1)).forEach(names::add);
  }
}
