package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bundleio/check} says and does where suites fail: it runs all of them. */
class BundleioCheckTest {
  @TempDir Path folder;

  @BeforeEach
  void putTheScriptBesideASourceTree() throws IOException {
    for (String name : List.of("bundleio/check", "bundleio/mpi-environment")) {
      Files.copy(
          Repository.root().resolve(name), write(name, ""), StandardCopyOption.REPLACE_EXISTING);
    }
    write("bundleio/tests/test_record.py", "@long_test\n");
    executable("bundleio/can-read-siblings", "exit 0");
    executable("scripts/bundleio-adios2.sh", "exit 1");
    executable("scripts/bundleio-readers.sh", "exit 1");
    executable("bin/cmake", "exit 0");
    // Stands for suites of which "record" fails in the one build, and nothing does in the other.
    executable(
        "bin/ctest",
        """
        echo "suites of $2"
        mkdir -p "$2/Testing/Temporary" && cd "$2/Testing/Temporary"
        if [[ $2 == *-sanitized ]]; then
          echo '1/1 Testing: sanitized' >LastTest.log
          echo 'test_leaks (a.A.test_leaks) ... skipped "no way"' >>LastTest.log
          exit 0
        fi
        printf '%s\\n' '1/2 Testing: other' 'FAIL: test_of_another (a.A)' '2/2 Testing: record' \
          'FAIL: test_replay (a.A)' 'ERROR: test_wait (a.A)' 'FAIL: test_replay (a.A)' >LastTest.log
        printf '%s\\n' '41:record' '42:crc' >LastTestsFailed.log
        exit 8
        """);
  }

  @Test
  void suitesWithSanitizersRunBehindAFailedSuite() throws Exception {
    List<String> said = check(1, "--long");

    assertThat(said)
        .contains("suites of ../build/bundleio", "suites of ../build/bundleio-sanitized")
        .contains("skipped: test_leaks: no way");
    assertThat(said.subList(said.size() - 2, said.size()))
        .containsExactly(
            "failing test: bundleio's suite record: test_replay test_wait",
            "failing test: bundleio's suite crc");
  }

  @Test
  void passesWhereAllSuitesDo() throws Exception {
    assertThat(check(0, "--sanitize")).noneMatch(line -> line.startsWith("failing test: "));
  }

  @Test
  void aBuildThatFailsIsNamed() throws Exception {
    executable("bin/cmake", "case $* in *-sanitized*) exit 1 ;; esac");

    assertThat(check(1, "--long"))
        .endsWith(
            "failing test: bundleio's suite record: test_replay test_wait",
            "failing test: bundleio's suite crc",
            "failing test: bundleio's build with sanitizers");
  }

  private void executable(String name, String lines) throws IOException {
    Path script = write(name, "#!/usr/bin/env bash\n" + lines + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private List<String> check(int exitCode, String option) throws Exception {
    Path said = folder.resolve("said");
    ProcessBuilder command = new ProcessBuilder("bash", "bundleio/check", option);
    command.environment().merge("PATH", folder.resolve("bin") + ":", (own, ours) -> ours + own);
    Process process =
        command
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    try (Stream<String> lines = Files.lines(said)) {
      List<String> all = lines.toList();
      assertThat(process.exitValue()).as(String.join("\n", all)).isEqualTo(exitCode);
      return all;
    }
  }
}
