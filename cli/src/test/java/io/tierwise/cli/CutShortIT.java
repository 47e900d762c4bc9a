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
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;

/** Commands that change or leave something, as processes that a signal ends in the middle. */
class CutShortIT extends MoveDataCluster {
  private static final Path MANY = new Path("/many");
  private static final int ENDED_BY_SIGTERM = 143;
  private static final java.nio.file.Path SAMPLE =
      java.nio.file.Path.of(
          System.getProperty("tierwise.root"), "examples/profiles/job_1794000000000_0001.jhist.gz");

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

  /** What was taken back stays so, and an undo of the same run does the rest. */
  @Test
  void anUndoOfChangesSaysWhatDoesTheRest() throws Exception {
    int count = 600;
    for (int i = 0; i < count; i++) {
      fs.mkdirs(new Path(MANY, "d%04d".formatted(i)));
    }
    CommandRun made = run("file", "layout", "/many/*", "--to", "1 x ssd + 2 x disk", "--json");
    assertThat(made.exitCode()).as(made.err()).isZero();
    String id = json(made).path("id").asText();
    assertThat(underPolicy()).isEqualTo(count);

    // From the one end or from the other.
    Path low = new Path(MANY, "d0005");
    Path high = new Path(MANY, "d%04d".formatted(count - 6));
    Ended ended = killed(() -> !hasPolicy(low) || !hasPolicy(high), "undo", id);

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ENDED_BY_SIGTERM);
    assertThat(ended.err())
        .contains(
            "tierwise undo: interrupted: what was taken back stays so; 'tierwise undo "
                + id
                + "' does the rest")
        .doesNotContain("Filesystem closed");
    assertThat(underPolicy()).isPositive();
    assertThat(run("undo", id).exitCode()).isZero();
    assertThat(underPolicy()).isZero();
    fs.delete(MANY, true);
  }

  private static int underPolicy() {
    try {
      int count = 0;
      for (FileStatus each : fs.listStatus(MANY)) {
        count += hasPolicy(each.getPath()) ? 1 : 0;
      }
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parts that unfinished runs left in the store. */
  @Test
  void aCleanSaysThatTheSameCommandDoesTheRest() throws Exception {
    String pool =
        fs.getClient()
            .getLocatedBlocks(new Path(WAREHOUSE, "part-0").toUri().getPath(), 0)
            .get(0)
            .getBlock()
            .getBlockPoolId();
    java.nio.file.Path store = Files.createDirectories(folder.resolve("store"));
    java.nio.file.Path parts = Files.createDirectories(store.resolve(pool).resolve("00"));
    int count = 3000;
    for (int i = 0; i < count; i++) {
      Files.createFile(parts.resolve((1_000_000 + i) + ".20260101T000000Z-0000abcd.part"));
    }
    String[] clean = {
      "secondary", "clean", "--older-than", "0", "-D", "tierwise.secondary.stores=" + store.toUri()
    };

    Ended ended = killed(() -> filesIn(parts) < count - 10, clean);

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ENDED_BY_SIGTERM);
    assertThat(ended.err())
        .contains("tierwise secondary clean: interrupted: what was taken away stays so; the same")
        .doesNotContain("Filesystem closed");
    assertThat(filesIn(parts)).isPositive();
    CommandRun rest = run(clean);
    assertThat(rest.exitCode()).as(rest.err()).isZero();
    assertThat(filesIn(parts)).isZero();
  }

  private static int filesIn(java.nio.file.Path directory) {
    // Faster than a stream of paths: the test looks while files go.
    return directory.toFile().list().length;
  }

  @Test
  void anImportKeepsWhatWasAdded() throws Exception {
    java.nio.file.Path history = Files.createDirectories(folder.resolve("history"));
    String sample;
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(SAMPLE))) {
      sample = new String(in.readAllBytes(), UTF_8);
    }
    int count = 1500;
    for (int i = 0; i < count; i++) {
      String job = "job_1794000000000_%04d".formatted(1 + i);
      Files.writeString(
          history.resolve(job + ".jhist"), sample.replace("job_1794000000000_0001", job));
    }
    java.nio.file.Path ofOne = folder.resolve("one.db");
    CommandRun one =
        run("profile", "import", SAMPLE.toUri().toString(), "--catalog", ofOne.toString());
    assertThat(one.exitCode()).as(one.err()).isZero();
    java.nio.file.Path catalog = folder.resolve("runs.db");
    String[] words = {
      "profile", "import", history.toUri().toString(), "--catalog", catalog.toString()
    };

    // By its size: a catalog that is looked into would be locked.
    long some = Files.size(ofOne) + 16_384;
    Ended ended = killed(() -> catalog.toFile().length() > some, words);

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ENDED_BY_SIGTERM);
    assertThat(ended.err())
        .contains(
            "tierwise profile import: interrupted: runs that were added stay in the catalog;");
    CommandRun rest = run(words);
    assertThat(rest.exitCode()).as(rest.err()).isZero();
    Matcher added = Pattern.compile("added ([0-9,]+) runs?; ([0-9,]+)").matcher(rest.unfolded());
    assertThat(added.find()).as(rest.out()).isTrue();
    assertThat(number(added.group(1))).as("the rest").isBetween(1, count - 1);
    assertThat(number(added.group(1)) + number(added.group(2))).isEqualTo(count);
  }

  private static int number(String text) {
    return Integer.parseInt(text.replace(",", ""));
  }
}
