package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.JournaledMoves;
import io.tierwise.cli.ManagedHdfs;
import io.tierwise.cli.TierwiseJvm;
import io.tierwise.cli.autotier.HeardCalls.Point;
import io.tierwise.cli.autotier.HeardCalls.Stage;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.mapreduce.Job;

/**
 * Daemons in processes of their own that are killed, one after the other, on one cluster and with
 * one journal, and after each one that goes on.
 *
 * <p>Two inputs take turns in a region that has room for one: each daemon takes out the one whose
 * job is over, and brings the other one, whose job waits. Beside that it finds a file that is
 * popular, and one that a rule gives fewer replicas.
 */
final class KilledDaemons implements AutoCloseable {
  /** For the input and the intermediate data of one job, and not for a file more. */
  private static final long REGION_BYTES = 8_100_000;

  /** A daemon that has nothing to do looks at least once in that time for something. */
  private static final long REST_MILLIS = 5_000;

  /** HDFS's limit. */
  private static final long LEASE_SECONDS = 60;

  /** Beside the lease: for the round itself. */
  private static final long ROUND_SECONDS_MAX = 60;

  private final Path folder;
  private final Path rules;
  private final WaitingYarn yarn;
  private final AuditedHdfs hdfs;
  private final HeardCalls calls = new HeardCalls();
  private final List<JobInput> inputs = new ArrayList<>();
  private final byte[] written;
  private int number;
  private int waiting;
  private Job job;

  KilledDaemons(Path folder) throws Exception {
    this.folder = folder;
    rules =
        Files.writeString(
            folder.resolve("rules.txt"), "path matches /data/spare-* -> replicas 1\n");
    yarn = new WaitingYarn(folder, 1, quickHeartbeats());
    hdfs = yarn.hdfs();
    hdfs.hear(calls);
    inputs.add(new JobInput(yarn, "/data/first"));
    inputs.add(new JobInput(yarn, "/data/second"));
    hdfs.write("/data/once", 2);
    hdfs.read("/data/once", 1);
    written = JobInput.content();
    // One input is there, so that it has to leave.
    submit(0);
    Instant begun = now();
    try (DaemonThread daemon = daemon()) {
      awaitDone(daemon, begun, ROUND_SECONDS_MAX);
    }
  }

  /**
   * A DataNode ends the file of an old lease, and drops a replica, when its NameNode answers a
   * heartbeat; the NameNode looks for both at intervals. Three seconds for each would be most of
   * the test's time.
   */
  private static Configuration quickHeartbeats() {
    Configuration conf = new Configuration();
    ManagedHdfs.haveHdfsHurry(conf);
    return conf;
  }

  private void submit(int input) throws Exception {
    waiting = input;
    // Its client opens each file, and after some rounds all of them would be popular.
    hdfs.unheard(() -> job = yarn.submit("count", inputs.get(input).paths()));
  }

  private JobInput coming() {
    return inputs.get(waiting);
  }

  private JobInput leaving() {
    return inputs.get(1 - waiting);
  }

  private Path journal() {
    return folder.resolve("journal");
  }

  private String hot() {
    return "/data/hot-" + number;
  }

  private String spare() {
    return "/data/spare-" + number;
  }

  private DaemonThread daemon() throws IOException {
    AutotierSettings settings =
        WaitingYarn.bounds(
                "/data", new Prefetching(yarn.catalog(), REGION_BYTES), MoverSettings.DEFAULT)
            .toBuilder()
            .rules(rules)
            .build();
    return new DaemonThread(
        hdfs, yarn.conf(), settings, folder.resolve("hdfs-audit.log"), journal());
  }

