package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Keeps tiers from filling up: looks at each of them from time to time, and {@linkplain TierFlush
 * flushes} it when it is above its mark. For a daemon; nothing is kept but when to look again.
 */
public final class FullTiers {
  /** Own: a tier fills up within minutes at best, and a look asks for the volumes of all nodes. */
  static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Own: HDFS drops what has left within minutes, and counts it as used until then. A look at a
   * tier that is too full goes through all files, also when another mover has the lock then.
   */
  static final long REST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /**
   * Own: that a flush would gain nothing was found out by a walk through all files. The next one
   * comes after twice the rest, then four times, up to so many: within three hours of a change that
   * helps.
   */
  static final int RESTS_MAX = 16;

  private static final int RESTS_MIN = 2;

  private static final Pattern MARKS = Pattern.compile("([^=]+)=([^:]+):([^:]+)");

  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final MoverSettings settings;
  private final Map<String, Watermarks> marks;
  private final Function<String, JobRun.Start> journal;
  private final Consumer<Flushed> told;
  private final Map<String, Looked> looked = new HashMap<>();
  private LongSupplier nanos = System::nanoTime;
  private MoverMemory memory = new MoverMemory(line -> {});
  private JobRun running;
  private boolean stopped;

  /** What is kept of a tier between two looks. */
  private static final class Looked {
    final FlushFiles files = new FlushFiles();
    long dueNanos;
    long foundNanos;
    int rests = RESTS_MIN;
  }

  /**
   * What a flush has done.
   *
   * @param id of its run in the journal
   * @param files that have other layouts or fewer replicas
   * @param replicas that were moved
   * @param bytes of those
   */
  public record Flushed(String tier, String id, long files, long replicas, long bytes) {
    /** For people. */
    public String text() {
      return "flushed "
          + tier
          + ": "
          + Words.count(files, "file")
          + ", "
          + Words.count(replicas, "replica")
          + " moved ("
          + Words.bytes(bytes)
          + "); journal: "
          + id;
    }
  }

  /**
   * The marks of tiers as a person writes them, {@code ssd=90:80} in percent, by the tiers' names.
   *
   * @throws OperatorException naming the text that is wrong
   */
  public static Map<String, Watermarks> marks(List<String> texts) {
    Map<String, Watermarks> marks = new LinkedHashMap<>();
    for (String text : texts) {
      Matcher parts = MARKS.matcher(text);
      if (!parts.matches()) {
        throw notMarks(text);
      }
      String tier = parts.group(1);
      if (marks.put(tier, marks(text, parts.group(2), parts.group(3))) != null) {
        throw OperatorException.badInput(
            "--flush " + text + ": " + tier + " has marks already; give each tier one --flush");
      }
    }
    return marks;
  }

  private static Watermarks marks(String text, String above, String until) {
    try {
      return new Watermarks(Double.parseDouble(above) / 100, Double.parseDouble(until) / 100);
    } catch (IllegalArgumentException e) {
      throw notMarks(text);
    }
  }

  private static OperatorException notMarks(String text) {
    return OperatorException.badInput(
        "--flush "
            + text
            + ": give TIER=ABOVE:UNTIL with 0 <= UNTIL <= ABOVE <= 100, such as ssd=90:80");
  }

  /**
   * @param marks by the name of the tier
   * @param journal begins the journal of a flush, whose request it is given
   * @param told of each flush
   * @throws OperatorException when there is no such tier
   */
  public static FullTiers of(
      DistributedFileSystem fs,
      Configuration conf,
      MoverSettings settings,
      Map<String, Watermarks> marks,
      Function<String, JobRun.Start> journal,
      Consumer<Flushed> told)
      throws IOException {
    MoverCluster cluster = MoverCluster.of(fs, conf);
    marks.keySet().forEach(tier -> cluster.tiers().table().require(tier));
    return new FullTiers(fs, conf, settings, marks, journal, told);
  }

  private FullTiers(
      DistributedFileSystem fs,
      Configuration conf,
      MoverSettings settings,
      Map<String, Watermarks> marks,
      Function<String, JobRun.Start> journal,
      Consumer<Flushed> told) {
    this.fs = fs;
    this.conf = conf;
    this.settings = settings;
    this.marks = new LinkedHashMap<>(marks);
    this.journal = journal;
    this.told = told;
  }

  /** Goes by another clock. */
  FullTiers by(LongSupplier clock) {
    nanos = clock;
    return this;
  }

  /** Whether it is time to look at any of them. */
  boolean isDue() {
    return marks.keySet().stream().anyMatch(this::isDue);
  }

