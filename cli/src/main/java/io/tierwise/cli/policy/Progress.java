package io.tierwise.cli.policy;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Tells a person at a terminal about once a second how many paths were looked at. */
final class Progress {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final PrintWriter err;
  private final boolean shown;
  private final LongSupplier clock;
  private final long startNanos;
  private long paths;
  private long lastNanos;
  private boolean printed;

  /**
   * @param shown whether anybody looks
   */
  Progress(PrintWriter err, boolean shown, LongSupplier clock) {
    this.err = err;
    this.shown = shown;
    this.clock = clock;
    this.startNanos = clock.getAsLong();
    this.lastNanos = startNanos;
  }

  /** For standard error, when it is a terminal. */
  @SuppressWarnings("SystemConsoleNull") // Newer Java: a line too many in a file at worst.
  static Progress toTerminal(PrintWriter err) {
    return new Progress(err, System.console() != null, System::nanoTime);
  }

  void add() {
    paths++;
    long now = clock.getAsLong();
    if (shown && now - lastNanos >= SECOND_NANOS) {
      lastNanos = now;
      printed = true;
      double seconds = (now - startNanos) / (double) SECOND_NANOS;
      err.printf(Locale.ROOT, "\r%,d paths, %,.0f a second ", paths, paths / seconds);
      err.flush();
    }
  }

  /** Clears the line, so that an answer can begin. */
  void clear() {
    if (printed) {
      err.print("\r" + " ".repeat(60) + "\r");
      err.flush();
      printed = false;
    }
  }

  long paths() {
    return paths;
  }
}
