package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.data.Ratio;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every run checks after each event that no byte, task or replica is lost. */
class ShareHostTest {
  private static final long FILE_BYTES = 200_000_000;
  private static final double END_OF_TIME = 1e6;
  private static final int SSD = 0;

  @TempDir private Path folder;
  private int jobs;
  private final StringBuilder rows = new StringBuilder();

  /** One that reads a file, and writes as much. */
  private void job(int seconds, long bytes, String path) {
    rows.append("job").append(jobs++).append('\t').append(seconds).append("\t1\t").append(bytes);
    rows.append("\t0\t").append(bytes).append('\t').append(path).append('\n');
  }

  /** A job a minute, each with a file of its own. */
  private void jobs(int minutes, long bytes) {
    for (int minute = 0; minute < minutes; minute++) {
      job(60 * minute, bytes, "/file" + minute);
    }
  }

  private Scenario scenario(String placement, String ssd, String share) throws IOException {
    String yaml =
        """
        nodes:
          worker:
            page-cache: 0 B
            volumes:
              - {device: hdd, capacity: 500 GB}
              - {device: pcie-ssd, capacity: %s, temporary: false}
        cluster: {racks: [{nodes: [{kind: worker, count: 4}]}]}
        tiers: [{name: ssd, device: pcie-ssd}, {name: hdd, device: hdd}]
        policies: {placement: "zone-ratio:%s", block: 256 MB}
        workload: {trace: {format: swim, file: %s}}
        %s
        """
            .formatted(ssd, placement, Files.writeString(folder.resolve("trace.tsv"), rows), share);
    return ScenarioFiles.parse(yaml, "share").scenario();
  }

  private RunResult run(String placement, String ssd, String share) throws IOException {
    Simulation simulation =
        Simulation.of(scenario(placement, ssd, share)).checkBetween(0, END_OF_TIME);
    RunResult result = simulation.run(Progress.NONE);
    assertThat(simulation.checkedEventCount()).isPositive();
    assertThat(result.jobs().finished()).isEqualTo(jobs);
    return result;
  }

  private static double readOnSsd(RunResult result) {
    long[] bytes = result.reads().bytesByTier();
    return (double) bytes[SSD] / (bytes[SSD] + bytes[1]);
  }

  @Test
  void ofFilesOfOneBlockEachADirectoryHasItsShareInTheFastZone() throws IOException {
    jobs(100, FILE_BYTES / 10);

    assertThat(readOnSsd(run("ssd=0.3,hdd=0.7,scope=directory", "100 GB", "")))
        .as("input and output alike")
        .isCloseTo(0.3, within(0.1));
    assertThat(readOnSsd(run("ssd=0.3,hdd=0.7", "100 GB", "")))
        .as("the first block of each file is in the first zone")
        .isEqualTo(1);
  }

  @Test
  void whatIsWrittenFollowsTheUse() throws IOException {
    jobs(120, FILE_BYTES);
    String start = "ssd=0.1,hdd=0.9,scope=directory";
    RunResult fixed = run(start, "1 TB", "");
    RunResult followed = run(start, "1 TB", "share: {window: 10 min, hold: 0}");

    assertThat(fixed.share()).isEmpty();
    assertThat(followed.share()).contains(new RunResult.Share(Ratio.ONE, 1));
    assertThat(readOnSsd(fixed)).as("every second block is output").isLessThan(0.25);
    assertThat(readOnSsd(followed)).as("all but the first ten minutes").isGreaterThan(0.85);
    assertThat(followed.jobs().meanSeconds()).isLessThan(fixed.jobs().meanSeconds());
  }

  @Test
  void aShareThatTheZoneHasNoRoomForGoesDownBeforeItIsFull() throws IOException {
    // 240 files of three replicas become 144 GB, of which the SSDs take 38 and keep 2 free.
    jobs(120, FILE_BYTES);
    RunResult result =
        run("ssd=1,hdd=0,scope=directory", "10 GB", "share: {window: 10 min, hold: 1}");

    assertThat(result.share().orElseThrow().changes()).isGreaterThan(1);
    Ratio last = result.share().orElseThrow().last();
    assertThat((double) last.numerator() / last.denominator()).isLessThan(0.1);
    assertThat(readOnSsd(result)).isBetween(0.2, 0.6);
  }

  @Test
  void aChangeIsHeld() throws IOException {
    jobs(120, FILE_BYTES);
    String start = "ssd=0.1,hdd=0.9,scope=directory";

    assertThat(changes(start, 0)).as("as the data set grows").isGreaterThan(3);
    assertThat(changes(start, 1_000))
        .as("room for what is written until then is for the smallest share alone")
        .isEqualTo(1);
  }

  private long changes(String placement, int hold) throws IOException {
    return run(placement, "10 GB", "share: {window: 10 min, hold: " + hold + "}")
        .share()
        .orElseThrow()
        .changes();
  }

  @Test
  void aScenarioSaysItsShareAgain() throws IOException {
    jobs(1, FILE_BYTES);
    Scenario scenario =
        scenario(
            "ssd=0.1,hdd=0.9,scope=directory",
            "1 TB",
            "share: {window: 20 min, hold: 7, gain: 12%, keep-free: 3%}");

    assertThat(
            ScenarioFiles.parse(ScenarioWriter.write(scenario, List.of()), "again")
                .scenario()
                .upkeep())
        .isEqualTo(scenario.upkeep());
  }

  @Test
  void aShareThatNobodyCanChooseIsRefused() {
    jobs(1, FILE_BYTES);
    assertThatThrownBy(() -> scenario("0.3", "1 TB", "share: {}"))
        .hasMessageContaining("share: zone-ratio:ssd=0.3,hdd=0.7 counts the blocks of each file")
        .hasMessageEndingWith("write scope=directory");
    assertThatThrownBy(
            () ->
                scenario(
                    "0.3,scope=directory",
                    "1 TB",
                    "share: {}\nfast-tier: {tier: ssd, persistent: 1 GB}"))
        .hasMessageContaining("share: cannot stand beside fast-tier: remove one");
  }
}
