package io.tierwise.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a table keeps to a terminal of 80 columns. */
class TextTableTest {
  private static String printed(Table table) {
    String text = String.join("\n", TextTable.lines(table)) + "\n";
    assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    return text;
  }

  @Test
  void whatFitsIsLeftAlone() {
    assertThat(printed(new Table().text("name").number("count").row("a", 12).row("bb", null)))
        .isEqualTo("name  count\na        12\nbb        -\n");
  }

  /** A value may be what any user of the cluster stored, and the reader an administrator. */
  @Test
  void whatWouldSteerATerminalIsShownAndSteersNothing() {
    String stored = "a\u001b[2J\nb";
    assertThat(printed(new Table().text("path").text("why").row(stored, stored)))
        .isEqualTo("path     why\na?[2J?b  a?[2J?b\n");
    assertThat(Fold.text("policy now: " + stored)).isEqualTo("policy now: a?[2J?b");
  }

  @Test
  void aLongNameLosesItsMiddleAndASentenceIsFolded() {
    String host = "data-node-0017.rack-b.north.datacentre.example.com:9866";
    String text = printed(new Table().text("node").text("why").row(host, "word ".repeat(20)));
    assertThat(text).contains("data-node-0017.r").contains("ple.com:9866").contains("…");
    assertThat(text.lines()).hasSizeGreaterThan(3);
    assertThat(text.replaceAll("[^w]", "")).as("no word is lost").hasSize(21);
  }

  /** Each name occurs twice, as a node does that has two volumes. */
  private static void assertToldApart(String... names) {
    Table table = new Table().text("node").text("rack").text("why");
    for (int i = 0; i < 2; i++) {
      for (String name : names) {
        table.row(name, "/rack-17-of-the-large-hall", "word ".repeat(8).strip());
      }
    }
    List<String> shown = new ArrayList<>();
    for (String line : printed(table).lines().skip(1).toList()) {
      String cell = line.split(" ", 2)[0];
      if (line.contains(" /")) {
        shown.add(cell);
      } else if (!cell.isEmpty()) {
        shown.add(shown.remove(shown.size() - 1) + cell);
      }
    }
    assertThat(shown).hasSize(2 * names.length);
    assertThat(new HashSet<>(shown)).hasSameSizeAs(names);
    assertThat(shown.subList(0, names.length)).isEqualTo(shown.subList(names.length, shown.size()));
  }

  @Test
  void namesThatDifferAtOnePlaceOnlyAreToldApart() {
    String before = "ip-10-0-17-";
    String after = ".workers.europe-west1-b.compute.internal";
    assertToldApart(before + 3 + after + ":9866", before + 3 + after + ":9867");
    assertToldApart(before + 3 + after + ":19866", before + 3 + after + ":29866");
    assertToldApart(before + 3 + after, before + 4 + after, before + 5 + after);
    String long30 = "datanode.of.the.large.hall.in.";
    assertToldApart(long30 + "a" + long30, long30 + "b" + long30, long30 + "c" + long30 + ":1");
  }

  @Test
  void numbersThatDoNotFitStandBelowBehindTheFirstColumnsOnceMore() {
    Table table = new Table().text("placement").text("access");
    for (int i = 0; i < 12; i++) {
      table.number("column-" + i);
    }
    table.row("hybrid", "dld", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    String text = printed(table);
    assertThat(text.lines().filter(line -> line.startsWith("placement  access"))).hasSize(2);
    assertThat(text.lines().filter(line -> line.startsWith("hybrid     dld"))).hasSize(2);
    assertThat(text.lines().filter(String::isEmpty)).hasSize(1);
    for (int i = 0; i < 12; i++) {
      assertThat(text).containsPattern("column-" + i + "\\b");
    }
  }

  @Test
  void aRowThatIsBlankInOnePartOfATableIsLeftOutThere() {
    Table table = new Table().number("block");
    table.text("node").text("tier").text("rack").text("why first");
    table.row(0, "n".repeat(30), "fast", "r".repeat(30), "x".repeat(30));
    table.row("", "n".repeat(30), "slow", "r".repeat(30), "");
    assertThat(printed(table).lines().filter(String::isEmpty)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void textIsFoldedAtItsBlanks() {
    assertThat(Fold.text("short")).isEqualTo("short");
    String folded = Fold.text("word ".repeat(30) + "x".repeat(200));
    assertThat(folded.lines()).allMatch(line -> line.length() <= 80);
    assertThat(folded.lines().skip(1)).allMatch(line -> line.startsWith("  "));
    assertThat(folded.replaceAll("[^x]", "")).as("nothing is lost").hasSize(200);
    assertThat(Fold.text("ok " + "word ".repeat(30), 3).lines().skip(1))
        .allMatch(line -> line.startsWith("   word"));
    assertThat(Fold.lines("  from page caches", 12, "")).containsExactly("  from page", "caches");
  }
}
