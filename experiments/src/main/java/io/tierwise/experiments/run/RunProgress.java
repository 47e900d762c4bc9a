package io.tierwise.experiments.run;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts how far all runs together are. Safe for many threads. */
public class RunProgress implements RunListener {
  private final long startNanos = System.nanoTime();
  private final Map<Integer, Double> running = new TreeMap<>();
  private int total;
  private int ended;

  @Override
  public synchronized void expect(int runs) {
    total += runs;
  }

  @Override
  public synchronized void update(int id, double simulatedSeconds, long jobs, double share) {
    running.put(id, share);
  }

  @Override
  public synchronized void end(int id) {
    running.remove(id);
    ended++;
  }

  /** Runs that have ended. */
  public synchronized int ended() {
    return ended;
  }

  public double elapsedSeconds() {
    return (double) (System.nanoTime() - startNanos) / 1e9;
  }

  /** The part that is done, from 0 to 1. */
  public synchronized double share() {
    double done = ended;
    for (double share : running.values()) {
      // A workload whose last job has arrived is not over: nobody knows how much is left of it.
      done += Double.isFinite(share) ? Math.min(share, 0.99) : 0;
    }
    return total == 0 ? 0 : Math.min(1, done / total);
  }

  /** For people, with an estimate of the time left once there is something to go by. */
  public synchronized String text(double elapsedSeconds, double simulatedSeconds, long jobs) {
    double share = share();
    String left = share > 0.02 ? ", " + duration(elapsedSeconds * (1 / share - 1)) + " left" : "";
    return String.format(
        Locale.ROOT,
        "%d of %d runs, %,d jobs, %,.0f s simulated%s",
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
