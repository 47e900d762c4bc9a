package io.tierwise.hadoop.autotier;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Stage;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.jobs.JobForecast;
import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.ProfileBook;
import io.tierwise.hadoop.autotier.jobs.StagedInput;
import io.tierwise.hadoop.autotier.jobs.WaitingJob;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.movement.AdaptivePlacement;
import io.tierwise.policies.movement.FastTierRegions;
import io.tierwise.policies.movement.StorageCounter;
import io.tierwise.policies.movement.TierPromotions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Asks {@link AdaptivePlacement} about each job that waits, as the simulator's host does, and plans
 * what it answers. It keeps the {@link StorageCounter}. Not for many threads.
 *
 * <p>All files of a job's input are one to the counter. A file of an input that leaves stays where
 * another job that is not over reads it.
 */
final class JobPlanner {
  /** As in the simulator. */
  private static final double GAIN_MIN = 0.05;

  /** Own: a job that waits twice as long as it was expected to is looked at again. */
  private static final double AGAIN = 2;

  /** Own: sooner nothing can be copied. */
  private static final double WAIT_SECONDS_MIN = 5;

  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final Prefetching bounds;
  private final FastTierMoves moves;
  private final LastChanges lastChanges;
  private final StagedInput staged;
  private final ProfileBook profiles;
  private final StorageCounter counter = new StorageCounter();
  private final Map<String, Known> jobs = new HashMap<>();

  /** Files in the fast tier, or on their way, by the number of their input. */
  private final Map<Integer, Map<Long, String>> inputs = new TreeMap<>();

  private int numbers;

  /**
   * A job that was looked at.
   *
   * @param files that it reads
   * @param input its number in the counter; {@link StorageCounter#NO_FILE} when it holds none
   * @param waitSeconds that it was expected to wait
   */
  private record Known(int number, Set<Long> files, int input, double waitSeconds) {}

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
    // A daemon before this one brought them, and its jobs may be over.
    lastChanges
        .prefetchedIn(fast().name())
        .forEach((file, placed) -> left(Map.of(file, placed.path()), placed.bytes()));
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

  /** Files that nobody needs and that may leave. */
  private void left(Map<Long, String> files, long bytes) {
    int input = numbers++;
    inputs.put(input, files);
    counter.found(input, bytes);
  }

  /** Bytes of the temporary region that are taken or promised. */
  long temporaryBytes() {
    return counter.temporaryBytes();
  }

