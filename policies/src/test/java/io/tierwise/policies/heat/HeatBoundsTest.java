package io.tierwise.policies.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Counts of a map with few rows beside exact ones. */
class HeatBoundsTest {
  private static final PathBytes NONE = PathBytes.of("");

  private static HeatMap count(Map<String, Long> exact, SplittableRandom random, int files) {
    HeatSettings few = new HeatSettings(60_000, 12, 50, 12, 8, 0, 7);
    HeatMap heat = new HeatMap(few);
    for (int i = 0; i < 5_000; i++) {
      // A skewed choice: file 0 is read most.
      int file = (int) (files * Math.pow(random.nextDouble(), 4));
      String path = "/d" + file % 23 + "/e" + file % 7 + "/f" + file;
      exact.merge(path, 1L, Long::sum);
      heat.accessed(1_774_000_000_000L + i * 100L, AccessKind.OPEN, PathBytes.of(path), NONE, 0);
    }
    return heat;
  }

  @Property(tries = 50)
  void everyCountIsBetweenItsBounds(
      @ForAll long seed, @ForAll @IntRange(min = 20, max = 2_000) int files) {
    Map<String, Long> exact = new TreeMap<>();
    HeatMap heat = count(exact, new SplittableRandom(seed), files);
    HeatReport report = heat.report(0);
    double error = heat.totals().tailErrorMax();
    int beyond = 0;
    for (Map.Entry<String, Long> each : exact.entrySet()) {
      FileHeat file = report.file(each.getKey());
      assertThat(file.reads()).as(each.getKey()).isLessThanOrEqualTo(each.getValue());
      assertThat(file.readsMax()).as(each.getKey()).isGreaterThanOrEqualTo(each.getValue());
      beyond += file.readsMax() - each.getValue() > error ? 1 : 0;
    }
    // The stated share is 3.7%; conservative update keeps far below it.
    assertThat(beyond).isLessThanOrEqualTo(exact.size() * 37 / 1_000);
    assertThat(heat.totals().files()).isLessThanOrEqualTo(50);
    assertThat(heat.totals().directories()).isLessThanOrEqualTo(12);
  }

  /** A file that was never sent to the sketch is exact, whatever the other files did. */
  @Property(tries = 20)
  void theHottestFilesAreExact(@ForAll long seed) {
    Map<String, Long> exact = new TreeMap<>();
    HeatMap heat = count(exact, new SplittableRandom(seed), 2_000);
    for (FileHeat file : heat.report(11).hottest(5, "/")) {
      if (file.reads() == file.readsMax()) {
        assertThat(file.reads()).isEqualTo(exact.get(file.path()));
      }
    }
    assertThat(heat.report(11).hottest(1, "/").get(0).readsMax()).isGreaterThan(100);
  }

  @Property(tries = 50)
  void noReadIsLostAndNoneCountedTwiceWhenColdDirectoriesAreFolded(@ForAll long seed) {
    Map<String, Long> exact = new TreeMap<>();
    HeatMap heat = count(exact, new SplittableRandom(seed), 500);
    long all = exact.values().stream().mapToLong(Long::longValue).sum();

    assertThat(heat.totals().reads()).isEqualTo(all);
    for (GroupHeat directory : heat.report(11).directories("/", 1)) {
      long below =
          exact.entrySet().stream()
              .filter(each -> each.getKey().startsWith(directory.path() + "/"))
              .mapToLong(Map.Entry::getValue)
              .sum();
      assertThat(directory.reads()).as(directory.path()).isLessThanOrEqualTo(below);
    }
  }

  /**
   * As rules ask, with few rows and windows of 1, 2 and 4 minutes: reads of the last 1 to 8 minutes
   * are between their bounds, also those of files that went to the sketch.
   */
  @Property(tries = 200)
  void readsOfAsLongAsIsKeptAreBetweenTheirBounds(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    HeatMap heat = new HeatMap(new HeatSettings(60_000, 3, 8, 64, 12, 0, 7));
    Map<String, List<Long>> exact = new TreeMap<>();
    long now = 1_774_000_000_000L + random.nextInt(480_000);
    for (int i = 0; i < 400; i++) {
      now += random.nextInt(8_000);
      String path = "/f" + random.nextInt(40);
      exact.computeIfAbsent(path, none -> new ArrayList<>()).add(now);
      heat.accessed(now, AccessKind.OPEN, PathBytes.of(path), NONE, 0);
    }
    HeatReport report = heat.report(0);
    for (long millis = 60_000; millis <= report.keptMillis(); millis += 60_000) {
      long since = now - millis;
      for (Map.Entry<String, List<Long>> each : exact.entrySet()) {
        long reads = each.getValue().stream().filter(time -> time > since).count();
        HeatReport.Recent recent = report.readsWithin(each.getKey(), millis);
        assertThat(recent.least())
            .as("%s in %d ms", each.getKey(), millis)
            .isLessThanOrEqualTo(reads);
        assertThat(recent.most())
            .as("%s in %d ms", each.getKey(), millis)
            .isGreaterThanOrEqualTo(reads);
      }
    }
  }

