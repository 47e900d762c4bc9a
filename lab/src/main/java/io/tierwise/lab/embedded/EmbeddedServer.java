package io.tierwise.lab.embedded;

import io.tierwise.lab.demo.DemoKeys;
import io.tierwise.lab.demo.DemoLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;

/**
 * An embedded cluster that others find by {@link EmbeddedPlace}: with an example file, a
 * configuration directory for commands, and a log. Its files go with the process.
 */
public final class EmbeddedServer {
  private static final Path EXAMPLE = new Path("/data/example");
  private static final int EXAMPLE_BYTES = 3 << 20;

  private EmbeddedServer() {}

  /** Starts one; the caller has taken the place. It serves until the process ends. */
  public static EmbeddedCluster start(EmbeddedPlan plan) throws IOException {
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
    return cluster;
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
