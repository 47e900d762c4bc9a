package io.tierwise.benchmarks.movement;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.util.ToolRunner;

/** The tool that brings the data to the SSDs. */
enum Contender {
  /** Ours, its throttle off. */
  OURS("ours"),
  /** Hadoop's Mover with its defaults. */
  MOVER_DEFAULT("Hadoop's Mover"),
  /** The external storage policy satisfier, its limits raised. */
  SATISFIER("satisfier, limits raised"),
  /** Hadoop's Mover with its waits set to zero. */
  MOVER_TUNED("Hadoop's Mover, no waits");

  private final String text;

  Contender(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /**
   * A turn.
   *
   * @param seconds until the NameNode reported every replica in place
   * @param processorSeconds of all processes in that time
   * @param gapSeconds the longest time without a replica that came; of ours only
   */
  record Turn(double seconds, double processorSeconds, double gapSeconds) {}

  Turn run(BenchHdfs hdfs, int blocks, Satisfier satisfier) throws IOException {
    hdfs.fs().setStoragePolicy(BenchHdfs.DATA, "ALL_SSD");
    Gaps gaps = new Gaps();
    double processor = hdfs.processorSeconds(satisfier);
    long start = System.nanoTime();
    gaps.begin(start);
    CompletableFuture<Void> end = begin(hdfs, satisfier, gaps);
    hdfs.awaitAll(BenchHdfs.DATA, blocks, StorageType.SSD, end);
    double seconds = (System.nanoTime() - start) / 1e9;
    processor = hdfs.processorSeconds(satisfier) - processor;
    end.join();
    return new Turn(seconds, processor, gaps.longestSeconds());
  }

  private CompletableFuture<Void> begin(BenchHdfs hdfs, Satisfier satisfier, Gaps gaps)
      throws IOException {
    if (this == SATISFIER) {
      return satisfier.satisfy(hdfs, BenchHdfs.DATA);
    }
    return CompletableFuture.runAsync(
        () -> {
          try {
            if (this == OURS) {
              hdfs.move(BenchHdfs.DATA, BenchHdfs.ON_SSD, gaps);
            } else {
              hadoopsMover(hdfs);
            }
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  private void hadoopsMover(BenchHdfs hdfs) throws Exception {
    Configuration conf = hdfs.client();
    if (this == MOVER_TUNED) {
      conf.set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "0");
      conf.set(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, "0");
    }
    // The satisfier, which holds the Mover's lock, runs on beside it, idle. Ours needs its lock.
    NameNodeConnector.checkOtherInstanceRunning(false);
    int exit;
    try {
      exit =
          ToolRunner.run(
              conf,
              new org.apache.hadoop.hdfs.server.mover.Mover.Cli(),
              new String[] {"-p", hdfs.fs().makeQualified(BenchHdfs.DATA).toString()});
    } finally {
      NameNodeConnector.checkOtherInstanceRunning(true);
    }
    if (exit != 0) {
      throw new IOException("Hadoop's Mover ended with " + exit);
    }
  }

  /** Measures the longest time between two replicas in place. */
  private static final class Gaps implements Listener.Step {
    private long lastNanos;
    private long longestNanos;

    void begin(long nanos) {
      lastNanos = nanos;
    }

    @Override
    public synchronized void add(long amount) {
      long now = System.nanoTime();
      longestNanos = Math.max(longestNanos, now - lastNanos);
      lastNanos = now;
    }

    @Override
    public void finish(String remark) {}

    synchronized double longestSeconds() {
      return longestNanos / 1e9;
    }
  }
}