  /** At some megabytes a second, so that there is a middle. */
  private Process process() throws IOException {
    List<String> line = TierwiseJvm.line();
    line.addAll(
        yarn.deciding(
            "run",
            "/data",
            REGION_BYTES,
            journal(),
            "--bandwidth-total",
            "4",
            "--window",
            "1 d",
            "--hold",
            "1",
            "--rules",
            rules.toString()));
    return new ProcessBuilder(line)
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  /** What the next daemon has to do. */
  private void prepare() throws Exception {
    yarn.kill(job);
    submit(1 - waiting);
    if (number > 0) {
      // Else each would be as popular as the others.
      hdfs.fs().delete(AuditedHdfs.hadoop(hot()), false);
      hdfs.fs().delete(AuditedHdfs.hadoop(spare()), false);
    }
    number++;
    hdfs.write(spare(), 2);
    hdfs.write(hot(), 2);
    hdfs.read(hot(), 4);
  }

  /** Lets one do all that there is to do, and kills it when it is at rest. */
  Map<Stage, Integer> wholeRound() throws Exception {
    prepare();
    strike(null);
    Map<Stage, Integer> counts = calls.end();
    assertGoesOn("at rest", false, false);
    return counts;
  }

  private boolean strike(Point point) throws Exception {
    Process process = process();
    try {
      calls.begin(process, point);
      boolean reached = calls.await(REST_MILLIS);
      assertThat(process.isAlive() || reached)
          .as("it ended by itself: %s", Files.readString(folder.resolve("stderr")))
          .isTrue();
      return reached;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /**
   * Kills one, and asserts what is promised.
   *
   * @param jobIsOver whether its job is killed, too, so that the other input is wanted again
   * @param waitsAMinute whether HDFS ends the lease by its own limit
   * @return whether it was killed at that point, and not at rest
   */
  boolean kill(Point point, boolean jobIsOver, boolean waitsAMinute) throws Exception {
    prepare();
    boolean reached = strike(point);
    calls.end();
    assertGoesOn(number + ": " + point, jobIsOver, waitsAMinute);
    return reached;
  }

  private void assertGoesOn(String when, boolean jobIsOver, boolean waitsAMinute) throws Exception {
    hdfs.unheard(() -> assertReadable(when));
    assertThat(yarn.command("status").exitCode()).as("%s: a status, or none", when).isZero();
    awaitSettled(when);
    Set<String> came = onSsd(all());
    Set<String> went = new HashSet<>(Arrays.asList(leaving().paths()));
    went.removeAll(came);
    List<String> earlier = new Journal(journal()).runs();
    if (jobIsOver) {
      yarn.kill(job);
    }
    hdfs.endLeasesAtOnce(!waitsAMinute);
    long seconds = ROUND_SECONDS_MAX + (waitsAMinute ? LEASE_SECONDS : 0);
    Instant begun = now();
    try (DaemonThread daemon = daemon()) {
      if (jobIsOver) {
        await(when + ": its promise goes", seconds, () -> !yarn.isTold(job));
        submit(1 - waiting);
      }
      awaitDone(daemon, begun, seconds);
    } finally {
      hdfs.endLeasesAtOnce(false);
    }
    if (!jobIsOver) {
      assertMovedOnce(when, JournaledMoves.of(journal(), "ssd", earlier), came);
      assertMovedOnce(when, JournaledMoves.of(journal(), "disk", earlier), went);
    }
    hdfs.unheard(() -> assertReadable(when));
    assertNothingHalf(when);
  }

  private static void assertMovedOnce(String when, List<String> moved, Set<String> before) {
    assertThat(moved).as("%s: moved once", when).doesNotHaveDuplicates();
    assertThat(moved).as("%s: not moved before", when).noneMatch(before::contains);
  }

  /**
   * Waits until a daemon has done all that there is to do.
   *
   * @param begun when it began: until it tells of itself, the one before it still does
   */
  private void awaitDone(DaemonThread daemon, Instant begun, long seconds) throws Exception {
    try {
      await("its job was looked at", seconds, () -> hasLooked(begun) && yarn.isTold(job));
      await("its input came", () -> isAllThere() || restDoesNotPay(daemon));
      await("the other input made room", () -> leaving().onSsd().isEmpty() || !isAllThere());
      if (number > 0) {
        await("the popular file came", () -> isOnSsd(hot()));
        await("the rule's number", () -> hdfs.replicas(spare()) == 1);
      }
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; said " + daemon.said(), e);
    }
    long there = coming().bytesOnSsd() + leaving().bytesOnSsd();
    daemon.awaitCounted(yarn, there + JobInput.INTERMEDIATE_BYTES);
    assertThat(yarn.tier(job)).isEqualTo("ssd");
  }

  private boolean isAllThere() throws IOException {
    return coming().onSsd().size() == JobInput.FILES;
  }

  /**
   * A daemon that is killed early leaves most of an input in the fast tier. When a job wants that
   * input again, its few other files do not pay for a copy, and nothing has to make room.
   */
  private boolean restDoesNotPay(DaemonThread daemon) throws IOException {
    return daemon.lastSaid(WaitingYarn.application(job)).contains("does not pay")
        && coming().onSsd().size() * 4 >= JobInput.FILES * 3;
  }

  private boolean hasLooked(Instant begun) throws IOException {
    JsonNode told = status().path("daemon");
    return !told.path("since").asText().isEmpty()
        && !Instant.parse(told.path("since").asText()).isBefore(begun)
        && told.path("jobs").path("looked").asInt() > 0;
  }

  private JsonNode status() throws IOException {
    return new ObjectMapper().readTree(yarn.command("status", "--json").out());
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private List<String> all() {
    List<String> all = new ArrayList<>();
    inputs.forEach(input -> all.addAll(List.of(input.paths())));
    if (number > 0) {
      all.addAll(List.of(hot(), spare()));
    }
    return all;
  }

  /** By any of its replicas. */
  private boolean isOnSsd(String path) throws IOException {
    return List.of(yarn.storageTypes(path)).contains(StorageType.SSD);
  }

  private Set<String> onSsd(List<String> paths) throws IOException {
    Set<String> there = new TreeSet<>();
    for (String path : paths) {
      if (isOnSsd(path)) {
        there.add(path);
      }
    }
    return there;
  }

  /** Every file has the bytes that were written, as HDFS's checksums have it. */
  private void assertReadable(String when) throws IOException {
    for (String path : all()) {
      try (var in = hdfs.fs().open(AuditedHdfs.hadoop(path))) {
        assertThat(in.readAllBytes()).as("%s: %s", when, path).isEqualTo(written);
      }
    }
  }

  /** DataNodes have finished the copies that they had begun, and dropped what they replace. */
  private void awaitSettled(String when) throws Exception {
    for (JobInput input : inputs) {
      for (String path : input.paths()) {
        await(when + ": " + path + " has its one replica", () -> yarn.replicas(path) == 1);
      }
    }
    Set<String> before = new HashSet<>();
    for (Set<String> now = onSsd(all()); !now.equals(before); now = onSsd(all())) {
      before.clear();
      before.addAll(now);
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private List<String> names(String directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus each : hdfs.fs().listStatus(AuditedHdfs.hadoop(directory))) {
      names.add(each.getPath().getName());
    }
    return names;
  }

  private void assertNothingHalf(String when) throws Exception {
    awaitSettled(when);
    for (String path : all()) {
      assertThat(hdfs.fs().getStoragePolicy(AuditedHdfs.hadoop(path)).getName())
          .as("%s: %s", when, path)
          .isEqualTo(isOnSsd(path) ? "ONE_SSD" : "HOT");
    }
    assertThat(names(WaitingYarn.CONTROL))
        .as(when)
        .containsExactlyInAnyOrder("status.json", "intermediate");
    assertThat(names(WaitingYarn.CONTROL + "/intermediate"))
        .as(when)
        .containsExactly(WaitingYarn.application(job));
    assertThat(status().path("state").asText()).as(when).isEqualTo("stopped");
  }

  /** At the end. */
  void assertAllWhole() throws Exception {
    for (JobInput input : inputs) {
      input.assertWhole();
    }
  }

  @Override
  public void close() {
    yarn.close();
  }
}
