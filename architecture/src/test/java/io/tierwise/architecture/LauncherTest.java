package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/tierwise} names what stands in the way in one line, with exit code 2. */
class LauncherTest {
  private record Outcome(int exitCode, String text) {}

  @TempDir Path tree;

  @Test
  void saysHowToBuildWhenNothingIsBuilt() throws Exception {
    Outcome outcome = launch(Map.of());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.text()).hasLineCount(1).contains("not built yet", "make build");
  }

  @Test
  void namesAJavaHomeThatHasNoJava() throws Exception {
    pretendBuilt();

    Outcome outcome = launch(Map.of("JAVA_HOME", tree.resolve("no-java").toString()));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.text()).hasLineCount(1).contains("JAVA_HOME", "no-java");
  }

  @Test
  void namesAHadoopConfDirThatIsNoDirectory() throws Exception {
    pretendBuilt();

    Outcome outcome = launch(Map.of("HADOOP_CONF_DIR", tree.resolve("no-conf").toString()));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.text()).hasLineCount(1).contains("HADOOP_CONF_DIR", "no-conf");
  }

  @Test
  void namesAPolicyJarThatIsNotThere() throws Exception {
    pretendBuilt();
    Path there = Files.createFile(tree.resolve("there.jar"));

    Outcome outcome = launch(Map.of("TIERWISE_POLICIES", there + ":" + tree.resolve("gone.jar")));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.text())
        .hasLineCount(1)
        .contains("TIERWISE_POLICIES", "gone.jar")
        .doesNotContain("there.jar'");
  }

  /** As root the plain script would install packages. */
  @Test
  void makeDoctorInstallsNothing() throws Exception {
    Path root = Path.of(System.getProperty("tierwise.root"));
    Process make =
        new ProcessBuilder("make", "-n", "-s", "doctor")
            .directory(root.toFile())
            .redirectErrorStream(true)
            .start();
    String commands = new String(make.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(make.waitFor()).as(commands).isZero();
    assertThat(commands.strip().lines())
        .singleElement()
        .asString()
        .endsWith("scripts/setup.sh --report");
  }

  private void pretendBuilt() throws IOException {
    Files.createDirectories(tree.resolve("cli/target/lib"));
    Files.createFile(tree.resolve("cli/target/tierwise-cli-0.jar"));
  }

  private Outcome launch(Map<String, String> environment) throws Exception {
    Path bin = Files.createDirectories(tree.resolve("bin"));
    Path launcher = bin.resolve("tierwise");
    Files.copy(Repository.root().resolve("bin/tierwise"), launcher);
    Path output = tree.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder("bash", launcher.toString(), "--version")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().remove("HADOOP_CONF_DIR");
    builder.environment().remove("TIERWISE_POLICIES");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("bin/tierwise did not end: " + Files.readString(output));
    }
    return new Outcome(process.exitValue(), Files.readString(output).strip());
  }
}
