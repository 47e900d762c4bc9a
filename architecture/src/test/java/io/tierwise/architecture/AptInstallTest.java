package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How set-up installs packages, with an apt-get that answers as the real one does. */
class AptInstallTest {
  /** Its lists are locked for the first calls, as many as the file {@code locked} says. */
  private static final String APT =
      """
      #!/usr/bin/env bash
      cd "$(dirname "$0")"
      echo "$*" >>calls
      left=$(<locked)
      if ((left > 0)); then
        echo $((left - 1)) >locked
        echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)" >&2
        exit 100
      fi
      [[ $* != *nosuch* ]] || { echo "E: Unable to locate package nosuch" >&2; exit 100; }
      """;

  @TempDir Path folder;

  @BeforeEach
  void onlyAsRoot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "installs as root only");
  }

  private record Run(int exitCode, List<String> said, List<String> calls) {}

  private Run install(int locked, int waitSeconds, String... packages) throws Exception {
    List<String> words = new ArrayList<>(List.of("scripts/apt-install.sh", "setup"));
    words.addAll(List.of(packages));
    return run(locked, waitSeconds, Map.of(), words.toArray(String[]::new));
  }

  private Run run(int locked, int waitSeconds, Map<String, String> variables, String... words)
      throws Exception {
    Path apt = Files.writeString(folder.resolve("apt-get"), APT);
    assertThat(apt.toFile().setExecutable(true)).isTrue();
    Files.writeString(folder.resolve("locked"), locked + "\n");
    Files.deleteIfExists(folder.resolve("calls"));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.command().set(0, Repository.root().resolve(words[0]).toString());
    builder.environment().putAll(variables);
    builder.environment().merge("PATH", folder.toString(), (old, ours) -> ours + ":" + old);
    builder.environment().put("APT_WAIT_SECONDS", Integer.toString(waitSeconds));
    Path said = folder.resolve("said");
    Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), lines(said), lines(folder.resolve("calls")));
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file);
  }

  @Test
  void waitsForAnotherAptAndSaysSoOnce() throws Exception {
    Run run = install(2, 60, "fio", "nbdkit");
    assertThat(run.exitCode()).isZero();
    assertThat(run.said())
        .containsExactly(
            "setup: installing fio nbdkit",
            "setup: waiting for another apt or dpkg: It is held by process 7 (apt-get)");
    assertThat(run.calls())
        .containsExactly(
            "update", "update", "update", "install -y --no-install-recommends fio nbdkit");
  }

  @Test
  void givesUpAtTheEndOfItsTime() throws Exception {
    Run run = install(1_000, 1, "fio");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.said()).last().asString().contains("Could not get lock");
  }

  @Test
  void saysWhyAPackageIsNotInstalled() throws Exception {
    Run run = install(0, 60, "nosuch");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.said())
        .containsExactly("setup: installing nosuch", "E: Unable to locate package nosuch");
    assertThat(run.calls()).hasSize(2);
  }

  /** Debian has Rust's linter in a package of its own, without which checks leave its lints out. */
  @Test
  void rustComesWithItsFormatterAndItsLinter() throws Exception {
    Path old = Files.writeString(folder.resolve("cargo"), "#!/bin/sh\necho cargo 1.63.0\n");
    assertThat(old.toFile().setExecutable(true)).isTrue();
    Run run = run(0, 60, Map.of("HOME", folder.toString()), "scripts/rust-setup.sh");
    assertThat(run.calls())
        .containsExactly(
            "update",
            "install -y --no-install-recommends cargo-web rustfmt-web rust-web-clippy gcc libc6-dev");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.said())
        .last()
        .asString()
        .startsWith("setup: missing: Rust 1.89 or newer with cargo and rustfmt");
  }
}
