package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.lab.embedded.LineCount;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job shuffles on a real YARN while the input of the next one, which waits for it, comes to the
 * fast tier; beside it the same job where nothing comes. Prints what both take. The rounds are the
 * system property {@code tierwise.shuffle.rounds}, the input's size is {@code
 * tierwise.shuffle.input.megabytes}.
 */
@Tag("long")
class PrefetchBesideShuffleIT {
  private static final int ROUNDS = Integer.getInteger("tierwise.shuffle.rounds", 1);

  /** All of it is shuffled, since no two lines are equal. It is read past HDFS. */
  private static final int SHUFFLED_BYTES = 128_000_000;

  /** By default more than comes by the end of the job that shuffles. */
  private static final int INPUT_BYTES =
      1_000_000 * Integer.getInteger("tierwise.shuffle.input.megabytes", 1_200);

  private static final int LINE_BYTES = 1_000;
  private static final long REGION_BYTES = 1L << 35;
  private static final long SECONDS_MAX = 300;
  private static final long LOOK_NANOS = 200_000_000;

  @TempDir private Path folder;

  /** What the daemon may do, within its default limits. */
  private enum Arm {
    NOTHING_COMES,
    INPUT_COMES;

    AutotierSettings settings(OneNode node) {
      return this == NOTHING_COMES
          ? WaitingYarn.bounds("/data", MoverSettings.DEFAULT)
          : WaitingYarn.bounds("/data", node.prefetching(REGION_BYTES), MoverSettings.DEFAULT);
    }
  }

  /**
   * The job that shuffles.
   *
   * @param reducerSeconds after which its reducer began
   * @param reduceSeconds from there to its end, shuffle included
   * @param movedBytes of the other job's input by the end
   * @param firstSeconds after which the first of these bytes was seen there; NaN for none
   * @param lastSeconds after which the last one before the end was
   */
  private record Turn(
      double seconds,
      double reducerSeconds,
      double reduceSeconds,
      long shuffledBytes,
      long movedBytes,
      double firstSeconds,
      double lastSeconds) {}

