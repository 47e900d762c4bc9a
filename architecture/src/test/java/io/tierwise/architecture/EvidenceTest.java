package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of what shows each part of movement names tests and commands that are there. */
class EvidenceTest {
  private static final String HEADING = "## What shows each part\n";
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");
  private static final Pattern MAKE = Pattern.compile("`make ([\\w-]+)`");
  private static final Pattern BENCH = Pattern.compile("`benchmarks/run-movement (\\w+)");
  private static final int SHOWN_BY = 3;

  private final Path root = Repository.root();

  private List<String[]> rows() throws IOException {
    String page = Files.readString(root.resolve("docs/results/movement.md"));
    String table = page.substring(page.indexOf(HEADING) + HEADING.length());
    return table
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| #"))
        .map(line -> line.split("\\|"))
        .toList();
  }

  @Test
  void everyPartHasARow() throws IOException {
    List<String> parts = new ArrayList<>();
    rows().forEach(row -> parts.addAll(List.of(row[1].strip().split(", "))));

    assertThat(parts).contains("1", "2", "3", "4", "5", "6", "7", "8", "9");
  }

  @Test
  void whatIsNamedIsThere() throws IOException {
    Set<String> classes = new TreeSet<>();
    Set<String> targets = new TreeSet<>();
    Set<String> parts = new TreeSet<>();
    for (String[] row : rows()) {
      names(CLASS, row[SHOWN_BY], classes);
      names(MAKE, row[SHOWN_BY], targets);
      names(BENCH, row[SHOWN_BY], parts);
    }
    Set<String> there =
        Repository.files(root, path -> path.toString().contains("src/test/java")).stream()
            .map(path -> path.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());

    assertThat(classes).hasSizeGreaterThan(40).allMatch(there::contains);
    assertThat(Files.readString(root.resolve("Makefile")))
        .contains(targets.stream().map(target -> "\n" + target + ":").toList());
    assertThat(Files.readString(root.resolve("benchmarks/run-movement")))
        .contains(parts.stream().map(part -> part + " ").toList());
  }

  private static void names(Pattern pattern, String text, Set<String> names) {
    pattern.matcher(text).results().map(found -> found.group(1)).forEach(names::add);
  }
}
