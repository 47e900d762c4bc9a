package io.tierwise.cli.embedded;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.demo.DemoKeys;
import io.tierwise.cli.demo.DemoLog;
import io.tierwise.hadoop.embedded.EmbeddedCluster;
import io.tierwise.hadoop.embedded.EmbeddedNode;
import io.tierwise.hadoop.embedded.EmbeddedPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs an embedded cluster until it is told to end, for commands with {@code --embedded}. */
@Command(
    name = "embedded",
    description = {
      "Runs a real HDFS in this process on emulated devices until Ctrl-C: nine DataNodes in three"
          + " racks, with the plug-ins.",
      "Other commands find it with --embedded when they run in the same directory. Its data is"
          + " gone when it ends."
    },
    mixinStandardHelpOptions = true)
public final class EmbeddedCommand implements Callable<Integer> {
  private static final Path ROOT = Path.of("build", "embedded");

  @Spec private CommandSpec spec;

  @Option(
      names = "--speed-factor",
      paramLabel = "FACTOR",
      description = "Speed of the emulated devices and links (default: ${DEFAULT-VALUE}).",
      defaultValue = "0.25")
  private double speedFactor;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path conf = ROOT.resolve("conf");
    if (Files.exists(conf)) {
      throw OperatorException.cluster(
          conf + " exists: another embedded cluster runs here; if it was killed, remove " + ROOT,
          null);
    }
    Files.createDirectories(ROOT);
    DemoLog.to(ROOT.resolve("daemons.log"));
    Path files = ROOT.resolve("cluster-" + ProcessHandle.current().pid());
    EmbeddedPlan plan = EmbeddedPlan.SMALL.withSpeedFactor(speedFactor);
    // The data is disposable and Hadoop's daemons cannot be stopped in order while the JVM ends: so
    // the files go, and the daemons go with the process.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(ROOT.toFile())));
    EmbeddedCluster cluster =
        EmbeddedCluster.start(plan, DemoKeys.daemons(plan.nodes()), files.toAbsolutePath());
    writeConfiguration(cluster, conf);
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
    return 0;
  }

  /** Written under another name first: whoever sees the directory sees all of it. */
  private static void writeConfiguration(EmbeddedCluster cluster, Path conf) throws IOException {
    Path unfinished = Files.createDirectories(conf.resolveSibling("conf.unfinished"));
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
