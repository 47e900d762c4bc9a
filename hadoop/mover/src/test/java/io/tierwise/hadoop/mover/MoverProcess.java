package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A mover in a process of its own, to be killed. It says {@code open} when it has the lock, and
 * {@code moved} for each replica that is in place.
 */
final class MoverProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private MoverProcess(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Begins to move what is below the path, a replica of each node at a time. */
  static MoverProcess start(LiveCluster cluster, String layout, String path) throws IOException {
    Path site = Files.createTempFile("tierwise-mover", ".xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      cluster.clientConf().writeXml(out);
    }
    return new MoverProcess(
        ChildJvm.of(MoverProcess.class, "256m", site.toString(), layout, path)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Waits for a line; false when the process ended before. */
  boolean await(String line) throws IOException {
    String said = lines.readLine();
    while (said != null && !said.equals(line)) {
      said = lines.readLine();
    }
    return said != null;
  }

  /** {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      throw new AssertionError("a mover that was killed lives");
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }

  public static void main(String[] arguments) throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(Path.of(arguments[0]).toUri().toURL());
    try (DistributedFileSystem fs = new DistributedFileSystem()) {
      fs.initialize(org.apache.hadoop.fs.FileSystem.getDefaultUri(conf), conf);
      MoverCluster cluster = MoverCluster.of(fs, conf);
      try (Mover mover = Mover.open(cluster, LiveCluster.quick().withMovesPerNode(1))) {
        System.out.println("open");
        MoveOrder order =
            new MoveOrder(
                List.of(arguments[2]),
                Optional.of(PlacementPolicies.parse(arguments[1], cluster.tiers().table())));
        mover.run(
            order,
            new Listener.Step() {
              @Override
              public void add(long amount) {
                System.out.println("moved");
              }

              @Override
              public void finish(String remark) {}
            });
      }
    }
  }
}
