package io.tierwise.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class SvgTest {
  @Property
  void theGridHasFourToTwentyLines(@ForAll @DoubleRange(min = 0.01, max = 1e6) double most) {
    assertThat(most / Svg.stepFor(most)).isBetween(4.0, 20.0);
  }

  @Property
  void eachLineOfTheGridSaysItsOwnFigure(
      @ForAll @DoubleRange(min = 1e-6, max = 1e6) @Scale(6) double most) {
    double step = Svg.stepFor(most);
    for (int line = 0; line * step <= most; line++) {
      assertThat(Double.parseDouble(Svg.tick(line * step)))
          .isCloseTo(line * step, withinPercentage(1e-6));
    }
  }

  /** For readers of screens, which would read every figure of every axis. */
  @Test
  void aDrawingIsOnePictureWithAName() {
    assertThat(new Svg(10, 10, "Reads & writes", "of a day").end().lines().limit(2))
        .satisfiesExactly(
            first -> assertThat(first).contains(" role=\"img\" "),
            second -> assertThat(second).isEqualTo("<title>Reads &amp; writes</title>"));
  }

  @Test
  void textsCannotBreakOut() {
    Svg svg = new Svg(10, 10, "a<b>&\u0000", "");
    svg.text(0.126, 1, Svg.Anchor.MIDDLE, "#000", "</text><script>");
    assertThat(svg.end())
        .contains("a&lt;b&gt;&amp; <")
        .contains("x=\"0.13\" y=\"1\" text-anchor=\"middle\"")
        .doesNotContain("<script>");
  }
}
