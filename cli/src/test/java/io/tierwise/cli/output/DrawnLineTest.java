package io.tierwise.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DrawnLineTest {
  @Test
  void isDrawnOverAndClearedOnceBeforeAnAnswer() {
    StringWriter err = new StringWriter();
    DrawnLine line = new DrawnLine(new PrintWriter(err));
    line.clear();
    assertThat(err.toString()).isEmpty();
    line.draw("2 paths");
    line.draw("4 paths");
    assertThat(err.toString()).isEqualTo("\r2 paths\033[K\r4 paths\033[K");
    line.clear();
    line.clear();
    assertThat(err.toString()).endsWith("4 paths\033[K\r\033[K").containsOnlyOnce("\r\033[K");
  }
}
