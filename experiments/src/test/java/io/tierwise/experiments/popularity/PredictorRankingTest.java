package io.tierwise.experiments.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictorRankingTest {
  private static final long BYTES = 1000;

  @TempDir private Path folder;
  private StringBuilder rows;
  private int jobs;

  @BeforeEach
  void begin() {
    rows = new StringBuilder();
    jobs = 0;
  }

  private void job(int seconds, String path, long bytes) {
    rows.append("job").append(jobs++).append('\t').append(seconds).append("\t0\t").append(bytes);
    rows.append("\t0\t0\t").append(path).append('\n');
  }

  private ReadTrace trace() throws IOException {
    return ReadTrace.read(Files.writeString(folder.resolve("trace.tsv"), rows));
  }

  private static PredictorScore score(ReadTrace trace, String predictor, double percent) {
    return PredictorRanking.of(trace, List.of("100 s"), List.of(predictor), percent)
        .scores()
        .get(0);
  }

  /** Ten files; file 0 is read in each window, the others only in the first. */
  private void oneFileStays() {
    for (int file = 0; file < 10; file++) {
      job(file, "/f" + file, BYTES);
    }
    job(20, "/f0", BYTES);
    for (int window = 1; window < 5; window++) {
      job(100 * window + 50, "/f0", BYTES);
    }
    job(499, "/f0", BYTES);
  }

  @Test
  void aPredictorThatSeesThatAFileIsHotReadsAllOfItFast() throws IOException {
    oneFileStays();
    PredictorScore score = score(trace(), "last-count", 10);

    assertThat(score.windows()).isEqualTo(4);
    assertThat(score.readBytes()).isEqualTo(5 * BYTES);
    assertThat(score.fastBytes()).isEqualTo(score.bestFastBytes()).isEqualTo(5 * BYTES);
    assertThat(score.regretShare()).isZero();
    assertThat(score.precision()).isEqualTo(1);
    assertThat(score.recall()).isEqualTo(1);
    assertThat(score.promotedBytes()).isEqualTo(BYTES);
  }

  @Test
  void aTierThatHoldsAllIsNeverMissedAndLeavesPrecisionAlone() throws IOException {
    oneFileStays();
    PredictorScore score = score(trace(), "uniform", 100);

    assertThat(score.regretShare()).isZero();
    assertThat(score.recall()).isEqualTo(1);
    assertThat(score.precision()).isCloseTo(0.1, within(1e-12));
    assertThat(score.promotedBytes()).isEqualTo(10 * BYTES);
  }

  @Test
  void firstReadsAreNobodysFault() throws IOException {
    job(0, "/old", BYTES);
    job(1, "/old", BYTES);
    job(150, "/new", BYTES);
    job(199, "/old", BYTES);
    PredictorScore score = score(trace(), "last-count", 100);

    assertThat(score.readBytes()).isEqualTo(2 * BYTES);
    assertThat(score.fastBytes()).isEqualTo(score.bestFastBytes()).isEqualTo(BYTES);
    assertThat(score.fastShare()).isEqualTo(0.5);
    assertThat(score.regretShare()).isZero();
  }

  @Test
  void replicasAreComparedWithReadersWithinAMinute() throws IOException {
    job(0, "/f", BYTES);
    for (int reader = 0; reader < 6; reader++) {
      job(110 + reader, "/f", BYTES);
    }
    job(180, "/f", BYTES);
    job(199, "/f", BYTES);
    ReadTrace trace = trace();

    // Six readers within a minute; those of the second half are together with none of them.
    assertThat(score(trace, "uniform", 100).replicaError()).isEqualTo(3);
    assertThat(score(trace, "oracle:by=readers", 100).replicaError()).isZero();
    assertThat(score(trace, "oracle:by=readers", 100).storageShare()).isEqualTo(2);
  }

  @Test
  void noPredictorBeatsTheBoundAndTheOracleBeatsTheNullModel() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    for (int second = 0; second < 1000; second++) {
      int file = (int) (40 * random.nextDouble() * random.nextDouble());
      job(second, "/f" + file, 1 + random.nextInt(100) * (long) (1 + file));
    }
    ReadTrace trace = trace();
    for (double percent : new double[] {1, 5, 20, 70}) {
      PredictorRanking ranking = PredictorRanking.of(trace, List.of(), List.of(), percent);
      assertThat(ranking.scores()).hasSizeGreaterThanOrEqualTo(18);
      assertThat(ranking.scores())
          .allSatisfy(
              score -> {
                assertThat(score.regretShare()).isBetween(0.0, 1.0);
                assertThat(score.precision()).isBetween(0.0, 1.0);
                assertThat(score.recall()).isBetween(0.0, 1.0);
              });
      assertThat(fast(ranking, "oracle")).isGreaterThan(fast(ranking, "uniform"));
    }
  }

  private static long fast(PredictorRanking ranking, String predictor) {
    return ranking.scores().stream()
        .filter(score -> score.predictor().equals(predictor))
        .mapToLong(PredictorScore::fastBytes)
        .sum();
  }

  @Test
  void theSameTraceGivesTheSameRankingWithRowsByRegret() throws IOException {
    oneFileStays();
    PredictorRanking once = PredictorRanking.of(trace(), List.of(), List.of(), 10);
    assertThat(PredictorRanking.of(trace(), List.of(), List.of(), 10)).isEqualTo(once);
    assertThat(once.table().rows()).hasSize(once.scores().size());
    assertThat(once.text()).contains("16 reads of 10 files", "37.5%");
    List<PredictorScore> minute =
        once.scores().stream().filter(score -> score.windowSeconds() == 60).toList();
    assertThat(minute)
        .isSortedAccordingTo((a, b) -> Double.compare(a.regretShare(), b.regretShare()));
  }

  /**
   * Of 40 files half are read in the even windows and half in the odd ones; each file has a size of
   * its own, by which it could be told from the others.
   */
  private void filesRest(int windows) {
    for (int window = 0; window < windows; window++) {
      for (int file = 0; file < 40; file++) {
        if (window == 0 || file % 2 == window % 2) {
          job(100 * window + file, "/f" + file, BYTES + ((long) file << 27));
        }
      }
    }
    job(100 * windows - 1, "/f0", BYTES);
  }

  @Test
  void treesLearnWhatTheLastReadsDoNotSay() throws IOException {
    filesRest(40);
    ReadTrace trace = trace();

    double regret = score(trace, "trees", 30).regretShare();
    assertThat(regret).isLessThan(score(trace, "lru", 30).regretShare() / 2);
    assertThat(regret).isLessThan(score(trace, "uniform", 30).regretShare() / 2);
  }

  /** Small files are read in the second window and large ones in the third: nobody can know. */
  @Test
  void treesAreFittedToWindowsBeforeThoseThatAreJudged() throws IOException {
    for (int read = 0; read < 80; read++) {
      int file = read % 40;
      int window = read < 40 ? 0 : 1 + file / 20;
      job(100 * window + file, "/f" + file, BYTES + (file < 20 ? 0 : 20L << 27));
    }
    job(299, "/f0", BYTES);
    ReadTrace trace = trace();

    double nobody = score(trace, "uniform", 30).fastShare();
    assertThat(score(trace, "trees", 30).fastShare()).isLessThan(nobody);
    assertThat(score(trace, "oracle", 30).fastShare()).isGreaterThan(nobody);
  }

  @Test
  void treesOfAFileAreForWindowsOfTheirLengthAlone() throws IOException {
    filesRest(20);
    ReadTrace trace = trace();
    Path file = folder.resolve("m.trees");
    FittedTrees fitted = FittedTrees.of(trace, 100, 1, file);
    String text = "trees:model=" + file;

    assertThat(fitted.windows()).isEqualTo(20);
    assertThat(fitted.trees()).isPositive();
    assertThat(fitted.text()).contains("20 windows of 100 s", text);
    assertThat(score(trace, text, 30).predictor()).isEqualTo(text);
    assertThat(score(trace, text, 30).regretShare())
        .isLessThanOrEqualTo(score(trace, "trees", 30).regretShare());
    assertThatThrownBy(() -> PredictorRanking.of(trace, List.of("1 min"), List.of(text), 30))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("fitted to windows of 100.0 s; this one has 60.0 s");
  }

  @Test
  void aTraceThatTeachesNothingLeavesNoFile() throws IOException {
    job(0, "/a", BYTES);
    job(1, "/a", BYTES);
    job(199, "/b", BYTES);
    Path file = folder.resolve("m.trees");
    ReadTrace trace = trace();

    assertThatThrownBy(() -> FittedTrees.of(trace, 100, 1, file))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("nothing can be learned from 2 windows");
    assertThat(file).doesNotExist();
  }

  @Test
  void adviceRanksWhatNeedsNoFitting() {
    assertThat(PredictorRanking.unfitted()).contains("lru", "oracle").doesNotContain("trees");
    assertThat(ReplayTrees.areWanted("trees")).isTrue();
    // One of another jar that has a setting without a default.
    assertThat(ReplayTrees.areWanted("ewma:weight=none")).isFalse();
  }

  @Test
  void whatMakesNoSenseIsRefusedInOneLine() throws IOException {
    oneFileStays();
    ReadTrace trace = trace();
    assertThatThrownBy(() -> PredictorRanking.of(trace, List.of("5 min"), List.of(), 10))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("--window 5 min")
        .hasMessageContaining("half of the trace's 499 s");
    assertThatThrownBy(() -> PredictorRanking.of(trace, List.of("soon"), List.of(), 10))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("--window \"soon\"");
    assertThatThrownBy(() -> PredictorRanking.of(trace, List.of(), List.of("pap"), 10))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("\"pap\"");
    assertThatThrownBy(
            () -> PredictorRanking.of(trace, List.of(), List.of("trees:model=/none"), 10))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("popularity predictor \"trees\": /none cannot be read");
    assertThatThrownBy(() -> PredictorRanking.of(trace, List.of(), List.of(), 0))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("--fast-percent is 0");
  }

  @Test
  void aTraceWithoutPathsIsRefusedBecauseNothingIsReadTwice() {
    job(0, "", BYTES);
    job(1, "", BYTES);
    assertThatThrownBy(this::trace)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("no path is read twice");
  }
}
