package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** README's figures are those of the pages that it links. */
class ReadmeFiguresTest {
  private static final Path PROJECT = CommandReferenceTest.projectFolder();
  private static final Pattern PAGE = Pattern.compile("\\((docs/results/[a-z-]+\\.md)");
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d.,]*\\d|\\d");
  private static final int NAME = 0;
  private static final int READ = 1;

  private static List<String> rows() throws IOException {
    return Files.readAllLines(PROJECT.resolve("README.md")).stream()
        .filter(line -> line.startsWith("| [") && PAGE.matcher(line).find())
        .toList();
  }

  private static String page(String row) throws IOException {
    Matcher page = PAGE.matcher(row);
    assertThat(page.find()).isTrue();
    return Files.readString(PROJECT.resolve(page.group(1)));
  }

  /** All that a row says; where its links lead is left out. */
  private static String said(String row) {
    return row.replaceAll("\\([^)]*\\)", "");
  }

  private static String lastCell(String row) {
    String[] cells = row.split("\\|");
    return cells[cells.length - 1];
  }

  @Test
  void theDemosHeadlineIsWhatItsRowsSay() throws IOException {
    String row = rows().stream().filter(line -> line.contains("emulated devices,")).findAny().get();
    String page = page(row);
    String headline = page.substring(page.indexOf("**Tierwise reads"));
    String block = headline.substring(0, headline.indexOf("<!-- end of headline"));
    double stock = 0;
    double ours = 0;
    double recommended = 0;
    for (String line : block.lines().filter(l -> l.matches("\\| (stock|Tierwise) .*")).toList()) {
      String[] cells = line.substring(2).split(" \\| ");
      double read = Double.parseDouble(cells[READ]);
      stock = cells[NAME].startsWith("stock") ? Math.max(stock, read) : stock;
      ours = cells[NAME].startsWith("Tierwise") ? Math.max(ours, read) : ours;
      recommended = cells[NAME].equals("Tierwise hybrid / auto") ? read : recommended;
    }
    ours = recommended > 0 ? recommended : ours;
    String times = String.format(Locale.ROOT, "%.1f times", ours / stock);
    assertThat(headline).startsWith("**Tierwise reads " + times + " as fast");
    assertThat(lastCell(row)).contains(times + " the read rate");
  }

  @Test
  void numbersOfTheTableStandInTheLinkedPages() throws IOException {
    for (String row : rows()) {
      if (row.contains("emulated devices,")) {
        continue; // computed above
      }
      String page = page(row);
      Matcher number = NUMBER.matcher(said(row));
      while (number.find()) {
        assertThat(Pattern.compile("(?<![\\d.])" + Pattern.quote(number.group())).matcher(page))
            .as("%s of README's row: %s", number.group(), row)
            .matches(Matcher::find);
      }
    }
  }
}
