package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.policies.movement.StorageCounter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs that were looked at and are not over: what they read, and what is counted for them. For
 * one thread, but where it says otherwise.
 */
final class KnownJobs {
  /** Own: a job that waits twice as long as it was expected to is looked at again. */
  private static final double AGAIN = 2;

  /** Own: sooner nothing can be copied. */
  private static final double WAIT_SECONDS_MIN = 5;

  private final TemporaryRegion region;
  private final StorageCounter counter;
  private final NeededFiles needed;
  private final Map<String, Known> jobs = new HashMap<>();
  private final Map<String, Promise> promises = new HashMap<>();

  /**
   * A job.
   *
   * @param holders its numbers in the counter: its own, and one for each input that it found
   * @param files that it reads
   * @param coming the number of the input that is prefetched for it; {@link StorageCounter#NO_FILE}
   *     when none is
   * @param settled whether it is not to be looked at again
   * @param failed whether something stood in the way
   * @param waitSeconds that it was expected to wait
   */
  private record Known(
      List<Integer> holders,
      NeededFiles.Kept files,
      int coming,
      boolean settled,
      boolean failed,
      double waitSeconds,
      double lookedSeconds) {
    Known with(List<Integer> held, int input, boolean isSettled) {
      return new Known(held, files, input, isSettled, failed, waitSeconds, lookedSeconds);
    }
  }

  /**
   * Room for intermediate data that NodeManagers were told of: it is taken until the job is over,
   * whatever becomes of its input.
   *
   * @param holder its number in the counter
   */
  private record Promise(int holder, long bytes) {}

  KnownJobs(TemporaryRegion region) {
    this(region, NeededFiles.FILES_MAX);
  }

  KnownJobs(TemporaryRegion region, int filesMax) {
    this.region = region;
    needed = new NeededFiles(filesMax);
    counter = region.counter();
  }

  /** Expects a job to wait as long as others did, and longer than it has waited already. */
  static double waitSeconds(SubmittedJob job, JobList list, double nowSeconds) {
    return Math.max(list.meanWaitSeconds(), nowSeconds - job.submittedMillis() / 1e3);
  }

  /** Whether the job was promised room, or its input is in the fast tier or on its way. */
  boolean holdsRoom(String application) {
    Known known = jobs.get(application);
    return promises.containsKey(application) || (known != null && known.settled());
  }

  /** Whether a job reads the file, or may; from any thread. */
  boolean needs(long file) {
    return needed.has(file);
  }

  /** A line about jobs whose files are too many to be known one by one; empty without any. */
  String leftOut() {
    int left = needed.jobsLeftOut();
    return left == 0
        ? ""
        : "jobs read more than "
            + Words.count(needed.filesMax(), "file")
            + " together: any file may be one of "
            + Words.count(left, "job")
            + ", so that none loses a replica or its place in the fast tier until jobs are over";
  }

  /** Jobs that are over give back what they had. */
  void over(JobList list) {
    for (String job : List.copyOf(jobs.keySet())) {
      if (!list.has(job)) {
        giveBack(jobs.remove(job));
      }
    }
    List.copyOf(promises.keySet()).stream().filter(job -> !list.has(job)).forEach(this::takeBack);
  }

  /** A job's intermediate data goes to the fast tier, where it takes so many bytes; none if 0. */
  void promise(String application, long intermediateBytes) {
    takeBack(application);
    if (intermediateBytes > 0) {
      Promise promise = new Promise(region.number(), intermediateBytes);
      counter.hold(promise.holder(), StorageCounter.NO_FILE, 0, intermediateBytes);
      promises.put(application, promise);
    }
  }

  /** The bytes that intermediate data of these jobs was promised. */
  long promisedBytes(Collection<String> applications) {
    return promises.entrySet().stream()
        .filter(each -> applications.contains(each.getKey()))
        .mapToLong(each -> each.getValue().bytes())
        .sum();
  }

  private void takeBack(String application) {
    Promise promise = promises.remove(application);
    if (promise != null) {
      counter.over(promise.holder());
    }
  }

  private void giveBack(Known known) {
    if (known != null) {
      known.holders().forEach(counter::over);
      needed.remove(known.files());
    }
  }

