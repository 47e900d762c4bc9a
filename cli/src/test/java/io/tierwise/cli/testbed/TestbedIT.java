package io.tierwise.cli.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.TierwiseCommand;
import io.tierwise.hadoop.hdfs.tiers.LinkTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.VolumeTable;
import io.tierwise.lab.testbed.JavaCommand;
import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.FolderRecord;
import io.tierwise.lab.testbed.host.Host;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.host.Prerequisites;
import io.tierwise.lab.testbed.host.TestbedLock;
import io.tierwise.lab.testbed.plan.DeviceKind;
import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import io.tierwise.lab.testbed.plan.VolumePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A small testbed on the real machine: Linux and root, or skipped with the reason. */
@Tag("long")
class TestbedIT {
  private static final String NAME = "twit";
  private static final int SCALE_DOWN = 20;
  private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(4);

  private final Path folder =
      Path.of(System.getProperty("tierwise.root"), "cli", "target", "testbed-it");
  private final Host host = new Host(NAME, folder);
  private final TestbedPlan plan = new TestbedPlan(NAME, 3, 1, SCALE_DOWN, 10_000, 1, 200, true);

  private record Answer(int exitCode, String out, String err) {}

  @BeforeAll
  static void needsAMachineThatCanHaveOne() {
    assumeThat(Prerequisites.obstacle()).isEmpty();
  }

  @BeforeEach
  @AfterEach
  void leavesNothingBehind() {
    // A watchdog that has just cleaned up may hold the lock for another moment.
    await("the testbed to be down", () -> tierwise("down").exitCode() == 0);
    assertThat(host.leftovers()).isEmpty();
    assertThat(FolderRecord.read(NAME)).isEmpty();
    assertThat(folder.resolve("state.json")).doesNotExist();
  }

  private Answer tierwise(String... arguments) {
    CommandRun run = CommandRun.of(arguments(arguments).toArray(String[]::new));
    return new Answer(run.exitCode(), run.out(), run.err());
  }

