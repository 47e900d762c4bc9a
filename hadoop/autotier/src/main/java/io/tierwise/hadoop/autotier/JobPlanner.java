package io.tierwise.hadoop.autotier;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Stage;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.jobs.JobForecast;
import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.ProfileBook;
import io.tierwise.hadoop.autotier.jobs.StagedInput;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.AdaptivePlacement;
import io.tierwise.policies.movement.FastTierRegions;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.policies.movement.StorageCounter;
import io.tierwise.policies.movement.TierPromotions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks {@link AdaptivePlacement} about each job that waits, as the simulator's host does, and plans
 * what it answers. Not for many threads.
 *
 * <p>All files that are prefetched for a job are one input to the {@link StorageCounter}. A job
 * also holds the inputs that are there and have a file of its. A file of an input that leaves stays
 * where another job that is not over reads it.
 */
final class JobPlanner {
  /** Own: files of jobs that are over are deleted or renamed at any time. */
  private static final double LOOK_SECONDS = 60;

  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final Prefetching bounds;
  private final FastTierMoves moves;
  private final LastChanges lastChanges;
  private final StagedInput staged;
  private final ProfileBook profiles;
  private final TemporaryRegion region;
  private final KnownJobs jobs;
  private double lookedSeconds = Double.NEGATIVE_INFINITY;

  private JobPlanner(
      MoverCluster cluster,
      AutotierSettings settings,
      FastTierMoves moves,
      LastChanges lastChanges,
      StagedInput staged) {
    this.cluster = cluster;
    this.settings = settings;
    this.bounds = settings.prefetching().orElseThrow();
    this.moves = moves;
    this.lastChanges = lastChanges;
    this.staged = staged;
    profiles = new ProfileBook(bounds.catalog());
    region = new TemporaryRegion(new PlacedFiles(cluster, settings, fast().name()), lastChanges);
    jobs = new KnownJobs(region);
  }

  /** One for this cluster; nothing is asked of it yet. */
  static JobPlanner of(
      MoverCluster cluster,
      AutotierSettings settings,
      FastTierMoves moves,
      LastChanges lastChanges) {
    return new JobPlanner(
        cluster,
        settings,
        moves,
        lastChanges,
        new StagedInput(cluster.fs().getUri(), cluster.conf()));
  }

  private Tier fast() {
    return moves.fast();
  }

  private StorageCounter counter() {
    return region.counter();
  }

  /** Bytes of the temporary region that are taken or promised. */
  long temporaryBytes() {
    return counter().temporaryBytes();
  }

  /** The jobs that were looked at. */
  KnownJobs jobs() {
    return jobs;
  }

  /** Files stay for other readers. */
  void handOver(Collection<Long> popular) {
    region.handOver(popular);
  }

  /**
   * Asks the NameNode what is there, when that is due: sooner while a copy may come that nobody
   * waits for.
   *
   * @throws IOException when the NameNode is away
   */
  void look(double nowSeconds) throws IOException {
    double rest = region.mayGrow() ? Autotier.REST_SECONDS : LOOK_SECONDS;
    if (nowSeconds - lookedSeconds >= rest) {
      region.look(nowSeconds);
      lookedSeconds = nowSeconds;
    }
  }

  private void saw(List<StagedInput.InputFile> files) {
    Map<Long, Long> there = new HashMap<>();
    for (StagedInput.InputFile file : files) {
      long missing = TierMoves.missingBytes(cluster, file.status(), fast().name());
      there.put(file.status().getFileId(), file.status().getLen() - missing);
    }
    region.saw(there);
  }

  /** Others of this daemon moved files. */
  void moved(PastRun run) {
    lastChanges.add(run);
    region.drop();
  }

  /**
   * A job runs that nobody planned for: its input does not leave under it.
   *
   * @throws IOException when the NameNode is away
   */
  void learn(SubmittedJob job, double nowSeconds) throws IOException {
    jobs.looksAt(job.application(), nowSeconds);
    List<StagedInput.InputFile> input = staged.of(job).files();
    saw(input);
    Set<Long> files = new HashSet<>();
    input.forEach(file -> files.add(file.status().getFileId()));
    jobs.reads(job.application(), files, true, 0, nowSeconds);
  }

  /**
   * Plans for a job, and counts what it gets.
   *
   * @throws IOException when the NameNode is away
   */
  JobPlan plan(SubmittedJob job, JobList list, double nowSeconds) throws IOException {
    jobs.looksAt(job.application(), nowSeconds);
    look(nowSeconds);
    try {
      return planFor(job, list, nowSeconds);
    } catch (IOException | RuntimeException e) {
      failed(job, nowSeconds);
      throw e;
    }
  }

