package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs an application in each configuration, and puts its input back, whatever happens.
 *
 * <p>Source: DerbyhatS, 6.1.5. Deviation: HDFS and YARN stay as they are configured. Input goes to
 * a tier by the mover, intermediate data by the variable that our container executor obeys.
 */
public final class ProfilingRun {
  private final MoverCluster cluster;
  private final MoverSettings settings;
  private final Journal journal;
  private final ProfilingWish wish;
  private final List<String> paths;
  private final Listener listener;
  private final Tier fast;
  private final Tier slow;
  private final StopSign stop = new StopSign();
  private InputPlacement placement;

  /**
   * Nothing is changed before {@link #run}.
   *
   * @param paths of the input
   * @throws OperatorException when there is no such tier
   */
  public ProfilingRun(
      MoverCluster cluster,
      MoverSettings settings,
      Journal journal,
      ProfilingWish wish,
      List<String> paths,
      Listener listener) {
    this.cluster = cluster;
    this.settings = settings;
    this.journal = journal;
    this.wish = wish;
    this.paths = List.copyOf(paths);
    this.listener = listener;
    fast = tier("--fast-tier", wish.fastTier());
    slow = tier("--slow-tier", wish.slowTier());
  }

  private Tier tier(String option, String name) {
    try {
      return cluster.tiers().table().require(name);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(option + ": " + e.getMessage());
    }
  }

  private Tier inputTier(StorageConfiguration configuration) {
    return configuration.hasFastInput() ? fast : slow;
  }

  private Tier intermediateTier(StorageConfiguration configuration) {
    return configuration.hasFastIntermediate() ? fast : slow;
  }

  /**
   * Says what {@link #run} would do; nothing is changed.
   *
   * @throws OperatorException when it would be refused
   */
  public ProfilingReport plan() throws IOException {
    Optional<List<String>> left = ProfilingLock.look(journal);
    ClientFolder.require(wish.configuration());
    SparkClient.require(wish.sparkConfiguration());
    ProfilingReport.Builder report = report(InputFiles.below(cluster, paths));
    if (left.isEmpty()) {
      report.remark(
          "another 'tierwise profile run' goes on: this one would be refused until it ends");
    } else {
      remarkLeft(left.get(), report);
    }
    try (IntermediateNodes nodes = IntermediateNodes.of(cluster.conf())) {
      requirePossible(nodes, report);
    }
    for (StorageConfiguration each : StorageConfiguration.values()) {
      report.planned(
          each,
          inputTier(each).name(),
          intermediateTier(each).name(),
          wish.words(name(each, 1), intermediateTier(each).name(), "TAG"));
    }
    return report.build();
  }

  private void remarkLeft(List<String> runs, ProfilingReport.Builder report) throws IOException {
    LeftRuns left = LeftRuns.of(journal, runs);
    if (!left.known().isEmpty()) {
      report.remark(
          "a run that was killed left input elsewhere: " + left.known() + " would be undone first");
    }
    left.line().ifPresent(report::remark);
    for (String folder : OwnFolders.left(journal)) {
      report.remark("a run that was killed left " + folder + ": it would be deleted first");
    }
  }

  private ProfilingReport.Builder report(InputFiles files) {
    return new ProfilingReport.Builder(paths, files, fast.name(), slow.name());
  }

  private void requirePossible(IntermediateNodes nodes, ProfilingReport.Builder report)
      throws IOException {
    nodes.require(slow.name(), fast.name());
    for (Tier tier : List.of(slow, fast)) {
      List<MoverReport> moves = InputPlacement.plan(cluster, settings, report.files(), tier);
      InputPlacement.requireWhole(moves, tier, "nothing was changed");
      report.move(tier.name(), moves);
    }
  }

  private static String name(StorageConfiguration configuration, int time) {
    return "config-" + configuration.number() + "-" + time;
  }

