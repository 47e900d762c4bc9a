package io.tierwise.lab.demo;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.dfsio.BenchPlace;
import io.tierwise.lab.dfsio.ClientKeysFor;
import io.tierwise.lab.dfsio.ClientSet;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.dfsio.DfsioRun;
import io.tierwise.lab.dfsio.DfsioTask;
import io.tierwise.lab.dfsio.TaskFigures;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedNode;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.policies.popularity.UseWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The popularity demo's cluster, and what is read on it under each way to manage its fast tier. */
final class PopularityDemoRun implements AutoCloseable {
  private static final short REPLICAS = 3;

  private final PopularityDemo demo;
  private final HotSet hotSet;
  private final Listener listener;
  private final Path clusterDirectory;
  private final EmbeddedCluster cluster;
  private final AuditedReads audited;
  private final DistributedFileSystem admin;
  private final TierConfiguration tiers;
  private final String fastTier;
  private final TierPromotions promotions;
  private final List<BenchPlace> places = new ArrayList<>();
  private final List<BenchPlace> readers = new ArrayList<>();

  PopularityDemoRun(PopularityDemo demo, Listener listener) throws IOException {
    this.demo = demo;
    this.hotSet = demo.hotSet();
    this.listener = listener;
    clusterDirectory = demo.directory().resolve("cluster-" + ProcessHandle.current().pid());
    DemoLog.to(demo.directory().resolve("popularity-daemons.log"));
    audited = new AuditedReads(demo.directory().resolve("popularity-audit.log"));
    EmbeddedPlan plan = demo.cluster();
    Configuration keys = DemoKeys.daemons(plan.nodes());
    DemoKeys.ordersBy(
            DemoPlacement.toldOfLinks(
                DemoPlacement.AUTO, plan.linkBytesPerSecond() * plan.speedFactor()),
            demo.fileBytes())
        .forEach(keys::set);
    cluster = EmbeddedCluster.start(plan, keys, clusterDirectory.toAbsolutePath());
    Configuration stock = ClientKeysFor.stock(cluster.configuration());
    admin = (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), stock);
    tiers = TierConfiguration.load(stock);
    List<Tier> table = tiers.table().tiers();
    fastTier = table.get(0).name();
    promotions =
        new TierPromotions(table.get(0).deviceClass(), table.get(table.size() - 1).deviceClass());
    for (EmbeddedNode node : cluster.nodes()) {
      BenchPlace place =
          new BenchPlace(node.hostName(), node.address().getHostAddress(), node.rack());
      places.add(place);
      // A rack's first node has the fast device: readers are on the others.
      if (node.index() % plan.nodesPerRack() > 0) {
        readers.add(place);
      }
    }
  }

  private Configuration configurationAt(BenchPlace place) {
    return cluster.configurationOn(cluster.nodes().get(places.indexOf(place)));
  }

  PopularityResult all() throws IOException, InterruptedException {
    List<ManagedRun> runs = new ArrayList<>();
    for (FastTierPilot.Way way : FastTierPilot.Way.values()) {
      runs.add(run(way));
    }
    return new PopularityResult(demo, runs, fastTier, promotions, null);
  }

  private ManagedRun run(FastTierPilot.Way way) throws IOException, InterruptedException {
    int reads = hotSet.files() + hotSet.readers() + hotSet.phases() * hotSet.readsOfPhase();
    Listener.Step bar = listener.begin(way.text(), reads * demo.fileBytes());
    String folder = "/popularity-" + way.text();
    try (ClientSet clients = new ClientSet(this::configurationAt, ClientKeysFor.access("stock"))) {
      DfsioRun work = new DfsioRun(clients, tiers, bar::add);
      List<DfsioTask> files = write(work, folder);
      FastTierMoves moves =
          new FastTierMoves(admin, cluster.configuration(), files, clusterDirectory);
      // Classes are loaded and connections made before anything counts.
      List<List<Integer>> last = new ArrayList<>();
      for (int reader = 0; reader < hotSet.readers(); reader++) {
        last.add(List.of(hotSet.files() - 1 - reader));
      }
      read(work, files, last);
      if (!way.isManaged()) {
        // The mover's classes, where its moves are compared with nothing.
        int file = hotSet.files() - 1;
        moves.make(new FastTierPilot.Change(List.of(file), List.of()));
        moves.make(new FastTierPilot.Change(List.of(), List.of(file)));
      }
      ManagedRun run =
          new ManagedRun(
              way, phases(way, work, files, moves), demo.fileBytes(), moves.storedBytes());
      admin.delete(new org.apache.hadoop.fs.Path(folder), true);
      bar.finish(
          String.format(
              Locale.ROOT,
              "%.1f s of reading, %.1f s by the clock",
              run.readerSeconds(),
              run.readingSeconds()));
      return run;
    }
  }

  /** Files on plain disks, as HDFS places them. */
  private List<DfsioTask> write(DfsioRun work, String folder) throws IOException {
    admin.mkdirs(new org.apache.hadoop.fs.Path(folder));
    long bytes = demo.fileBytes();
    List<DfsioTask> writes =
        new DfsioPlan(hotSet.files(), bytes, bytes, REPLICAS, 0, hotSet.seed())
            .writes(folder, places);
    List<DfsioTask> written = new ArrayList<>();
    for (TaskFigures figures : work.write(writes, REPLICAS, bytes).tasks()) {
      DfsioTask file = writes.get(figures.index());
      written.add(file.at(file.place(), figures.checksum()));
    }
    return written;
  }

  private List<PopularityPhase> phases(
      FastTierPilot.Way way, DfsioRun work, List<DfsioTask> files, FastTierMoves moves)
      throws IOException, InterruptedException {
    Optional<FastTierPilot> pilot =
        way.isManaged()
            ? Optional.of(new FastTierPilot(way, promotions, demo.roomFiles(), demo.fileBytes()))
            : Optional.empty();
    moves.settle(files);
    List<PopularityPhase> phases = new ArrayList<>();
    UseWindow window =
        AuditedReads.empty(Instant.now().minusSeconds(1), Instant.now(), files.size());
    ExecutorService mover = Executors.newSingleThreadExecutor();
    try {
      for (int phase = 0; phase < hotSet.phases(); phase++) {
        if (way.foresees()) {
          window.foresee(toCome(phase));
        }
        FastTierPilot.Change change =
            pilot.isPresent()
                ? pilot.get().decide(window, moves.there())
                : new FastTierPilot.Change(List.of(), List.of());
        Instant from = Instant.now();
        long start = System.nanoTime();
        Future<FastTierMoves.Moved> moving = mover.submit(() -> moves.make(change));
        List<TaskFigures> reads = read(work, files, hotSet.reads(phase));
        long end = System.nanoTime();
        FastTierMoves.Moved moved = get(moving);
        double waitingSeconds = (System.nanoTime() - end) / 1e9;
        moved.left().forEach(left -> listener.say(way.text() + ": left " + left.text()));
        window = audited.window(from, Instant.now(), files.stream().map(DfsioTask::path).toList());
        phases.add(phase(moved, moves.there(), window, reads, (end - start) / 1e9, waitingSeconds));
      }
    } finally {
      mover.shutdownNow();
    }
    return phases;
  }

  private PopularityPhase phase(
      FastTierMoves.Moved moved,
      Set<Integer> there,
      UseWindow window,
      List<TaskFigures> reads,
      double seconds,
      double waitingSeconds) {
    List<Integer> heard = new ArrayList<>();
    for (int file = 0; file < window.fileCount(); file++) {
      heard.add(window.reads(file));
    }
    List<Integer> fast = new ArrayList<>(Collections.nCopies(window.fileCount(), 0));
    for (TaskFigures read : reads) {
      if (read.bytesByTier().containsKey(fastTier)) {
        fast.set(read.index(), fast.get(read.index()) + 1);
      }
    }
    double readerSeconds = reads.stream().mapToDouble(read -> read.nanos() / 1e9).sum();
    return new PopularityPhase(
        moved, there, heard, fast, reads.size(), seconds, readerSeconds, waitingSeconds);
  }

  /** All readers at once, each its files one after the other. */
  private List<TaskFigures> read(
      DfsioRun work, List<DfsioTask> files, List<List<Integer>> ofReaders)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(ofReaders.size());
    try {
      List<Callable<List<TaskFigures>>> all = new ArrayList<>();
      for (int reader = 0; reader < ofReaders.size(); reader++) {
        BenchPlace place = readers.get(reader);
        List<DfsioTask> own =
            ofReaders.get(reader).stream()
                .map(file -> files.get(file).at(place, files.get(file).checksum()))
                .toList();
        all.add(() -> readInTurn(work, own));
      }
      List<TaskFigures> figures = new ArrayList<>();
      for (Future<List<TaskFigures>> each : threads.invokeAll(all)) {
        figures.addAll(get(each));
      }
      return figures;
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T get(Future<T> of) throws IOException, InterruptedException {
    try {
      return of.get();
    } catch (ExecutionException e) {
      throw new IOException("a thread of the demo failed: " + e.getCause(), e.getCause());
    }
  }

  private static List<TaskFigures> readInTurn(DfsioRun work, List<DfsioTask> own)
      throws IOException {
    List<TaskFigures> figures = new ArrayList<>();
    for (DfsioTask task : own) {
      figures.addAll(work.read(List.of(task)).tasks());
    }
    return figures;
  }

  /** The reads of a phase that has not begun. */
  private UseWindow toCome(int phase) {
    int[] reads = new int[hotSet.files()];
    hotSet.reads(phase).forEach(own -> own.forEach(file -> reads[file]++));
    Instant now = Instant.now();
    UseWindow window = AuditedReads.empty(now, now, reads.length);
    for (int file = 0; file < reads.length; file++) {
      for (int read = 1; read <= reads[file]; read++) {
        window.read(file, window.startSeconds(), read);
      }
    }
    return window;
  }

  @Override
  public void close() throws IOException {
    admin.close();
    cluster.close();
    audited.close();
    FileUtil.fullyDelete(clusterDirectory.toFile());
  }
}
