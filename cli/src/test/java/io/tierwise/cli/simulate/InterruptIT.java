package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.TierwiseCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

  private static final Duration STARTED = Duration.ofSeconds(3);
  private static final int POLLS_MAX = 1200;

  @TempDir private Path folder;

  private static Duration used(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Test
  void whatIsThereIsPrintedWrittenAndMarked() throws Exception {
    Path scenario = Files.writeString(folder.resolve("endless.yaml"), ENDLESS);
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                TierwiseCommand.class.getName(),
                "simulate",
                scenario.toString(),
                "--out",
                out.toString())
            .redirectOutput(folder.resolve("stdout").toFile())
            .redirectError(folder.resolve("stderr").toFile())
            .start();
    try {
      // Past the start and the reading of the workload, by processor time, whatever else runs here.
      for (int i = 0; i < POLLS_MAX && !Files.isDirectory(out) && process.isAlive(); i++) {
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
      Duration begun = used(process);
      for (int i = 0;
          i < POLLS_MAX && process.isAlive() && used(process).minus(begun).compareTo(STARTED) < 0;
          i++) {
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends when asked").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(folder.resolve("stderr")).content().contains("tierwise: interrupted");
    assertThat(folder.resolve("stdout")).content().contains("endless (interrupted)", "makespan");
    JsonNode json = new ObjectMapper().readTree(out.resolve("results.json").toFile());
    assertThat(json.at("/cases/0/complete").asBoolean(true)).isFalse();
    assertThat(json.at("/cases/0/runs/0/jobs_finished").asLong()).isPositive();
  }
}