  /** Jobs that are not over give back what they had. */
  void over(JobList list) {
    Iterator<Map.Entry<String, Known>> each = jobs.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, Known> job = each.next();
      if (!list.has(job.getKey())) {
        counter.over(job.getValue().number());
        each.remove();
      }
    }
  }

  /** The wait that is to be expected: as that of others, and no shorter than it was until now. */
  private static double waitSeconds(WaitingJob job, JobList list, double nowSeconds) {
    return Math.max(list.meanWaitSeconds(), nowSeconds - job.submittedMillis() / 1e3);
  }

  /** Whether a job is to be looked at now, for the first time or again. */
  boolean isDue(WaitingJob job, JobList list, double nowSeconds) {
    Known known = jobs.get(job.application());
    return known == null
        || (known.input() == StorageCounter.NO_FILE
            && waitSeconds(job, list, nowSeconds)
                > AGAIN * Math.max(WAIT_SECONDS_MIN, known.waitSeconds()));
  }

  /**
   * Plans for a job, and counts what it gets.
   *
   * @throws IOException when the NameNode is away
   */
  JobPlan plan(WaitingJob job, JobList list, double nowSeconds) throws IOException {
    Known before = jobs.remove(job.application());
    if (before != null) {
      counter.over(before.number());
    }
    double wait = waitSeconds(job, list, nowSeconds);
    int number = numbers++;
    jobs.put(job.application(), new Known(number, Set.of(), StorageCounter.NO_FILE, wait));
    StagedInput.Input input = staged.of(job);
    if (input.reason() != null) {
      return nothing(job, input.reason());
    }
    JobFiles files = JobFiles.of(cluster, settings, fast().name(), input.files());
    long bytes = input.files().stream().mapToLong(file -> file.status().getLen()).sum();
    Volumes volumes = Volumes.of(cluster, settings, fast(), moves.slow());
    try {
      JobForecast forecast =
          JobForecast.of(
              profiles.predict(job.name(), bytes),
              new JobForecast.Devices(
                  fast().deviceClass(), moves.slow().deviceClass(), volumes.slowCount()));
      return decide(new Asked(job, number, wait, files, bytes, forecast), volumes);
    } catch (OperatorException e) {
      if (e.kind() != OperatorException.Kind.BAD_INPUT) {
        throw e;
      }
      return nothing(job, e.getMessage());
    }
  }

  private static JobPlan nothing(WaitingJob job, String reason) {
    return JobPlan.nothing(job.application(), job.user(), job.name(), reason);
  }

  private record Asked(
      WaitingJob job,
      int number,
      double waitSeconds,
      JobFiles files,
      long inputBytes,
      JobForecast forecast) {
    /** The share of its input that is in the fast tier, or cannot come there. */
    double there() {
      return 1 - files.missingBytes() / Math.max(1.0, (double) inputBytes);
    }
  }

  private JobPlan decide(Asked asked, Volumes volumes) throws IOException {
    JobFiles files = asked.files();
    // What the job reads and nobody needs any more is its own from now on.
    int input = files.missing().isEmpty() ? known(files.all().keySet()) : numbers++;
    AdaptivePlacement policy =
        new AdaptivePlacement(
            regions(volumes),
            fast().deviceClass(),
            moves.slow().deviceClass(),
            volumes.fastCount(),
            volumes.slowCount(),
            volumes.copyBytesPerSecond(),
            GAIN_MIN);
    AdaptivePlacement.Answer answer =
        policy.decide(
            new AdaptivePlacement.Job(
                asked.number(),
                input,
                files.missingBytes(),
                Math.round(asked.forecast().intermediateBytes()),
                asked.forecast().withInputThere(asked.there()),
                asked.waitSeconds()),
            volumes.load(),
            counter);
    boolean holds = answer.configuration().hasFastInput();
    jobs.put(
        asked.job().application(),
        new Known(
            asked.number(),
            Set.copyOf(files.all().keySet()),
            holds ? input : StorageCounter.NO_FILE,
            asked.waitSeconds()));
    LeftFiles left = new LeftFiles();
    List<RoundPlan.TierMove> leaving = leaving(answer.evicted(), left);
    List<RoundPlan.TierMove> coming =
        answer.prefetches()
            ? coming(input, files.missing(), answer.gainSeconds(), left)
            : List.of();
    return answer(asked, answer, leaving, coming, left);
  }

  /** The number of an input that is in the fast tier; none where others brought it there. */
  private int known(Set<Long> files) {
    for (Map.Entry<Integer, Map<Long, String>> each : inputs.entrySet()) {
      if (counter.has(each.getKey()) && each.getValue().keySet().equals(files)) {
        return each.getKey();
      }
    }
    return StorageCounter.NO_FILE;
  }

  /** No more than there is room for; what nobody needs counts as room. */
  private FastTierRegions regions(Volumes volumes) {
    long there = counter.temporaryBytes() + volumes.fastRoomBytes();
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
    } else if (asked.files().all().isEmpty()) {
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

  /** Its input did not come: it is neither counted nor waited for, and the job looked at again. */
  void notPrefetched(WaitingJob job) {
    Known known = jobs.get(job.application());
    if (known != null && known.input() != StorageCounter.NO_FILE) {
      counter.forget(known.input());
      Map<Long, String> files = inputs.remove(known.input());
      jobs.put(
          job.application(),
          new Known(known.number(), known.files(), StorageCounter.NO_FILE, known.waitSeconds()));
      if (files != null) {
        // A part of it may be there.
        lastChanges.prefetchedIn(fast().name()).entrySet().stream()
            .filter(each -> files.containsKey(each.getKey()))
            .forEach(
                each ->
                    left(Map.of(each.getKey(), each.getValue().path()), each.getValue().bytes()));
      }
    }
  }

  private List<RoundPlan.TierMove> leaving(Collection<Integer> evicted, LeftFiles left)
      throws IOException {
    Map<Long, String> out = new LinkedHashMap<>();
    Map<Long, LastChanges.Placed> there = lastChanges.prefetchedIn(fast().name());
    for (int input : evicted) {
      Map<Long, String> files = inputs.remove(input);
      for (Map.Entry<Long, String> file : files.entrySet()) {
        LastChanges.Placed placed = there.get(file.getKey());
        if (placed == null) {
          continue; // It never came, or somebody took it out.
        }
        if (jobs.values().stream().anyMatch(job -> job.files().contains(file.getKey()))) {
          left(Map.of(file.getKey(), file.getValue()), placed.bytes());
        } else {
          out.put(file.getKey(), file.getValue());
        }
      }
    }
    return moves.leaving(AdaptivePlacement.NAME, out, lastChanges, left);
  }

  private List<RoundPlan.TierMove> coming(
      int input, List<JobFiles.One> files, double gainSeconds, LeftFiles left) throws IOException {
    Map<Long, String> paths = new LinkedHashMap<>();
    List<FastTierMoves.Coming> coming = new ArrayList<>();
    for (JobFiles.One file : files) {
      paths.put(file.fileId(), file.path());
      coming.add(
          new FastTierMoves.Coming(
              file.path(), file.fileId(), file.replicas(), gainSeconds / files.size()));
    }
    inputs.put(input, paths);
    return moves.coming(AdaptivePlacement.NAME, coming, left);
  }
}
