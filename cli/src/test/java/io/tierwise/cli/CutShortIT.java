package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;

/** Commands that change or leave something, as processes that a signal ends in the middle. */
class CutShortIT extends MoveDataCluster {
  private static final Path MANY = new Path("/many");
  private static final int ENDED_BY_SIGTERM = 143;

  private record Ended(int exitCode, String err) {}

  /**
   * Sends a polite kill once something holds: a shell's background job, as this test may be one of,
   * hands on to its processes that Ctrl-C is ignored. Both end a JVM by the same hooks.
   */
  private static Ended killed(BooleanSupplier when, String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--fs", fs.getUri().toString()));
    words.addAll(List.of("-D", "tierwise.tiers.file=" + tiers));
    words.addAll(List.of("-D", "tierwise.mover.journal.directory=" + folder.resolve("journal")));
    java.nio.file.Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(TierwiseJvm.line(words.toArray(String[]::new)))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err.toFile())
            .start();
    try {
      GenericTestUtils.waitFor(() -> when.getAsBoolean() || !process.isAlive(), 5, 120_000);
      assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
      int kill = new ProcessBuilder("kill", "-TERM", "" + process.pid()).start().waitFor();
      assertThat(kill).isZero();
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(err));
  }

  private static boolean hasPolicy(Path path) {
    try {
      return fs.getXAttrs(path).containsKey("user.tierwise.placement");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileStatus[] links() {
    try {
      FileStatus[] found = fs.globStatus(new Path("/tmp/tierwise-links-*/*"));
      return found == null ? new FileStatus[0] : found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aProbeOfLinksRemovesItsFiles() throws Exception {
    // By name: nodes of this machine are measured only when they are asked for.
    String node = fs.getDataNodeStats()[0].getHostName();
    Ended ended = killed(() -> links().length > 0, "tiers", "probe-links", node, "--seconds", "60");

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ENDED_BY_SIGTERM);
    assertThat(ended.err())
        .contains("tierwise tiers probe-links: interrupted: no figures; its temporary files are");
    assertThat(fs.globStatus(new Path("/tmp/tierwise-links-*"))).isEmpty();
  }

  /** HDFS never gets it done: the nodes of the region do not ask for work. */
  @Test
  void aWaitForCopiesNamesItsRun() throws Exception {
    haveHeartbeatsInTheWest(false);
    List<String> copy = new ArrayList<>(List.of("file", "copy-to", "/warehouse"));
    copy.addAll(List.of("--region", "west", "--copies", "3", "--anyway", "--wait", "100"));
    Ended ended;
    try {
      ended = killed(() -> hasPolicy(WAREHOUSE), copy.toArray(String[]::new));
    } finally {
      haveHeartbeatsInTheWest(true);
    }

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ENDED_BY_SIGTERM);
    Matcher undo = Pattern.compile("'tierwise undo ([0-9-]+)' takes it back").matcher(ended.err());
    assertThat(undo.find()).as(ended.err()).isTrue();
    assertThat(run("undo", undo.group(1)).exitCode()).isZero();
    assertThat(hasPolicy(WAREHOUSE)).isFalse();
  }

  @Test
  void aPurgeSaysHowFarItCame() throws Exception {
    int count = 3000;
    for (int i = 0; i < count; i++) {
      Path path = new Path(MANY, "d%04d".formatted(i));
      fs.mkdirs(path);
      fs.setXAttr(path, "user.tierwise.placement", "hybrid".getBytes(UTF_8));
    }

    Ended ended =
        killed(() -> !hasPolicy(new Path(MANY, "d0005")), "policy", "purge", "/many", "--yes");

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ENDED_BY_SIGTERM);
    assertThat(ended.err())
        .containsPattern("interrupted: removed \\d+ attributes of \\d+ paths; looked at \\d+")
        .contains("the same command does the rest")
        .doesNotContain("Filesystem closed");
    fs.delete(MANY, true);
  }
}
