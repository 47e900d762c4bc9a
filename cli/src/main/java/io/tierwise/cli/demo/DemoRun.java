package io.tierwise.cli.demo;

import io.tierwise.cli.bench.BenchPlace;
import io.tierwise.cli.bench.BenchRow;
import io.tierwise.cli.bench.DfsioComparison;
import io.tierwise.cli.bench.DfsioPlan;
import io.tierwise.cli.bench.DfsioTask;
import io.tierwise.cli.bench.ProgressBar;
import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.embedded.EmbeddedCluster;
import io.tierwise.hadoop.embedded.EmbeddedNode;
import io.tierwise.hadoop.embedded.EmbeddedPlan;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The demo's cluster and what is run on it. */
final class DemoRun implements AutoCloseable {
  private static final String ROOT = "/demo";
  private static final String BY_TYPE_KEY = "dfs.namenode.read.considerStorageType";
  private static final Set<String> KEPT =
      Set.of(DemoPlacement.STOCK_ONE_SSD, DemoPlacement.LAYOUT_ONE_FAST);

  private final EmbeddedPlan clusterPlan;
  private final DfsioPlan plan;
  private final PrintWriter err;
  private final Path clusterDirectory;
  private final EmbeddedCluster cluster;
  private final TierConfiguration tiers;
  private final Map<BenchPlace, EmbeddedNode> nodes;
  private final List<BenchPlace> places;

  DemoRun(EmbeddedPlan clusterPlan, DfsioPlan plan, Path directory, PrintWriter err)
      throws IOException {
    this.clusterPlan = clusterPlan;
    this.plan = plan;
    this.err = err;
    clusterDirectory = directory.resolve("cluster-" + ProcessHandle.current().pid());
    DemoLog.to(directory.resolve("daemons.log"));
    long start = System.nanoTime();
    cluster =
        EmbeddedCluster.start(
            clusterPlan, DemoKeys.daemons(clusterPlan.nodes()), clusterDirectory.toAbsolutePath());
    err.printf("Cluster is up after %d s.%n", (System.nanoTime() - start) / 1_000_000_000);
    err.flush();
    tiers = TierConfiguration.load(cluster.configuration());
    places =
        cluster.nodes().stream()
            .map(
                node ->
                    new BenchPlace(node.hostName(), node.address().getHostAddress(), node.rack()))
            .toList();
    nodes =
        places.stream()
            .collect(
                Collectors.toMap(
                    Function.identity(), place -> cluster.nodes().get(places.indexOf(place))));
  }

  List<String> tiers() {
    return tiers.table().tiers().stream().map(Tier::name).toList();
  }

  private Configuration configurationAt(BenchPlace place) {
    return cluster.configurationOn(nodes.get(place));
  }

  private DistributedFileSystem admin() throws IOException {
    Configuration conf = cluster.configuration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    return (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), conf);
  }

  /**
   * Measures all rows and returns them in the order of the plan.
   *
   * <p>Repeats go in turns. What needs other daemons comes behind, on files that are kept for it:
   * first a NameNode that sorts by storage type, then DataNodes that refuse readers.
   */
  List<BenchRow> compare(int repeats) throws IOException {
    List<DemoPlacement> placements =
        DemoPlacement.all(clusterPlan.linkBytesPerSecond() * clusterPlan.speedFactor());
    DfsioComparison comparison = comparison(plan);
    Map<String, List<List<DfsioTask>>> kept = new HashMap<>();
    try (DistributedFileSystem admin = admin()) {
      warmUp(admin);
      for (int repeat = 0; repeat < repeats; repeat++) {
        List<DemoPlacement> order = new ArrayList<>(placements);
        Collections.rotate(order, -repeat * placements.size() / repeats);
        for (DemoPlacement placement : order) {
          String folder = ROOT + "/run-" + comparison.writeCount();
          placement.prepare(admin, folder);
          List<DfsioTask> reads =
              comparison.run(placement.name(), placement.accesses(), folder, admin);
          if (KEPT.contains(placement.name())) {
            kept.computeIfAbsent(placement.name(), name -> new ArrayList<>()).add(reads);
          } else {
            admin.delete(new org.apache.hadoop.fs.Path(folder), true);
          }
        }
      }
    }
    readOnOtherDaemons(comparison, kept);
    return ordered(comparison.rows(), placements);
  }

  private void readOnOtherDaemons(
      DfsioComparison comparison, Map<String, List<List<DfsioTask>>> kept) throws IOException {
    // The key is the NameNode's and read at its start only.
    cluster.restartNameNode(BY_TYPE_KEY, "true");
    for (List<DfsioTask> tasks : kept.get(DemoPlacement.STOCK_ONE_SSD)) {
      comparison.read(DemoPlacement.STOCK_ONE_SSD, DemoPlacement.STOCK_BY_TYPE, tasks);
    }
    cluster.restartNameNode(BY_TYPE_KEY, "false");
    cluster.restartDataNodes(DemoKeys.STORAGE_LIMIT);
    for (List<DfsioTask> tasks : kept.get(DemoPlacement.LAYOUT_ONE_FAST)) {
      comparison.read(DemoPlacement.LAYOUT_ONE_FAST, DemoPlacement.BY_STORAGE, tasks);
    }
    cluster.restartDataNodes(DemoKeys.NODE_LIMIT);
    for (List<DfsioTask> tasks : kept.get(DemoPlacement.LAYOUT_ONE_FAST)) {
      comparison.read(DemoPlacement.LAYOUT_ONE_FAST, DemoPlacement.BY_NODE, tasks);
    }
  }

  /** Classes are loaded and hot paths compiled before anything counts. */
  private void warmUp(DistributedFileSystem admin) throws IOException {
    DfsioPlan small =
        new DfsioPlan(
            plan.taskCount(),
            plan.blockBytes(),
            plan.blockBytes(),
            plan.replication(),
            plan.dataLocalShare(),
            plan.seed());
    String folder = ROOT + "/warm-up";
    new DemoPlacement("warm-up", DemoPlacement.How.STORAGE_POLICY, "ALL_SSD", List.of())
        .prepare(admin, folder);
    comparison(small).run("warm-up", List.of(DemoPlacement.STOCK), folder, admin);
    admin.delete(new org.apache.hadoop.fs.Path(folder), true);
  }

  private DfsioComparison comparison(DfsioPlan size) {
    return new DfsioComparison(
        size,
        places,
        this::configurationAt,
        tiers,
        (label, total) ->
            new ProgressBar(err, ProgressBar.onTerminal(), DemoPlacement.shortName(label), total));
  }

  private static List<BenchRow> ordered(List<BenchRow> rows, List<DemoPlacement> placements) {
    List<String> names = placements.stream().map(DemoPlacement::name).toList();
    List<BenchRow> sorted = new ArrayList<>();
    for (BenchRow row : rows) {
      sorted.add(
          new BenchRow(
              row.placement(), DemoPlacement.shortName(row.access()), row.writes(), row.reads()));
    }
    sorted.sort((a, b) -> names.indexOf(a.placement()) - names.indexOf(b.placement()));
    return sorted;
  }

  @Override
  public void close() {
    cluster.close();
    FileUtil.fullyDelete(clusterDirectory.toFile());
  }
}
