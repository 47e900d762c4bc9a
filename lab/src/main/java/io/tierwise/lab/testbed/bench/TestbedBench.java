package io.tierwise.lab.testbed.bench;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.dfsio.BenchPlace;
import io.tierwise.lab.dfsio.ClientKeysFor;
import io.tierwise.lab.dfsio.DfsioFigures;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.dfsio.DfsioRun;
import io.tierwise.lab.dfsio.DfsioTask;
import io.tierwise.lab.dfsio.ReadAssignment;
import io.tierwise.lab.dfsio.ReportedReplicas;
import io.tierwise.lab.dfsio.WorkerPlan;
import io.tierwise.lab.testbed.JavaCommand;
import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.Machine;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.plan.DaemonKeys;
import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The bench on a testbed that is up, run from inside the NameNode's node.
 *
 * <p>Each repeat of a phase writes its data sets anew, because where stock HDFS happens to put
 * replicas is a large part of its spread, and reads them once with each row's client at each link
 * speed, the rows in a different order each time. The page cache is emptied before each read.
 */
public final class TestbedBench implements AutoCloseable {
  private static final BenchPhase WARM_UP = new BenchPhase("warm-up", DaemonKeys.NONE, List.of());

  /** Own: Java compiles what it met some hundred times. */
  private static final int WARM_CALLS = 500;

  private static final long REPORTED_NANOS_MAX = 60_000_000_000L;
  private static final long LOOK_NANOS = 50_000_000;

  private final BenchSettings settings;
  private final Consumer<String> progress;
  private final Testbed testbed;
  private final TestbedPlan plan;
  private DfsioPlan dfsio;
  private final List<BenchPlace> places;
  private final NodeWorkers workers;
  private DistributedFileSystem admin;
  private final BenchReport report;
  private final TaskLines taskLines = new TaskLines();
  private final List<Measured> measured = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private DaemonKeys keys = DaemonKeys.NONE;

  /** A row that was read once. */
  private record Measured(
      BenchPhase phase,
      int link,
      BenchPhase.Row row,
      TestbedReads reads,
      DfsioRun.Result result,
      Machine.ProcessorShare share) {}

  /**
   * @param progress hears how far it is, line by line
   */
  public TestbedBench(BenchSettings settings, Consumer<String> progress) throws IOException {
    this.settings = settings;
    this.progress = progress;
    Path folder = Path.of(settings.folder());
    testbed = new Testbed(settings.testbedName(), folder, progress);
    plan = testbed.plan();
    places =
        plan.dataNodes().stream()
            .map(node -> new BenchPlace(node.name(), node.address(), node.networkLocation()))
            .toList();
    dfsio = tasks(0);
    admin = connect();
    workers =
        new NodeWorkers(
            plan,
            admin.getUri().toString(),
            folder.resolve("logs").resolve("workers"),
            new NodeProcesses(plan, testbed.host().limits()),
            new JavaCommand(new HadoopConfiguration(plan, folder)));
    report = new BenchReport(settings, plan);
  }

  /**
   * @param readers 0: as many as the settings say
   */
  private DfsioPlan tasks(int readers) {
    return new DfsioPlan(
        readers > 0 ? readers : places.size() * settings.tasksPerNode(),
        settings.fileMegabytes() * 1_000_000L,
        settings.blockBytes(),
        (short) Math.min(3, places.size()),
        ReadAssignment.DATA_LOCAL_SHARE_DEFAULT,
        settings.seed());
  }

  /** Measures all, and writes what it found into the folder of results. */
  public BenchReport run() throws IOException {
    new OtherTierTables(plan, Path.of(settings.folder()), admin).write();
    warmUp();
    for (BenchPhase phase : settings.suite().phases(settings.parts(), settings.blockBytes())) {
      dfsio = tasks(phase.conditions().readers());
      int repeats = phase.repeats(settings);
      for (int repeat = 0; repeat < repeats; repeat++) {
        sayStage(String.format("%s, repeat %d of %d", phase.name(), repeat + 1, repeats));
        repeat(phase, repeat);
      }
    }
    sayStage("bounds");
    reportAll();
    sayStage("done");
    report.write(Path.of(settings.results()));
    taskLines.write(Path.of(settings.results()));
    if (settings.suite() == BenchSuite.READS) {
      ReadsSummary.of(report).write(Path.of(settings.results()));
    }
    return report;
  }

  /** Beside what begins stands how long the bench has taken until then. */
  private void sayStage(String what) {
    Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
    progress.accept(
        String.format(
            Locale.ROOT, "== %d:%02d  %s", taken.toMinutes(), taken.toSecondsPart(), what));
  }

