package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script by which {@code make test} runs its parts beside each other. */
class SideBySideTest {
  private static final long SECONDS_MAX = 60;
  private static final String MAKEFILE =
      """
      .PHONY: good bad last long skips
      good:
      \t@echo first line; echo second line
      bad:
      \t@echo what went wrong; exit 7
      last:
      \t@echo last
      skips:
      \t@echo ..skipped: some tests; echo later; echo skipped: some tests; echo left out: others
      long:
      \t@sleep 600 & echo $$! >started; wait
      """;

  @TempDir Path folder;

  @BeforeEach
  void writeMakefile() throws IOException {
    Files.writeString(folder.resolve("Makefile"), MAKEFILE);
  }

  @Test
  void succeedsOnlyWhenAllTargetsDo() throws Exception {
    Process process = start("good", "last");

    assertThat(exitCode(process)).isZero();
    assertThat(printed()).contains("===== good\nfirst line\nsecond line\n===== good passed");
  }

  @Test
  void aTargetThatFailsIsNamedAndStopsNoOther() throws Exception {
    Process process = start("good", "bad last");

    assertThat(exitCode(process)).isEqualTo(1);
    String summary = printed().split("===== all\n")[1];
    assertThat(printed()).contains("what went wrong");
    assertThat(summary.lines())
        .hasSize(3)
        .anyMatch(line -> line.matches("good +passed, .*"))
        .anyMatch(line -> line.matches("bad +FAILED with exit status 2, .*"))
        .anyMatch(line -> line.matches("last +passed, .*"));
  }

  @Test
  void whatWasNotTestedIsSaidAgainInTheEnd() throws Exception {
    assertThat(exitCode(start("good", "skips"))).isZero();

    assertThat(printed().split("===== all\n")[1].lines().skip(2))
        .containsExactly("left out: others", "skipped: some tests");
  }

  @Test
  void aTargetThatDoesNotExistFails() throws Exception {
    assertThat(exitCode(start("good", "nosuch"))).isEqualTo(1);
  }

  @Test
  void whatEndsItEndsAllThatItStarted() throws Exception {
    Process process = start("good", "long last");
    Path started = folder.resolve("started");
    await("the long target runs", () -> Files.exists(started) && !text(started).isEmpty());
    long pid = Long.parseLong(text(started).strip());
    assertThat(runs(pid)).isTrue();

    process.destroy();

    assertThat(exitCode(process)).isEqualTo(143);
    await("its child has ended", () -> !runs(pid));
    assertThat(printed()).contains("interrupted").doesNotContain("===== last");
  }

  /** Ended, but not yet waited for by whoever inherited it, is ended. */
  private static boolean runs(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)
        && !text(Path.of("/proc", Long.toString(pid), "stat")).contains(") Z ");
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited until " + what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** A file that is gone is empty. */
  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  private Process start(String... lanes) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", Repository.root().resolve("scripts/side-by-side.sh").toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder.command().addAll(List.of(lanes));
    // The options of a make that these tests run under are not this one's.
    builder.environment().remove("MAKEFLAGS");
    return builder.start();
  }

  private static int exitCode(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).as("it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroy();
    }
  }

  private String printed() {
    return text(folder.resolve("output"));
  }
}
