package io.tierwise.simulator.movement;

import io.tierwise.core.action.Action;
import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.movement.PopularityDecisions;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.jobs.JobWatch;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.PopularitySpec;
import io.tierwise.simulator.scenario.UpkeepSpec;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.Repair;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Lets the replicas of input files follow their popularity: counts reads, asks the predictor and
 * the {@link DecisionEngine} at the end of each window, and has {@link ReplicaChanges} carry out
 * the answer.
 *
 * <p>Deviation: the papers' background process yields to jobs; these copies share devices and links
 * with them. It runs after each window; here a window without a read asks nothing, lowers no
 * popularity and moves no file.
 */
public final class ReplicationHost implements AutoCloseable, JobWatch {
  private static final PopularitySpec NOTHING = new PopularitySpec("", 3600, "", 0, List.of());

  /** Own: HDFS allows 512; here each replica that a block might have takes four bytes. */
  private static final int REPLICAS_MAX = 16;

  private final PopularitySpec spec;
  private final boolean counts;
  private final Engine engine;
  private final PopularityDecisions.Bounds bounds;
  private final Optional<PopularityPredictor> predictor;
  private final DecisionEngine decisions;
  private final PopularityState state = new PopularityState();
  private final InputUse use;
  private final InputStorage storage;
  private final ReplicaChanges changes;
  private final int windowEnds;
  private Optional<Foresight> foresight = Optional.empty();
  private double windowStartSeconds;
  private boolean windowRuns;
  private Consumer<Action> listener = action -> {};

  /**
   * Nothing is scheduled yet.
   *
   * @param popularity empty: nothing is counted, nothing is done
   */
  public ReplicationHost(
      Optional<PopularitySpec> popularity,
      Engine engine,
      VirtualCluster cluster,
      Namespace namespace,
      BlockPlacer placer,
      Repair repair) {
    this.counts = popularity.isPresent();
    this.spec = popularity.orElse(NOTHING);
    this.engine = engine;
    this.predictor = predictor(spec);
    SecondaryStore store = new SecondaryStore(cluster, spec.secondary());
    this.decisions = new DecisionEngine(store.isThere(), spec.extraShareMax());
    this.use = new InputUse(namespace);
    SlaPaths sla = SlaPaths.of(spec.sla());
    IntPredicate comesFirst = file -> sla.covers(use.file(file));
    this.bounds =
        new PopularityDecisions.Bounds(
            namespace.replication(), namespace.slotCount() - 1, comesFirst, comesFirst);
    this.storage = new InputStorage(namespace, use, store);
    this.changes = new ReplicaChanges(namespace, placer, repair, store);
    if (predictor.isPresent()) {
      repair.tellCopied(changes::copied);
    }
    // Events are known by numbers: runs without popularity keep theirs.
    this.windowEnds = counts ? engine.register(argument -> windowEnded()) : -1;
  }

  private static Optional<PopularityPredictor> predictor(PopularitySpec spec) {
    return spec.predictor().isEmpty()
        ? Optional.empty()
        : Optional.of(PopularityPredictors.parse(spec.predictor()));
  }

  /** A namespace whose files can get as many replicas as somebody may want. */
  public static Namespace namespace(PolicySpec policies, UpkeepSpec upkeep) {
    int usual = policies.replication();
    // One more than it predicts: a file that changes its store has its replicas in both.
    int most =
        upkeep
            .popularity()
            .flatMap(ReplicationHost::predictor)
            .map(p -> 1 + Math.max(usual, Math.min(REPLICAS_MAX, p.replicas(p.max()))))
            .orElse(upkeep.fastTier().isPresent() ? usual + 1 : usual);
    return new Namespace(usual, most, policies.blockBytes());
  }

  /** Tells of each file that is to have another number of replicas. */
  public void tell(Consumer<Action> hearing) {
    listener = hearing;
  }

  /** Whether its predictor may want to look ahead. */
  public boolean needsForesight() {
    return predictor.isPresent();
  }

  /**
   * Lets a predictor that is a bound see what comes.
   *
   * @param ahead the same jobs as those that will run, and of nobody else
   */
  public void foresee(JobSource ahead) throws IOException {
    foresight = Optional.of(new Foresight(ahead));
  }

  @Override
  public int arrived(int job, JobSpec spec, int maps, int reduces, List<StoredFile> inputs) {
    for (StoredFile input : inputs) {
      if (counts && !input.path().isEmpty()) {
        willRead(input);
      }
    }
    return TierTable.NONE;
  }

  private void willRead(StoredFile file) {
    double now = Ticks.toSeconds(engine.now());
    use.read(file, now);
    if (!windowRuns) {
      windowRuns = true;
      windowStartSeconds = Math.floor(now / spec.windowSeconds()) * spec.windowSeconds();
      long end = Ticks.ofSeconds(windowStartSeconds + spec.windowSeconds());
      engine.at(Math.max(engine.now() + 1, end), windowEnds, 0);
    }
  }

  /** The next window begins with its first read, so that a run whose jobs all wait can end. */
  private void windowEnded() {
    windowRuns = false;
    UseWindow window = use.end(windowStartSeconds, windowStartSeconds + spec.windowSeconds());
    storage.count();
    predictor.ifPresent(asked -> decide(asked, window));
  }

  private void decide(PopularityPredictor asked, UseWindow window) {
    foresight.ifPresent(ahead -> window.foresee(next(ahead, window.endSeconds())));
    int files = use.fileCount();
    long[] bytes = new long[files];
    for (int file = 0; file < files; file++) {
      bytes[file] = use.file(file).bytes();
    }
    int[] replicas =
        new PopularityDecisions(asked, decisions).decide(window, state, bytes, bounds).replicas();
    changes.tryAgain();
    for (int file = 0; file < files; file++) {
      if (use.exists(file)) {
        want(use.file(file), replicas[file], asked.name());
      }
    }
  }

  private void want(StoredFile file, int replicas, String by) {
    int before = file.replication();
    OptionalLong copied = changes.want(file, replicas);
    if (copied.isEmpty()) {
      return;
    }
    boolean leaves = replicas == DecisionEngine.SECONDARY;
    int after = leaves ? 1 : replicas;
    String use =
        leaves
            ? " is unpopular: into the secondary store"
            : after > bounds.usualReplicas() ? " is popular" : " is as popular as most";
    // An upper bound: what is copied inside a node crosses no network.
    long bytes = copied.getAsLong();
    Cost cost = Cost.ofBytes(bytes, bytes, file.bytes() * (after - before));
    listener.accept(new SetReplicas(by, file.path() + use, after, cost));
  }

  private UseWindow next(Foresight ahead, double startSeconds) {
    try {
      return ahead.window(use, startSeconds, startSeconds + spec.windowSeconds());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The storage that input files took, as a mean over the ends of windows. */
  public RunResult.Stored stored() {
    return storage.result();
  }

  /** Closes what was read ahead. */
  @Override
  public void close() throws IOException {
    if (foresight.isPresent()) {
      foresight.get().close();
    }
  }
}
