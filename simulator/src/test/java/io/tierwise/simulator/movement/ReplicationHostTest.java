package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every run checks after each event that no byte, task or replica is lost. */
class ReplicationHostTest {
  private static final int COLD_FILES = 20;
  private static final long FILE_BYTES = 200_000_000;
  private static final double ALL_BYTES = (COLD_FILES + 1) * (double) FILE_BYTES;
  private static final double END_OF_TIME = 1e6;

  @TempDir private Path folder;
  private String trace;

  /** A file that six jobs read at once every ten minutes; others that are read once. */
  @BeforeEach
  void writeTrace() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int file = 0; file < COLD_FILES; file++) {
      row(rows, "cold" + file, file, "/cold" + file);
    }
    for (int time = 30; time < 3600; time += 600) {
      for (int reader = 0; reader < 6; reader++) {
        row(rows, "hot" + time + "-" + reader, time, "/hot");
      }
    }
    trace = Files.writeString(folder.resolve("trace.tsv"), rows).toString();
  }

  private static void row(StringBuilder rows, String job, int seconds, String path) {
    rows.append(job).append('\t').append(seconds).append("\t1\t").append(FILE_BYTES);
    rows.append("\t0\t0\t").append(path).append('\n');
  }

  private Scenario scenario(String popularity) {
    return scenario(popularity, "500 GB");
  }

  private Scenario scenario(String popularity, String secondaryCapacity) {
    return read(yaml(popularity, secondaryCapacity));
  }

  private static Scenario read(String yaml) {
    return ScenarioFiles.parse(yaml, "popularity").scenario();
  }

  private String yaml(String popularity, String secondaryCapacity) {
    return """
    nodes:
      worker: {map-slots: 2, volumes: [{device: hdd, capacity: 500 GB}]}
      server:
        map-slots: 0
        reduce-slots: 0
        volumes: [{device: sata-ssd, capacity: %s, temporary: false}]
    cluster:
      racks: [{count: 2, nodes: [{kind: worker, count: 8}]}, {nodes: [server]}]
    tiers: [{name: primary, device: hdd}, {name: nas, device: sata-ssd}]
    policies: {placement: "network-aware:tiers=primary", block: 64 MB}
    workload: {trace: {format: swim, file: %s}}
    popularity: %s
    """
        .formatted(secondaryCapacity, trace, popularity);
  }

  private RunResult run(String popularity, long jobs) throws IOException {
    return run(scenario(popularity), jobs);
  }

  private static RunResult run(Scenario scenario, long jobs) throws IOException {
    Simulation simulation = Simulation.of(scenario).checkBetween(0, END_OF_TIME);
    RunResult result = simulation.run(Progress.NONE);
    assertThat(simulation.checkedEventCount()).isPositive();
    assertThat(result.jobs().finished()).isEqualTo(jobs);
    return result;
  }

  private RunResult run(String popularity) throws IOException {
    return run(popularity, COLD_FILES + 36);
  }

  @Test
  void withoutAPredictorReplicasStayAndTheirBytesAreCounted() throws IOException {
    RunResult.Stored stored = run("{window: 10 min}").stored();

    assertThat(stored.bytesMean()).isEqualTo(3 * ALL_BYTES);
    assertThat(stored.secondaryBytesMean()).isZero();
    assertThat(stored.filesWithMoreShare()).isZero();
  }

  @Test
  void aFileWithManyReadersGetsAsManyReplicasAsScarlettSaysAndKeepsThem() throws IOException {
    RunResult result = run("{window: 10 min, predictor: scarlett}");

    // Seven replicas of one file of 21, in all windows but the first.
    double added = 4.0 * FILE_BYTES;
    assertThat(result.stored().bytesMean())
        .isBetween(3 * ALL_BYTES + 0.5 * added, 3 * ALL_BYTES + added);
    assertThat(result.stored().filesWithMoreShare()).isEqualTo(1.0 / (COLD_FILES + 1));
    assertThat(result.faults().repairedBytes()).isEqualTo((long) added);
  }

  @Test
  void theUsualNumberOfReplicasIsThatOfTheFileSystem() throws IOException {
    String yaml =
        yaml("{window: 10 min, predictor: uniform}", "500 GB")
            .replace("block: 64 MB", "block: 64 MB, replication: 2");
    RunResult result = run(read(yaml), COLD_FILES + 36);

    assertThat(result.stored().bytesMean()).isEqualTo(2 * ALL_BYTES);
    assertThat(result.faults().repairedBytes()).isZero();

    // With its own number of replicas, and in both stores.
    Scenario many = read(yaml.replace("replication: 2", "replication: 17"));
    assertThat(ReplicationHost.namespace(many.policies(), many.upkeep()).slotCount()).isEqualTo(18);
  }

  @Test
  void additionalReplicasServeReadsAlsoWhenTheFirstOnesAreGone() throws IOException {
    // Seven replicas while six read at once, three when nobody does: those that stay are any of
    // seven.
    StringBuilder rows = new StringBuilder();
    for (int window = 0; window < 12; window++) {
      for (int reader = 0; reader < (window % 2 == 0 ? 6 : 1); reader++) {
        row(rows, "job" + window + "-" + reader, 600 * window + 30, "/hot");
      }
    }
    trace = Files.writeString(folder.resolve("waves.tsv"), rows).toString();
    RunResult result = run("{window: 10 min, predictor: scarlett}", 6 * 6 + 6);

    assertThat(result.jobs().failed()).isZero();
    assertThat(result.faults().repairedBytes()).isGreaterThan(4 * 4 * FILE_BYTES);
  }

  @Test
  void theBudgetHoldsAdditionalReplicasBack() throws IOException {
    // Two replicas of one file of 21 are 3.2% of 63.
    RunResult.Stored stored = run("{window: 10 min, predictor: scarlett, extra: 3.2%}").stored();

    assertThat(stored.bytesMean())
        .isBetween(3 * ALL_BYTES + FILE_BYTES, 3 * ALL_BYTES + 2.0 * FILE_BYTES);
    assertThat(stored.filesWithMoreShare()).isPositive();
  }

  @Test
  void filesThatNobodyWillReadGoToTheSecondaryStoreWholeAndTheOthersStay() throws IOException {
    RunResult result = run("{window: 10 min, predictor: \"oracle:by=readers\", secondary: nas}");

    assertThat(result.stored().filesInSecondaryShare()).isEqualTo(20.0 / 21);
    assertThat(result.stored().bytesMean()).isLessThan(0.7 * 3 * ALL_BYTES);
    assertThat(result.stored().secondaryBytesMean())
        .isBetween(0.5 * COLD_FILES * FILE_BYTES, (double) COLD_FILES * FILE_BYTES);
    // Nobody reads them again.
    assertThat(result.reads().bytesByTier()[1]).isZero();
  }

  @Test
  void filesUnderAnSlaStayInThePrimaryStoreThoughNobodyWillReadThem() throws IOException {
    RunResult result =
        run(
            "{window: 10 min, predictor: \"oracle:by=readers\", secondary: nas,"
                + " sla: [/cold3, /cold1*]}");

    // Beside the hot one /cold3, /cold1 and /cold10 to /cold19.
    assertThat(result.stored().filesInSecondaryShare()).isEqualTo(8.0 / 21);
  }

  @Test
  void volumesWithoutDataAreNoRoomOfTheSecondaryStore() throws IOException {
    String yaml =
        yaml("{window: 10 min, predictor: \"oracle:by=readers\", secondary: nas}", "500 GB")
            .replace("500 GB}]}", "500 GB}, {device: hdd, capacity: 50 GB, data: false}]}");
    assertThat(yaml).contains("data: false");

    assertThat(run(read(yaml), COLD_FILES + 36).stored().filesInSecondaryShare())
        .isEqualTo(20.0 / 21);
  }

  @Test
  void filesThatFindNoRoomInTheSecondaryStoreStayWhereTheyAre() throws IOException {
    // Two files and a half; the files that go first are read again, and make room when they leave.
    StringBuilder rows = new StringBuilder();
    for (int file = 0; file < COLD_FILES; file++) {
      row(rows, "cold" + file, file, "/cold" + file);
    }
    for (int minute = 31; minute < 120; minute++) {
      row(rows, "again" + minute, 60 * minute, "/cold" + minute % 2);
    }
    trace = Files.writeString(folder.resolve("full.tsv"), rows).toString();
    Scenario scenario =
        scenario("{window: 10 min, predictor: \"oracle:by=readers\", secondary: nas}", "500 MB");
    RunResult result = run(scenario, COLD_FILES + 89);

    assertThat(result.jobs().failed()).isZero();
    assertThat(result.stored().secondaryBytesMean()).isBetween(1.0 * FILE_BYTES, 2.5 * FILE_BYTES);
    // Half of the twelve windows, and the two files that have come back: room is used again.
    assertThat(result.faults().repairedBytes()).isGreaterThan(4L * FILE_BYTES);
  }

  @Test
  void aFileComesBackFromTheSecondaryStoreWhenItBecomesPopular() throws IOException {
    StringBuilder rows = new StringBuilder();
    row(rows, "first", 0, "/returns");
    for (int minute = 1; minute < 60; minute++) {
      row(rows, "job" + minute, 60 * minute, minute < 30 ? "/other" : "/returns");
    }
    trace = Files.writeString(folder.resolve("returns.tsv"), rows).toString();
    RunResult result =
        run("{window: 10 min, predictor: \"oracle:by=readers\", secondary: nas}", 60);

    assertThat(result.stored().secondaryBytesMean()).isPositive();
    // At the end the other file is away and this one is back.
    assertThat(result.stored().filesInSecondaryShare()).isEqualTo(0.5);
  }

  @Test
  void theSameScenarioGivesTheSameRun() throws IOException {
    String popularity = "{window: 10 min, predictor: ppa, secondary: nas}";
    assertThat(run(popularity).engine().logHash()).isEqualTo(run(popularity).engine().logHash());
  }

  @Test
  void aScenarioIsWrittenAndReadBack() {
    Scenario scenario =
        scenario("{window: 10 min, predictor: ppa, secondary: nas, extra: 13%, sla: [/a, /b*]}");
    assertThat(
            ScenarioFiles.parse(ScenarioWriter.write(scenario, List.of()), "again")
                .scenario()
                .upkeep()
                .popularity())
        .isEqualTo(scenario.upkeep().popularity())
        .isPresent();
  }

  @Test
  void whatMakesNoSenseIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> scenario("{predictor: pap}")).hasMessageContaining("\"pap\"");
    assertThatThrownBy(() -> scenario("{secondary: tape}"))
        .hasMessageContaining("tape")
        .hasMessageContaining("primary");
    assertThatThrownBy(() -> scenario("{secondary: nas}"))
        .hasMessageContaining("popularity.secondary: \"nas\"")
        .hasMessageContaining("popularity.predictor");
  }

  @Test
  void aPredictorThatLooksAheadIsRefusedWhereNoTraceIsReplayed() {
    String jobs = "{applications: {jobs: [{application: lsn/grep}]}}";
    String oracle = yaml("{predictor: oracle}", "500 GB");
    String generated = oracle.replaceAll("workload: .*", "workload: " + jobs);

    assertThatThrownBy(() -> read(generated))
        .hasMessageContaining("popularity.predictor: ")
        .hasMessageContaining("oracle");
    assertThat(read(oracle).upkeep().popularity()).isPresent();
    assertThat(read(generated.replace("oracle", "ppa")).upkeep().popularity()).isPresent();
  }
}