  /** Its reads went to the sketch under the path that it had, which its directory no longer has. */
  @Test
  void readsFromBeforeADirectoryWasRenamedBoundThoseOfItsFiles() {
    HeatMap heat = new HeatMap(new HeatSettings(60_000, 12, 4, 1_024, 12, 0, 0));
    long now = 1_774_000_000_000L;
    heat.accessed(now, AccessKind.OPEN, PathBytes.of("/in/day/f"), NONE, 0);
    for (int i = 0; i < 20; i++) {
      heat.accessed(now, AccessKind.OPEN, PathBytes.of("/scan/f" + i), NONE, 0);
    }
    heat.accessed(now, AccessKind.RENAME, PathBytes.of("/in"), PathBytes.of("/table"), 0);

    assertThat(heat.report(0).readsWithin("/table/day/f", 3_600_000).most()).isPositive();
    assertThat(heat.report(0).readsWithin("/elsewhere/f", 3_600_000).most()).isZero();
    heat.accessed(now, AccessKind.RENAME, PathBytes.of("/table/day"), PathBytes.of("/d"), 0);
    heat.accessed(now, AccessKind.OPEN, PathBytes.of("/d/f"), NONE, 0);
    assertThat(heat.report(0).readsWithin("/d/f", 3_600_000).least()).isOne();
    assertThat(heat.report(0).readsWithin("/d/f", 3_600_000).most()).isGreaterThan(1);
    assertThat(heat.report(0).readsWithin("/table/f", 3_600_000).most())
        .as("nothing of it is known to have left")
        .isPositive();
  }

  /** By the path that they had its files were read before, and not since. */
  @Test
  void aDirectoryThatWasRenamedBeforeTheTimeInQuestionHidesNoReadsOfIt() {
    HeatMap heat = new HeatMap(new HeatSettings(60_000, 12, 4, 1_024, 12, 0, 0));
    long then = 1_774_000_000_000L;
    heat.accessed(then, AccessKind.OPEN, PathBytes.of("/in/f"), NONE, 0);
    for (int i = 0; i < 20; i++) {
      heat.accessed(then, AccessKind.OPEN, PathBytes.of("/scan/f" + i), NONE, 0);
    }
    heat.accessed(then, AccessKind.RENAME, PathBytes.of("/in"), PathBytes.of("/table"), 0);
    heat.accessed(then + 9_000_000, AccessKind.OPEN, PathBytes.of("/table/g"), NONE, 0);

    HeatReport report = heat.report(0);
    assertThat(report.readsWithin("/table/f", 3_600_000).most()).isZero();
    assertThat(report.readsWithin("/table/g", 3_600_000).most()).isOne();
    assertThat(report.readsWithin("/table/f", 36_000_000).most()).isPositive();
    assertThat(report.readsWithin("/table/g", 36_000_000).most()).isGreaterThan(1);
  }

  /** Its longest window has two minutes; the file was read an hour before. */
  @Test
  void onlyAMapThatForgetsNothingBoundsReadsOfLongAgo() {
    HeatSettings forgetful = new HeatSettings(60_000, 2, 4, 1_024, 12, 0, 0);

    assertThat(readsMaxAfterAnHour(forgetful)).isZero();
    assertThat(readsMaxAfterAnHour(forgetful.forgettingNothing())).isPositive();
  }

  private static long readsMaxAfterAnHour(HeatSettings settings) {
    HeatMap heat = new HeatMap(settings);
    heat.accessed(1_774_000_000_000L, AccessKind.OPEN, PathBytes.of("/old"), NONE, 0);
    for (int i = 1; i <= 360; i++) {
      PathBytes other = PathBytes.of("/scan/f" + i);
      heat.accessed(1_774_000_000_000L + i * 10_000L, AccessKind.OPEN, other, NONE, 0);
    }
    return heat.report(0).file("/old").readsMax();
  }

  /** Of files that were never read, as many have an estimate as the sketch says. */
  @Test
  void saysWhichShareOfUnreadFilesItTakesForRead() {
    HeatMap heat = new HeatMap(new HeatSettings(60_000, 12, 4, 1_024, 9, 0, 0));
    for (int i = 0; i < 400; i++) {
      PathBytes read = PathBytes.of("/scan/f" + i);
      heat.accessed(1_774_000_000_000L + i, AccessKind.OPEN, read, NONE, 0);
    }
    HeatReport report = heat.report(0);
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      taken += report.unnumberedReadsMax(PathBytes.of("/never/f" + i)) > 0 ? 1 : 0;
    }

    assertThat(report.unreadTakenShare()).isBetween(0.01, 0.9);
    assertThat(taken / 10_000.0).isCloseTo(report.unreadTakenShare(), within(0.03));
  }

  @Test
  void aFileThatWasReadTwiceStaysThroughAFloodOfColdOnes() {
    HeatMap heat = new HeatMap(new HeatSettings(60_000, 12, 100, 1_024, 12, 0, 0));
    for (int i = 0; i < 20_000; i++) {
      String cold = "/scan/f" + i;
      heat.accessed(1_774_000_000_000L + i, AccessKind.OPEN, PathBytes.of(cold), NONE, 0);
      if (i % 100 == 0 || i == 1) {
        heat.accessed(1_774_000_000_000L + i, AccessKind.OPEN, PathBytes.of("/hot"), NONE, 0);
      }
    }
    FileHeat hot = heat.report(11).hottest(1, "/").get(0);

    assertThat(hot.path()).isEqualTo("/hot");
    assertThat(hot.reads()).isEqualTo(201);
    assertThat(hot.readsMax()).isEqualTo(201);
    assertThat(heat.report(0).file("/scan/f3").readsMax())
        .isBetween(1L, 1 + (long) Math.ceil(heat.totals().tailErrorMax()));
  }
}
