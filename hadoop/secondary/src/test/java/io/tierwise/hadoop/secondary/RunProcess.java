package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A run in a process of its own, which ends as by {@code kill -9} at a step or a copied piece. */
final class RunProcess {
  private static final int KILLED = 137;

  private RunProcess() {}

  /** Whether the process was ended at that point; it came to its end otherwise. */
  static boolean killAt(
      Clusters clusters, String store, SecondaryRun.Kind kind, int at, String path)
      throws IOException, InterruptedException {
    Configuration conf = clusters.conf(store);
    SecondaryTier.prepare(conf);
    Path site = Files.createTempFile("tierwise-secondary", ".xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      conf.writeXml(out);
    }
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
            "-cp",
            System.getProperty("java.class.path"),
            RunProcess.class.getName(),
            site.toString(),
            kind.name(),
            Integer.toString(at),
            path);
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("a run that should end lives");
    }
    if (process.exitValue() != 0 && process.exitValue() != KILLED) {
      throw new AssertionError("a run failed: exit code " + process.exitValue());
    }
    return process.exitValue() == KILLED;
  }

  public static void main(String[] arguments) throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(Path.of(arguments[0]).toUri().toURL());
    SecondaryRun.Kind kind = SecondaryRun.Kind.valueOf(arguments[1]);
    List<String> paths = List.of(arguments[3]);
    SecondarySettings settings = new SecondarySettings(1L << 40, 0);
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      Journal journal = new Journal(Files.createTempDirectory("journal"));
      Countdown countdown =
          new Countdown(Integer.parseInt(arguments[2]), () -> Runtime.getRuntime().halt(KILLED));
      SecondaryReport plan = new SecondaryRun(tier, settings, kind).plan(paths);
      SecondaryReport report =
          new SecondaryRun(tier, settings, kind, countdown)
              .run(
                  paths,
                  plan,
                  () -> journal.begin("test", fs, paths, "", null),
                  countdown,
                  () -> false);
      if (!report.complete()) {
        throw new IOException(report.left().toString());
      }
    }
  }
}