  private static void write(OutputStream to, long seed, int bytes) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] line = new byte[LINE_BYTES];
    for (int written = 0; written < bytes; written += LINE_BYTES) {
      for (int i = 0; i < line.length - 1; i++) {
        line[i] = (byte) ('a' + random.nextInt('z' - 'a' + 1));
      }
      line[line.length - 1] = '\n';
      to.write(line);
    }
  }

  private static String input(OneNode node, String name, int bytes) throws IOException {
    String path = "/data/" + name;
    try (OutputStream out = node.hdfs().fs().create(AuditedHdfs.hadoop(path), (short) 1)) {
      write(out, name.hashCode(), bytes);
    }
    return path;
  }

  private static Job submit(OneNode node, String name, String input) throws Exception {
    return LineCount.submit(node.yarn().configuration(), name, List.of(input));
  }

  private static ApplicationReport report(OneNode node, Job job) throws IOException {
    return node.yarn().report(LineCount.application(job));
  }

  private static boolean isAt(OneNode node, Job job, YarnApplicationState state)
      throws IOException {
    return report(node, job).getYarnApplicationState() == state;
  }

  private static Turn turn(OneNode node, String lines, Arm arm, int number) throws Exception {
    String path = input(node, Integer.toString(number), INPUT_BYTES);
    assertThat(node.bytesOn(StorageType.SSD, path)).isZero();
    Turn turn;
    try (DaemonThread daemon = node.daemon(arm.settings(node))) {
      Job shuffles = submit(node, "shuffle", lines);
      await("it runs", SECONDS_MAX, () -> isAt(node, shuffles, YarnApplicationState.RUNNING));
      Job waits = submit(node, "count", path);
      turn = follow(node, shuffles, waits, path);
      if (arm == Arm.INPUT_COMES) {
        await(
            "some comes, if not yet: " + daemon.said(),
            SECONDS_MAX,
            () -> node.bytesOn(StorageType.SSD, path) > 0);
      }
      node.yarn().kill(LineCount.application(waits));
    }
    node.hdfs().fs().delete(AuditedHdfs.hadoop(path), false);
    return turn;
  }

  private static Turn follow(OneNode node, Job shuffles, Job waits, String path) throws Exception {
    long moved = 0;
    long first = 0;
    long last = 0;
    long end = System.currentTimeMillis() + SECONDS_MAX * 1_000;
    YarnApplicationState other = report(node, waits).getYarnApplicationState();
    while (!isAt(node, shuffles, YarnApplicationState.FINISHED)) {
      assertThat(other).as("the next job waits").isNotEqualTo(YarnApplicationState.RUNNING);
      assertThat(System.currentTimeMillis()).as("it ends").isLessThan(end);
      long there = node.bytesOn(StorageType.SSD, path);
      if (there > moved) {
        last = System.currentTimeMillis();
        first = moved == 0 ? last : first;
        moved = there;
      }
      LockSupport.parkNanos(LOOK_NANOS);
      other = report(node, waits).getYarnApplicationState();
    }
    assertThat(shuffles.waitForCompletion(false)).isTrue();
    ApplicationReport report = report(node, shuffles);
    long began = report.getLaunchTime();
    TaskReport reducer = shuffles.getTaskReports(TaskType.REDUCE)[0];
    return new Turn(
        (report.getFinishTime() - began) / 1e3,
        (reducer.getStartTime() - began) / 1e3,
        (reducer.getFinishTime() - reducer.getStartTime()) / 1e3,
        shuffles.getCounters().findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue(),
        moved,
        first == 0 ? Double.NaN : (first - began) / 1e3,
        last == 0 ? Double.NaN : (last - began) / 1e3);
  }

  private static String spread(List<Turn> turns, ToDoubleFunction<Turn> of) {
    double[] sorted = turns.stream().mapToDouble(of).sorted().toArray();
    double middle = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    return String.format(
        Locale.ROOT, "%.1f (%.1f to %.1f)", middle, sorted[0], sorted[sorted.length - 1]);
  }

  private static void print(String text, Object... values) {
    System.out.printf(Locale.ROOT, text + "%n", values);
  }

  @Test
  void theInputOfAJobThatWaitsComesWhileAnotherShuffles() throws Exception {
    Path lines = folder.resolve("lines");
    try (OutputStream out = Files.newOutputStream(lines)) {
      write(out, 0, SHUFFLED_BYTES);
    }
    Map<Arm, List<Turn>> all = new EnumMap<>(Arm.class);
    try (OneNode node = new OneNode(folder)) {
      node.learn(WaitingYarn.run());
      List<Arm> order = new ArrayList<>(List.of(Arm.values()));
      for (int round = 0; round < ROUNDS; round++) {
        for (Arm arm : order) {
          int number = 1 + round * order.size() + order.indexOf(arm);
          Turn turn = turn(node, lines.toUri().toString(), arm, number);
          print("shuffle: %s, %s", arm, turn);
          all.computeIfAbsent(arm, key -> new ArrayList<>()).add(turn);
        }
        Collections.reverse(order);
      }
    }
    for (Arm arm : Arm.values()) {
      List<Turn> turns = all.get(arm);
      print(
          "shuffle: %s: job %s s, its reducer %s s, moved beside it %s MB",
          arm,
          spread(turns, Turn::seconds),
          spread(turns, Turn::reduceSeconds),
          spread(turns, turn -> turn.movedBytes() / 1e6));
      assertThat(turns).allMatch(turn -> turn.shuffledBytes() > SHUFFLED_BYTES);
      assertThat(turns).allMatch(turn -> arm != Arm.NOTHING_COMES || turn.movedBytes() == 0);
    }
  }
}