  private JobPlan planFor(SubmittedJob job, JobList list, double nowSeconds) throws IOException {
    double wait = KnownJobs.waitSeconds(job, list, nowSeconds);
    StagedInput.Input input = staged.of(job);
    if (input.reason() != null) {
      return nothing(job, Set.of(), wait, nowSeconds, input.reason());
    }
    saw(input.files());
    JobFiles files = JobFiles.of(cluster, settings, moves, input.files());
    long bytes = input.files().stream().mapToLong(file -> file.status().getLen()).sum();
    Volumes volumes = Volumes.of(cluster, settings, fast(), moves.slow());
    try {
      JobForecast forecast =
          JobForecast.of(
              profiles.predict(job, bytes),
              new JobForecast.Devices(
                  fast().deviceClass(), moves.slow().deviceClass(), volumes.slowCount()));
      long earlier = jobs.promisedBytes(Set.of(job.application()));
      jobs.promise(job.application(), 0);
      FastTierRegions regions = regions(volumes, list);
      return decide(
          new Asked(job, wait, nowSeconds, files, bytes, forecast, earlier), volumes, regions);
    } catch (OperatorException e) {
      if (e.kind() != OperatorException.Kind.BAD_INPUT) {
        throw e;
      }
      return nothing(job, files.all().keySet(), wait, nowSeconds, e.getMessage());
    }
  }

  private JobPlan nothing(
      SubmittedJob job, Set<Long> files, double wait, double nowSeconds, String reason) {
    jobs.reads(job.application(), files, false, wait, nowSeconds);
    return JobPlan.nothing(job.application(), job.user(), job.name(), reason);
  }

  private record Asked(
      SubmittedJob job,
      double waitSeconds,
      double nowSeconds,
      JobFiles files,
      long inputBytes,
      JobForecast forecast,
      long promisedBytes) {
    /** The share of its input that is in the fast tier, or cannot come there. */
    double there() {
      return 1 - files.missingBytes() / Math.max(1.0, (double) inputBytes);
    }
  }

  private JobPlan decide(Asked asked, Volumes volumes, FastTierRegions regions) throws IOException {
    JobFiles files = asked.files();
    String application = asked.job().application();
    Set<Long> ids = Set.copyOf(files.all().keySet());
    jobs.reads(application, ids, false, asked.waitSeconds(), asked.nowSeconds());
    int number = region.number();
    int input = files.missing().isEmpty() ? firstWith(ids) : region.number();
    jobs.holds(application, number);
    AdaptivePlacement policy =
        new AdaptivePlacement(
            regions,
            fast().deviceClass(),
            moves.slow().deviceClass(),
            volumes.fastCount(),
            volumes.slowCount(),
            volumes.copyBytesPerSecond(),
            AdaptivePlacement.GAIN_MIN);
    AdaptivePlacement.Job job =
        new AdaptivePlacement.Job(
            number,
            input,
            files.missingBytes(),
            Math.round(asked.forecast().intermediateBytes()),
            asked.forecast().withInputThere(asked.there()),
            asked.waitSeconds());
    AdaptivePlacement.Answer answer = policy.decide(job, volumes.load(), counter());
    promises(asked, job, answer);
    boolean prefetches = answer.prefetches();
    if (answer.configuration().hasFastInput()) {
      jobs.settle(application, prefetches ? input : StorageCounter.NO_FILE);
    }
    LeftFiles left = new LeftFiles();
    List<RoundPlan.TierMove> leaving = leaving(answer.evicted(), files, left);
    List<RoundPlan.TierMove> coming =
        prefetches ? coming(input, files.missing(), answer.gainSeconds(), left) : List.of();
    return answer(asked, answer, leaving, coming, left);
  }

  /**
   * Promises to intermediate data are counted by themselves, since they last also when the input
   * does not come. NodeManagers follow what was told before until they are told.
   */
  private void promises(Asked asked, AdaptivePlacement.Job job, AdaptivePlacement.Answer answer) {
    StorageConfiguration chosen = answer.configuration();
    counter().over(job.number());
    counter().hold(job.number(), chosen.hasFastInput() ? job.file() : StorageCounter.NO_FILE, 0, 0);
    jobs.promise(
        asked.job().application(),
        Math.max(
            asked.promisedBytes(), chosen.hasFastIntermediate() ? job.intermediateBytes() : 0));
  }

  /** NodeManagers were told what a plan says about intermediate data. */
  void told(JobPlan plan) {
    told(plan.application(), plan.intermediateTier(), plan.intermediateBytes());
  }

  /** NodeManagers were told, perhaps by an earlier daemon. */
  void told(String application, String tier, long bytes) {
    jobs.promise(application, fast().name().equals(tier) ? bytes : 0);
  }

