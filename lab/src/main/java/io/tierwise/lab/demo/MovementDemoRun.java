package io.tierwise.lab.demo;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.namenode.MonitorSettings;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.compliance.TierSpread;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.PolicyMoves;
import io.tierwise.hadoop.mover.Repairs;
import io.tierwise.hadoop.mover.Undo;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.lab.dfsio.ClientKeysFor;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedNode;
import io.tierwise.simulator.measure.MovementResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The movement demo's cluster, its reader, and what is done to them. */
final class MovementDemoRun implements AutoCloseable {
  private static final String ACCESS = "greedy";
  private static final int RECHECK_MILLIS = 1000;
  private static final long POLL_MILLIS = 100;
  private static final double REPAIR_SECONDS_MAX = 120;

  private final MovementDemo demo;
  private final MovementData data;
  private final Listener listener;
  private final Path clusterDirectory;
  private final EmbeddedCluster cluster;
  private final DistributedFileSystem admin;
  private final FileSystem readerFs;
  private final MovementReader reader;
  private final TierConfiguration tiers;
  private final Journal journal;
  private final List<MovementPhase> phases = new ArrayList<>();
  private Thread readerThread;
  private double phaseFrom;

  MovementDemoRun(MovementDemo demo, Listener listener) throws IOException {
    this.demo = demo;
    this.data = demo.data();
    this.listener = listener;
    clusterDirectory = demo.directory().resolve("cluster-" + ProcessHandle.current().pid());
    DemoLog.to(demo.directory().resolve("movement-daemons.log"));
    Configuration keys = DemoKeys.daemons(demo.cluster().nodes());
    keys.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, RECHECK_MILLIS);
    keys.setInt(MonitorSettings.INTERVAL_KEY, 1);
    cluster = EmbeddedCluster.start(demo.cluster(), keys, clusterDirectory.toAbsolutePath());
    tiers = TierConfiguration.load(cluster.configuration());
    journal = new Journal(clusterDirectory.resolve("journal"));
    admin =
        (DistributedFileSystem)
            FileSystem.newInstance(cluster.uri(), ClientKeysFor.stock(cluster.configuration()));
    // On a node with a disk alone, the last of the first rack: all that it gains is remote.
    Configuration client = cluster.configurationOn(readerNode());
    ClientKeysFor.access(ACCESS).forEach(client::set);
    readerFs = FileSystem.newInstance(cluster.uri(), client);
    reader = new MovementReader(readerFs, data);
  }

  private EmbeddedNode readerNode() {
    return cluster.nodes().get(demo.cluster().nodesPerRack() - 1);
  }

  MovementDemo.Result all(MovementResult predicted) throws IOException, InterruptedException {
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(data.directory());
    admin.mkdirs(folder);
    admin.setXAttr(
        folder,
        PathPolicy.PLACEMENT_ATTRIBUTE,
        MovementDemo.BEFORE.getBytes(StandardCharsets.UTF_8));
    data.write(admin);
    readerThread = new Thread(reader, "movement-reader");
    readerThread.setDaemon(true);
    readerThread.start();
    // Classes are loaded and connections made before anything counts.
    calm();
    phaseFrom = reader.nowSeconds();
    calm();
    end("before");
    MoverReport moved = retier();
    await("HDFS has dropped the old replicas", this::isWhole);
    end("re-tiering");
    calm();
    end("re-tiered");
    EmbeddedNode lost = cluster.nodes().get(0);
    double lostAt = reader.nowSeconds();
    cluster.daemons().stopDataNode(lost.index());
    say("stopped %s, which has a disk and the rack's fastest SSD", lost.hostName());
    await("the NameNode gives the node up", () -> !isWhole());
    double noticedAt = reader.nowSeconds();
    end("node lost");
    await("every block has its layout again", this::isWhole);
    double repairedAt = reader.nowSeconds();
    say(
        "HDFS's re-replication, with the plug-in's choice of volumes, brought every block back to"
            + " its layout in %.1f s",
        repairedAt - noticedAt);
    end("repair");
    calm();
    end("repaired");
    MoverReport undone = undo();
    end("undo");
    long repaired = repair();
    end("monitor");
    calm();
    end("undone");
    reader.stop();
    readerThread.join();
    List<MovementReader.Read> reads = reader.reads();
    String chart =
        MovementChart.svg(
            "Reads of one client while data changes its tiers (emulated devices)",
            String.format(
                Locale.ROOT,
                "%d blocks of 1 MiB, 3 replicas, %d DataNodes; \"%s\" to \"%s\"",
                data.blocks(),
                cluster.nodes().size(),
                MovementDemo.BEFORE,
                MovementDemo.AFTER),
            phases,
            reads);
    return new MovementDemo.Result(
        List.copyOf(phases),
        moved,
        predicted,
        lost.hostName(),
        noticedAt - lostAt,
        repairedAt - noticedAt,
        undone,
        repaired,
        chart);
  }

  private void say(String format, Object... values) {
    listener.say(String.format(Locale.ROOT, format, values));
  }

  private void calm() throws InterruptedException {
    Thread.sleep((long) (1000 * demo.calmSeconds()));
  }

  private void end(String name) throws IOException {
    double now = reader.nowSeconds();
    phases.add(MovementPhase.of(name, phaseFrom, now, reader.reads(), bytesByTier()));
    phaseFrom = now;
  }

  private TierSpread.Answer spread() throws IOException {
    return TierSpread.of(
        admin, tiers, new RegionNames(cluster.configuration()), List.of(data.directory()));
  }

  private Map<String, Long> bytesByTier() throws IOException {
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (TierSpread.Row row : spread().tiers()) {
      if (row.tier() != null) {
        bytes.put(row.tier(), row.bytes());
      }
    }
    return bytes;
  }

  /** Whether each of the three tiers holds every block once. */
  private boolean isWhole() throws IOException {
    return spread().tiers().stream()
        .filter(row -> row.tier() != null)
        .allMatch(row -> row.blocks() == data.blocks() && row.replicas() == data.blocks());
  }

  /** Whether the disks alone hold replicas, as many as before. */
  private boolean isUndone() throws IOException {
    return spread().tiers().stream()
        .filter(row -> row.tier() != null)
        .allMatch(row -> row.replicas() == (row.tier().equals("disk") ? 3L * data.blocks() : 0));
  }

  /** A state of the cluster that is waited for. */
  @FunctionalInterface
  private interface State {
    boolean holds() throws IOException;
  }

  private void await(String what, State state) throws IOException, InterruptedException {
    double until = reader.nowSeconds() + REPAIR_SECONDS_MAX;
    while (!state.holds()) {
      if (reader.nowSeconds() > until) {
        throw new IOException(
            "waited " + REPAIR_SECONDS_MAX + " s in vain: " + what + "; now " + bytesByTier());
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Work of a mover that holds the cluster's one lock. */
  @FunctionalInterface
  private interface Work {
    MoverReport by(Mover mover) throws IOException;
  }

  private MoverCluster known() throws IOException {
    return MoverCluster.of(admin, ClientKeysFor.stock(cluster.configuration()));
  }

  private MoverReport mover(Work work) throws IOException {
    try (Mover mover = Mover.open(known(), MoverSettings.DEFAULT.with(demo.limits()))) {
      return work.by(mover);
    }
  }

  private Listener.Step step() {
    return listener.begin("moving", 0);
  }

  private JournalRun begin(String command, String undoes) {
    return journal.begin(
        command,
        System.getProperty("user.name"),
        admin.getUri().toString(),
        List.of(data.directory()),
        MovementDemo.AFTER,
        undoes);
  }

  private MoverReport retier() throws IOException {
    PolicyMoves moves = new PolicyMoves(known(), Map.of(data.directory(), MovementDemo.AFTER));
    return mover(
        mover -> {
          try (JournalRun run = begin("policy set", null)) {
            MoverReport report = moves.run(mover.writingTo(run), run, step());
            run.append(report.journalEnd(1, List.of()));
            return report;
          }
        });
  }

  private MoverReport undo() throws IOException {
    String id = journal.resolve(Journal.LAST);
    Undo undo = new Undo(known(), PastRun.read(journal, id));
    return mover(
        mover -> {
          try (JournalRun run = begin("undo", id)) {
            undo.apply(run);
            MoverReport report = mover.writingTo(run).undo(undo, step());
            run.append(report.journalEnd(undo.changes(), undo.changesLeft()));
            return report;
          }
        });
  }

  /**
   * Has the monitor's finds moved: what the undo left is off the policy that holds again. The
   * replicas that were.
   */
  private long repair() throws IOException, InterruptedException {
    Repairs repairs =
        new Repairs(
            admin,
            ClientKeysFor.stock(cluster.configuration()),
            MoverSettings.DEFAULT.with(demo.limits()),
            () -> begin("monitor run", null),
            listener::say);
    long[] replicas = new long[1];
    await(
        "all replicas are on disks again",
        () -> {
          replicas[0] += repairs.round().replicas();
          return isUndone();
        });
    return replicas[0];
  }

  @Override
  public void close() throws IOException {
    reader.stop();
    admin.close();
    readerFs.close();
    cluster.close();
    FileUtil.fullyDelete(clusterDirectory.toFile());
  }
}
