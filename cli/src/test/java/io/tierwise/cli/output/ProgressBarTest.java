package io.tierwise.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final ProgressBar bar =
      new ProgressBar(new PrintWriter(new StringWriter()), true, "moving", 1000);

  @Test
  void saysHowLongTheRestTakes() {
    assertThat(bar.left(250, 10)).isEqualTo(", 30 s left");
  }

  @Test
  void saysNothingBeforeItIsKnown() {
    assertThat(bar.left(0, 10)).isEmpty();
    assertThat(bar.left(5, 0.5)).isEmpty();
    assertThat(bar.left(1000, 10)).isEmpty();
  }
}
