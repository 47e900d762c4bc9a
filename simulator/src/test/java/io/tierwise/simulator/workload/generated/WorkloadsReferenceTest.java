package io.tierwise.simulator.workload.generated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadsReferenceTest {
  @Test
  void listsEveryApplicationWithItsFigures() throws IOException {
    Path reference = Path.of(System.getProperty("tierwise.root"), "docs/reference/workloads.md");
    List<String> lines = Files.readAllLines(reference);
    for (Application row : ApplicationTable.bundled().all()) {
      String start = "| " + row.name() + " | ";
      List<String> found = lines.stream().filter(line -> line.startsWith(start)).toList();
      assertThat(found).as(row.name()).hasSize(1);
      if (!found.get(0).startsWith(start + "as ")) {
        String maps = row.mapCount() == 0 ? "one a block" : Integer.toString(row.mapCount());
        assertThat(found.get(0))
            .startsWith(start + row.source() + " | " + size(row.inputBytes()) + " | ")
            .contains(" | " + size(row.mapOutputBytes()) + " | " + size(row.outputBytes()) + " | ")
            .contains(" | " + maps + " | ");
        row.assumed()
            .forEach((figure, why) -> assertThat(found.get(0)).contains(figure + ": " + why));
      }
    }
  }

  /** The largest unit that is used in the table and leaves a whole number. */
  private static String size(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB"};
    int power = 0;
    long number = bytes;
    while (number > 0 && number % 1024 == 0 && power < 3) {
      number /= 1024;
      power++;
    }
    return number + " " + units[power];
  }
}
