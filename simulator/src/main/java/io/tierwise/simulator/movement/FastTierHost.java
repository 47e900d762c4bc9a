package io.tierwise.simulator.movement;

import io.tierwise.core.action.Action;
import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Stage;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.movement.AdaptivePlacement;
import io.tierwise.policies.movement.AdaptivePlacement.Answer;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.policies.movement.StorageCounter;
import io.tierwise.policies.movement.TierLoad;
import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.jobs.JobTracker;
import io.tierwise.simulator.jobs.JobWatch;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.FastTierSpec;
import io.tierwise.simulator.storage.FastReplicas;
import io.tierwise.simulator.storage.ReplicaReads;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Shares a fast tier out as DUX does: asks {@link AdaptivePlacement} about each job that arrives
 * and at the end of each window, and has {@link FastReplicas} carry out the answers.
 *
 * <p>Deviation: intermediate data takes room in the counter alone, as no volume of the simulator
 * fills up with it; how much a job will have is known exactly. What devices serve at the end of a
 * window does not count for popular files, but for jobs alone. Own: a job is expected to wait as
 * long as those before it did, the last eight weighing most; of a job that reads several files the
 * largest is what is brought.
 */
public final class FastTierHost implements JobWatch {
  private static final double NEWEST_WEIGHT = 1.0 / 8;

  private final FastTierSpec spec;
  private final Engine engine;
  private final VirtualCluster cluster;
  private final ReplicaReads reads;
  private final int fast;
  private final int slow;
  private final AdaptivePlacement manager;
  private final DeviceForecast forecast;
  private final PopularityPredictor predictor;
  private final PopularityState state = new PopularityState();
  private final StorageCounter counter = new StorageCounter();
  private final InputUse use;
  private final SlaPaths sla;

  /** Empty where what pays on the average is enough. */
  private final Optional<SureFiles> sure;

  private final FastReplicas replicas;
  private final int windowEnds;
  private final Map<StorageConfiguration, Long> jobs = new EnumMap<>(StorageConfiguration.class);
  private final Map<Integer, Double> waitingSince = new HashMap<>();
  private double meanWaitSeconds;
  private double windowStartSeconds;
  private boolean windowRuns;
  private long bytesMax;
  private Consumer<Action> listener;

  /** A host; its tracker must be told of it. */
  public FastTierHost(FastTierSpec spec, TaskContext context, JobTracker tracker) {
    this.spec = spec;
    this.engine = context.engine();
    this.cluster = context.cluster();
    this.reads = context.reads();
    TierTable tiers = cluster.view().tiers();
    this.fast = tiers.require(spec.tier()).index();
    this.slow = tiers.count() - 1;
    int fastCount = volumes(fast);
    int slowCount = volumes(slow);
    this.manager =
        new AdaptivePlacement(
            spec.regions(),
            tiers.tier(fast).deviceClass(),
            tiers.tier(slow).deviceClass(),
            fastCount,
            slowCount,
            spec.nodeBytesPerSecond() * (double) fastNodes(),
            spec.gainMin());
    this.forecast =
        DeviceForecast.of(cluster, manager.fast(), manager.slow(), fastCount, slowCount);
    this.predictor = PopularityPredictors.parse(spec.predictor());
    this.use = new InputUse(context.namespace());
    this.sla = SlaPaths.of(spec.sla());
    this.sure = sure(spec, manager);
    this.replicas =
        new FastReplicas(
            cluster,
            context.transfers(),
            context.paths(),
            context.buffers(),
            context.namespace(),
            context.placer(),
            context.meters(),
            fast,
            (prefetch, source, target) ->
                spec.nodeBytesPerSecond()
                    * AdaptivePlacement.shareOfRate(
                        prefetch, tracker.isShuffling(source) || tracker.isShuffling(target)));
    this.windowEnds = engine.register(argument -> windowEnded());
  }

  private static Optional<SureFiles> sure(FastTierSpec spec, AdaptivePlacement manager) {
    TierPromotions idle = new TierPromotions(manager.fast(), manager.slow());
    return spec.sureWindows() == 0
        ? Optional.empty()
        : Optional.of(new SureFiles(spec.sureWindows(), idle.readsToPay(), spec.windowSeconds()));
  }

  /** Tells somebody of the files that it brings to the fast tier. */
  public void tell(Consumer<Action> hearing) {
    listener = hearing;
  }

  private int volumes(int tier) {
    int count = 0;
    for (int volume = 0; volume < cluster.volumeCount(); volume++) {
      count += tierOf(volume) == tier ? 1 : 0;
    }
    return count;
  }

  private long fastNodes() {
    return IntStream.range(0, cluster.volumeCount())
        .filter(volume -> tierOf(volume) == fast)
        .map(cluster::nodeOfVolume)
        .distinct()
        .count();
  }

  private int tierOf(int volume) {
    int viewVolume = cluster.volume(volume).viewVolume();
    return viewVolume == ClusterView.NONE
        ? TierTable.NONE
        : cluster.view().tierOfVolume(viewVolume);
  }

