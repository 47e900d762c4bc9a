package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts that say at the end of {@code make test} what failed, and what did not run. */
class SkippedTestsTest {
  @TempDir Path folder;

  @BeforeEach
  void putTheScriptsBesideASourceTree() throws IOException {
    for (String name : List.of("scripts/skipped-tests.sh", "scripts/failed-tests.sh")) {
      Files.copy(
          Repository.root().resolve(name), write(name, ""), StandardCopyOption.REPLACE_EXISTING);
    }
    Path begun = write("begun", "");
    Files.setLastModifiedTime(begun, FileTime.from(Instant.now().minusSeconds(60)));
  }

  @Test
  void namesASkippedTestWithItsReason() throws Exception {
    write("one/src/test/java/a/RanTest.java", "class RanTest {}");
    report(
        "one",
        "a.RanTest",
        "<testcase name=\"x\" classname=\"a.RanTest\">\n"
            + "<skipped message=\"Assumption failed: no &quot;tool&quot; here\"/>\n</testcase>");

    assertThat(skipped(0)).containsExactly("skipped: RanTest: no \"tool\" here (tests: 1)");
  }

  @Test
  void failsWhereNothingOfAClassRan() throws Exception {
    write("one/src/test/java/a/RanTest.java", "class RanTest {}");
    write("one/src/test/java/a/NestedIT.java", "class NestedIT {}");
    write("one/src/test/java/a/SilentIT.java", "class SilentIT {}");
    report("one", "a.RanTest", "");
    report("one", "a.NestedIT$Inner", "");

    assertThat(skipped(1)).contains("skipped: nothing ran, and nothing says why, of SilentIT");
  }

  @Test
  void expectsNothingOfLongSuitesAndOfThoseThatOthersInherit() throws Exception {
    write("one/src/test/java/a/SlowIT.java", "@Tag(\"long\")\nclass SlowIT {}");
    write("one/src/test/java/a/BaseTest.java", "abstract class BaseTest {}");
    write("one/src/test/java/a/Cases.java", "class Cases {}");

    assertThat(skipped(0)).isEmpty();
  }

  @Test
  void failsWhereNothingOfASuiteRanThatHasALongTest() throws Exception {
    write(
        "one/src/test/java/a/MixedIT.java", "class MixedIT {\n  @Tag(\"long\")\n  void x() {}\n}");

    assertThat(skipped(1)).contains("skipped: nothing ran, and nothing says why, of MixedIT");
  }

  @Test
  void doesNotTakeAnOlderReportForARun() throws Exception {
    write("one/src/test/java/a/RanTest.java", "class RanTest {}");
    Path report = report("one", "a.RanTest", "");
    Files.setLastModifiedTime(report, FileTime.from(Instant.now().minusSeconds(3600)));

    assertThat(skipped(1)).contains("skipped: nothing ran, and nothing says why, of RanTest");
  }

  @Test
  void namesEachTestThatFailedAndFails() throws Exception {
    maven(
        """
        <testcase name="holds" classname="a.RanTest"/>
        <testcase name="breaks" classname="a.RanTest">
            <failure message="&#10;expected: 2&#10; but was: 1" type="x">trace</failure>
        </testcase>
        <testcase name="" classname="a.RanTest">
          <error type="x"><![CDATA[trace]]></error>
        </testcase>
        """);
    assertThat(failed(1))
        .containsExactly(
            "failing test: RanTest, before its tests",
            "failing test: RanTest.breaks: expected: 2 but was: 1");
  }

  @Test
  void saysNothingWhereAllPassed() throws Exception {
    maven("<testcase name=\"holds\" classname=\"a.RanTest\"/>\n");
    assertThat(failed(0)).isEmpty();
  }

  @Test
  void failsAsMavenDoes() throws Exception {
    executable("exit 1");
    assertThat(failed(1)).isEmpty();
  }

  /** Stands for a run of Maven that writes one report. */
  private void maven(String cases) throws IOException {
    Path kept = write("kept.xml", "<testsuite>\n" + cases + "</testsuite>\n");
    String reports = folder.resolve("one/target/surefire-reports").toString();
    executable(
        "sleep 0.05; mkdir -p '%s' && cat '%s' >'%s/TEST-a.RanTest.xml'"
            .formatted(reports, kept, reports));
  }

  private void executable(String line) throws IOException {
    Path script = write("scripts/mvn.sh", "#!/usr/bin/env bash\n" + line + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private Path report(String module, String testClass, String cases) throws IOException {
    String name = module + "/target/surefire-reports/TEST-" + testClass + ".xml";
    return write(name, "<testsuite>\n" + cases + "\n</testsuite>\n");
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private List<String> skipped(int exitCode) throws Exception {
    return run(exitCode, "scripts/skipped-tests.sh", "begun", "--all");
  }

  private List<String> failed(int exitCode) throws Exception {
    return run(exitCode, "scripts/failed-tests.sh");
  }

  private List<String> run(int exitCode, String... arguments) throws Exception {
    Path said = folder.resolve("said");
    ProcessBuilder command = new ProcessBuilder("bash");
    command.command().addAll(List.of(arguments));
    // Whoever runs this test may have given Maven arguments.
    command.environment().remove("TIERWISE_MVN_ARGS");
    Process process =
        command
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(exitCode);
    try (Stream<String> lines = Files.lines(said)) {
      return lines.toList();
    }
  }
}
