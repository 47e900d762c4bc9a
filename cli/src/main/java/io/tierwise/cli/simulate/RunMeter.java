package io.tierwise.cli.simulate;

import io.tierwise.cli.output.ProgressBar;
import io.tierwise.experiments.run.RunListener;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says how far all runs together are, on a terminal: a bar that is drawn over. Safe for many
 * threads.
 */
public final class RunMeter implements RunListener {
  private static final long REDRAW_NANOS = 200_000_000;

  private final PrintWriter out;
  private final boolean terminal;
  private final long startNanos = System.nanoTime();
  private final Map<Integer, Double> running = new TreeMap<>();
  private int total;
  private int ended;
  private long drawnNanos = startNanos;

  /**
   * @param terminal whether {@code out} is one; elsewhere nothing is drawn
   */
  public RunMeter(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public synchronized void expect(int runs) {
    total += runs;
  }

  @Override
  public synchronized void update(int id, double simulatedSeconds, long jobs, double share) {
    running.put(id, share);
    long now = System.nanoTime();
    if (terminal && now - drawnNanos > REDRAW_NANOS) {
      drawnNanos = now;
      double elapsed = (double) (now - startNanos) / 1e9;
      out.print("\r" + line(elapsed, simulatedSeconds, jobs) + "\033[K");
      out.flush();
    }
  }

  @Override
  public synchronized void end(int id) {
    running.remove(id);
    ended++;
  }

  /** Wipes the bar. */
  @Override
  public synchronized void close() {
    if (terminal && drawnNanos != startNanos) {
      out.print("\r\033[K");
      out.flush();
    }
  }

  synchronized int ended() {
    return ended;
  }

  double elapsedSeconds() {
    return (double) (System.nanoTime() - startNanos) / 1e9;
  }

  /** The bar, with an estimate of the time left once there is something to go by. */
  synchronized String line(double elapsedSeconds, double simulatedSeconds, long jobs) {
    double done = ended;
    for (double share : running.values()) {
      // A workload whose last job has arrived is not over: nobody knows how much is left of it.
      done += Double.isFinite(share) ? Math.min(share, 0.99) : 0;
    }
    double share = total == 0 ? 0 : Math.min(1, done / total);
    String left = share > 0.02 ? ", " + duration(elapsedSeconds * (1 / share - 1)) + " left" : "";
    return String.format(
        Locale.ROOT,
        "%s  %d of %d runs, %,d jobs, %,.0f s simulated%s",
        ProgressBar.bar(share),
        ended,
        total,
        jobs,
        simulatedSeconds,
        left);
  }

  static String duration(double seconds) {
    long whole = Math.round(seconds);
    return whole >= 3600
        ? String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }
}