  @Override
  public int arrived(int job, JobSpec spec, int maps, int reduces, List<StoredFile> inputs) {
    StoredFile input = null;
    int file = StorageCounter.NO_FILE;
    for (StoredFile one : inputs) {
      int number = noteRead(one);
      if (input == null || one.bytes() > input.bytes()) {
        input = one;
        file = number;
      }
    }
    waitingSince.put(job, now());
    Answer answer =
        manager.decide(
            new AdaptivePlacement.Job(
                job,
                file,
                input == null ? 0 : input.bytes(),
                spec.mapOutputBytes(),
                forecast.of(spec, maps, reduces),
                meanWaitSeconds),
            load(),
            counter);
    jobs.merge(answer.configuration(), 1L, Long::sum);
    answer.evicted().forEach(gone -> replicas.drop(use.file(gone)));
    if (answer.prefetches()) {
      bring(input, true, "prefetched for a job that waits", answer.gainSeconds());
    }
    noteBytes();
    return answer.configuration().hasFastIntermediate() ? fast : slow;
  }

  /** A file may have been deleted since, and laid out anew under its name. */
  private int noteRead(StoredFile input) {
    int known = use.number(input);
    if (known >= 0 && use.file(known) != input) {
      replicas.drop(use.file(known));
      counter.forget(known);
    }
    use.read(input, now());
    if (!windowRuns) {
      windowRuns = true;
      windowStartSeconds = Math.floor(now() / spec.windowSeconds()) * spec.windowSeconds();
      long end = Ticks.ofSeconds(windowStartSeconds + spec.windowSeconds());
      engine.at(Math.max(engine.now() + 1, end), windowEnds, 0);
    }
    return use.number(input);
  }

  @Override
  public void mapStarted(int job) {
    Double since = waitingSince.remove(job);
    if (since != null) {
      meanWaitSeconds += NEWEST_WEIGHT * (now() - since - meanWaitSeconds);
    }
  }

  @Override
  public void over(int job) {
    waitingSince.remove(job);
    counter.over(job);
  }

  private TierLoad load() {
    int slowReaders = 0;
    int fastReaders = 0;
    for (int volume = 0; volume < cluster.volumeCount(); volume++) {
      int tier = tierOf(volume);
      slowReaders += tier == slow ? reads.readers(volume) : 0;
      fastReaders += tier == fast ? reads.readers(volume) : 0;
    }
    return new TierLoad(
        (double) slowReaders / manager.slowCount(), (double) fastReaders / manager.fastCount());
  }

  /** The next window begins with its first read, so that a run whose jobs all wait can end. */
  private void windowEnded() {
    windowRuns = false;
    UseWindow window = use.end(windowStartSeconds, windowStartSeconds + spec.windowSeconds());
    double[] predicted = new double[use.fileCount()];
    PopularityPredictors.predict(predictor, window, state, predicted);
    sure.ifPresent(each -> each.note(window));
    List<TierPromotions.File> files = new ArrayList<>();
    for (int file = 0; file < predicted.length; file++) {
      if (use.exists(file)) {
        // Own: DUX's popularity stands for the reads to come, of which there are never fewer than
        // none.
        double reads = Math.max(0, predicted[file]);
        if (mayCome(window, file)) {
          files.add(
              new TierPromotions.File(
                  file, use.file(file).bytes(), reads, 0, claim(use.file(file))));
        }
      } else if (counter.has(file)) {
        counter.forget(file);
        replicas.drop(use.file(file));
      }
    }
    AdaptivePlacement.Rearrangement change = manager.rearrange(files, TierLoad.IDLE, counter);
    change.out().forEach(file -> replicas.drop(use.file(file)));
    for (int file : change.in()) {
      String rule =
          sla.covers(use.file(file)) ? "it is under an SLA" : "its reads to come pay for the copy";
      bring(use.file(file), false, rule, Double.NaN);
    }
    noteBytes();
  }

  /** Whether it is there, comes first, or is sure enough to come. */
  private boolean mayCome(UseWindow window, int file) {
    return sure.isEmpty()
        || counter.isPersistent(file)
        || sla.covers(use.file(file))
        || sure.get().contains(window, file);
  }

  private TierPromotions.Claim claim(StoredFile file) {
    return sla.covers(file) ? TierPromotions.Claim.FIRST : TierPromotions.Claim.USUAL;
  }

  private void bring(StoredFile file, boolean prefetch, String rule, double gainSeconds) {
    if (listener != null) {
      String name = file.path().isEmpty() ? "file " + file.id() : file.path();
      // An upper bound: a copy inside a node, which is chosen later, crosses no network.
      Cost cost = Cost.ofBytes(file.bytes(), file.bytes(), file.bytes());
      listener.accept(new Stage(AdaptivePlacement.NAME, rule, name, fast, gainSeconds, cost));
    }
    replicas.bring(file, prefetch);
  }

  private void noteBytes() {
    bytesMax = Math.max(bytesMax, counter.persistentBytes() + counter.temporaryBytes());
  }

  private double now() {
    return Ticks.toSeconds(engine.now());
  }

  /** What it did. */
  public RunResult.FastTier result() {
    return new RunResult.FastTier(
        bytesMax, replicas.prefetchedBytes(), replicas.otherBytes(), Map.copyOf(jobs));
  }
}
