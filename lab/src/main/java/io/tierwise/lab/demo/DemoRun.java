package io.tierwise.lab.demo;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.lab.dfsio.BenchPlace;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioComparison;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedNode;
import io.tierwise.lab.embedded.EmbeddedPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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
public final class DemoRun implements AutoCloseable {
  private static final String ROOT = "/demo";
  private static final String BY_TYPE_KEY = "dfs.namenode.read.considerStorageType";
  private static final Set<String> KEPT =
      Set.of(DemoPlacement.STOCK_ONE_SSD, DemoPlacement.HYBRID, DemoPlacement.LAYOUT_ONE_FAST);

  private final DfsioPlan plan;
  private final List<DemoPlacement> placements;
  private final Listener listener;
  private final Path clusterDirectory;
  private final Thread interrupted = new Thread(this::sayInterrupted, "demo-interrupted");
  private final EmbeddedCluster cluster;
  private final TierConfiguration tiers;
  private final Map<BenchPlace, EmbeddedNode> nodes;
  private final List<BenchPlace> places;

  /**
   * @param placements what is compared
   */
  public DemoRun(
      EmbeddedPlan clusterPlan,
      DfsioPlan plan,
      List<DemoPlacement> placements,
      Path directory,
      Listener listener)
      throws IOException {
    this.plan = plan;
    this.placements = placements;
    this.listener = listener;
    clusterDirectory = directory.resolve("cluster-" + ProcessHandle.current().pid());
    DemoLog.to(directory.resolve("daemons.log"));
    // Hadoop's daemons cannot be stopped in order while the JVM ends: they go with the process.
    Runtime.getRuntime().addShutdownHook(interrupted);
    long start = System.nanoTime();
    cluster =
        EmbeddedCluster.start(
            clusterPlan, DemoKeys.daemons(clusterPlan.nodes()), clusterDirectory.toAbsolutePath());
    listener.say("Cluster is up after " + (System.nanoTime() - start) / 1_000_000_000 + " s.");
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

  private void sayInterrupted() {
    FileUtil.fullyDelete(clusterDirectory.toFile());
    listener.say("");
    listener.say("tierwise demo: interrupted: no figures; the cluster's files are removed");
  }

  public List<String> tiers() {
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
   * <p>Repeats go in turns. Rows that need other daemons come last, on files that are kept for
   * them: first a NameNode that sorts by storage type, one that orders by {@code auto}, then
   * DataNodes that refuse readers.
   */
  public List<DemoRow> compare(int repeats) throws IOException {
    DfsioComparison comparison = comparison(plan);
    Map<String, List<DfsioComparison.Files>> kept = new HashMap<>();
    Map<String, List<RunRecord>> records = new HashMap<>();
    try (DistributedFileSystem admin = admin()) {
      warmUp(admin);
      for (int repeat = 0; repeat < repeats; repeat++) {
        List<DemoPlacement> order = new ArrayList<>(placements);
        Collections.rotate(order, -repeat * placements.size() / repeats);
        for (DemoPlacement placement : order) {
          String folder = ROOT + "/run-" + comparison.writeCount();
          placement.prepare(admin, folder);
          DfsioComparison.Files files =
              comparison.run(placement.name(), placement.accesses(), folder, admin);
          records
              .computeIfAbsent(placement.name(), name -> new ArrayList<>())
              .add(RunRecord.of(files, places, tiers, admin));
          if (KEPT.contains(placement.name())) {
            kept.computeIfAbsent(placement.name(), name -> new ArrayList<>()).add(files);
          } else {
            admin.delete(new org.apache.hadoop.fs.Path(folder), true);
          }
        }
      }
    }
    readOnOtherDaemons(comparison, kept);
    return rows(comparison, records);
  }

  private void readOnOtherDaemons(
      DfsioComparison comparison, Map<String, List<DfsioComparison.Files>> kept)
      throws IOException {
    // The key is the NameNode's and read at its start only.
    cluster.restartNameNode(Map.of(BY_TYPE_KEY, "true"));
    readAgain(
        comparison,
        DemoPlacement.STOCK_ONE_SSD,
        DemoPlacement.STOCK_BY_TYPE,
        kept.get(DemoPlacement.STOCK_ONE_SSD));
    List<DfsioComparison.Files> oneFast = kept.get(DemoPlacement.LAYOUT_ONE_FAST);
    EmbeddedPlan emulated = cluster.plan();
    String auto =
        DemoPlacement.toldOfLinks(
            DemoPlacement.AUTO, emulated.linkBytesPerSecond() * emulated.speedFactor());
    Map<String, String> ordered = new HashMap<>(DemoKeys.ordersBy(auto, plan.blockBytes()));
    ordered.put(BY_TYPE_KEY, "false");
    cluster.restartNameNode(ordered);
    readAgain(comparison, DemoPlacement.HYBRID, auto, kept.get(DemoPlacement.HYBRID));
    readAgain(comparison, DemoPlacement.LAYOUT_ONE_FAST, auto, oneFast);
    cluster.restartNameNode(Map.of(TierwiseTopology.STRATEGY, ""));
    cluster.restartDataNodes(DemoKeys.STORAGE_LIMIT);
    readAgain(comparison, DemoPlacement.LAYOUT_ONE_FAST, DemoPlacement.BY_STORAGE, oneFast);
    cluster.restartDataNodes(DemoKeys.NODE_LIMIT);
    readAgain(comparison, DemoPlacement.LAYOUT_ONE_FAST, DemoPlacement.BY_NODE, oneFast);
  }

  /** Once without counting: daemons that have just started are still busy with themselves. */
  private void readAgain(
      DfsioComparison comparison, String placement, String access, List<DfsioComparison.Files> runs)
      throws IOException {
    comparison(plan).read("warm-up", access, runs.get(0).reads());
    for (DfsioComparison.Files files : runs) {
      comparison.read(placement, access, files.reads());
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
        (label, total) -> listener.begin(DemoPlacement.shortName(label), total));
  }

  private List<DemoRow> rows(DfsioComparison comparison, Map<String, List<RunRecord>> records) {
    List<String> names = placements.stream().map(DemoPlacement::name).toList();
    List<DemoRow> rows = new ArrayList<>();
    for (BenchRow row : comparison.rows()) {
      BenchRow shown =
          new BenchRow(
              row.placement(), DemoPlacement.shortName(row.access()), row.writes(), row.reads());
      rows.add(
          new DemoRow(
              shown,
              records.get(row.placement()),
              comparison.sources(row.placement(), row.access()).stream()
                  .map(this::nodesOf)
                  .toList()));
    }
    rows.sort(Comparator.comparingInt(row -> names.indexOf(row.row().placement())));
    return rows;
  }

  private List<List<Integer>> nodesOf(List<List<String>> sources) {
    return sources.stream()
        .map(blocks -> blocks.stream().map(name -> RunRecord.nodeOf(name, places)).toList())
        .toList();
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(interrupted);
    } catch (IllegalStateException theHookRuns) {
      return;
    }
    cluster.close();
    FileUtil.fullyDelete(clusterDirectory.toFile());
  }
}
