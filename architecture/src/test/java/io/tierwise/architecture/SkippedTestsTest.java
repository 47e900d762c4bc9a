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

/** The script that says at the end of {@code make test} what did not run. */
class SkippedTestsTest {
  @TempDir Path folder;

  @BeforeEach
  void putTheScriptBesideASourceTree() throws IOException {
    Path script = write("scripts/skipped-tests.sh", "");
    Files.copy(
        Repository.root().resolve("scripts/skipped-tests.sh"),
        script,
        StandardCopyOption.REPLACE_EXISTING);
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

    assertThat(run(0)).containsExactly("skipped: RanTest: no \"tool\" here (tests: 1)");
  }

  @Test
  void failsWhereNothingOfAClassRan() throws Exception {
    write("one/src/test/java/a/RanTest.java", "class RanTest {}");
    write("one/src/test/java/a/NestedIT.java", "class NestedIT {}");
    write("one/src/test/java/a/SilentIT.java", "class SilentIT {}");
    report("one", "a.RanTest", "");
    report("one", "a.NestedIT$Inner", "");

    assertThat(run(1)).contains("skipped: nothing ran, and nothing says why, of SilentIT");
  }

  @Test
  void expectsNothingOfLongSuitesAndOfThoseThatOthersInherit() throws Exception {
    write("one/src/test/java/a/SlowIT.java", "@Tag(\"long\")\nclass SlowIT {}");
    write("one/src/test/java/a/BaseTest.java", "abstract class BaseTest {}");
    write("one/src/test/java/a/Cases.java", "class Cases {}");

    assertThat(run(0)).isEmpty();
  }

  @Test
  void doesNotTakeAnOlderReportForARun() throws Exception {
    write("one/src/test/java/a/RanTest.java", "class RanTest {}");
    Path report = report("one", "a.RanTest", "");
    Files.setLastModifiedTime(report, FileTime.from(Instant.now().minusSeconds(3600)));

    assertThat(run(1)).contains("skipped: nothing ran, and nothing says why, of RanTest");
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

  private List<String> run(int exitCode) throws Exception {
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder("bash", "scripts/skipped-tests.sh", "begun", "--all")
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