  /**
   * Runs it in all configurations, or until one fails.
   *
   * @param catalog of runs: a file or a URL
   * @param printed takes what the application prints
   * @throws OperatorException when a configuration cannot be made; input is back by then
   */
  public ProfilingReport run(String catalog, Consumer<String> printed) throws IOException {
    try (ProfilingLock lock = ProfilingLock.take(journal)) {
      begin(new InputPlacement(cluster, settings, journal, lock, stop, listener));
      placement.putBackLeft();
      OwnFolders.deleteLeft(journal, cluster.conf()).forEach(listener::say);
      String mark = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
      try (RunCatalog runs = RunCatalog.openOrMake(catalog);
          IntermediateNodes nodes = IntermediateNodes.of(cluster.conf());
          TaggedApplications applications = TaggedApplications.of(cluster.conf());
          OwnFolders own = OwnFolders.of(journal);
          ClientFolder folder = ClientFolder.copyOf(wish.configuration(), own);
          SparkClient spark =
              SparkClient.of(wish.sparkConfiguration(), cluster.fs(), cluster.conf(), mark, own)) {
        ProfilingReport.Builder report = report(InputFiles.below(cluster, paths));
        requirePossible(nodes, report);
        long roomBytes = roomBytes();
        ConfigurationRun once =
            new ConfigurationRun(
                cluster.conf(), wish, nodes, applications, folder, spark, mark, stop);
        boolean whole = false;
        try {
          whole = runAll(once, runs, printed, report);
        } catch (StopSign.Stopped e) {
          report.stopped();
        } finally {
          putBack(report);
        }
        if (whole) {
          report.choose(fast.deviceClass(), slow.deviceClass(), roomBytes);
        }
        return report.build();
      }
    }
  }

  private synchronized void begin(InputPlacement begun) {
    placement = begun;
  }

  /** False after an application that failed: those before it are in the catalog. */
  private boolean runAll(
      ConfigurationRun once,
      RunCatalog runs,
      Consumer<String> printed,
      ProfilingReport.Builder report)
      throws IOException {
    for (StorageConfiguration each : StorageConfiguration.values()) {
      Tier input = inputTier(each);
      Tier intermediate = intermediateTier(each);
      placement.bring(report.files(), input);
      for (int time = 1; time <= wish.times(); time++) {
        listener.say(
            "Config-"
                + each.number()
                + ": input in "
                + input.name()
                + ", intermediate data in "
                + intermediate.name()
                + (wish.times() == 1 ? "" : ", run " + time + " of " + wish.times()));
        ConfigurationRun.Ran ran = once.run(name(each, time), intermediate.name(), printed, report);
        report.ran(each, input.name(), intermediate.name(), ran);
        report.added(
            runs.add(
                ran.jobs().stream()
                    .map(job -> RunCatalog.NamedRun.of(job, wish.application(), each.number()))
                    .toList()));
        if (ran.failure() != null) {
          return false;
        }
      }
    }
    return true;
  }

  /** Also after an error, which is more important than what stays elsewhere. */
  private void putBack(ProfilingReport.Builder report) {
    try {
      for (String stays : placement.putBack()) {
        listener.say("not back where it was: " + stays);
        report.notBack(stays);
      }
      if (stop.isSet()) {
        listener.say("stopped; the input is where it was, but for what was told");
      }
    } catch (IOException | RuntimeException e) {
      String why = FailureText.line(FailureText.cause(e));
      String line =
          "the input is not back ("
              + why
              + "): the next 'tierwise profile run' puts it back, or 'tierwise undo'";
      listener.say(line);
      report.notBack(line);
    }
  }

  /** Bytes that the fast tier has free, of all nodes together. */
  private long roomBytes() throws IOException {
    return ClusterVolumes.read(cluster.fs(), cluster.tiers()).volumes().stream()
        .filter(ClusterVolumes.Volume::inService)
        .filter(volume -> volume.tier() == fast.index())
        .mapToLong(ClusterVolumes.Volume::remainingBytes)
        .sum();
  }

  /** Ends the application and puts the input back; from any thread. */
  public synchronized void stop() {
    stop.set();
    if (placement != null) {
      placement.stop();
    }
  }

  /** What is to be said when the input could not be put back in time. */
  public static String late() {
    return "ended before the input was back: the next 'tierwise profile run' puts it back, or"
        + " 'tierwise undo' of the runs named above";
  }
}
