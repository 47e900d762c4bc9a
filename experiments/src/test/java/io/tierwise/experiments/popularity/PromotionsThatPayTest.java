package io.tierwise.experiments.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.experiments.popularity.PromotionReplay.Gate;
import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.policies.popularity.PopularityPredictors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many promotions pay when the reads to come are guessed in one way or the other. */
class PromotionsThatPayTest {
  private static final double HOUR_SECONDS = 3600;

  /** Of the bytes of all files. */
  private static final double FAST_SHARE = 0.1;

  private static final int HOLD = 3;

  private static final TierPromotions PROMOTIONS =
      new TierPromotions(
          new DeviceClass("ssd", 500e6, 400e6, Double.NaN, 0, Double.NaN),
          new DeviceClass("disk", 100e6, 100e6, Double.NaN, 0, Double.NaN));

  private static Map<Gate, PromotionReplay.Result> replay(
      ReadTrace trace, String predictor, double windowSeconds) {
    Map<Gate, PromotionReplay.Result> results = new EnumMap<>(Gate.class);
    for (Gate gate : Gate.values()) {
      PromotionReplay.Result result =
          PromotionReplay.of(
              trace,
              PROMOTIONS,
              PopularityPredictors.parse(predictor),
              gate,
              windowSeconds,
              HOLD,
              FAST_SHARE);
      System.out.printf(
          Locale.ROOT, "%5.0f s %-8s %-7s %s%n", windowSeconds, predictor, gate, result.text());
      results.put(gate, result);
    }
    return results;
  }

  /** Hundreds of files that are read in one hour, and two that are read in each. */
  @Test
  void burstsAreNotPromotedAndFilesThatAreReadAgainAndAgainAre(@TempDir Path folder)
      throws IOException {
    StringBuilder rows = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    int jobs = 0;
    for (int minute = 0; minute < 24 * 60; minute++) {
      int hour = minute / 60;
      String path =
          minute % 4 == 0
              ? "/often" + random.nextInt(2)
              : "/once" + hour + "-" + random.nextInt(30);
      rows.append("job").append(jobs++).append('\t').append(60 * minute).append("\t0\t");
      rows.append(1_000_000).append("\t0\t0\t").append(path).append('\n');
    }
    Path file = Files.writeString(folder.resolve("trace.tsv"), rows);

    Map<Gate, PromotionReplay.Result> results = replay(ReadTrace.read(file), "lru", HOUR_SECONDS);

    PromotionReplay.Result steady = results.get(Gate.STEADY);
    PromotionReplay.Result learned = results.get(Gate.LEARNED);
    assertThat(steady.unpaid()).as("nearly all are bursts").isGreaterThan(steady.promotions() / 2);
    assertThat(learned.promotions()).isBetween(2, steady.promotions() / 3);
    assertThat(learned.netSeconds()).isGreaterThan(steady.netSeconds());
    assertThat(results.get(Gate.ORACLE).unpaid()).isZero();
    PromotionReplay.Result sure = results.get(Gate.SURE);
    assertThat(sure.promotions()).as("the two, once it is sure").isEqualTo(2);
    assertThat(sure.unpaid()).isZero();
    assertThat(sure.netSeconds()).isPositive();
  }

  @Test
  void onFacebooksTraceWhatIsLearnedLosesLessThanWhatIsTakenToBeSteady() {
    String traces = System.getenv("TIERWISE_TRACES");
    assumeTrue(traces != null, "TIERWISE_TRACES names no folder with traces");
    ReadTrace trace =
        ReadTrace.read(
            Path.of(traces, "swim", "FB-2010_samples_24_times_1hr_withInputPaths_0.tsv"));
    for (double window : List.of(HOUR_SECONDS / 4, HOUR_SECONDS, 3 * HOUR_SECONDS)) {
      for (String predictor : List.of("lru", "ppa", "scarlett")) {
        Map<Gate, PromotionReplay.Result> results = replay(trace, predictor, window);
        assertThat(results.get(Gate.LEARNED).unpaid())
            .isLessThanOrEqualTo(results.get(Gate.STEADY).unpaid());
        assertThat(results.get(Gate.LEARNED).netSeconds())
            .isGreaterThanOrEqualTo(results.get(Gate.STEADY).netSeconds());
        assertThat(results.get(Gate.ORACLE).unpaid()).isZero();
        PromotionReplay.Result sure = results.get(Gate.SURE);
        assertThat(10 * sure.unpaid()).isLessThanOrEqualTo(sure.promotions());
        assertThat(sure.netSeconds()).isNotNegative();
      }
    }
  }
}
