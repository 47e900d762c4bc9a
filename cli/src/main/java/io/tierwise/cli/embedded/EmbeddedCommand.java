package io.tierwise.cli.embedded;

import io.tierwise.cli.cluster.EmbeddedPlace;
import io.tierwise.cli.demo.DemoKeys;
import io.tierwise.cli.demo.DemoLog;
import io.tierwise.cli.output.Output;
import io.tierwise.hadoop.embedded.EmbeddedCluster;
import io.tierwise.hadoop.embedded.EmbeddedNode;
import io.tierwise.hadoop.embedded.EmbeddedPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs an embedded cluster until it is told to end, for commands with {@code --embedded}. */
@Command(
    name = "embedded",
    description = {
      "Runs a real HDFS in one process on emulated devices: nine DataNodes in three racks, with the"
          + " plug-ins.",
      "Runs until Ctrl-C, or with --background until --stop. Other commands find it with --embedded"
          + " when they run in the same directory. It begins with a file /data/example; its data is"
          + " gone when it ends."
    },
    mixinStandardHelpOptions = true)
public final class EmbeddedCommand implements Callable<Integer> {
  private static final Path EXAMPLE = new Path("/data/example");
  private static final int EXAMPLE_BYTES = 3 << 20;

  @Spec private CommandSpec spec;

  @Option(
      names = "--speed-factor",
      paramLabel = "FACTOR",
      description = "Speed of the emulated devices and links (default: ${DEFAULT-VALUE}).",
      defaultValue = "0.25")
  private double speedFactor;

  @Option(
      names = "--background",
      description = "Return as soon as it serves; it goes on without a terminal.")
  private boolean background;

  @Option(names = "--stop", description = "End the one that runs here, and remove its files.")
  private boolean stop;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (stop && background) {
      throw new ParameterException(
          spec.commandLine(), "--background starts one and --stop ends it: give one of them");
    }
    if (stop) {
      out.println(Background.stop() ? "The embedded cluster has ended." : "None runs here.");
      return 0;
    }
    EmbeddedPlan plan = EmbeddedPlan.SMALL.withSpeedFactor(speedFactor);
    if (background) {
      long pid = Background.start("--speed-factor", String.valueOf(speedFactor));
      out.printf("An embedded HDFS serves: process %d, log %s.%n", pid, EmbeddedPlace.LOG);
      out.println("Try:  bin/tierwise tiers list --embedded");
      out.println("Stop: bin/tierwise embedded --stop");
      out.flush();
      return 0;
    }
    try (EmbeddedPlace place = EmbeddedPlace.take()) {
      if (place.cleaned()) {
        Output.say(spec, "removed what one that was killed had left in " + EmbeddedPlace.ROOT);
      }
      serve(plan, out);
    }
    return 0;
  }

  /** Until the process is told to end. */
  private void serve(EmbeddedPlan plan, PrintWriter out) throws IOException, InterruptedException {
    Files.createDirectories(EmbeddedPlace.ROOT);
    DemoLog.to(EmbeddedPlace.ROOT.resolve("daemons.log"));
    java.nio.file.Path files =
        EmbeddedPlace.ROOT.resolve("cluster-" + ProcessHandle.current().pid());
    // The data is disposable and Hadoop's daemons cannot be stopped in order while the JVM ends: so
    // the files go, and the daemons go with the process.
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> FileUtil.fullyDelete(EmbeddedPlace.ROOT.toFile())));
    EmbeddedCluster cluster =
        EmbeddedCluster.start(plan, DemoKeys.daemons(plan.nodes()), files.toAbsolutePath());
    writeExample(cluster);
    writeConfiguration(cluster, EmbeddedPlace.CONF);
    out.printf(
        Locale.ROOT,
        "HDFS at %s, devices emulated (hatS Table 4.2 x %s). Its nodes:%n",
        cluster.uri(),
        speedFactor);
    for (EmbeddedNode node : cluster.nodes()) {
      out.println("  " + node.rack() + "/" + node.hostName() + "  " + node.devices().keySet());
    }
    out.println("Try: bin/tierwise tiers list --embedded      End with Ctrl-C.");
    out.flush();
    new CountDownLatch(1).await();
  }

  /** Something to look at, in a folder that policies can be put on. */
  private static void writeExample(EmbeddedCluster cluster) throws IOException {
    byte[] content = new byte[EXAMPLE_BYTES];
    new SplittableRandom(1).nextBytes(content);
    try (FileSystem fs = FileSystem.newInstance(cluster.uri(), cluster.configuration());
        OutputStream file =
            fs.create(EXAMPLE, true, 4096, fs.getDefaultReplication(EXAMPLE), EXAMPLE_BYTES / 3)) {
      file.write(content);
    }
  }

  /** Written under another name first: whoever sees the directory sees all of it. */
  private static void writeConfiguration(EmbeddedCluster cluster, java.nio.file.Path conf)
      throws IOException {
    java.nio.file.Path unfinished = Files.createDirectories(conf.resolveSibling("conf.unfinished"));
    Configuration site = new Configuration(false);
    Configuration all = cluster.configuration();
    site.set("fs.defaultFS", cluster.uri().toString());
    for (String key :
        new String[] {
          "dfs.namenode.http-address",
          "dfs.block.replicator.classname",
          "dfs.namenode.plugins",
          "dfs.namenode.fs-limits.min-block-size"
        }) {
      if (all.get(key) != null) {
        site.set(key, all.get(key));
      }
    }
    site.set("tierwise.access.from-attribute.enabled", "true");
    try (OutputStream file = Files.newOutputStream(unfinished.resolve("core-site.xml"))) {
      site.writeXml(file);
    }
    Files.writeString(unfinished.resolve("tiers.yaml"), cluster.plan().tiersYaml());
    Files.move(unfinished, conf, StandardCopyOption.ATOMIC_MOVE);
  }
}
