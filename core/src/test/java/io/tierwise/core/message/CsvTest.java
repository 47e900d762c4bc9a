package io.tierwise.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CsvTest {
  @Test
  void onlyCellsThatWouldBreakTheLineStandInQuotes() {
    assertThat(
            Csv.line(Arrays.asList("a b", 1.5, null, "zone-ratio:a=1,b=2", "\"x\"", "two\nlines")))
        .isEqualTo("a b,1.5,,\"zone-ratio:a=1,b=2\",\"\"\"x\"\"\",\"two\nlines\"");
  }
}
