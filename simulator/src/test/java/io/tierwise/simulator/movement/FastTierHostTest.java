package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Action;
import io.tierwise.core.action.Stage;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.simulator.DecisionListener;
import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every run checks after each event that no byte, task or replica is lost. */
class FastTierHostTest {
  private static final long FILE_BYTES = 200_000_000;
  private static final double END_OF_TIME = 1e6;
  private static final String REGIONS =
      "{tier: ssd, persistent: 1 GB, temporary: 2 GB, window: 10 min}";

  @TempDir private Path folder;
  private int jobs;
  private final StringBuilder rows = new StringBuilder();

  private void job(int seconds, String path, long shuffleBytes) {
    rows.append("job").append(jobs++).append('\t').append(seconds).append("\t1\t");
    rows.append(FILE_BYTES).append('\t').append(shuffleBytes);
    rows.append("\t0\t").append(path).append('\n');
  }

  private String yaml(String fastTier) throws IOException {
    return """
    nodes:
      worker:
        map-slots: 1
        reduce-slots: 1
        page-cache: 0 B
        volumes:
          - {device: hdd, capacity: 500 GB}
          - {device: pcie-ssd, capacity: 10 GB}
    cluster: {racks: [{count: 2, nodes: [{kind: worker, count: 4}]}]}
    tiers: [{name: ssd, device: pcie-ssd}, {name: hdd, device: hdd}]
    policies: {placement: "network-aware:tiers=hdd", access: greedy, block: 64 MB}
    workload: {trace: {format: swim, file: %s}}
    model: {write-through: true}
    fast-tier: %s
    """
        .formatted(Files.writeString(folder.resolve("trace.tsv"), rows), fastTier);
  }

  private Scenario scenario(String fastTier) throws IOException {
    return ScenarioFiles.parse(yaml(fastTier), "fast").scenario();
  }

  private RunResult run(String fastTier) throws IOException {
    return run(fastTier, (seconds, action, view) -> {});
  }

  private RunResult run(String fastTier, DecisionListener listener) throws IOException {
    Simulation simulation =
        Simulation.of(scenario(fastTier)).checkBetween(0, END_OF_TIME).tell(listener);
    RunResult result = simulation.run(Progress.NONE);
    assertThat(simulation.checkedEventCount()).isPositive();
    assertThat(result.jobs().failed()).isZero();
    assertThat(result.jobs().finished()).isEqualTo(jobs);
    return result;
  }

  @Test
  void inputOfJobsThatWaitIsPrefetchedAndReadFromTheFastTier() throws IOException {
    // Thirty jobs for eight slots, again and again: a job learns from those before that it waits.
    for (int wave = 0; wave < 3; wave++) {
      for (int file = 0; file < 30; file++) {
        job(200 * wave, "/wave" + wave + "/" + file, 0);
      }
    }
    List<Stage> told = new ArrayList<>();
    RunResult result = run(REGIONS, (seconds, action, view) -> addTo(told, action));

    assertThat(result.fastTier().orElseThrow().prefetchedBytes()).isPositive();
    assertThat(told).isNotEmpty();
    for (Stage each : told) {
      assertThat(each.data()).startsWith("/wave");
      assertThat(each.tier()).isZero();
      assertThat(each.score()).as("seconds that its job gains").isPositive();
      assertThat(each.cost().storedBytes()).isEqualTo(FILE_BYTES);
    }
    assertThat(result.fastTier().orElseThrow().prefetchedBytes())
        .isLessThanOrEqualTo(told.size() * FILE_BYTES);
    assertThat(result.fastTier().orElseThrow().bytesMax()).isBetween(FILE_BYTES, 2_000_000_000L);
    assertThat(result.reads().bytesByTier()[0]).isPositive();
  }

  private static void addTo(List<Stage> told, Action action) {
    if (action instanceof Stage stage) {
      told.add(stage);
    }
  }

  @Test
  void aFileThatIsReadOftenComesIntoThePersistentRegion() throws IOException {
    for (int minute = 0; minute < 60; minute++) {
      job(60 * minute, "/hot", 0);
      job(60 * minute + 30, "/cold" + minute, 0);
    }
    List<Stage> told = new ArrayList<>();
    RunResult result =
        run(
            "{tier: ssd, persistent: 1 GB, window: 10 min}",
            (seconds, action, view) -> addTo(told, action));

    assertThat(result.fastTier().orElseThrow().rearrangedBytes())
        .isGreaterThanOrEqualTo(FILE_BYTES);
    assertThat(told).extracting(Stage::data).contains("/hot");
    assertThat(result.reads().bytesByTier()[0]).isGreaterThan(20 * FILE_BYTES);
  }

  @Test
  void aFileUnderAnSlaComesBeforeOneThatIsReadMore() throws IOException {
    job(5, "/report/today", 0);
    for (int minute = 1; minute < 60; minute++) {
      job(60 * minute, "/hot", 0);
    }
    String region = "{tier: ssd, persistent: 300 MB, window: 10 min";

    assertThat(brought(region + "}")).containsOnly("/hot");
    assertThat(brought(region + ", sla: /report}")).containsExactly("/report/today");
  }

  private List<String> brought(String fastTier) throws IOException {
    List<Stage> told = new ArrayList<>();
    run(fastTier, (seconds, action, view) -> addTo(told, action));
    return told.stream().map(Stage::data).toList();
  }

