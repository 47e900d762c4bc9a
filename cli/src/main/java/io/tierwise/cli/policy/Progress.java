package io.tierwise.cli.policy;

import io.tierwise.cli.output.DrawnLine;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells on standard error how many paths were looked at: on a terminal about once a second in a
 * line that is drawn over, elsewhere once a minute in a line of its own, for logs of long runs.
 */
final class Progress {
  private static final long REDRAW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LINE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final DrawnLine line;
  private final Consumer<String> lines;
  private final boolean terminal;
  private final LongSupplier clockNanos;
  private final long startNanos;
  private long paths;
  private long lastNanos;

  /**
   * @param lines says a line of its own
   * @param terminal whether {@code err} is one
   */
  Progress(PrintWriter err, Consumer<String> lines, boolean terminal, LongSupplier clockNanos) {
    this.line = new DrawnLine(err);
    this.lines = lines;
    this.terminal = terminal;
    this.clockNanos = clockNanos;
    this.startNanos = clockNanos.getAsLong();
    this.lastNanos = startNanos;
  }

  static Progress of(Output output) {
    return new Progress(output.err(), output::say, ProgressBar.onTerminal(), System::nanoTime);
  }

  void add() {
    paths++;
    long now = clockNanos.getAsLong();
    if (now - lastNanos < (terminal ? REDRAW_NANOS : LINE_NANOS)) {
      return;
    }
    lastNanos = now;
    double seconds = (now - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    String text = String.format(Locale.ROOT, "%,d paths, %,.0f a second", paths, paths / seconds);
    if (terminal) {
      line.draw(text);
    } else {
      lines.accept("so far " + text);
    }
  }

  /** Clears the line, so that an answer can begin. */
  void clear() {
    line.clear();
  }
}
