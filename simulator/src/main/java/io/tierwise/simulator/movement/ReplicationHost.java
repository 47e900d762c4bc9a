package io.tierwise.simulator.movement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.movement.ReplicationRequest;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.report.RunResult;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.PopularitySpec;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.Repair;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets the replicas of input files follow their popularity: counts reads, asks the predictor and
 * the {@link DecisionEngine} at the end of each window, and carries out what they say.
 *
 * <p>Additional replicas are copied as lost ones are ({@link Repair}), where the file's placement
 * policy wants them. A file that changes its store has both until all its blocks are whole in the
 * new one; then the old replicas go, at once. Deviation: the papers' background process yields to
 * jobs; these copies share devices and links with them.
 */
public final class ReplicationHost implements AutoCloseable {
  private static final int NONE = ClusterView.NONE;
  private static final PopularitySpec NOTHING = new PopularitySpec("", 3600, "", 0);

  /** Own: how often files on their way are looked at. */
  private static final long LOOK_TICKS = 10 * Ticks.PER_SECOND;

  private final PopularitySpec spec;
  private final boolean counts;
  private final Engine engine;
  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final Repair repair;
  private final PopularityPredictor predictor;
  private final DecisionEngine decisions;
  private final PlacementPolicy toSecondary;
  private final int secondaryTier;
  private final PopularityState state = new PopularityState();
  private final InputUse use = new InputUse();

  /** Files on their way to the wanted replicas, {@link DecisionEngine#SECONDARY} included. */
  private final Map<StoredFile, Integer> onTheirWay = new LinkedHashMap<>();

