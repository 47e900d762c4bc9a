package io.tierwise.hadoop.inspect.policy;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells how many paths were looked at: on a terminal about once a second in a line that is drawn
 * over, elsewhere once a minute in a line of its own, for logs of long runs.
 */
public final class WalkProgress {
  private static final long REDRAW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LINE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Consumer<String> drawn;
  private final Consumer<String> lines;
  private final boolean terminal;
  private final LongSupplier clockNanos;
  private final long startNanos;
  private long paths;
  private long lastNanos;

  WalkProgress(
      Consumer<String> drawn, Consumer<String> lines, boolean terminal, LongSupplier clockNanos) {
    this.drawn = drawn;
    this.lines = lines;
    this.terminal = terminal;
    this.clockNanos = clockNanos;
    this.startNanos = clockNanos.getAsLong();
    this.lastNanos = startNanos;
  }

  /**
   * From now on.
   *
   * @param drawn draws over a terminal's line
   * @param lines says a line of its own
   * @param terminal which of both
   */
  public static WalkProgress of(Consumer<String> drawn, Consumer<String> lines, boolean terminal) {
    return new WalkProgress(drawn, lines, terminal, System::nanoTime);
  }

  /** Counts a path. */
  public void add() {
    paths++;
    long now = clockNanos.getAsLong();
    if (now - lastNanos < (terminal ? REDRAW_NANOS : LINE_NANOS)) {
      return;
    }
    lastNanos = now;
    double seconds = (now - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    String text = String.format(Locale.ROOT, "%,d paths, %,.0f a second", paths, paths / seconds);
    if (terminal) {
      drawn.accept(text);
    } else {
      lines.accept("so far " + text);
    }
  }
}