  /** An input that is in the fast tier; none where others brought it there. */
  private int firstWith(Set<Long> files) {
    return region.with(files).stream().findFirst().orElse(StorageCounter.NO_FILE);
  }

  /**
   * No more than there is room for; what nobody needs counts as room. What jobs that wait were
   * promised is not written yet, so that volumes have it as room still.
   */
  private FastTierRegions regions(Volumes volumes, JobList list) {
    long unwritten = jobs.promisedBytes(list.waiting().keySet());
    long there = counter().temporaryBytes() - unwritten + volumes.fastRoomBytes();
    long region = Math.min(bounds.regionBytes(), there);
    return new FastTierRegions(0, region, Math.min(region, bounds.bufferBytes()));
  }

  private JobPlan answer(
      Asked asked,
      AdaptivePlacement.Answer answer,
      List<RoundPlan.TierMove> leaving,
      List<RoundPlan.TierMove> coming,
      LeftFiles left) {
    String reason = answer.reason();
    if (answer.prefetches() && coming.isEmpty()) {
      reason = left.list().stream().findFirst().map(RoundPlan.Left::text).orElse("nothing moves");
      notPrefetched(asked.job());
    } else if (!asked.files().reason().isEmpty()) {
      reason = asked.files().reason();
    }
    String tier = null;
    if (asked.forecast().intermediateBytes() > 0) {
      boolean isFast = answer.configuration().hasFastIntermediate();
      tier = isFast ? fast().name() : moves.slow().name();
    }
    return new JobPlan(
        asked.job().application(),
        asked.job().user(),
        asked.job().name(),
        answer.configuration(),
        tier,
        asked.inputBytes(),
        asked.files().missingBytes(),
        Math.round(asked.forecast().intermediateBytes()),
        asked.waitSeconds(),
        answer.gainSeconds(),
        reason,
        leaving,
        coming,
        coming.isEmpty() ? List.of() : List.of(stage(asked, answer)));
  }

  private Stage stage(Asked asked, AdaptivePlacement.Answer answer) {
    long bytes = asked.files().missingBytes();
    double seconds =
        new TierPromotions(fast().deviceClass(), moves.slow().deviceClass()).costSeconds(bytes);
    return new Stage(
        AdaptivePlacement.NAME,
        "prefetched for a job that waits",
        asked.job().application(),
        fast().index(),
        answer.gainSeconds(),
        new Cost(bytes, bytes, bytes, seconds, Double.NaN));
  }

  /** Its input did not come: it is looked at again when it waits for long. */
  void notPrefetched(SubmittedJob job) {
    jobs.notComing(job.application());
    unsure();
  }

  /** Something stood in the way: nothing of it is counted, and it is looked at again soon. */
  void failed(SubmittedJob job, double nowSeconds) {
    jobs.failed(job.application(), nowSeconds);
    unsure();
  }

  /** Some of what was to move may have, and the journal does not tell: the NameNode is asked. */
  private void unsure() {
    region.settle();
    lookedSeconds = Double.NEGATIVE_INFINITY;
  }

  /** Counts what is there: a plan may have been carried out or not. */
  void settle() {
    lastChanges.forgetPast(Optional.of(fast().name()), 2 * settings.holdSeconds());
    region.settle();
  }

  /** What makes room, and what runs that ended in between left to mend. */
  private List<RoundPlan.TierMove> leaving(
      Collection<Integer> evicted, JobFiles files, LeftFiles left) throws IOException {
    Map<Long, String> out = region.leaving(evicted, jobs::needs);
    List<RoundPlan.TierMove> moves =
        new ArrayList<>(this.moves.leaving(AdaptivePlacement.NAME, out, lastChanges, left));
    Set<Long> coming = new HashSet<>();
    files.missing().forEach(file -> coming.add(file.fileId()));
    moves.addAll(
        new PolicyMends(cluster, this.moves, lastChanges)
            .plan(
                AdaptivePlacement.NAME,
                id ->
                    !lastChanges.hasPolicyOfPrefetch(id)
                        || out.containsKey(id)
                        || coming.contains(id)));
    return moves;
  }

  private List<RoundPlan.TierMove> coming(
      int input, List<JobFiles.One> files, double gainSeconds, LeftFiles left) throws IOException {
    Map<Long, Long> bytes = new HashMap<>();
    List<FastTierMoves.Coming> coming = new ArrayList<>();
    for (JobFiles.One file : files) {
      bytes.put(file.fileId(), file.missingBytes());
      coming.add(
          new FastTierMoves.Coming(
              file.path(), file.fileId(), file.replicas(), gainSeconds / files.size()));
    }
    region.coming(input, bytes);
    return moves.coming(AdaptivePlacement.NAME, coming, left);
  }
}