  /**
   * The jobs to be looked at now, for the first time or again: those that run first, since what
   * others get might take their input away. One that was looked at waits for all that were not, so
   * that no job that fails holds up others.
   */
  List<SubmittedJob> due(JobList list, double nowSeconds) {
    List<SubmittedJob> due = new ArrayList<>();
    for (SubmittedJob job : list.running().values()) {
      Known known = jobs.get(job.application());
      if (known == null || isDueAfterFailure(known, nowSeconds)) {
        due.add(job);
      }
    }
    for (SubmittedJob job : list.waiting().values()) {
      if (isDue(job, list, nowSeconds)) {
        due.add(job);
      }
    }
    due.sort(Comparator.comparingDouble(this::lookedSeconds));
    return due;
  }

  private double lookedSeconds(SubmittedJob job) {
    Known known = jobs.get(job.application());
    return known == null ? Double.NEGATIVE_INFINITY : known.lookedSeconds();
  }

  private static boolean isDueAfterFailure(Known known, double nowSeconds) {
    return known.failed() && nowSeconds - known.lookedSeconds() >= Autotier.REST_SECONDS;
  }

  private boolean isDue(SubmittedJob job, JobList list, double nowSeconds) {
    Known known = jobs.get(job.application());
    if (known == null || known.failed()) {
      return known == null || isDueAfterFailure(known, nowSeconds);
    }
    return !known.settled()
        && waitSeconds(job, list, nowSeconds)
            > AGAIN * Math.max(WAIT_SECONDS_MIN, known.waitSeconds());
  }

  /**
   * A job reads these files, and holds what is there of them.
   *
   * @param settled whether it is not to be looked at again
   */
  void reads(
      String application, Set<Long> files, boolean settled, double waitSeconds, double nowSeconds) {
    Known before = jobs.remove(application);
    NeededFiles.Kept kept =
        needed.replace(before == null ? NeededFiles.Kept.NONE : before.files(), files);
    if (before != null) {
      before.holders().forEach(counter::over);
    }
    List<Integer> holders = new ArrayList<>();
    for (int input : region.with(files)) {
      int holder = region.number();
      counter.hold(holder, input, 0, 0);
      holders.add(holder);
    }
    jobs.put(
        application,
        new Known(
            List.copyOf(holders),
            kept,
            StorageCounter.NO_FILE,
            settled,
            false,
            waitSeconds,
            nowSeconds));
  }

  /** Something stood in the way: it holds no input, and is looked at again soon. */
  void failed(String application, double nowSeconds) {
    looksAt(application, nowSeconds);
    needed.remove(jobs.get(application).files());
    jobs.put(application, unfinished(NeededFiles.Kept.NONE, nowSeconds));
  }

  /**
   * It is looked at, and has failed unless that comes to an end. Until then it needs the files that
   * it was known to read.
   */
  void looksAt(String application, double nowSeconds) {
    notComing(application);
    Known known = jobs.get(application);
    if (known != null) {
      known.holders().forEach(counter::over);
    }
    jobs.put(
        application, unfinished(known == null ? NeededFiles.Kept.NONE : known.files(), nowSeconds));
  }

  private static Known unfinished(NeededFiles.Kept files, double nowSeconds) {
    return new Known(List.of(), files, StorageCounter.NO_FILE, false, true, 0, nowSeconds);
  }

  /** A known job has that number in the counter, too. */
  void holds(String application, int number) {
    Known known = jobs.get(application);
    List<Integer> holders = new ArrayList<>(known.holders());
    holders.add(number);
    jobs.put(application, known.with(List.copyOf(holders), known.coming(), known.settled()));
  }

  /** A known job has its input in the fast tier, or will; it is not looked at again. */
  void settle(String application, int coming) {
    Known known = jobs.get(application);
    jobs.put(application, known.with(known.holders(), coming, true));
  }

  /** The input that was to come did not: it is not counted. */
  void notComing(String application) {
    Known known = jobs.get(application);
    if (known != null && known.coming() != StorageCounter.NO_FILE) {
      region.forget(known.coming());
      jobs.put(application, known.with(known.holders(), StorageCounter.NO_FILE, false));
    }
  }
}
