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
    "fit -o trees --trace log --since 2026-01-31, --since is for --audit-log: a trace is read whole",
    "fit -o trees --trace log --zone UTC, --zone is for --audit-log: a trace is read whole",
    "fit -o trees --trace log --files 5, --files is for --audit-log: a trace is read whole",
    "heat top --since 2026-01-31, --since is for --audit-log: a NameNode counts by its keys",
    "heat top --window 2h, --window is for --audit-log: a NameNode counts by its keys",
    "heat top --audit-log log --every 5, --every 5 belongs to --follow",
    "autotier plan --audit-log log --prefetch-buffer 5GB, --prefetch-buffer 5GB belongs to --pref",
    "autotier run --audit-log log --prefetch-wait 1h, --prefetch-wait 1h belongs to --prefetch",
    "autotier run --audit-log log --catalog profiles.db, --catalog belongs to --prefetch",
    "policy set /a --placement hybrid --bandwidth 1, --bandwidth bounds or writes down moves",
    "policy set /a --placement hybrid --journal /j, --journal bounds or writes down moves"
  })
  void isRefused(String command, String message) {
    CommandRun run = CommandRun.of(command.split(" "));
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
  }
}