  private final int windowEnds;
  private final int looks;
  private Foresight foresight;
  private double windowStartSeconds;
  private boolean windowRuns;
  private boolean lookIsAsked;
  private int windows;
  private double storedBytesSum;
  private double secondaryBytesSum;
  private int filesWithMore;
  private int filesInSecondary;

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
    this.cluster = cluster;
    this.namespace = namespace;
    this.placer = placer;
    this.repair = repair;
    this.predictor =
        spec.predictor().isEmpty() ? null : PopularityPredictors.parse(spec.predictor());
    boolean hasSecondary = !spec.secondary().isEmpty();
    this.decisions = new DecisionEngine(hasSecondary, spec.extraShareMax());
    TierTable tiers = cluster.view().tiers();
    this.secondaryTier =
        hasSecondary ? tiers.tiers().indexOf(tiers.require(spec.secondary())) : NONE;
    this.toSecondary =
        hasSecondary ? PlacementPolicies.parse("layout:1 x " + spec.secondary(), tiers) : null;
    // Only where it is used: a kind of event more would change the hashes of all other runs.
    this.windowEnds = counts ? engine.register(argument -> windowEnded()) : NONE;
    this.looks = counts ? engine.register(argument -> look()) : NONE;
  }

  /** Own: HDFS allows 512; here each replica that a block might have takes four bytes. */
  private static final int REPLICAS_MAX = 16;

  /** A namespace whose files can get as many replicas as the predictor may want. */
  public static Namespace namespace(PolicySpec policies, Optional<PopularitySpec> popularity) {
    return new Namespace(
        policies.replication(),
        popularity.map(spec -> replicasMax(spec, policies.replication())).orElse(0),
        policies.blockBytes());
  }

  private static int replicasMax(PopularitySpec spec, int usual) {
    if (spec.predictor().isEmpty()) {
      return usual;
    }
    PopularityPredictor predictor = PopularityPredictors.parse(spec.predictor());
    // One more than it predicts: a file that changes its store has its replicas in both.
    return 1 + Math.min(REPLICAS_MAX, Math.max(usual, predictor.replicas(predictor.max())));
  }

  /** Whether it counts at all, so that a predictor may want to look ahead. */
  public boolean needsForesight() {
    return predictor != null;
  }

  /**
   * Lets a predictor that is a bound see what comes.
   *
   * @param ahead the same jobs as those that will run, and of nobody else
   */
  public void foresee(JobSource ahead) throws IOException {
    foresight = new Foresight(ahead);
  }

  /** A job that has arrived will read the file. */
  public void willRead(StoredFile file) {
    if (!counts || file.path().isEmpty()) {
      return;
    }
    use.read(file, Ticks.toSeconds(engine.now()));
    if (!windowRuns) {
      windowRuns = true;
      double now = Ticks.toSeconds(engine.now());
      windowStartSeconds = Math.floor(now / spec.windowSeconds()) * spec.windowSeconds();
      engine.at(
          Math.max(engine.now() + 1, Ticks.ofSeconds(windowStartSeconds + spec.windowSeconds())),
          windowEnds,
          0);
    }
  }

  /** The next window begins with its first read, so that a run whose jobs all wait can end. */
  private void windowEnded() {
    windowRuns = false;
    double end = windowStartSeconds + spec.windowSeconds();
    UseWindow window = use.end(windowStartSeconds, end);
    count();
    if (predictor == null) {
      return;
    }
    if (foresight != null) {
      try {
        window.foresee(foresight.window(use, end, end + spec.windowSeconds()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    int files = use.fileCount();
    double[] predicted = new double[files];
    predictor.predict(window, state, predicted);
    long[] bytes = new long[files];
    for (int file = 0; file < files; file++) {
      bytes[file] = use.file(file).bytes();
    }
    int[] replicas = new int[files];
    decisions.decide(
        new ReplicationRequest(predictor, predicted, bytes, files, file -> false), replicas);
    for (int file = 0; file < files; file++) {
      want(use.file(file), Math.min(replicas[file], namespace.slotCount() - 1));
    }
    look();
  }

  /** Stored bytes as they are at the end of a window. */
  private void count() {
    windows++;
    filesWithMore = 0;
    filesInSecondary = 0;
    for (int number = 0; number < use.fileCount(); number++) {
      StoredFile file = use.file(number);
      filesWithMore += file.replication() > namespace.replication() ? 1 : 0;
      filesInSecondary += isInSecondary(file) ? 1 : 0;
      for (int index = 0; index < file.blockCount(); index++) {
        for (int i = 0; i < namespace.slotCount(); i++) {
          int volume = namespace.replica(file.block(index), i);
          if (volume != NONE) {
            storedBytesSum += file.blockBytes(index);
            secondaryBytesSum += isSecondary(volume) ? file.blockBytes(index) : 0;
          }
        }
      }
    }
  }

  private boolean isSecondary(int volume) {
    return secondaryTier != NONE
        && cluster.view().tierOfVolume(cluster.volume(volume).viewVolume()) == secondaryTier;
  }

  private boolean isInSecondary(StoredFile file) {
    return toSecondary != null && file.policy().filter(toSecondary::equals).isPresent();
  }

  private boolean isThere(StoredFile file) {
    return file.blockCount() > 0 && namespace.fileOf(file.block(0)) == file;
  }

  private void want(StoredFile file, int replicas) {
    if (!isThere(file) || onTheirWay.containsKey(file)) {
      // The one that is on its way is looked at again at the end of the next window.
      return;
    }
    boolean leaves = replicas == DecisionEngine.SECONDARY;
    boolean isAway = isInSecondary(file);
    if (leaves && !isAway) {
      file.setPolicy(toSecondary);
      file.setReplication(file.replication() + 1);
      copy(file, replicas);
    } else if (!leaves && isAway) {
      file.setPolicy(null);
      file.setReplication(replicas + 1);
      copy(file, replicas);
    } else if (!leaves && replicas > file.replication()) {
      file.setReplication(replicas);
      copy(file, replicas);
    } else if (!leaves && replicas < file.replication()) {
      file.setReplication(replicas);
      dropExcess(file);
    }
  }

  private void copy(StoredFile file, int wanted) {
    onTheirWay.put(file, wanted);
    repair.writtenShort(file, 0, file.blockCount());
    askForLook();
  }

  /** Those that have arrived drop what they leave behind. */
  private void look() {
    lookIsAsked = false;
    List<StoredFile> arrived = new ArrayList<>();
    onTheirWay.forEach(
        (file, wanted) -> {
          if (!isThere(file) || isWhole(file)) {
            arrived.add(file);
          }
        });
    for (StoredFile file : arrived) {
      int wanted = onTheirWay.remove(file);
      if (isThere(file)) {
        dropStore(file, wanted);
      }
    }
    if (!onTheirWay.isEmpty() && repair.isCopying()) {
      // Where nothing is copied nothing arrives: the end of a window looks again.
      askForLook();
    }
  }

  private void askForLook() {
    if (!lookIsAsked) {
      lookIsAsked = true;
      engine.at(engine.now() + LOOK_TICKS, looks, 0);
    }
  }

  private boolean isWhole(StoredFile file) {
    for (int index = 0; index < file.blockCount(); index++) {
      if (namespace.wholeReplicas(file.block(index)).length < file.replication()) {
        return false;
      }
    }
    return true;
  }

  /** Drops the replicas in the store that the file has left, if it has. */
  private void dropStore(StoredFile file, int wanted) {
    boolean inSecondary = wanted == DecisionEngine.SECONDARY;
    if (toSecondary == null) {
      return;
    }
    for (int index = 0; index < file.blockCount(); index++) {
      int block = file.block(index);
      for (int i = 0; i < namespace.slotCount(); i++) {
        int volume = namespace.replica(block, i);
        if (volume != NONE && isSecondary(volume) != inSecondary) {
          placer.drop(block, i, file.blockBytes(index));
        }
      }
    }
    file.setReplication(inSecondary ? 1 : wanted);
  }

  /** By the choice of the file's placement policy, block by block. */
  private void dropExcess(StoredFile file) {
    for (int index = 0; index < file.blockCount(); index++) {
      int block = file.block(index);
      List<Integer> volumes = new ArrayList<>();
      for (int volume : namespace.wholeReplicas(block)) {
        volumes.add(volume);
      }
      while (volumes.size() > file.replication()) {
        int goes = placer.chooseExcess(file, index, volumes);
        for (int i = 0; i < namespace.slotCount(); i++) {
          if (namespace.replica(block, i) == goes) {
            placer.drop(block, i, file.blockBytes(index));
          }
        }
        volumes.remove(Integer.valueOf(goes));
      }
    }
  }

  /** The storage that input files took, as a mean over the ends of windows. */
  public RunResult.Stored stored() {
    return windows == 0
        ? RunResult.Stored.UNKNOWN
        : new RunResult.Stored(
            storedBytesSum / windows,
            secondaryBytesSum / windows,
            share(filesWithMore),
            share(filesInSecondary));
  }

  private double share(int files) {
    return use.fileCount() == 0 ? 0 : (double) files / use.fileCount();
  }

  /** Closes what was read ahead. */
  @Override
  public void close() throws IOException {
    if (foresight != null) {
      foresight.close();
    }
  }
}
