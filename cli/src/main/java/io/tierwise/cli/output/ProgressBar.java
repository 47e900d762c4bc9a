package io.tierwise.cli.output;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says how far a long step is: a bar that is drawn over on a terminal, one line at the end
 * elsewhere. Safe for many threads.
 */
public final class ProgressBar implements Listener.Step {
  private static final int CELLS = 24;
  private static final double SECONDS_MIN = 1;
  private static final long REDRAW_NANOS = 200_000_000;

  private final PrintWriter out;
  private final DrawnLine drawn;
  private final boolean terminal;
  private final String label;
  private final long total;
  private final AtomicLong done = new AtomicLong();
  private final long startNanos = System.nanoTime();
  private final AtomicLong drawnNanos = new AtomicLong(System.nanoTime());

  /**
   * @param terminal whether {@code out} is one
   * @param total what {@link #add} will sum up to
   */
  public ProgressBar(PrintWriter out, boolean terminal, String label, long total) {
    this.out = out;
    this.drawn = new DrawnLine(out);
    this.terminal = terminal;
    this.label = String.format(Locale.ROOT, "%-42s", Fold.cut(label, 42));
    this.total = total;
  }

  /** Whether standard error is a terminal; on systems without /proc it counts as none. */
  public static boolean onTerminal() {
    try {
      Path standardError = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
      return standardError.startsWith("/dev/pts") || standardError.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Override
  public void add(long amount) {
    long sum = done.addAndGet(amount);
    long last = drawnNanos.get();
    long now = System.nanoTime();
    if (terminal && now - last > REDRAW_NANOS && drawnNanos.compareAndSet(last, now)) {
      drawn.draw(label + " " + bar(share(sum)) + left(sum, (now - startNanos) / 1e9));
    }
  }

  /** Ends the bar, with a remark behind it. */
  @Override
  public void finish(String remark) {
    drawn.clear();
    out.println(label + "  " + remark);
    out.flush();
  }

  private double share(long sum) {
    return total == 0 ? 1 : Math.min(1, sum / (double) total);
  }

  /** How long the rest takes at the rate so far; empty as long as nobody can tell. */
  String left(long sum, double seconds) {
    if (sum <= 0 || sum >= total || seconds < SECONDS_MIN) {
      return "";
    }
    return String.format(Locale.ROOT, ", %.0f s left", seconds * (total - sum) / sum);
  }

  /** A share from 0 to 1 as a bar and a percentage. */
  public static String bar(double share) {
    int full = (int) (share * CELLS);
    return String.format(
        Locale.ROOT, "[%s%s] %3.0f%%", "#".repeat(full), ".".repeat(CELLS - full), 100 * share);
  }
}
