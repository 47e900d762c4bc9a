package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a run tells while it goes on, and its end when somebody wants it. */
@ExtendWith(MixedCluster.class)
class JobRunIT {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final int BLOCKS = 6;
  private static final long BYTES = 3L * BLOCKS * LiveCluster.BLOCK_BYTES;

  @TempDir private java.nio.file.Path folder;
  private final LiveCluster cluster;
  private final Heard heard = new Heard();
  private Path file;

  JobRunIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  /** What a line of progress is made of. */
  private static final class Heard implements Listener, Listener.Step {
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong sum = new AtomicLong();
    private volatile String label = "";
    private volatile String end = "";

    @Override
    public Step begin(String what, long toCome) {
      label = what;
      total.set(toCome);
      return this;
    }

    @Override
    public void say(String line) {}

    @Override
    public void add(long amount) {
      sum.addAndGet(amount);
    }

    @Override
    public void finish(String remark) {
      end = remark;
    }
  }

  private JobRun job(MoverSettings settings) throws IOException {
    MoverJob job = MoverJob.of(cluster.cluster(), cluster.order(ALL_SSD, "/t"));
    return new JobRun(cluster.cluster(), settings, job);
  }

  private MoverReport run(JobRun job, MoverSettings settings) throws IOException {
    return run(job, settings, ALL_SSD, "/t");
  }

  private MoverReport run(JobRun job, MoverSettings settings, String layout, String path)
      throws IOException {
    MoverReport plan = Mover.plan(cluster.cluster(), settings, cluster.order(layout, path));
    Journal journal = new Journal(folder);
    return job.run(
            plan, () -> journal.begin("test", "me", "here", List.of(path), layout, null), heard)
        .report();
  }

  private void write() throws IOException {
    file = cluster.write("/t/file", BLOCKS, 3);
  }

  @Test
  void progressHasATotalThatIsReachedAndSaysWhenItIsOver() throws IOException {
    write();

    run(job(LiveCluster.quick()), LiveCluster.quick());

    assertThat(heard.label).startsWith("moving 18.0 MiB, about ");
    assertThat(heard.total).hasValue(BYTES);
    assertThat(heard.sum).hasValue(BYTES);
    assertThat(heard.end).startsWith("18 replicas in ");
  }

  @Test
  void runsThatShareAMemoryKeepToTheRateTogether() throws IOException {
    String layout = "layout:1 x ssd";
    cluster.write("/t/one", 1, 1);
    cluster.write("/u/other", 1, 1);
    MoverMemory memory = new MoverMemory(line -> {});
    long seconds = 8;
    MoverSettings slow = LiveCluster.quick().atRates(1L << 40, LiveCluster.BLOCK_BYTES / seconds);

    long since = System.nanoTime();
    for (String path : List.of("/t", "/u")) {
      MoverJob job = MoverJob.of(cluster.cluster(), cluster.order(layout, path));
      JobRun one = new JobRun(cluster.cluster(), slow, job).remembering(memory);
      assertThat(run(one, slow, layout, path).moved().replicas()).isEqualTo(1);
    }

    assertThat(System.nanoTime() - since).isGreaterThan(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Nobody waits for its answer, not even to give the lock back. */
  @Test
  void aStopEndsARunBesideANameNodeThatDoesNotAnswer() throws Exception {
    write();
    MoverSettings slow = LiveCluster.quick().atRates(LiveCluster.BLOCK_BYTES / 16, 1L << 40);
    JobRun job = job(slow);
    CompletableFuture<MoverReport> running =
        CompletableFuture.supplyAsync(() -> unchecked(job, slow));
    LiveCluster.await("a move", () -> heard.sum.get() > 0);
    FSNamesystem names = cluster.mini().getNamesystem();
    names.writeLock();
    try {
      job.stop();
      assertThat(running.get(1, TimeUnit.MINUTES).stopped()).isTrue();
    } catch (TimeoutException e) {
      throw new AssertionError("the run goes on", e);
    } finally {
      names.writeUnlock("test");
    }

    LiveCluster.await("the lock is given back", () -> !cluster.fs().exists(MoverConnection.LOCK));
    cluster.assertWhole(file, BLOCKS);
  }

  private MoverReport unchecked(JobRun job, MoverSettings settings) {
    try {
      return run(job, settings);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
