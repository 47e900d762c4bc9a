package io.tierwise.experiments.run;

import java.util.function.BooleanSupplier;

/** Counts the runs of one thread, and stops it after so many, as Ctrl-C may. */
public final class StopAfter implements RunListener, BooleanSupplier {
  /** For short runs. What they read is drawn, so that seeds differ. */
  public static final String SCENARIO =
      """
      nodes: {n: {link: 1 Gbps, volumes: [{device: d}]}}
      devices: {d: {read: 100 MB/s, write: 100 MB/s}}
      cluster: {racks: [{nodes: [{kind: n, count: 5}]}]}
      policies: {replication: 1}
      workload: {dfsio: {tasks: 7, file: 300 MB}}
      """;

  private final int runs;
  private int ended;

  public StopAfter(int runs) {
    this.runs = runs;
  }

  @Override
  public void end(int id) {
    ended++;
  }

  @Override
  public boolean getAsBoolean() {
    return ended >= runs;
  }

  /** Runs that are over. */
  public int ended() {
    return ended;
  }
}
