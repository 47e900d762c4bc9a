package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.autotier.HeardCalls.Point;
import io.tierwise.cli.autotier.HeardCalls.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daemon's process is killed ({@code SIGKILL}) at seeded points of a round in which it does all
 * that it does: it takes its lease, reads the log, gives files other numbers of replicas and a
 * popular one a replica on an SSD, takes input of a job that is over out of the fast tier, brings
 * that of the next one, and promises room to its intermediate data. What each next daemon has to
 * find and to do is in {@link KilledDaemons}.
 */
@Tag("long")
class DaemonKilledAnywhereIT {
  private static final int POINTS = 50;
  private static final int SEED = 18;

  /** Of a thread that does something beside calls: it reads logs and writes the journal. */
  private static final int DELAY_MILLIS_MAX = 300;

  /** Of so many points one at which HDFS ends the lease by its own limit of a minute. */
  private static final int SLOW_POINT_EVERY = 25;

  /** Of so many points one after which the job is over, too: no divisor of the stages' number. */
  private static final int OVER_EVERY = 5;

  /** Only these, as "3,12,39", counted from 1; all where nobody asks. */
  private static final String ONLY = System.getProperty("tierwise.kill.points", "");

  @TempDir private Path folder;

  /** All stages in turn, each at any of its calls; every other one between two calls. */
  private static List<Point> points(Map<Stage, Integer> calls) {
    assertThat(calls).as("a round has each stage").containsOnlyKeys(Stage.values());
    Random random = new Random(SEED);
    List<Point> points = new ArrayList<>();
    List<Stage> stages = List.of(Stage.values());
    for (int i = 0; i < POINTS; i++) {
      Stage stage = stages.get(i % stages.size());
      int call = 1 + random.nextInt(calls.get(stage));
      points.add(new Point(stage, call, i % 2 == 0 ? 0 : random.nextInt(DELAY_MILLIS_MAX)));
    }
    return points;
  }

  private static List<Integer> chosen() {
    List<Integer> all = IntStream.range(0, POINTS).boxed().toList();
    if (ONLY.isEmpty()) {
      return all;
    }
    return Arrays.stream(ONLY.split(",")).map(each -> all.get(Integer.parseInt(each) - 1)).toList();
  }

  @Test
  void theNextDaemonGoesOnWhereverOneWasKilled() throws Exception {
    int reached = 0;
    List<String> failures = new ArrayList<>();
    try (KilledDaemons daemons = new KilledDaemons(folder)) {
      List<Point> points = points(daemons.wholeRound());
      for (int i : chosen()) {
        boolean waitsAMinute = i % SLOW_POINT_EVERY == SLOW_POINT_EVERY / 2;
        boolean jobIsOver = i % OVER_EVERY == OVER_EVERY - 1;
        try {
          reached += daemons.kill(points.get(i), jobIsOver, waitsAMinute) ? 1 : 0;
        } catch (AssertionError | IOException e) {
          failures.add(e.getMessage());
        }
      }
      daemons.assertAllWhole();
    }
    assertThat(failures).isEmpty();
    assertThat(4 * reached)
        .as("the others were over first, since one round makes a few more calls than another")
        .isGreaterThanOrEqualTo(3 * chosen().size());
  }
}
