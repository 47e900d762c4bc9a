package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class RunMeterTest {
  @Test
  void theBarSaysHowMuchIsDoneAndHowLongItWillTake() {
    RunMeter meter = new RunMeter(new PrintWriter(new StringWriter()), false);
    meter.expect(4);
    meter.update(0, 1, 1, 0.5);
    meter.update(1, 1, 1, Double.NaN);
    meter.end(1);
    assertThat(meter.line(30, 1234, 99))
        .isEqualTo(
            "[#########...............]  38%  1 of 4 runs, 99 jobs, 1,234 s simulated, 0:50 left");
  }

  @Test
  void nothingIsDrawnWhereThereIsNoTerminal() {
    StringWriter out = new StringWriter();
    RunMeter meter = new RunMeter(new PrintWriter(out, true), false);
    meter.expect(1);
    meter.update(0, 1, 1, 0.5);
    meter.end(0);
    meter.close();
    assertThat(out.toString()).isEmpty();
  }
}
