package io.tierwise.experiments.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.TextTable;
import io.tierwise.core.use.JobReads;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.core.use.ReadHistory.ReadFile;
import io.tierwise.experiments.advise.ReplayAnswer.Choice;
import io.tierwise.experiments.popularity.PredictorRanking;
import io.tierwise.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogReplayTest {
  private static final long MIB = 1 << 20;
  private static final int FILES = 100;
  private static final int HOT = 5;
  private static final int READS = 400;
  private static final int STEP_SECONDS = 30;

  /** Its fast tier has room for a tenth of the files; its pages for none. */
  private static final String CLUSTER =
      """
      cluster: {racks: [{nodes: [{kind: worker, count: 4}]}]}
      nodes:
        worker:
          page-cache: 0 B
          volumes: [{device: sata-ssd, capacity: 700 MB, temporary: false}, {device: hdd, capacity: 1 TB}]
      workload: {dfsio: {tasks: 1}}
      """;

  @TempDir private Path folder;

  /** Four of five reads are of a few files, the others of each in turn, one every half a minute. */
  private static ReadHistory history(boolean hotOnFast) {
    List<ReadFile> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(new ReadFile(256 * MIB, 3, hotOnFast && i < HOT));
    }
    int[] readFiles = new int[READS];
    double[] seconds = new double[READS];
    for (int i = 0; i < READS; i++) {
      readFiles[i] = i % 5 == 0 ? i / 5 + HOT : i % HOT;
      seconds[i] = STEP_SECONDS * i;
    }
    return new ReadHistory(files, readFiles, seconds);
  }

  private ReplayAnswer replay(ReadHistory history, String cluster) throws IOException {
    Path file = Files.writeString(folder.resolve("cluster.yaml"), cluster);
    return replay(history, JobReads.none(history.readCount()), file, ReplaySite.UNKNOWN);
  }

  private static ReplayAnswer replay(
      ReadHistory history, JobReads jobs, Path cluster, ReplaySite site) throws IOException {
    return LogReplay.replay(
        new LogReplay.Question(history, jobs, cluster.toString(), site, READS, 1_000_000_000_000L),
        new RunListener() {},
        () -> false);
  }

  private static ReplayAnswer.Row row(ReplayAnswer answer, Choice choice) {
    return answer.rows().stream().filter(row -> row.choice() == choice).findFirst().orElseThrow();
  }

  @Test
  void theHotSetIsFasterThanBlindChoiceAndHindsightIsNoSlower() throws IOException {
    ReplayAnswer answer = replay(history(false), CLUSTER);

    assertThat(answer.rows()).extracting(ReplayAnswer.Row::choice).containsExactly(Choice.values());
    ReplayAnswer.Row stored = row(answer, Choice.AS_STORED);
    ReplayAnswer.Row drawn = row(answer, Choice.DRAWN_BLINDLY);
    ReplayAnswer.Row hot = row(answer, Choice.HOT_SET);
    ReplayAnswer.Row hindsight = row(answer, Choice.BY_HINDSIGHT);
    assertThat(stored.fastShare()).isZero();
    assertThat(drawn.fastBytes()).isPositive().isLessThanOrEqualTo(hot.fastBytes());
    assertThat(hot.readSeconds()).isLessThan(0.9 * drawn.readSeconds());
    assertThat(drawn.readSeconds()).isLessThanOrEqualTo(1.01 * stored.readSeconds());
    assertThat(hindsight.readSeconds()).isLessThanOrEqualTo(1.01 * hot.readSeconds());
    assertThat(hot.fastShare()).isGreaterThan(drawn.fastShare());
    assertThat(hot.storageDollars()).isGreaterThan(stored.storageDollars());
    assertThat(answer.reads()).isEqualTo(READS / 2);
    assertThat(answer.replicas()).isEqualTo(3);
    assertThat(answer.nodes()).isEqualTo(4);
    // A disk of the library has 5 W when idle and costs $0.05 a gigabyte; this one has a terabyte.
    assertThat(answer.cold().watts()).isEqualTo(5);
    assertThat(answer.cold().dollars()).isEqualTo(50);
  }

  @Test
  void whatNobodyToldOfDevicesIsNotTold() throws IOException {
    String untold =
        CLUSTER.replace("device: hdd", "device: plain").replace("device: sata-ssd", "device: quick")
            + "devices: {plain: {read: 61 MB/s, write: 46 MB/s},"
            + " quick: {read: 191 MB/s, write: 139 MB/s}}\n";
    ReplayAnswer answer = replay(history(false), untold);

    assertThat(answer.slowTier()).isEqualTo("plain");
    assertThat(answer.cold().watts()).isNull();
    assertThat(answer.cold().dollars()).isZero();
    assertThat(answer.legend().get(0)).endsWith(" on plain under RS-6-3.");
    assertThat(TextTable.lines(answer.table())).noneMatch(line -> line.contains("$"));
  }

  @Test
  void filesThatAreOnTheFastTierTodayAreReadFromThere() throws IOException {
    ReplayAnswer answer = replay(history(true), CLUSTER);

    assertThat(row(answer, Choice.AS_STORED).fastShare()).isPositive();
    assertThat(row(answer, Choice.AS_STORED).readSeconds())
        .isLessThan(row(replay(history(false), CLUSTER), Choice.AS_STORED).readSeconds());
  }

  @Test
  void predictorsAreRankedOnTheSameReads() {
    PredictorRanking ranking = Forecasts.of(history(false).last(READS), READS).orElseThrow();

    assertThat(ranking.scores()).hasSizeGreaterThan(8);
    assertThat(ranking.scores().get(0).regretShare())
        .isLessThan(ranking.scores().get(ranking.scores().size() - 1).regretShare());
    assertThat(Forecasts.of(history(false).last(20), READS)).isEmpty();
  }

  @Test
  void saysWhichReadsOfTheLogItMeans() throws IOException {
    ReplayAnswer answer = replay(history(false).last(41), CLUSTER);

    assertThat(answer.learnedReads()).isEqualTo(20);
    assertThat(answer.reads()).isEqualTo(21);
    assertThat(String.join(" ", answer.legend()))
        .contains(
            "21 reads in 10 min, the second half of the log's last 41 (--reads), on 4 virtual");
  }

  @Test
  void onlyTheLastReadsTakePart() {
    ReadHistory last = history(false).last(10);

    assertThat(last.readCount()).isEqualTo(10);
    assertThat(last.files()).hasSize(HOT - 1 + 2);
    assertThat(last.readSeconds()[0]).isZero();
    assertThat(last.readSeconds()[9]).isEqualTo(9 * STEP_SECONDS);
  }

  @Test
  void saysWhatKeepsItFromRunning() {
    assertRefused(CLUSTER.replace("1 TB", "10 GB"), history(false), "name a larger --cluster");
    assertRefused(
        CLUSTER.replace("{device: sata-ssd, capacity: 700 MB, temporary: false}, ", ""),
        history(false),
        "has one tier");
    assertRefused(CLUSTER, history(false).last(3), "3 reads are too few");
  }

  private void assertRefused(String cluster, ReadHistory history, String text) {
    assertThatThrownBy(() -> replay(history, cluster))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(text);
  }
}
