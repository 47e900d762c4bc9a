package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The policies of docs/how-to/write-a-policy.md, as a user would have them: compiled against our
 * jars, packed into a jar of their own, and used by a process that has it on its class path.
 */
class PolicyJarTest {
  private static final Path SOURCES = Path.of("../docs/examples/policies");
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final int LINES_MAX = 60;

  private static final String SCENARIO =
      """
      nodes:
        spare: {cores: 2, map-slots: 2, reduce-slots: 1, volumes: [{device: hdd-es3}, {device: nvme-p3700}]}
        worker: {based-on: spare}
      cluster: {racks: [{name: a, nodes: [{kind: spare, count: 2}, {kind: worker, count: 2}]}]}
      policies: {replication: 2, block: 64 MiB, placement: "%s", access: "%s", scheduler: "%s"}
      workload: {applications: {jobs: [{application: lsn/grep, scale: 0.05}]}}
      """;

  @TempDir static Path folder;
  private static Path jar;

  /** Runs a scenario in a process of its own and says what came out. */
  static final class RunScenario {
    private RunScenario() {}

    public static void main(String[] args) throws IOException {
      var scenario = io.tierwise.simulator.scenario.yaml.ScenarioFiles.load(args[0]).scenario();
      var result = Simulation.of(scenario).run(Progress.NONE);
      System.out.println(
          result.placement()
              + "|"
              + result.access()
              + "|"
              + result.jobs().finished()
              + "|"
              + result.makespanSeconds()
              + "|"
              + result.writes().bytesByTier()[0]);
    }
  }

  @BeforeAll
  static void compileAndPack() throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> command =
        new ArrayList<>(List.of("-d", classes.toString(), "-cp", CLASS_PATH, "-Xlint:all"));
    for (Path source : files(SOURCES.resolve("com"))) {
      assertThat(Files.readAllLines(source)).as(source.toString()).hasSizeLessThan(LINES_MAX);
      command.add(source.toString());
    }
    int failed =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new));
    assertThat(failed).isZero();
    jar = folder.resolve("policies.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(file)) {
      pack(classes, packed);
      for (Path services : files(SOURCES.resolve("META-INF"))) {
        add(packed, SOURCES.relativize(services), services);
      }
    }
  }

  private static void pack(Path root, JarOutputStream packed) throws IOException {
    for (Path file : files(root)) {
      add(packed, root.relativize(file), file);
    }
  }

  private static void add(JarOutputStream packed, Path name, Path file) throws IOException {
    packed.putNextEntry(new JarEntry(name.toString().replace(File.separatorChar, '/')));
    Files.copy(file, packed);
    packed.closeEntry();
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String run(String placement, String access, String scheduler) throws Exception {
    Path scenario = folder.resolve("scenario.yaml");
    Files.writeString(scenario, SCENARIO.formatted(placement, access, scheduler));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                CLASS_PATH + File.pathSeparator + jar,
                RunScenario.class.getName(),
                scenario.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the run did not end");
    }
    return Files.readString(output, StandardCharsets.UTF_8).strip();
  }

  @Test
  void allThreeDecideInARun() throws Exception {
    String[] theirs = run("first-blocks:blocks=3", "least-busy", "keep-kind:kind=1").split("\\|");
    String[] stock = run("network-aware:tiers=hdd-es3", "stock", "fifo").split("\\|");

    assertThat(theirs).hasSize(5).startsWith("first-blocks:blocks=3", "least-busy", "1");
    assertThat(stock).hasSize(5);
    assertThat(Double.parseDouble(theirs[3]))
        .as("makespan when half of the nodes are kept free")
        .isGreaterThan(Double.parseDouble(stock[3]));
    assertThat(Long.parseLong(theirs[4])).as("bytes in the fastest tier").isPositive();
    assertThat(Long.parseLong(stock[4])).isZero();
  }

  @Test
  void aTextThatNobodyKnowsNamesTheirsToo() throws Exception {
    assertThat(run("hybrid", "least-bizzy", "fifo"))
        .contains("unknown access strategy \"least-bizzy\"", "auto, least-busy");
    assertThat(run("hybrid", "stock", "keep-kind:kind=many"))
        .contains("keep-kind", "a whole number from 0 to 100 is allowed");
  }
}
