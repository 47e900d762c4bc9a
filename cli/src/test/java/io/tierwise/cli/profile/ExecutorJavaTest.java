package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program that stands in for Java on Workers of a standalone Spark, with a program in the place
 * of Java that prints what it gets.
 */
class ExecutorJavaTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("tierwise.root"), "packaging", "spark", "bin", "java");

  @TempDir private Path folder;
  private Path ssd;
  private Path disk;

  /** How it ended. */
  private record Run(int exitCode, String out, String err) {}

  @BeforeEach
  void make() throws IOException {
    ssd = Files.createDirectories(folder.resolve("ssd/spark-1/executor-1"));
    disk = Files.createDirectories(folder.resolve("disk/spark-1/executor-1"));
    Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nprintf '%s|' \"$SPARK_EXECUTOR_DIRS\" \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Run run(Map<String, String> environment, String... before) throws Exception {
    List<String> words = new ArrayList<>(List.of(before));
    words.addAll(List.of(SCRIPT.toString(), "-cp", "a b", "Main"));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("TIERWISE_JAVA_HOME", folder.resolve("jdk").toString());
    builder
        .environment()
        .put("TIERWISE_LOCAL_DIRS", "ssd=" + folder.resolve("ssd") + " disk=" + folder + "/disk/");
    builder.environment().putAll(environment);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), out, err);
  }

  private String both() {
    return ssd + ":" + disk;
  }

  private static String got(Object directories) {
    return directories + "|-cp|a b|Main|";
  }

  @Test
  void executorsGetTheDirectoriesOfTheTierThatTheyAskFor() throws Exception {
    String dirs = "SPARK_EXECUTOR_DIRS";
    String wish = "TIERWISE_INTERMEDIATE";
    assertThat(run(Map.of(dirs, both(), wish, "ssd"))).isEqualTo(new Run(0, got(ssd), ""));
    assertThat(run(Map.of(dirs, both(), wish, "disk"))).isEqualTo(new Run(0, got(disk), ""));
    assertThat(run(Map.of(dirs, both()))).isEqualTo(new Run(0, got(both()), ""));
    assertThat(run(Map.of(dirs, both(), "TIERWISE_USUAL_TIER", "ssd")).out()).isEqualTo(got(ssd));
    assertThat(run(Map.of(dirs, both(), "TIERWISE_USUAL_TIER", "ssd", wish, "disk")).out())
        .isEqualTo(got(disk));
    assertThat(run(Map.of(wish, "ssd"))).as("no executor").isEqualTo(new Run(0, got(""), ""));
  }

  @Test
  void whatCannotBeGivenIsSaidAndAllDirectoriesStay() throws Exception {
    Run unknown = run(Map.of("SPARK_EXECUTOR_DIRS", both(), "TIERWISE_INTERMEDIATE", "tape"));
    assertThat(unknown.out()).isEqualTo(got(both()));
    assertThat(unknown.err()).hasLineCount(1).contains("has no tier 'tape'");

    // The Worker leaves a directory out that it cannot make: it is never put back.
    Run gone = run(Map.of("SPARK_EXECUTOR_DIRS", disk.toString(), "TIERWISE_INTERMEDIATE", "ssd"));
    assertThat(gone.out()).isEqualTo(got(disk));
    assertThat(gone.err())
        .hasLineCount(1)
        .contains("of the tier 'ssd' the Worker gives no local directory");
  }

  /** A Worker hands out real paths, whatever the names of SPARK_LOCAL_DIRS lead through. */
  @Test
  void directoriesMayBeNamedThroughLinksAndWithDoubledSlashes() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("mnt"), folder.resolve("ssd"));
    for (String named : List.of(link.toString(), folder + "//ssd", folder + "/disk/../ssd")) {
      Map<String, String> environment =
          Map.of(
              "SPARK_EXECUTOR_DIRS",
              ssd.toRealPath() + ":" + disk.toRealPath(),
              "TIERWISE_INTERMEDIATE",
              "ssd",
              "TIERWISE_LOCAL_DIRS",
              "ssd=" + named);
      assertThat(run(environment)).as(named).isEqualTo(new Run(0, got(ssd.toRealPath()), ""));
    }
  }

  @Test
  void aFullFileSystemHasNoRoom() throws Exception {
    String[] filled = {
      "unshare",
      "-m",
      "sh",
      "-c",
      "mount -t tmpfs -o size=256k none '"
          + folder.resolve("disk")
          + "' && mkdir -p '"
          + disk
          + "' && head -c 240k /dev/zero > '"
          + folder.resolve("disk/filled")
          + "' && exec \"$0\" \"$@\""
    };
    assumeTrue(mayMount(), "mounts as root only");

    Run full = run(Map.of("SPARK_EXECUTOR_DIRS", both(), "TIERWISE_INTERMEDIATE", "disk"), filled);
    assertThat(full.out()).as(full.err()).isEqualTo(got(both()));
    assertThat(full.err()).hasLineCount(1).contains("of the tier 'disk' are more than 90% full");
  }

  private static boolean mayMount() throws Exception {
    return new ProcessBuilder("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt")
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void withoutTheRealJavaNothingStarts() throws Exception {
    for (String home : List.of("", "/nowhere", SCRIPT.getParent().getParent().toString())) {
      Run none = run(Map.of("TIERWISE_JAVA_HOME", home));
      assertThat(none.exitCode()).isEqualTo(127);
      assertThat(none.err()).hasLineCount(1).contains("has to name the real Java, and is '" + home);
    }
  }
}
