package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options that would change nothing are refused, before anybody is asked. */
class UnusedOptionsTest {
  @ParameterizedTest
  @CsvSource({
    "file move /a --to disk --replicas 2, --replicas 2 belongs to --to-tier",
    "file move /a --to disk --replicas -3, --replicas -3 belongs to --to-tier",
    "heat top --audit-log log --every 5, --every 5 belongs to --follow",
    "autotier plan --audit-log log --prefetch-buffer 5GB, --prefetch-buffer 5GB belongs to --pref",
    "autotier run --audit-log log --prefetch-wait 1h, --prefetch-wait 1h belongs to --prefetch",
    "policy set /a --placement hybrid --bandwidth 1, --bandwidth bounds or writes down moves",
    "policy set /a --placement hybrid --journal /j, --journal bounds or writes down moves"
  })
  void isRefused(String command, String message) {
    CommandRun run = CommandRun.of(command.split(" "));
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
  }
}