  private List<String> arguments(String... arguments) {
    List<String> all = new ArrayList<>(List.of("testbed"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--name", NAME, "--dir", folder.toString()));
    return all;
  }

  private static String[] up() {
    return new String[] {
      "up", "--racks", "3", "--nodes", "1", "--scale-down", "20", "--volume-megabytes", "200"
    };
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + COMMAND_TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for " + what).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  /** The command in a JVM of its own, which can be killed. */
  private static List<String> ofItsOwn(List<String> arguments) {
    List<String> program = new ArrayList<>(List.of(TierwiseCommand.class.getName()));
    program.addAll(arguments);
    return JavaCommand.outside(program);
  }

  @Test
  void nothingIsLeftAfterTheLauncherWasKilledHalfWay() throws Exception {
    Path log = Files.createTempFile("testbed-it", ".log");
    Process launcher =
        new ProcessBuilder(ofItsOwn(arguments(up())))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    // Namespaces, mounts and groups stand by then, and daemons are starting.
    await("a daemon to start", () -> host.limits().processes().size() >= 2 || !launcher.isAlive());
    launcher.destroyForcibly().waitFor();
    assertThat(host.leftovers()).as(Files.readString(log)).isNotEmpty();

    Answer status = tierwise("status");
    assertThat(status.exitCode()).isEqualTo(3);
    assertThat(status.err()).contains("incomplete").hasLineCount(1);

    assertThat(tierwise("down").exitCode()).isZero();
    assertThat(host.leftovers()).isEmpty();
  }

  @Test
  void aKilledBenchIsCleanedUpByItsWatchdog() throws Exception {
    Path log = Files.createTempFile("testbed-it", ".log");
    Process bench =
        new ProcessBuilder(
                ofItsOwn(
                    arguments("bench", "--nodes", "1", "--volume-megabytes", "200", "--quick")))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    // The daemons and, in the NameNode's node, the bench itself.
    await(
        "the bench to run", () -> host.limits().processesOf("nn").size() >= 2 || !bench.isAlive());
    assertThat(bench.isAlive()).as(Files.readString(log)).isTrue();
    bench.destroyForcibly().waitFor();
    await("the watchdog to clean up", () -> host.leftovers().isEmpty());
  }

  /** All that {@code make bench-reads} does, with little data: some five minutes. */
  @Test
  void aSmokeRunOfTheWholeBenchEndsWithItsFigures() throws Exception {
    Path log = Files.createTempFile("testbed-it", ".log");
    Process bench =
        new ProcessBuilder(ofItsOwn(arguments("bench", "--reads", "--smoke")))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    boolean isOver = bench.waitFor(20, TimeUnit.MINUTES);
    bench.destroyForcibly().waitFor();

    String output = Files.readString(log);
    assertThat(isOver).as(output).isTrue();
    assertThat(bench.exitValue()).as(output).isZero();
    String figures = output.substring(output.stripTrailing().lastIndexOf('\n') + 1);
    assertThat(figures)
        .startsWith("{")
        .contains("\"auto_vs_best_other_min\":", "\"background_writer_ratio\":")
        .doesNotContain("\"slow_device_ratio\":null");
  }

  @Test
  void readsStayWholeThroughAPartitionAndADeadDataNode() throws Exception {
    Answer up = tierwise(up());
    assertThat(up.exitCode()).as(up.err()).isZero();
    assertThat(tierwise(up()).out()).contains("is up already");
    assertThat(tierwise("up", "--racks", "2").exitCode()).isEqualTo(3);
    limitsAreTheDevices();
    assertThat(runInNode("sh", "-c", "exit 7")).as("the command's own exit code").isEqualTo(7);
    assertThat(runInNode("true")).isZero();
    aSignalEndsTheCommandInTheNode();

    byte[] content = new byte[6_000_000];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("content"), content);
    NodePlan reader = plan.dataNodes().get(0);
    assertThat(shell(reader, "-put", file.toString(), "/content")).isZero();
    // A file is closed when its first replicas are reported: the third may come a moment later.
    assertThat(shell(reader, "-setrep", "-w", "3", "/content")).isZero();
    assertWhole(reader, content);

    assertThat(tierwise("fault", "partition", "r2n1", "--json").exitCode()).isZero();
    assertThat(tierwise("fault", "kill", "r1n1", "--json").exitCode()).isZero();
    assertThat(tierwise("status").out()).contains("DOWN", "ended");
    assertThat(tierwise("status", "--json").out())
        .contains("\"up\" : false", "\"alive\" : false", "\"rack\" : null");
    assertWhole(reader, content);

    assertThat(tierwise("fault", "heal", "--json").exitCode()).isZero();
    assertThat(tierwise("status").out())
        .containsIgnoringWhitespaces("3 DataNodes live, 0 dead")
        .doesNotContain("DOWN", "ended");
  }

  /** Else it would go on unseen, and take from what is measured next. */
  private void aSignalEndsTheCommandInTheNode() throws Exception {
    int before = host.limits().processesOf("r1n1").size();
    Path err = Files.createTempFile("testbed-it", ".err");
    List<String> words =
        List.of("testbed", "run", "--name", NAME, "--dir", folder.toString(), "r1n1", "--");
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("sh", "-c", "trap '' TERM; sleep 1000 & sleep 1000"));
    Process run = new ProcessBuilder(ofItsOwn(all)).redirectError(err.toFile()).start();
    await(
        "the command to run",
        () -> host.limits().processesOf("r1n1").size() >= before + 3 || !run.isAlive());
    assertThat(run.isAlive()).as(Files.readString(err)).isTrue();

    run.destroy();

    assertThat(run.waitFor(COMMAND_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(run.exitValue()).isEqualTo(143);
    assertThat(Files.readString(err)).contains("the command in node r1n1 is ended");
    assertThat(host.limits().processesOf("r1n1")).hasSize(before);
  }

  /** The kernel's limits are what is to be found. */
  @Test
  void aSlowLinkAndASlowVolumeAreMeasured() throws Exception {
    assertThat(tierwise(up()).exitCode()).isZero();
    Testbed testbed = new Testbed(NAME, folder, line -> {});
    NodePlan slow = plan.dataNodes().get(1);
    testbed.network().shapeNode(slow, plan.scaledLinkBitsPerSecond(10_000) / 10);
    Path table = folder.resolve("measured.yaml");
    Files.writeString(
        table,
        """
        tiers:
          - {name: ssd, match: {storage-type: SSD}}
          - {name: disk, match: {storage-type: DISK}}
        """);
    NodePlan node = plan.dataNodes().get(0);
    assertThat(
            command(
                node, "tiers", "probe-links", "--file-mebibytes", "4", "--write", table.toString()))
        .as(log())
        .isZero();
    LinkTable links = TierConfiguration.parse(Files.readString(table), "links").links();
    double ofSlow = links.nodeBytesPerSecond("/", slow.name(), "");
    double ofOther = links.nodeBytesPerSecond("/", plan.dataNodes().get(2).name(), "");
    assertThat(ofSlow).as(Files.readString(table)).isPositive().isLessThan(ofOther / 3);

    VolumePlan device = node.volumes().get(0);
    testbed.host().limitVolume(plan, node, device, 0.2);
    assertThat(
            command(
                node,
                "tiers",
                "probe",
                "--file-mebibytes",
                "8",
                "--readers",
                "1",
                "--each-volume",
                "--write",
                table.toString()))
        .as(log())
        .isZero();
    VolumeTable volumes = TierConfiguration.parse(Files.readString(table), "volumes").volumes();
    assertThat(volumes.volumes()).as(Files.readString(table)).hasSize(node.volumes().size());
    double nominal = device.kind().readBytesPerSecond(SCALE_DOWN);
    assertThat(volumes.volumes())
        .as(Files.readString(table))
        .anyMatch(volume -> Math.abs(volume.readBytesPerSecond() / nominal - 0.2) < 0.06);
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("shell.log"));
  }

  private int runInNode(String... command) {
    List<String> all =
        new ArrayList<>(
            List.of("testbed", "run", "--name", NAME, "--dir", folder.toString(), "r1n1"));
    all.addAll(List.of(command));
    return TierwiseCommand.commandLine().execute(all.toArray(String[]::new));
  }

  private void limitsAreTheDevices() {
    NodePlan node = plan.dataNodes().get(0);
    assertThat(host.limits().readLimits(node.name()))
        .anyMatch(line -> line.endsWith(" " + DeviceKind.PCIE_SSD.readBytesPerSecond(SCALE_DOWN)))
        .anyMatch(line -> line.endsWith(" " + DeviceKind.DISK.readBytesPerSecond(SCALE_DOWN)));
  }

  private void assertWhole(NodePlan reader, byte[] content) throws Exception {
    Path copy = folder.resolve("copy");
    Files.deleteIfExists(copy);
    assertThat(shell(reader, "-get", "/content", copy.toString())).isZero();
    assertThat(Files.readAllBytes(copy)).isEqualTo(content);
  }

  /** Runs Hadoop's own shell inside a node. */
  private int shell(NodePlan node, String... arguments) throws IOException, InterruptedException {
    return java(node, "org.apache.hadoop.fs.FsShell", arguments);
  }

  /** Runs one of our commands inside a node. */
  private int command(NodePlan node, String... arguments) throws IOException, InterruptedException {
    return java(node, TierwiseCommand.class.getName(), arguments);
  }

  private int java(NodePlan node, String main, String... arguments)
      throws IOException, InterruptedException {
    JavaCommand java = new JavaCommand(new HadoopConfiguration(plan, folder));
    List<String> command = java.of(node, 96, main, arguments);
    Process process =
        new ProcessBuilder(new NodeProcesses(plan, host.limits()).inside(node.name(), command))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("shell.log").toFile())
            .start();
    assertThat(process.waitFor(COMMAND_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void refusesASecondCommandWhileOneIsAtWork() {
    try (TestbedLock lock = TestbedLock.take(NAME, "up")) {
      Answer second = tierwise(up());
      assertThat(second.exitCode()).isEqualTo(3);
      assertThat(second.err()).contains("in use by testbed up (process ").hasLineCount(1);
      assertThat(host.leftovers()).isEmpty();
    }
  }
}
