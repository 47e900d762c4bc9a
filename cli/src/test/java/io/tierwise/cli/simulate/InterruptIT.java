package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.TierwiseJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process of its own that is asked to end in the middle of a long run. */
class InterruptIT {
  /** More work than any machine does in the processor time that it is given. */
  private static final String ENDLESS =
      """
      based-on: hats-testbed
      model: {evict-when-full: true}
      workload:
        applications: {arrival: {poisson: 1 /s}, jobs: [{application: lsn/grep, count: 200000}]}
      """;

  private static final Duration STARTED = Duration.ofSeconds(2);
  private static final int POLLS_MAX = 1200;

  /**
   * A slow machine may take longer to end a short run: each attempt has more time than the last.
   */
  private static final int ATTEMPTS_MAX = 4;

  @TempDir private Path folder;

  private static Duration used(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Test
  void ctrlCKeepsWhatIsThereAndEndsAsAShellExpects() throws Exception {
    Process process =
        start(
            // A process group of its own, as a terminal gives a command. In the background a shell
            // ignores Ctrl-C, and programs inherit that.
            List.of("setsid", "env", "--default-signal=INT"));
    assertThat(
            ended(
                process,
                () ->
                    new ProcessBuilder("bash", "-c", "kill -INT -- -" + process.pid())
                        .start()
                        .waitFor()))
        .as("128 and the number of SIGINT")
        .isEqualTo(130);
    assertKept();
  }

  @Tag("long")
  @Test
  void aPoliteKillKeepsWhatIsThereAsWell() throws Exception {
    Process process = start(List.of());
    assertThat(ended(process, process::destroy)).as("128 and the number of SIGTERM").isEqualTo(143);
    assertKept();
  }

  @Test
  void aFolderIsAnotherRunsOnlyWhileThatLives() throws Exception {
    Path out = folder.resolve("out");
    Path lock = out.resolve(".tierwise.lock");
    String[] again = {"simulate", Ran.small(folder), "--out", out.toString()};
    Process process = start(List.of());
    int exitCode =
        ended(
            process,
            () -> {
              Ran second = Ran.of(again);
              assertThat(second.err())
                  .contains("a run that is under way (process " + process.pid() + ")");
              assertThat(second.err().lines()).hasSize(1);
              assertThat(second.exitCode()).isEqualTo(3);
              process.destroyForcibly();
            });
    assertThat(exitCode).as("128 and the number of SIGKILL").isEqualTo(137);
    assertThat(lock).exists();
    assertThat(Ran.of(again).exitCode()).as("whoever was killed is in nobody's way").isZero();
    assertThat(lock).doesNotExist();
    assertThat(out.resolve("results.json")).exists();
  }

  @Test
  void anInterruptedReproductionGoesOnFromTheRunsThatWereOver() throws Exception {
    Path paper = Files.createDirectories(folder.resolve("reproductions/disk"));
    Files.writeString(paper.resolve("endless.yaml"), ENDLESS);
    Files.copy(Path.of(Ran.small(folder)), paper.resolve("small.yaml"));
    Files.writeString(
        paper.resolve("runs.yaml"),
        """
        runs: [{name: small, scenario: small.yaml}, {name: endless, scenario: endless.yaml}]
        rows:
          - {figure: first, case: c, metric: m, ours: "[small makespan_seconds]", cause: none}
          - {figure: second, case: c, metric: m, ours: "[endless makespan_seconds]", cause: none}
        """);
    Files.writeString(
        paper.resolve("expected.csv"),
        "figure,case,metric,value,unit,where\nfirst,c,m,1,s,here\nsecond,c,m,1,s,here\n");
    Files.writeString(
        paper.resolve("tolerance.yaml"),
        "[{relative: 1, reason: none, rows: [{figure: first, case: c, metric: m},"
            + " {figure: second, case: c, metric: m}]}]");
    String[] command = {"reproduce", "--folder", paper.getParent().toString(), "--threads", "1"};
    Files.createDirectories(folder.resolve("out"));
    for (int attempt = 1; attempt <= ATTEMPTS_MAX && !said().contains("1 of 2 runs"); attempt++) {
      Process process = java(List.of(), command);
      assertThat(ended(process, STARTED.multipliedBy(attempt), process::destroy)).isEqualTo(143);
    }
    assertThat(said())
        .contains("tierwise reproduce: interrupted: 1 of 2 runs of disk are kept in " + paper);

    Ran next = Ran.of("reproduce", "--folder", paper.getParent().toString(), "--figure", "first");
    assertThat(next.exitCode()).as(next.err()).isZero();
    assertThat(next.err()).contains("1 of 1 runs of disk were kept by an interrupted call");
    assertThat(next.out()).contains("of 1 printed numbers reproduce");
    assertThat(paper.resolve(".kept-runs.csv")).as("the whole goes on from it").exists();
  }

  private Process start(List<String> before) throws IOException {
    Path scenario = Files.writeString(folder.resolve("endless.yaml"), ENDLESS);
    return java(before, "simulate", scenario.toString(), "--out", folder.resolve("out").toString());
  }

  private Process java(List<String> before, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.addAll(TierwiseJvm.line(List.of("-Xmx1g"), List.of(), arguments));
    return new ProcessBuilder(command)
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  /** How a process is asked to end. */
  @FunctionalInterface
  private interface Signal {
    void send() throws IOException, InterruptedException;
  }

  private String said() throws IOException {
    Path err = folder.resolve("stderr");
    return Files.exists(err) ? Files.readString(err) : "";
  }

  private int ended(Process process, Signal signal) throws Exception {
    return ended(process, STARTED, signal);
  }

  /**
   * Lets it run, asks it to end; its exit code.
   *
   * @param runs for so much processor time
   */
  private int ended(Process process, Duration runs, Signal signal) throws Exception {
    Path out = folder.resolve("out");
    try {
      // Past the start and the reading of the workload, by processor time, whatever else runs here.
      for (int i = 0; i < POLLS_MAX && !Files.isDirectory(out) && process.isAlive(); i++) {
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
      Duration begun = used(process);
      for (int i = 0;
          i < POLLS_MAX && process.isAlive() && used(process).minus(begun).compareTo(runs) < 0;
          i++) {
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
      signal.send();
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("ends when asked").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private void assertKept() throws IOException {
    assertThat(folder.resolve("stderr")).content().contains("tierwise simulate: interrupted");
    assertThat(folder.resolve("stdout")).content().contains("endless (interrupted)", "makespan");
    Path results = folder.resolve("out/results.json");
    JsonNode json = new ObjectMapper().readTree(results.toFile());
    assertThat(json.at("/cases/0/complete").asBoolean(true)).isFalse();
    assertThat(json.at("/cases/0/runs/0/jobs_finished").asLong()).isPositive();
    assertThat(folder.resolve("out/.tierwise.lock")).doesNotExist();
  }
}
