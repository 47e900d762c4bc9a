package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.process.FreePort;
import io.tierwise.policies.text.PolicyJar;
import io.tierwise.policies.text.RunSuites;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tarball of {@code make dist}, packed from what the build has left, unpacked into a folder
 * with spaces in its name, and used as an operator would: its commands run, and a NameNode and a
 * DataNode process start with its jar and its templates.
 */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DistributionIT {
  private static final Path ROOT = Path.of(System.getProperty("tierwise.root"));
  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";
  private static final int MINUTES_MAX = 5;

  @TempDir static Path folder;
  private static Path tarball;
  private static Path home;
  private static Path conf;
  private static String daemonClassPath;
  private static final List<Process> DAEMONS = new ArrayList<>();

  private record Outcome(int exitCode, String text) {}

  @BeforeAll
  static void packAndUnpack() throws Exception {
    tarball = pack(folder.resolve("first"));
    Path target = Files.createDirectories(folder.resolve("a folder of mine"));
    assertThat(run(target, Map.of(), "tar", "xzf", tarball.toString()).exitCode()).isZero();
    String name = tarball.getFileName().toString().replace(".tar.gz", "");
    home = target.resolve(name);
    conf = Files.createDirectories(folder.resolve("the cluster's conf"));
  }

  @AfterAll
  static void stopDaemons() throws InterruptedException {
    for (Process daemon : DAEMONS) {
      daemon.destroyForcibly().waitFor();
    }
  }

  @Test
  @Order(1)
  void theSameInputsGiveTheSameBytes() throws Exception {
    Path second = pack(folder.resolve("second"));
    assertThat(Files.mismatch(tarball, second)).isEqualTo(-1);
  }

  @Test
  @Order(2)
  void itsChecksumsHoldAndNameEveryFile() throws Exception {
    assertThat(
            run(tarball.getParent(), Map.of(), "sha256sum", "-c", tarball.getFileName() + ".sha256")
                .exitCode())
        .isZero();
    assertThat(run(home, Map.of(), "sha256sum", "--quiet", "-c", "SHA256SUMS").text()).isEmpty();
    try (Stream<Path> files = Files.walk(home)) {
      List<String> named =
          Files.readAllLines(home.resolve("SHA256SUMS")).stream()
              .map(line -> line.split(" +", 2)[1])
              .toList();
      assertThat(files.filter(Files::isRegularFile).map(f -> home.relativize(f).toString()))
          .filteredOn(file -> !file.equals("SHA256SUMS"))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }

  @Test
  @Order(3)
  void theListOfPartsNamesEveryJarOfOthersAndTheNoticeItsLicence() throws Exception {
    JsonNode sbom = new ObjectMapper().readTree(home.resolve("sbom.cdx.json").toFile());
    assertThat(sbom.get("bomFormat").asText()).isEqualTo("CycloneDX");
    TreeSet<String> parts = new TreeSet<>();
    sbom.get("components")
        .forEach(part -> parts.add(part.get("name").asText() + "-" + part.get("version").asText()));
    String notice = Files.readString(home.resolve("NOTICE"));
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      for (String jar : jars.map(file -> file.getFileName().toString()).toList()) {
        if (!jar.startsWith("tierwise-cli-")) {
          // A classifier such as -tests stands behind the version.
          assertThat(parts).as(jar).anyMatch(jar::startsWith);
        }
        if (!jar.startsWith("tierwise-")) {
          assertThat(parts.stream().filter(jar::startsWith))
              .as("licence of " + jar)
              .anyMatch(part -> notice.contains(":" + nameOf(part, sbom) + ":"));
        }
      }
    }
  }

  private static String nameOf(String part, JsonNode sbom) {
    for (JsonNode component : sbom.get("components")) {
      String name = component.get("name").asText();
      if (part.equals(name + "-" + component.get("version").asText())) {
        return name;
      }
    }
    throw new AssertionError(part);
  }

  @Test
  @Order(4)
  void theCommandRunsFromTheUnpackedTree() throws Exception {
    Outcome outcome = tierwise(Map.of(), "--version");
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.text()).contains("tierwise ", "built for Hadoop");
  }

  /** The README's and the tutorials' first commands. */
  @Test
  @Order(4)
  void whatThePagesAskAboutIsInIt() throws Exception {
    List<GuideCommands.Line> lines = new ArrayList<>();
    for (String line : Files.readAllLines(home.resolve("README.md"))) {
      if (line.startsWith("bin/tierwise ")) {
        lines.add(GuideCommands.Line.of(line));
      }
    }
    assertThat(lines).hasSize(3);
    for (GuideCommands.Line line : lines) {
      List<String> command = new ArrayList<>(line.words());
      command.set(0, home.resolve("bin/tierwise").toString());
      Outcome outcome = run(home, Map.of(), command.toArray(String[]::new));
      assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    }
    assertThat(home.resolve("README.md")).content().doesNotContain("](");
    assertThat(home.resolve("plugin")).isDirectoryContaining("glob:**/tierwise-yarn-*.jar");
  }

  /** The command's own default folder: without it the help would offer what a release has not. */
  @Test
  @Order(4)
  void thePapersNumbersAreInIt() throws Exception {
    Outcome outcome = tierwise(Map.of(), "reproduce", "phisched", "--quick", "--no-write");
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.text()).containsPattern("phisched: \\d+ of \\d+ printed numbers reproduce");
  }

  /** As under cron: a path that came as another one would be looked for, and not be there. */
  @Test
  @Order(4)
  void namesAreTakenAndToldAsTheyAreInTheLocaleC() throws Exception {
    String asBytes = "\"$0\" journal $'n\\xc3\\xb6' --journal journal";
    String command = home.resolve("bin/tierwise").toString();
    Outcome outcome = run(folder, Map.of("LC_ALL", "C"), "bash", "-c", asBytes, command);
    assertThat(outcome.text()).contains("no run n\u00f6 in the journal journal");
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  @Order(5)
  void thePoliciesOfOthersAreBuiltAndTestedWithTheReleaseAlone() throws Exception {
    Path examples = home.resolve("docs/examples");
    String release = home.resolve("lib") + "/*" + File.pathSeparator + home.resolve("contracts");
    String classPath = String.join(File.pathSeparator, release + "/*", toolsOfTests());
    Path policies =
        PolicyJar.make(examples.resolve("policies"), classPath, folder.resolve("policies"));
    String withPolicies = classPath + File.pathSeparator + policies;
    Path tests =
        PolicyJar.make(examples.resolve("policy-tests"), withPolicies, folder.resolve("tests"));

    Outcome outcome =
        run(
            folder,
            Map.of(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            withPolicies + File.pathSeparator + tests,
            RunSuites.class.getName(),
            "com.example.policies.CopyPerTierPlacementTest",
            "com.example.policies.LeastBusyAccessTest",
            "com.example.policies.KeepKindSchedulingTest");
    assertThat(outcome.text()).containsPattern("\\b[1-9]\\d+ passed, 0 failed");
  }

  /** JUnit, AssertJ and jqwik, which whoever tests a policy has. */
  private static String toolsOfTests() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(
            jar -> jar.matches(".*/(junit|opentest4j|apiguardian|assertj|byte-buddy|jqwik)-[^/]*"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  @Order(6)
  void daemonsStartWithItsJarAndTemplatesAndTheCommandSeesThem() throws Exception {
    writeConfiguration();
    daemonClassPath = daemonClassPath();
    Process format = daemon("format", List.of(), NAME_NODE, "-format", "-force", "-nonInteractive");
    assertThat(format.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
    assertThat(format.exitValue()).as(log("format")).isZero();
    Process nameNode = daemon("namenode", List.of(), NAME_NODE);
    Process dataNode = daemon("datanode", List.of(), DATA_NODE);

    Map<String, String> environment = Map.of("HADOOP_CONF_DIR", conf.toString());
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_MAX);
    Outcome tiers = tierwise(environment, "tiers", "list");
    while (!(tiers.exitCode() == 0 && tiers.text().contains("127.0.0.1"))) {
      assertThat(System.nanoTime()).as(tiers.text() + log("namenode")).isLessThan(end);
      assertThat(nameNode.isAlive()).as(log("namenode")).isTrue();
      assertThat(dataNode.isAlive()).as(log("datanode")).isTrue();
      tiers = tierwise(environment, "tiers", "list");
    }
    Outcome doctor = tierwise(environment, "doctor");
    assertThat(doctor.exitCode()).as(doctor.text()).isZero();
    assertThat(doctor.text()).contains("dfs.block.replicator.classname").doesNotContain("FAILURE");
    assertThat(log("namenode")).contains("Tierwise placement is on");
  }

  @Test
  @Order(7)
  void aNameNodeThatCannotReadTheJarEndsAndSaysWhichClassItMisses() throws Exception {
    stopDaemons();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(home.resolve("plugin"), Set.of());
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      // Permissions do not bind root.
      command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    Process nameNode = daemon("unreadable", command, NAME_NODE);
    assertThat(nameNode.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
    assertThat(nameNode.exitValue()).isNotZero();
    assertThat(log("unreadable"))
        .contains("io.tierwise.hadoop.hdfs.topology.TierwiseTopology not found");
  }

  /** The templates, with what belongs to this place. */
  private static void writeConfiguration() throws IOException {
    Path templates = home.resolve("conf/three-tiers");
    Configuration core = new Configuration(false);
    core.addResource(templates.resolve("core-site.xml").toUri().toURL());
    core.set("fs.defaultFS", "hdfs://127.0.0.1:" + FreePort.any());
    core.set("hadoop.tmp.dir", folder.resolve("data").toString());
    write(core, "core-site.xml");
    Configuration hdfs = new Configuration(false);
    hdfs.addResource(templates.resolve("hdfs-site.xml").toUri().toURL());
    hdfs.addResource(templates.resolve("limits/hdfs-site.xml").toUri().toURL());
    hdfs.set("dfs.namenode.http-address", "127.0.0.1:" + FreePort.any());
    hdfs.set("dfs.datanode.address", "127.0.0.1:0");
    hdfs.set("dfs.datanode.http.address", "127.0.0.1:0");
    hdfs.set("dfs.datanode.ipc.address", "127.0.0.1:0");
    hdfs.set("dfs.datanode.hostname", "127.0.0.1");
    write(hdfs, "hdfs-site.xml");
    Files.copy(
        ROOT.resolve("build-support/log4j-test.properties"), conf.resolve("log4j.properties"));
    // One tier: the template's tiers are about hosts that this machine has not.
    Files.writeString(
        conf.resolve("tiers.yaml"), "tiers:\n  - {name: disk, match: {storage-type: DISK}}\n");
  }

  private static void write(Configuration site, String name) throws IOException {
    try (OutputStream out = Files.newOutputStream(conf.resolve(name))) {
      site.writeXml(out);
    }
  }

  /** Hadoop's own jars and the plug-ins' one: no other jar of ours. */
  private static String daemonClassPath() throws IOException {
    List<Path> path = new ArrayList<>(List.of(conf));
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      jars.filter(jar -> !jar.getFileName().toString().matches("(tierwise|snakeyaml)-.*"))
          .sorted()
          .forEach(path::add);
    }
    try (Stream<Path> plugin = Files.list(home.resolve("plugin"))) {
      plugin.forEach(path::add);
    }
    return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static Process daemon(String name, List<String> prefix, String... main)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Dlog4j.configuration=file:" + conf.resolve("log4j.properties"));
    command.addAll(List.of("-cp", daemonClassPath));
    command.addAll(List.of(main));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start();
    DAEMONS.add(process);
    return process;
  }

  private static String log(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".log"));
  }

  private static Path pack(Path target) throws Exception {
    Outcome outcome = run(ROOT, Map.of(), "scripts/dist.sh", target.toString());
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    try (Stream<Path> files = Files.list(target)) {
      return files.filter(f -> f.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
  }

  private static Outcome tierwise(Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/tierwise").toString()));
    command.addAll(List.of(arguments));
    return run(folder, environment, command.toArray(String[]::new));
  }

  private static Outcome run(Path directory, Map<String, String> environment, String... command)
      throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().remove("HADOOP_CONF_DIR");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(command[0] + " did not end: " + Files.readString(output));
    }
    return new Outcome(process.exitValue(), Files.readString(output));
  }
}
