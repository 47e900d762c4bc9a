package io.tierwise.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.TierwiseCommand;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.dfsio.BenchPlace;
import io.tierwise.lab.dfsio.ClientSet;
import io.tierwise.lab.dfsio.DfsioFolder;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.dfsio.DfsioRun;
import io.tierwise.lab.dfsio.DfsioTask;
import io.tierwise.lab.dfsio.DfsioWorker;
import io.tierwise.lab.dfsio.WorkerPlan;
import io.tierwise.lab.dfsio.WorkerReport;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The bench against a running stock HDFS. */
class DfsioCommandIT {
  private static final int POLLS_MAX = 3000;

  @TempDir private static Path directory;
  private static EmbeddedCluster cluster;

  private record Answer(int exitCode, String out, String err) {}

  @BeforeAll
  static void start() throws Exception {
    EmbeddedPlan threeNodes =
        new EmbeddedPlan(3, 1, 0, 0.5, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);
    cluster =
        EmbeddedCluster.start(threeNodes, new Configuration(false), directory.resolve("cluster"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Answer run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = TierwiseCommand.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = command.execute(arguments);
    return new Answer(exitCode, out.toString(), err.toString());
  }

  private static Answer dfsio(String... more) {
    List<String> all = new ArrayList<>(List.of("bench", "dfsio", "--fs", cluster.uri().toString()));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  @Test
  void printsFiguresAndLeavesNothingBehind() throws Exception {
    Answer answer =
        dfsio(
            "--json",
            "--repeats",
            "2",
            "--files",
            "3",
            "--file-size",
            "300k",
            "--block-size",
            "128k");

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    JsonNode rows = new ObjectMapper().readTree(answer.out()).path("rows");
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).get("read_megabytes_per_second").asDouble()).isPositive();
    assertThat(rows.get(0).get("repeats").asInt()).isEqualTo(2);
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0))) {
      assertThat(client.exists(new org.apache.hadoop.fs.Path("/benchmarks/tierwise-dfsio")))
          .isFalse();
    }
  }

  @Test
  void aDryRunSaysWhatItWouldDoAndWritesNothing() throws Exception {
    Answer answer =
        dfsio("--dry-run", "--files", "3", "--file-size", "2MiB", "--directory", "/dry");

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out()).contains("would write", "3 files", "/dry");
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0))) {
      assertThat(client.exists(new org.apache.hadoop.fs.Path("/dry"))).isFalse();
    }
  }

  @Test
  void badInputIsOneLineAndNothingIsWritten() throws Exception {
    for (String[] bad :
        new String[][] {
          {"--files", "0"},
          {"--repeats", "0"},
          {"--file-size", "many"},
          {"--block-size", "1000"},
          {"--block-size", "32k"},
          {"--replication", "0"},
          {"--file-size", "2x"},
          {"--access", "swift"},
          {"--placement", "hybird"},
          {"--directory", "bench"},
          {"--directory", "hdfs://elsewhere/bench"},
          {"--worker", "/no/such/plan.json"}
        }) {
      Answer answer = dfsio(bad);

      assertThat(answer.exitCode()).as(String.join(" ", bad)).isEqualTo(2);
      assertThat(answer.err().strip().lines()).as(answer.err()).hasSize(1);
      assertThat(answer.err()).contains(bad[1]);
      if (bad[0].endsWith("-size")) {
        assertThat(answer.err()).as("names the option").contains(bad[0]);
      }
      if (!bad[1].equals("32k") && !bad[0].equals("--worker")) {
        Answer planned = dfsio(bad[0], bad[1], "--dry-run");
        assertThat(planned.exitCode()).as("a dry run of %s %s", bad[0], bad[1]).isEqualTo(2);
        assertThat(planned.err()).isEqualTo(answer.err());
      }
    }
  }

  @Test
  void aPlacementThatNobodyObeysIsNotMeasured() {
    Answer answer = dfsio("--placement", "stock", "--placement", "hybrid", "--files", "1");

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err().strip().lines()).as(answer.err()).hasSize(1);
    assertThat(answer.err()).contains("runs without the Tierwise plug-in", "hybrid");
    assertThat(answer.out()).isEmpty();
  }

  /** The second one looks before the first has made the folder, and makes it after. */
  @Test
  void oneOfTwoAtOnceIsRefusedAndTheOtherOnesFilesStay() throws Exception {
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0));
        FileSystem early =
            new FilterFileSystem(client) {
              @Override
              public boolean exists(org.apache.hadoop.fs.Path path) {
                return false;
              }
            }) {
      try (DfsioFolder first = DfsioFolder.take(early, "/both")) {
        assertThatThrownBy(() -> DfsioFolder.take(early, "/both"))
            .isInstanceOf(OperatorException.class)
            .hasMessageContaining("/both exists");
        assertThat(first.removed()).isFalse();
        assertThat(client.listStatus(new org.apache.hadoop.fs.Path("/both"))).hasSize(1);
      }
      assertThat(client.exists(new org.apache.hadoop.fs.Path("/both"))).isFalse();
    }
  }

  @Test
  void aPoliteKillRemovesTheFilesAndSaysSo() throws Exception {
    Path err = directory.resolve("killed.err");
    org.apache.hadoop.fs.Path run = new org.apache.hadoop.fs.Path("/killed/run-0");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TierwiseCommand.class.getName(),
                "bench",
                "dfsio",
                "--fs",
                cluster.uri().toString(),
                "--directory",
                "/killed",
                "--files",
                "2",
                "--file-size",
                "1g")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err.toFile())
            .start();
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0))) {
      for (int i = 0; i < POLLS_MAX && process.isAlive() && !client.exists(run); i++) {
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
      process.destroy();
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("ends when asked").isTrue();

      assertThat(Files.readString(err))
          .contains("tierwise bench dfsio: interrupted: no figures; its files are removed");
      assertThat(client.exists(run.getParent())).as(Files.readString(err)).isFalse();
      assertThat(process.exitValue()).as("128 and the number of SIGTERM").isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void anExistingDirectoryIsNotTouched() throws Exception {
    org.apache.hadoop.fs.Path mine = new org.apache.hadoop.fs.Path("/mine/file");
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0))) {
      client.create(mine).close();

      Answer answer = dfsio("--directory", "/mine");

      assertThat(answer.exitCode()).isEqualTo(2);
      assertThat(answer.err()).contains("/mine");
      assertThat(client.exists(mine)).isTrue();
    }
  }

  @Test
  void aWorkerRunsItsPlanAndItsReportMerges() throws Exception {
    BenchPlace place = new BenchPlace("rack1-node1", "127.1.1.1", "/rack1");
    DfsioPlan size = new DfsioPlan(2, 100_000, 65_536, (short) 2, 1, 3);
    List<DfsioTask> tasks = size.writes(folder("/worker"), List.of(place));
    WorkerPlan write =
        new WorkerPlan(
            cluster.uri().toString(),
            Map.of(),
            WorkerPlan.Phase.WRITE,
            tasks,
            (short) 2,
            65_536,
            0);
    WorkerReport written = work(write);
    List<DfsioTask> reads =
        tasks.stream()
            .map(task -> task.at(place, written.tasks().get(task.index()).checksum()))
            .toList();

    WorkerReport read =
        work(
            new WorkerPlan(
                cluster.uri().toString(),
                Map.of(),
                WorkerPlan.Phase.READ,
                reads,
                (short) 2,
                65_536,
                0));

    assertThat(WorkerReport.merge(List.of(read)).figures().bytes()).isEqualTo(200_000);
    assertThat(read.tasks()).allMatch(task -> !task.bytesByDistance().isEmpty());
  }

  /** As an interrupted run leaves it, whose tasks' calls are on their way. */
  @Test
  void aTaskThatIsLateBringsNoFolderBack() throws Exception {
    BenchPlace place = new BenchPlace("rack1-node1", "127.1.1.1", "/rack1");
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0));
        ClientSet clients =
            new ClientSet(ignored -> cluster.configurationOn(cluster.nodes().get(0)), Map.of())) {
      DfsioRun run = new DfsioRun(clients, TierConfiguration.byStorageType(), bytes -> {});
      List<DfsioTask> late =
          new DfsioPlan(1, 50_000, 65_536, (short) 1, 1, 9)
              .writes("/removed/run-0", List.of(place));

      assertThatThrownBy(() -> run.write(late, (short) 1, 65_536))
          .isInstanceOf(FileNotFoundException.class);
      assertThat(client.exists(new org.apache.hadoop.fs.Path("/removed"))).isFalse();
    }
  }

  private static String folder(String path) throws IOException {
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0))) {
      client.mkdirs(new org.apache.hadoop.fs.Path(path));
    }
    return path;
  }

  private static WorkerReport work(WorkerPlan plan) throws Exception {
    Path file = Files.writeString(directory.resolve("plan.json"), DfsioWorker.toJson(plan));
    Answer answer = run("bench", "dfsio", "--worker", file.toString());
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    return DfsioWorker.report(answer.out());
  }

  @Test
  void aFileWithOtherContentFailsTheBench() throws Exception {
    BenchPlace place = new BenchPlace("rack1-node1", "127.1.1.1", "/rack1");
    DfsioPlan size = new DfsioPlan(1, 50_000, 65_536, (short) 1, 1, 9);
    try (ClientSet clients =
        new ClientSet(ignored -> cluster.configurationOn(cluster.nodes().get(0)), Map.of())) {
      DfsioRun run = new DfsioRun(clients, TierConfiguration.byStorageType(), bytes -> {});
      List<DfsioTask> tasks = size.writes(folder("/changed"), List.of(place));
      DfsioRun.Result written = run.write(tasks, (short) 1, 65_536);
      long otherChecksum = written.tasks().get(0).checksum() + 1;

      assertThatThrownBy(() -> run.read(List.of(tasks.get(0).at(place, otherChecksum))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not what was written");
    }
  }
}
