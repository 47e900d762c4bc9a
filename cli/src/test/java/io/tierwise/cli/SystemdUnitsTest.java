package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units of systemd for the daemons that move data. */
class SystemdUnitsTest {
  private static final Path UNITS =
      Path.of(System.getProperty("tierwise.root"), "packaging", "systemd");

  private static Path unit(String daemon) {
    return UNITS.resolve("tierwise-" + daemon + ".service");
  }

  /** What stands behind the keys of that name. */
  private static List<String> values(String daemon, String key) throws IOException {
    return Files.readAllLines(unit(daemon)).stream()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1))
        .toList();
  }

  /** As systemd makes it, with the options that its head shows. */
  private static String[] arguments(String daemon) throws IOException {
    String options =
        Files.readAllLines(unit(daemon)).stream()
            .filter(line -> line.startsWith("#   OPTIONS="))
            .map(line -> line.substring("#   OPTIONS=".length()).split(" {3}", 2)[0])
            .findFirst()
            .orElseThrow();
    List<String> words = new ArrayList<>();
    for (String word : values(daemon, "ExecStart").get(0).split(" ")) {
      words.addAll(word.equals("$OPTIONS") ? Arrays.asList(options.split(" ")) : List.of(word));
    }
    assertThat(words).startsWith("/usr/bin/env", "tierwise", daemon, "run");
    return words.subList(2, words.size()).toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"monitor", "autotier"})
  void itsCommandLineIsOneThatTheCommandUnderstands(String daemon) throws IOException {
    String[] arguments = arguments(daemon);

    assertThatCode(() -> TierwiseCommand.commandLineFor(arguments).parseArgs(arguments))
        .doesNotThrowAnyException();
    assertThat(String.join(" ", arguments))
        .contains("tierwise.mover.journal.directory=/var/lib/tierwise/");
  }

  /** A daemon that ends for a NameNode's sake begins again; one with a wrong option does not. */
  @ParameterizedTest
  @ValueSource(strings = {"monitor", "autotier"})
  void itBeginsAgainAfterAFailureAndEndsInOrder(String daemon) throws IOException {
    assertThat(values(daemon, "Restart")).containsExactly("on-failure");
    assertThat(values(daemon, "StartLimitIntervalSec")).containsExactly("0");
    assertThat(values(daemon, "SuccessExitStatus")).containsExactly(String.valueOf(128 + 15));
    assertThat(values(daemon, "RestartPreventExitStatus"))
        .containsExactly(String.valueOf(ExitCode.BAD_INPUT));
    assertThat(values(daemon, "EnvironmentFile"))
        .isEqualTo(values(daemon, "AssertPathExists"))
        .containsExactly("/etc/tierwise/" + daemon + ".conf");
  }

  /** It writes where its journal is, and no process of it gets more rights than its user has. */
  @ParameterizedTest
  @ValueSource(strings = {"monitor", "autotier"})
  void itHasNoMoreRightsThanItNeeds(String daemon) throws IOException {
    assertThat(values(daemon, "User")).containsExactly("hdfs");
    assertThat(values(daemon, "StateDirectory")).containsExactly("tierwise");
    assertThat(values(daemon, "ProtectSystem")).containsExactly("strict");
    assertThat(values(daemon, "NoNewPrivileges")).containsExactly("yes");
    assertThat(values(daemon, "CapabilityBoundingSet")).containsExactly("");
    // Java compiles at run time, and the user has other processes on this machine.
    assertThat(values(daemon, "MemoryDenyWriteExecute")).isEmpty();
    assertThat(values(daemon, "RemoveIPC")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"monitor", "autotier"})
  void systemdFindsNothingWrongWithIt(String daemon) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "no systemd-analyze is here");
    Process verify =
        new ProcessBuilder("systemd-analyze", "verify", "--man=no", unit(daemon).toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(verify.waitFor()).as(said).isZero();
    assertThat(said).doesNotContain("tierwise");
  }

  /** `make dist` packs the whole folder. */
  @Test
  void theDistributionHasThem() throws IOException {
    assertThat(Files.readString(UNITS.resolve("../../scripts/dist.sh")))
        .contains("cp -r packaging \"$root/\"");
    try (var units = Files.list(UNITS)) {
      assertThat(units.map(unit -> unit.getFileName().toString()))
          .contains("tierwise-monitor.service", "tierwise-autotier.service");
    }
  }
}
