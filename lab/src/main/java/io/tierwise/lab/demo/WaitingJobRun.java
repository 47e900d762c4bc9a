package io.tierwise.lab.demo;

import io.tierwise.hadoop.autotier.Autotier;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.autotier.Daemon;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.hadoop.inspect.history.StoredHistory;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.profiles.HistoryImport;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;

/**
 * A job runs and is profiled; the next one of its application waits on YARN until another
 * application has left, and the daemon has its input in the fast tier by then.
 */
final class WaitingJobRun {
  private static final int FILE_BYTES = 24 << 20;
  private static final long REGION_BYTES = 1L << 30;
  private static final int FILES_MAX = 1_000;

  /** Own: each step takes seconds, on a machine that is busy half a minute. */
  private static final long STEP_NANOS_MAX = TimeUnit.MINUTES.toNanos(3);

  private static final long LOOK_MILLIS = 200;

  private final Path directory;
  private final Queue<String> said = new ConcurrentLinkedQueue<>();

  /**
   * @param directory for all that it writes; empty or new
   */
  WaitingJobRun(Path directory) {
    this.directory = directory.toAbsolutePath();
  }

  WaitingJobResult all() throws IOException, InterruptedException {
    try (AuditedReads audited = new AuditedReads(auditLog());
        JobCluster cluster = new JobCluster(directory)) {
      String profiled = cluster.write("day-1", FILE_BYTES);
      Map<String, Long> before = cluster.tiers(profiled);
      Job first = cluster.submit(profiled);
      await("the first job ends", () -> cluster.succeeded(first));
      learn(cluster);
      ApplicationId other = cluster.occupy();
      String input = cluster.write("day-2", FILE_BYTES);
      Job second = cluster.submit(input);
      Map<String, Long> there;
      try (Background daemon = daemon(cluster)) {
        await(
            "the daemon prefetches its input",
            () -> {
              daemon.check();
              return cluster.tiers(input).keySet().equals(Set.of(cluster.fastTier()))
                  && said.stream().anyMatch(WaitingJobRun::isOfTheJob);
            });
        there = cluster.tiers(input);
        cluster.kill(other);
        await("the second job ends", () -> cluster.succeeded(second));
      }
      ApplicationReport report = cluster.report(second);
      return new WaitingJobResult(
          cluster.fastTier(),
          run(cluster, first, before),
          run(cluster, second, there),
          (report.getLaunchTime() - report.getStartTime()) / 1e3,
          said.stream().filter(WaitingJobRun::isOfTheJob).findFirst().orElse("nothing"));
    }
  }

  private Path auditLog() {
    return directory.resolveSibling("popularity-jobs-audit.log");
  }

  private static boolean isOfTheJob(String line) {
    return line.startsWith("job ");
  }

  private static WaitingJobResult.Run run(JobCluster cluster, Job job, Map<String, Long> inputBytes)
      throws IOException {
    ApplicationReport report = cluster.report(job);
    return new WaitingJobResult.Run(
        (report.getFinishTime() - report.getLaunchTime()) / 1e3,
        inputBytes,
        cluster.mapOutputBytes(job));
  }

  private String catalog() {
    return directory.resolve("runs.db").toString();
  }

  /** As {@code tierwise profile import} does it, when the history server has the job. */
  private void learn(JobCluster cluster) throws IOException, InterruptedException {
    await(
        "the first job's history is there",
        () -> {
          try (RunCatalog runs = RunCatalog.openOrMake(catalog())) {
            HistoryImport history = new HistoryImport(runs, null, said::add);
            StoredHistory.read(cluster.history(), cluster.configuration(), history);
            return history.finish().added() > 0;
          }
        });
  }

  /** The daemon as {@code tierwise autotier run} starts it. */
  private Background daemon(JobCluster cluster) throws IOException {
    DistributedFileSystem fs =
        (DistributedFileSystem)
            FileSystem.newInstance(cluster.fs().getUri(), cluster.configuration());
    AutotierSettings settings =
        new AutotierSettings(
                "ppa", TimeUnit.DAYS.toMillis(1), 0, 1, 0, List.of(JobCluster.DATA), FILES_MAX)
            .toBuilder()
                .fastTier(cluster.fastTier())
                .prefetching(new Prefetching(catalog(), REGION_BYTES))
                // Small blocks stand for large ones here, which come to few moves a second.
                .moving(MoverSettings.DEFAULT.atMovesPerSecond(0))
                .build();
    Daemon daemon =
        new Daemon(
            MoverCluster.of(fs, cluster.configuration()),
            new Control(fs, cluster.configuration()),
            settings,
            new Autotier.Logs(
                NameNodeLogs.Source.of(List.of(auditLog()), List.of()), ZoneId.systemDefault()),
            new Journal(directory.resolve("journal")),
            said::add);
    return new Background(daemon, fs);
  }

  /** A daemon in a thread of its own. */
  private static final class Background implements AutoCloseable {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final DistributedFileSystem fs;
    private final Future<Void> ended;

    Background(Daemon daemon, DistributedFileSystem fs) {
      this.fs = fs;
      ended =
          thread.submit(
              () -> {
                daemon.run(0, round -> {}, stopped::get);
                return null;
              });
    }

    void check() throws IOException, InterruptedException {
      try {
        if (ended.isDone()) {
          ended.get();
        }
      } catch (ExecutionException e) {
        throw new IOException("the daemon failed: " + e.getCause().getMessage(), e.getCause());
      }
    }

    @Override
    public void close() throws IOException, InterruptedException {
      stopped.set(true);
      thread.shutdown();
      boolean unused = thread.awaitTermination(STEP_NANOS_MAX, TimeUnit.NANOSECONDS);
      fs.close();
      check();
    }
  }

  private void await(String what, Callable<Boolean> question)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + STEP_NANOS_MAX;
    try {
      while (!question.call()) {
        if (System.nanoTime() - end > 0) {
          throw new IOException(
              what
                  + ": not within "
                  + TimeUnit.NANOSECONDS.toSeconds(STEP_NANOS_MAX)
                  + " s; "
                  + said);
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(what + ": " + e.getMessage(), e);
    }
  }
}
