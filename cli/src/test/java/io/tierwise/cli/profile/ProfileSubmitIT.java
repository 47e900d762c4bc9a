package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.process.FreePort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark without YARN puts the intermediate data of an application on the device that its profile
 * asks for: in one process, and in the executors of a standalone cluster.
 */
@Tag("long")
class ProfileSubmitIT {
  private static final int MINUTES_MAX = 5;
  private static final String LINE = "a rose is a rose is a rose\n";

  @TempDir private static Path home;
  private static SparkHome spark;
  private static Path input;

  @TempDir private Path folder;
  private final List<Process> daemons = new ArrayList<>();
  private Path ssd;
  private Path disk;
  private Path ran;

  @BeforeAll
  static void install() throws Exception {
    spark = new SparkHome(Files.createDirectories(home.resolve("spark")));
    input = Files.writeString(home.resolve("words"), LINE.repeat(20_000));
  }

  @BeforeEach
  void make() throws IOException {
    ssd = Files.createDirectory(folder.resolve("ssd"));
    disk = Files.createDirectory(folder.resolve("disk"));
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process each : daemons) {
      each.destroy();
      each.waitFor(1, TimeUnit.MINUTES);
    }
  }

  private List<String> submit(String... options) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.tierwise.cli.TierwiseCommand",
                "profile",
                "submit",
                "--local",
                "disk=" + disk,
                "--local",
                "ssd=" + ssd,
                "--spark-conf",
                spark.conf().toString()));
    words.addAll(List.of(options));
    words.add("--");
    return words;
  }

  /** Runs to its end, and returns all that it said. */
  private String run(List<String> words, String name, String... options) throws Exception {
    List<String> all = new ArrayList<>(words);
    all.addAll(
        spark.words(input.toUri().toString(), folder.resolve(name).toString(), "end", options));
    ran = folder.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.redirectOutput(ran.toFile());
    Process process = builder.start();
    assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
    String said = Files.readString(ran);
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  private static List<String> printed(String said, String pattern) {
    return Pattern.compile(pattern)
        .matcher(said)
        .results()
        .map((MatchResult m) -> m.group(1))
        .toList();
  }

  /** That directories of the tier had the shuffle, and no others. */
  private static void assertThatItWasOn(Path tier, String said) {
    assertThat(printed(said, "intermediate data in (/\\S+)"))
        .as(said)
        .isNotEmpty()
        .allMatch(each -> each.startsWith(tier + "/"));
    assertThat(printed(said, "shuffle files in (/\\S+)"))
        .as(said)
        .isNotEmpty()
        .allMatch(each -> each.startsWith(tier + "/"));
  }

  @Test
  void anApplicationGoesWhereItsProfileAsksFor() throws Exception {
    Path conf = Files.createDirectory(folder.resolve("conf"));
    Path logs = Files.createDirectory(folder.resolve("logs"));
    String catalog = folder.resolve("runs.db").toString();
    String said =
        run(
            submit("--tier", "disk"),
            "first",
            "--master",
            "local[2]",
            "--conf",
            "spark.eventLog.enabled=true",
            "--conf",
            "spark.eventLog.dir=" + logs.toUri());
    assertThat(said).contains("tierwise: intermediate data goes to disk (" + disk + "): as --tier");
    assertThatItWasOn(disk, said);
    CommandRun imported =
        CommandRun.of(
            "profile", "import", logs.toString(), "--fs", "file:///", "--catalog", catalog);
    assertThat(imported.exitCode()).as(imported.err()).isZero();

    List<String> byProfile =
        submit(
            "--application",
            "spark words",
            "--input",
            Long.toString(Files.size(input)),
            "--catalog",
            catalog,
            "--conf",
            conf.toString());
    // On a disk as slow as that it would write for nearly all of its time.
    Files.writeString(conf.resolve("tiers.yaml"), tiers());
    said = run(byProfile, "slow-disk", "--master", "local[2]");
    assertThat(said).contains("tierwise: intermediate data goes to ssd (" + ssd + "): ");
    assertThatItWasOn(ssd, said);

    // The device is not mounted.
    try (var left = Files.list(ssd)) {
      assertThat(left).as("Spark deletes what it made").isEmpty();
    }
    Files.delete(ssd);
    said = run(byProfile, "no-ssd", "--master", "local[2]");
    assertThat(printed(said, "(tierwise: .*has no room, or is not there)")).hasSize(1);
    assertThatItWasOn(disk, said);
  }

  private static String tiers() {
    String tier =
        """
          - name: %s
            match: {storage-type: %s}
            class:
              name: %s
              read-megabytes-per-second: %s
              write-megabytes-per-second: %s
        """;
    return "tiers:\n"
        + tier.formatted("ssd", "SSD", "ssd", 500, 500)
        + tier.formatted("disk", "DISK", "disk", 0.001, 0.001);
  }

  /** Executors in processes of their own, which Workers in the driver start. */
  @Test
  void executorsOfALocalClusterGoThereToo() throws Exception {
    assertThatItWasOn(
        ssd, run(submit("--tier", "ssd"), "cluster", "--master", "local-cluster[1,2,1024]"));
  }

  @Test
  void executorsOfAStandaloneClusterGoWhereTheApplicationAsksFor() throws Exception {
    int port = FreePort.any();
    String master = "spark://127.0.0.1:" + port;
    Path jars = spark.conf().resolveSibling("jars");
    start(
        Map.of(),
        jars,
        "org.apache.spark.deploy.master.Master",
        List.of("--host", "127.0.0.1", "--port", Integer.toString(port), "--webui-port", "0"));

    // Stock: a Worker's directories are its executors', whatever an application sets.
    Process worker = worker(master, jars, Map.of());
    String said =
        run(
            List.of(),
            "stock",
            "--master",
            master,
            "--conf",
            "spark.local.dir=" + ssd,
            "--conf",
            "spark.executorEnv.SPARK_LOCAL_DIRS=" + ssd);
    assertThat(printed(said, "intermediate data in (/\\S+)"))
        .as(said)
        .hasSize(2)
        .anyMatch(each -> each.startsWith(disk + "/"));
    worker.destroy();
    worker.waitFor(1, TimeUnit.MINUTES);

    worker(
        master,
        jars,
        Map.of(
            "JAVA_HOME",
            Path.of(System.getProperty("tierwise.root"), "packaging", "spark").toString(),
            "TIERWISE_JAVA_HOME",
            System.getProperty("java.home"),
            "TIERWISE_LOCAL_DIRS",
            "ssd=" + ssd + " disk=" + disk));
    assertThatItWasOn(ssd, run(submit("--tier", "ssd"), "on-ssd", "--master", master));
  }

  private Process worker(String master, Path jars, Map<String, String> environment)
      throws IOException {
    Map<String, String> all = new TreeMap<>(environment);
    all.put("SPARK_LOCAL_DIRS", ssd + "," + disk);
    return start(
        all,
        jars,
        "org.apache.spark.deploy.worker.Worker",
        List.of(
            "--host",
            "127.0.0.1",
            "--webui-port",
            "0",
            "--cores",
            "2",
            "--memory",
            "1g",
            "--work-dir",
            folder.resolve("work").toString(),
            master));
  }

  private Process start(
      Map<String, String> environment, Path jars, String main, List<String> arguments)
      throws IOException {
    String java = environment.getOrDefault("JAVA_HOME", System.getProperty("java.home"));
    List<String> words = new ArrayList<>(List.of(java + "/bin/java", "-Xmx256m"));
    words.addAll(List.of("-cp", jars + File.separator + "*", main));
    words.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.redirectOutput(
        ProcessBuilder.Redirect.appendTo(folder.resolve(main + ".log").toFile()));
    builder.environment().put("SPARK_HOME", jars.getParent().toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().putAll(environment);
    Process process = builder.start();
    daemons.add(process);
    return process;
  }
}