  private boolean isDue(String tier) {
    Looked before = looked.get(tier);
    return before == null || nanos.getAsLong() - before.dueNanos >= 0;
  }

  /**
   * Flushes the tiers that are too full, of those whose time it is. One that cannot be flushed
   * keeps no other from it: its failure, or the first of several, is thrown at the end.
   *
   * @throws OperatorException when nothing would become free, another mover has the lock, or the
   *     journal cannot be written
   */
  void look() throws IOException {
    look(marks.keySet().iterator());
  }

  private void look(Iterator<String> tiers) throws IOException {
    while (tiers.hasNext()) {
      String tier = tiers.next();
      if (!isDue(tier)) {
        continue;
      }
      try {
        flush(tier, marks.get(tier), nanos.getAsLong());
      } catch (OperatorException | IOException e) {
        lookDespite(e, tiers);
        throw e;
      }
    }
  }

  private void lookDespite(Exception failure, Iterator<String> tiers) {
    try {
      look(tiers);
    } catch (OperatorException | IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void flush(String tier, Watermarks when, long now) throws IOException {
    Looked last = looked.computeIfAbsent(tier, name -> new Looked());
    // Also when it fails: the other tiers come next.
    last.dueNanos = now + REST_NANOS;
    TierFlush flush;
    try {
      flush = plan(tier, when, now, last);
      if (flush.plan().neededBytes() == 0) {
        last.files.clear();
        last.rests = RESTS_MIN;
        last.dueNanos = now + LOOK_NANOS;
        return;
      }
      flush.requireGain();
    } catch (OperatorException e) {
      if (last.files.isFresh()) {
        last.files.clear();
        last.dueNanos = now + last.rests * REST_NANOS;
        last.rests = Math.min(2 * last.rests, RESTS_MAX);
      }
      throw e;
    }
    last.rests = RESTS_MIN;
    JobRun run = new JobRun(flush.cluster(), settings, flush.job()).remembering(memory);
    if (begin(run)) {
      run(tier, flush, run, last.files);
    }
  }

  /** Plans by what the last walk found, and walks when that is too old, or gains nothing. */
  private TierFlush plan(String tier, Watermarks when, long now, Looked last) throws IOException {
    last.files.begin();
    if (now - last.foundNanos > FlushFiles.FLUSHES * REST_NANOS) {
      last.files.clear();
    }
    TierFlush flush = plan(tier, when, last.files);
    boolean inVain = flush.plan().neededBytes() > 0 && flush.plan().gainedBytes() <= 0;
    if (inVain && !last.files.isFresh()) {
      last.files.clear();
      flush = plan(tier, when, last.files);
    }
    if (last.files.isFresh()) {
      last.foundNanos = now;
    }
    return flush;
  }

  private TierFlush plan(String tier, Watermarks when, FlushFiles files) throws IOException {
    MoverCluster cluster = MoverCluster.of(fs, conf);
    if (cluster.tiers().table().find(tier).isEmpty()) {
      // It was there when the daemon began.
      throw OperatorException.cluster(
          "--flush "
              + tier
              + " is done no more: the tier table has only "
              + cluster.tiers().table().names()
              + " by now",
          null);
    }
    return TierFlush.of(cluster, settings, "/", tier, when, "oldest", bytesMax(), files);
  }

  private void run(String tier, TierFlush flush, JobRun run, FlushFiles files) throws IOException {
    boolean done = false;
    try {
      JobRun.Outcome outcome =
          run.run(flush.plan().moves(), journal.apply(flush.plan().asked()), Listener.SILENT);
      done = true;
      MoverReport.Amount moved = outcome.report().moved();
      told.accept(
          new Flushed(tier, outcome.id(), flush.job().changes(), moved.replicas(), moved.bytes()));
    } finally {
      end();
      if (!done) {
        // Another mover has the lock, for one: all files are walked once for that.
        files.giveBack();
      }
    }
  }

  /** As much as may move until the next look: a flush holds up repairs, which may be urgent. */
  private long bytesMax() {
    return (long) ((double) settings.limits().allBytesPerSecond() * REST_NANOS / 1e9);
  }

  /** Knows what repairs beside it learn. */
  void remembering(MoverMemory known) {
    memory = known;
  }

  /** False when nothing is to begin any more. */
  private synchronized boolean begin(JobRun run) {
    running = run;
    return !stopped;
  }

  private synchronized void end() {
    running = null;
  }

  /** Ends a flush within seconds, and begins no other; from any thread. */
  void stop() {
    JobRun current;
    synchronized (this) {
      stopped = true;
      current = running;
    }
    if (current != null) {
      current.stop();
    }
  }
}
