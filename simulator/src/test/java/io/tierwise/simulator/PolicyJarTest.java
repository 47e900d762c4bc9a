package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.text.PolicyJar;
import io.tierwise.policies.text.RunSuites;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The policies of docs/how-to/write-a-policy.md, as a user would have them: compiled against our
 * jars, packed into a jar of their own, and used by a process that has it on its class path.
 */
class PolicyJarTest {
  private static final Path SOURCES = Path.of("../docs/examples/policies");
  private static final Path TESTS = Path.of("../docs/examples/policy-tests");
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
  private static Path tests;

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
              + result.writes().bytesByTier()[0]
              + "|"
              + result.writes().bytesByTier()[1]);
    }
  }

  @BeforeAll
  static void compileAndPack() throws IOException {
    for (Path source : PolicyJar.files(SOURCES.resolve("com"))) {
      assertThat(Files.readAllLines(source)).as(source.toString()).hasSizeLessThan(LINES_MAX);
    }
    jar = PolicyJar.make(SOURCES, CLASS_PATH, folder.resolve("policies"));
    tests = PolicyJar.make(TESTS, CLASS_PATH + File.pathSeparator + jar, folder.resolve("tests"));
  }

  private static String run(String placement, String access, String scheduler) throws Exception {
    Path scenario = folder.resolve("scenario.yaml");
    Files.writeString(scenario, SCENARIO.formatted(placement, access, scheduler));
    return java(RunScenario.class, scenario.toString());
  }

  /** The output of a process that has the jars on its class path. */
  private static String java(Class<?> main, String... arguments) throws Exception {
    return PolicyJar.run(List.of(jar, tests), folder, main, arguments);
  }

  @Test
  void allThreeDecideInARun() throws Exception {
    String[] theirs = run("first-blocks:blocks=3", "least-busy", "keep-kind:kind=1").split("\\|");
    String[] stock = run("network-aware:tiers=hdd-es3", "stock", "fifo").split("\\|");

    assertThat(theirs).hasSize(6).startsWith("first-blocks:blocks=3", "least-busy", "1");
    assertThat(stock).hasSize(6);
    assertThat(Double.parseDouble(theirs[3]))
        .as("makespan when half of the nodes are kept free")
        .isGreaterThan(Double.parseDouble(stock[3]));
    assertThat(Long.parseLong(theirs[4])).as("bytes in the fastest tier").isPositive();
    assertThat(Long.parseLong(stock[4])).isZero();
  }

  @Test
  void theSlotEngineFillsWhatTheirPolicyWishes() throws Exception {
    String[] theirs = run("copy-per-tier", "stock", "fifo").split("\\|");

    assertThat(theirs).hasSize(6).startsWith("copy-per-tier");
    assertThat(Long.parseLong(theirs[4])).as("bytes in the fastest tier").isPositive();
    assertThat(theirs[5]).as("bytes in the other tier").isEqualTo(theirs[4]);
  }

  private static String className(Path source) {
    String path = TESTS.relativize(source).toString();
    return path.substring(0, path.length() - ".java".length()).replace(File.separatorChar, '.');
  }

  @Test
  void theyKeepTheContractsOfTheirKinds() throws Exception {
    String[] classes =
        PolicyJar.files(TESTS).stream().map(PolicyJarTest::className).toArray(String[]::new);

    assertThat(classes).hasSize(4);
    assertThat(java(RunSuites.class, classes)).endsWith(testsOfTheGuide() + " passed, 0 failed");
  }

  /** What the guide says that its command ends with. */
  private static String testsOfTheGuide() throws IOException {
    Matcher said =
        Pattern.compile("ends with `(\\d+) tests successful`")
            .matcher(Files.readString(Path.of("../docs/how-to/write-a-policy.md")));
    assertThat(said.find()).isTrue();
    return said.group(1);
  }

  @Test
  void aTextThatNobodyKnowsNamesTheirsToo() throws Exception {
    assertThat(run("hybrid", "least-bizzy", "fifo"))
        .contains("unknown access strategy \"least-bizzy\"", "auto, least-busy");
    assertThat(run("hybrid", "stock", "keep-kind:kind=many"))
        .contains("keep-kind", "a whole number from 0 to 100 is allowed");
  }
}
