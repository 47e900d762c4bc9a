package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.balancer.Balancer;

/**
 * A run of Hadoop's Balancer, a process of its own, beside repairs that go on: what both did.
 *
 * @param rounds of the repairs that had something to repair
 * @param said by the Balancer
 * @param backOffs of the monitor because of it
 */
record BalancerBeside(List<Repairs.Round> rounds, String said, long backOffs) {
  /** It rests for nine seconds between its iterations, and gives up after five without a move. */
  private static final int SECONDS_MAX = 150;

  /** Looks at what has to hold at every moment. */
  interface Check {
    void look() throws IOException;
  }

  /**
   * Runs it to its end, or for a while. It knows of HDFS's defaults alone and where HDFS is.
   *
   * @param options that it has besides, as {@code hdfs balancer} takes them
   */
  static BalancerBeside run(LiveCluster cluster, Path folder, Check check, String... options)
      throws Exception {
    SeenMonitor monitor = new SeenMonitor(cluster);
    long backOffsBefore = shown("BackOffs", "balancer");
    List<Repairs.Round> rounds = new CopyOnWriteArrayList<>();
    Repairs running = monitor.repairs();
    Thread thread = new Thread(() -> running.run(1_000, rounds::add), "test-repairs");
    thread.start();
    Path said = folder.resolve("balancer.txt");
    Process balancer = start(cluster, said, options);
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
      while (!balancer.waitFor(50, TimeUnit.MILLISECONDS) && System.nanoTime() < end) {
        check.look();
      }
    } finally {
      balancer.destroy();
      assertThat(balancer.waitFor(1, TimeUnit.MINUTES)).isTrue();
      running.stop();
      thread.join();
    }
    monitor.walk();
    return new BalancerBeside(
        rounds, Files.readString(said), shown("BackOffs", "balancer") - backOffsBefore);
  }

  private static Process start(LiveCluster cluster, Path said, String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(options));
    words.addAll(List.of("-fs", cluster.fs().getUri().toString()));
    ProcessBuilder builder = ChildJvm.of(Balancer.class, "256m", words.toArray(String[]::new));
    return builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
  }
}
