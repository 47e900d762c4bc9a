package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code make clean} takes no files away from what runs in the build folder: the commands that end
 * it find it by these files.
 */
class CleanTest {
  private record Outcome(int exitCode, String text) {}

  @TempDir Path folder;
  private Path tree;
  private Path built;

  @BeforeEach
  void makeATree() throws IOException {
    tree = Files.createDirectories(folder.resolve("a tree").resolve("scripts")).getParent();
    for (String file : List.of("Makefile", "scripts/clean.sh")) {
      Files.copy(Repository.root().resolve(file), tree.resolve(file));
    }
    built = Files.createDirectories(tree.resolve("core/target"));
    Files.createDirectories(tree.resolve("build"));
  }

  private Outcome run(String... command) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(tree.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Outcome(process.waitFor(), Files.readString(output));
  }

  @Test
  void whatWasBuiltIsRemoved() throws Exception {
    Files.writeString(tree.resolve("build/embedded.lock"), "");

    Outcome outcome = run("make", "clean");

    assertThat(outcome).isEqualTo(new Outcome(0, ""));
    assertThat(built).doesNotExist();
    assertThat(tree.resolve("build")).doesNotExist();
    assertThat(tree.resolve("scripts")).isNotEmptyDirectory();
  }

  @Test
  void anEmbeddedClusterThatRunsKeepsItsFiles() throws Exception {
    long pid = ProcessHandle.current().pid();
    String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.UTF_8);
    String ticks = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
    Path lock = Files.writeString(tree.resolve("build/embedded.lock"), pid + " " + ticks);

    Outcome outcome = run("make", "clean");

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.text())
        .contains("an embedded cluster runs here (process " + pid + ")")
        .contains("tierwise embedded --stop")
        .contains("nothing was removed");
    assertThat(lock).exists();
    assertThat(built).exists();

    // Another process has that id by now.
    Files.writeString(lock, pid + " " + ticks + "1");
    assertThat(run("make", "clean").exitCode()).isZero();
    assertThat(built).doesNotExist();
  }

  /** In a mount namespace of its own, which takes the mount along when it ends. */
  @Test
  void volumesOfATestbedThatIsUpKeepTheirFiles() throws Exception {
    assumeTrue(run("unshare", "--mount", "true").exitCode() == 0, "needs root: mounts a volume");
    Path volume = Files.createDirectories(tree.resolve("build/testbed/volumes/r1n1-disk0"));
    String cleaned = "mount -t tmpfs none \"$1\" && make clean";

    Outcome outcome = run("unshare", "--mount", "sh", "-c", cleaned, "sh", volume.toString());

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.text())
        .contains(volume + " is mounted")
        .contains("tierwise testbed down")
        .contains("nothing was removed");
    assertThat(built).exists();
  }
}
