package io.tierwise.cli.simulate;

import io.tierwise.cli.output.DrawnLine;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.experiments.run.RunProgress;
import java.io.PrintWriter;

/** Says how far all runs together are, on a terminal: a bar that is drawn over. */
public final class RunMeter extends RunProgress {
  private static final double REDRAW_SECONDS = 0.2;

  private final DrawnLine line;
  private final boolean terminal;
  private double drawnSeconds;

  /**
   * @param terminal whether {@code out} is one; elsewhere nothing is drawn
   */
  public RunMeter(PrintWriter out, boolean terminal) {
    this.line = new DrawnLine(out);
    this.terminal = terminal;
  }

  @Override
  public synchronized void update(int id, double simulatedSeconds, long jobs, double share) {
    super.update(id, simulatedSeconds, jobs, share);
    double elapsed = elapsedSeconds();
    if (terminal && elapsed - drawnSeconds > REDRAW_SECONDS) {
      drawnSeconds = elapsed;
      line.draw(line(elapsed, simulatedSeconds, jobs));
    }
  }

  String line(double elapsedSeconds, double simulatedSeconds, long jobs) {
    return ProgressBar.bar(share()) + "  " + text(elapsedSeconds, simulatedSeconds, jobs);
  }

  @Override
  public synchronized void close() {
    line.clear();
  }
}