  /** Ten files are read in each window, and a burst in the first one and in the fourth. */
  private void readsOfFiveWindows() {
    for (int window = 0; window < 5; window++) {
      int begin = 600 * window + 10;
      for (int read = 0; read < 20; read++) {
        job(begin + 20 * read, "/steady" + read % 10, 0);
      }
      for (int read = 0; read < 12 && window % 3 == 0; read++) {
        job(begin + 400 + 5 * read, "/burst" + window, 0);
      }
    }
  }

  @Test
  void withSureWindowsABurstStaysOutAndWhatIsReadAgainAndAgainComes() throws IOException {
    readsOfFiveWindows();
    String region = "{tier: ssd, persistent: 4 GB, predictor: lfu, window: 10 min";

    assertThat(brought(region + "}")).contains("/burst0", "/burst3");
    List<String> sure = brought(region + ", sure-windows: 1}");
    assertThat(sure).hasSize(10).allMatch(path -> path.startsWith("/steady"));
  }

  @Test
  void nothingIsSureBeforeTheWindowsThatCountAreOver() throws IOException {
    readsOfFiveWindows();

    // Of files read in one window eleven are known then, one of which was read no more.
    assertThat(
            broughtAt(
                "{tier: ssd, persistent: 4 GB, predictor: lfu, window: 10 min, sure-windows: 1}"))
        .isNotEmpty()
        .allMatch(seconds -> seconds >= 1_800);
    assertThat(
            brought(
                "{tier: ssd, persistent: 4 GB, predictor: lfu, window: 10 min, sure-windows: 9}"))
        .isEmpty();
  }

  private List<Double> broughtAt(String fastTier) throws IOException {
    List<Double> moments = new ArrayList<>();
    run(
        fastTier,
        (seconds, action, view) -> {
          if (action instanceof Stage) {
            moments.add(seconds);
          }
        });
    return moments;
  }

  @Test
  void whatIsUnderAnSlaComesThoughItIsNotSure() throws IOException {
    job(5, "/report/today", 0);
    job(700, "/other", 0);

    assertThat(
            brought(
                "{tier: ssd, persistent: 1 GB, window: 10 min, sla: /report,"
                    + " sure-windows: 3}"))
        .containsExactly("/report/today");
  }

  @Test
  void intermediateDataGoesToTheTierThatWasChosenForTheJob() throws IOException {
    for (int file = 0; file < 20; file++) {
      job(60 * file, "/file" + file, FILE_BYTES);
    }
    RunResult none = run("{tier: ssd}");
    RunResult fast = run(REGIONS);

    // Nothing else is written: jobs have no output.
    assertThat(writtenTo("pcie-ssd", none)).isZero();
    assertThat(writtenTo("hdd", none)).isPositive();
    assertThat(writtenTo("hdd", fast)).isZero();
    assertThat(none.fastTier().orElseThrow().jobs())
        .isEqualTo(Map.of(StorageConfiguration.ALL_SLOW, 20L));
    assertThat(fast.fastTier().orElseThrow().jobs())
        .doesNotContainKey(StorageConfiguration.ALL_SLOW);
  }

  /** Whichever of two attempts of a late map it is that counts. */
  @Test
  void soDoesThatOfSecondAttempts() throws IOException {
    for (int file = 0; file < 20; file++) {
      job(60 * file, "/file" + file, FILE_BYTES);
    }
    Scenario scenario =
        ScenarioFiles.parse(yaml(REGIONS), "fast")
            .with("model.speculative=true", "test")
            .with("model.stragglers=20%", "test")
            .with("model.straggler-factor=20", "test")
            .scenario();
    RunResult result = Simulation.of(scenario).checkBetween(0, END_OF_TIME).run(Progress.NONE);

    assertThat(result.jobs().finished()).isEqualTo(jobs);
    assertThat(result.jobs().killedTasks()).as("that lost to another attempt").isPositive();
    assertThat(writtenTo("hdd", result)).isZero();
  }

  private static long writtenTo(String device, RunResult result) {
    int index = result.cost().deviceClasses().indexOf(device);
    return index < 0 ? 0 : result.cost().writtenBytesByClass()[index];
  }

  @Test
  void theSameScenarioGivesTheSameRun() throws IOException {
    for (int file = 0; file < 40; file++) {
      job(20 * (file / 20), "/file" + file % 7, FILE_BYTES / 4);
    }
    assertThat(run(REGIONS).engine().logHash()).isEqualTo(run(REGIONS).engine().logHash());
  }

  @Test
  void aScenarioIsWrittenAndReadBack() throws IOException {
    Scenario scenario =
        scenario(
            "{tier: ssd, persistent: 1 GB, temporary: 2 GB, buffer: 1 MB, predictor: lfu, window:"
                + " 3 min, bandwidth: 5 MB/s, gain: 7%, sla: [/a], sure-windows: 4}");
    assertThat(
            ScenarioFiles.parse(ScenarioWriter.write(scenario, List.of()), "again")
                .scenario()
                .upkeep()
                .fastTier())
        .isEqualTo(scenario.upkeep().fastTier())
        .isPresent();
  }

  @Test
  void whatMakesNoSenseIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> scenario("{tier: tape}")).hasMessageContaining("fast-tier.tier");
    assertThatThrownBy(() -> scenario("{tier: hdd}")).hasMessageContaining("slowest");
    assertThatThrownBy(() -> scenario("{tier: ssd, buffer: 1 GB}"))
        .hasMessageContaining("temporary region");
    assertThatThrownBy(() -> scenario("{tier: ssd, predictor: dxu}"))
        .hasMessageContaining("fast-tier.predictor");
    assertThatThrownBy(() -> scenario("{tier: ssd}\npopularity: {window: 1 h}"))
        .hasMessageContaining("popularity");
  }
}