  /** Classes are loaded and hot paths compiled in daemons and workers before anything counts. */
  private void warmUp() throws IOException {
    sayStage("warming up");
    BenchDataSet small = new BenchDataSet("warm-up", "ONE_SSD", null);
    List<DfsioTask> reads = write(WARM_UP, small);
    for (String access : List.of("stock", "greedy", "auto")) {
      workers.run(WorkerPlan.Phase.READ, access, reads, dfsio.replication(), dfsio.blockBytes());
    }
    delete(small);
  }

  private static DistributedFileSystem connect() throws IOException {
    Configuration conf = new HdfsConfiguration();
    ClientKeysFor.access("stock").forEach(conf::set);
    return (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  /**
   * @param files that must be readable from every replica afterwards
   */
  private void configure(DaemonKeys wanted, Map<BenchDataSet, TestbedReads> files)
      throws IOException {
    if (wanted.equals(keys)) {
      return;
    }
    // Its connection would end with the old NameNode, in the middle of the next call.
    admin.close();
    if (!wanted.nameNode().equals(keys.nameNode())) {
      testbed.restartNameNode(wanted);
    }
    if (!wanted.dataNode().equals(keys.dataNode())) {
      testbed.restartDataNodes(wanted);
    }
    admin = connect();
    keys = wanted;
    awaitRoom();
    List<DfsioTask> tasks = new ArrayList<>();
    files.values().forEach(reads -> tasks.addAll(reads.tasks()));
    if (!tasks.isEmpty()) {
      awaitReplicas(tasks);
      warmNameNode(tasks);
    }
  }

  /** A NameNode that has just started puts nothing on a node before that told its room. */
  private void awaitRoom() throws IOException {
    long until = System.nanoTime() + REPORTED_NANOS_MAX;
    for (DatanodeInfo node : admin.getDataNodeStats(HdfsConstants.DatanodeReportType.LIVE)) {
      while (roomBytes(node.getDatanodeUuid()) == 0) {
        if (System.nanoTime() > until) {
          throw new IOException(node.getHostName() + " tells the NameNode of no room");
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  private long roomBytes(String node) throws IOException {
    for (DatanodeInfo each : admin.getDataNodeStats(HdfsConstants.DatanodeReportType.LIVE)) {
      if (each.getDatanodeUuid().equals(node)) {
        return each.getRemaining();
      }
    }
    return 0;
  }

  /** A NameNode that has just started interprets what it does for each block. */
  private void warmNameNode(List<DfsioTask> tasks) throws IOException {
    for (int call = 0; call < WARM_CALLS; call++) {
      DfsioTask task = tasks.get(call % tasks.size());
      // For the whole file, which is a look and counts as no read.
      admin.getClient().getLocatedBlocks(task.path(), 0, task.bytes());
    }
  }

  private void awaitReplicas(List<DfsioTask> tasks) throws IOException {
    if (!ReportedReplicas.await(admin, tasks, dfsio.replication(), REPORTED_NANOS_MAX)) {
      throw new IOException("not all replicas were reported in time");
    }
  }

  private void repeat(BenchPhase phase, int repeat) throws IOException {
    Set<BenchDataSet> dataSets = new LinkedHashSet<>();
    phase.rows().forEach(row -> dataSets.add(row.data()));
    List<Integer> links = new ArrayList<>(phase.linkMegabits(settings));
    testbed.network().shape(plan.scaledLinkBitsPerSecond(links.get(0)));
    // Every other repeat backwards: it begins with the daemons that are there, and none is last.
    List<BenchPhase.Turn> turns = new ArrayList<>(phase.turns());
    if (repeat % 2 == 1) {
      Collections.reverse(turns);
      Collections.reverse(links);
    }
    configure(keys(turns.get(0), links.get(0)), Map.of());
    Map<BenchDataSet, TestbedReads> reads = new LinkedHashMap<>();
    // None is always the first one, which is written right after a restart.
    List<BenchDataSet> order = new ArrayList<>(dataSets);
    Collections.rotate(order, repeat);
    for (BenchDataSet data : order) {
      List<DfsioTask> tasks = write(phase, data);
      awaitReplicas(tasks);
      reads.put(data, new TestbedReads(plan, tasks, admin));
    }
    for (int link : links) {
      testbed.network().shape(plan.scaledLinkBitsPerSecond(link));
      for (BenchPhase.Turn turn : turns) {
        configure(keys(turn, link), reads);
        readAll(phase, turn, link, repeat, reads);
      }
      // Stock's daemons of one link are those of the next one.
      Collections.reverse(turns);
    }
    for (BenchDataSet data : dataSets) {
      delete(data);
    }
  }

  /** The rows of a turn, in another order in each repeat. */
  private void readAll(
      BenchPhase phase,
      BenchPhase.Turn turn,
      int link,
      int repeat,
      Map<BenchDataSet, TestbedReads> reads)
      throws IOException {
    List<BenchPhase.Row> order = new ArrayList<>(phase.at(link, turn.rows()));
    Collections.rotate(order, repeat * order.size() / phase.repeats(settings));
    try (FaultInForce fault =
        FaultInForce.begin(
            phase.conditions().fault(), testbed, admin, plan.scaledLinkBitsPerSecond(link))) {
      for (BenchPhase.Row row : order) {
        read(phase, link, row, reads.get(row.data()));
      }
    }
  }

  /** With the uplinks as they are at this speed of the nodes' links. */
  private DaemonKeys keys(BenchPhase.Turn turn, int linkMegabits) throws IOException {
    DaemonKeys plain = turn.keys(linkBytesPerSecond(linkMegabits));
    if (plan.oversubscription() == 1) {
      return plain;
    }
    HadoopConfiguration configuration = new HadoopConfiguration(plan, Path.of(settings.folder()));
    Path site = configuration.of(plan.nameNode());
    String file = "tiers-" + linkMegabits + ".yaml";
    Files.writeString(
        site.resolve(file), configuration.tiersYaml(plan.scaledLinkBitsPerSecond(linkMegabits)));
    Map<String, String> nameNode = new HashMap<>(plain.nameNode());
    nameNode.putIfAbsent(TierConfiguration.FILE_KEY, file);
    return new DaemonKeys(nameNode, plain.dataNode());
  }

  private double linkBytesPerSecond(int linkMegabits) {
    return plan.scaledLinkBitsPerSecond(linkMegabits) / 8.0;
  }

  private List<DfsioTask> write(BenchPhase phase, BenchDataSet data) throws IOException {
    data.prepare(admin);
    List<DfsioTask> tasks = dfsio.writes(data.folder(), places);
    DfsioRun.Result written =
        workers.run(
            WorkerPlan.Phase.WRITE, "stock", tasks, dfsio.replication(), dfsio.blockBytes());
    report.wrote(phase, data, written.figures());
    say("write", data.name(), "", written, null);
    return dfsio.reads(tasks, written.tasks(), places, admin);
  }

  private void read(BenchPhase phase, int link, BenchPhase.Row row, TestbedReads reads)
      throws IOException {
    Machine.dropPageCache();
    List<Long> processes = testbed.host().limits().processes();
    Machine.ProcessorTime before = Machine.processorTime(processes);
    String access = row.specification(linkBytesPerSecond(link));
    DfsioRun.Result result =
        workers.run(
            WorkerPlan.Phase.READ, access, reads.tasks(), dfsio.replication(), dfsio.blockBytes());
    Machine.ProcessorShare share = Machine.processorTime(processes).since(before);
    measured.add(new Measured(phase, link, row, reads, result, share));
    taskLines.add(phase, link, row, reads.tasks(), result.tasks());
    say("read", row.data().name() + " / " + row.access(), link + " Mbit/s", result, share);
  }

  /** At the end, since the bound of many readers takes longer than their reads. */
  private void reportAll() {
    Map<TestbedReads, Set<Double>> links = new LinkedHashMap<>();
    measured.stream()
        .filter(one -> one.phase().conditions().fault() == null)
        .forEach(
            one ->
                links
                    .computeIfAbsent(one.reads(), reads -> new LinkedHashSet<>())
                    .add(linkBytesPerSecond(one.link())));
    links.entrySet().parallelStream().forEach(one -> one.getValue().forEach(one.getKey()::bound));
    measured.forEach(
        one -> report.read(one.phase(), one.link(), one.row(), beside(one), one.share()));
  }

  /** The measured row, beside what follows from nominal speeds, which a fault changes. */
  private DfsioFigures beside(Measured one) {
    DfsioFigures figures = one.result().figures();
    if (one.phase().conditions().fault() != null) {
      return figures;
    }
    double linkSpeed = linkBytesPerSecond(one.link());
    return figures
        .withBound(one.reads().bound(linkSpeed))
        .withChosen(one.reads().chosen(linkSpeed, one.result().tasks()));
  }

  private void say(
      String step, String what, String link, DfsioRun.Result result, Machine.ProcessorShare share) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "%-6s %-42s %-14s %6.2f MB/s a task, %7.2f MB/s in all%s",
            step,
            what,
            link,
            result.figures().throughputBytesPerSecond() / 1e6,
            result.figures().aggregateBytesPerSecond() / 1e6,
            share == null
                ? ""
                : String.format(
                    Locale.ROOT,
                    ", processors %.0f%% busy (%.0f%% by the testbed)",
                    100 * share.busy(),
                    100 * share.own())));
  }

  private void delete(BenchDataSet data) throws IOException {
    admin.delete(new org.apache.hadoop.fs.Path(data.folder()), true);
  }

  @Override
  public void close() throws IOException {
    workers.close();
    admin.close();
  }
}
