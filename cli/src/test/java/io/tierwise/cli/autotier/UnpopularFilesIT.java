package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The decision engine sends what is unpopular to the secondary store, and brings it back. */
class UnpopularFilesIT {
  private static final StorageType[] DISK = {StorageType.DISK};
  private static final int READERS = 12;
  private static final String TIME = "5 s";

  /** Within which all reads of a test are, also on a slow machine. */
  private static final String LONG_TIME = "10 min";

  @TempDir private Path folder;
  private AuditedHdfs hdfs;
  private String store;

  private List<String> words(String command, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(more));
    words.addAll(List.of("--below", "/data", "--hold", "1", "--extra", "0"));
    words.addAll(List.of("-D", "tierwise.secondary.stores=" + store));
    return words;
  }

  private CommandRun autotier(String command, String... more) throws IOException {
    List<String> all = hdfs.words("1 s", words(command, more).toArray(String[]::new));
    return CommandRun.of(all.toArray(String[]::new));
  }

  /** Of files that nobody has touched for that time. */
  private JsonNode json(String time, String command, String... more) throws IOException {
    List<String> all = new ArrayList<>(List.of("--secondary", time, "--json"));
    all.addAll(List.of(more));
    if (command.equals("run")) {
      all.addAll(List.of("--rounds", "1"));
    }
    CommandRun run = autotier(command, all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isLessThan(2);
    return new ObjectMapper().readTree(run.out());
  }

  /**
   * Has somebody read until the answer is as wanted. On a slow machine reads are so far apart that
   * they count for little, and an extrapolation may be over by the next command.
   */
  private JsonNode await(
      AuditedHdfs.Doing reads, String time, String command, Predicate<JsonNode> wanted)
      throws Exception {
    JsonNode answer;
    do {
      reads.run();
      answer = json(time, command, rules());
    } while (!wanted.test(answer));
    return answer;
  }

  private String[] rules() {
    return new String[] {"--rules", folder.resolve("rules.txt").toString()};
  }

  /** Ends with an answer only when somebody resumes, and has changed nothing before. */
  private JsonNode runAfterAPause() throws Exception {
    assertThat(hdfs.run("autotier", "pause").exitCode()).isZero();
    CompletableFuture<JsonNode> running =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return json(TIME, "run", rules());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    while (!hdfs.run("autotier", "status").unfolded().startsWith("paused (")) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
    assertThat(isStored("/data/cold")).isFalse();
    assertThat(running).isNotDone();
    assertThat(hdfs.run("autotier", "resume").exitCode()).isZero();
    return running.get();
  }

  private boolean isStored(String path) throws IOException {
    return new StoredFiles(hdfs, store).isStored(path);
  }

  private static List<String> paths(JsonNode moves) {
    List<String> paths = new ArrayList<>();
    moves.forEach(move -> move.path("paths").forEach(path -> paths.add(path.asText())));
    return paths;
  }

  private static List<String> reasons(JsonNode answer, String path) {
    List<String> reasons = new ArrayList<>();
    for (JsonNode left : answer.path("left")) {
      if (left.path("example").asText().equals(path)) {
        reasons.add(left.path("reason").asText());
      }
    }
    return reasons;
  }

  private void readThere(String path) throws Exception {
    new StoredFiles(hdfs, store).read(path, READERS);
  }

  @Test
  @Timeout(300)
  void whatIsUnpopularGoesAndWhatIsReadThereComesBack() throws Exception {
    store = "file://" + Files.createDirectory(folder.resolve("nas"));
    Files.writeString(folder.resolve("rules.txt"), "path matches /data/report -> sla\n");
    try (AuditedHdfs started = new AuditedHdfs(folder, new HdfsConfiguration(), DISK, DISK, DISK)) {
      hdfs = started;
      List<String> once = List.of("/data/cold", "/data/old", "/data/report", "/data/chosen");
      for (String path : once) {
        hdfs.write(path, path.equals("/data/chosen") ? 2 : 3);
        hdfs.read(path, 1);
      }
      hdfs.write("/data/hot", 3);
      AuditedHdfs.Doing hot = () -> hdfs.read("/data/hot", READERS);

      JsonNode plan = await(hot, TIME, "plan", each -> paths(each.path("offloads")).size() == 2);
      assertThat(paths(plan.path("offloads"))).containsExactlyInAnyOrder("/data/cold", "/data/old");
      assertThat(plan.path("offloads").get(0).path("by").asText()).isEqualTo("ppa");
      assertThat(reasons(plan, "/data/chosen"))
          .containsExactly("somebody gave it 2 replicas, not the usual 3");
      assertThat(isStored("/data/cold")).isFalse();
      assertThat(autotier("plan").unfolded()).doesNotContain(store);

      String id = runAfterAPause().path("ids").path(0).asText();
      while (!isStored("/data/cold") || !isStored("/data/old")) {
        hot.run();
        id = json(TIME, "run", rules()).path("ids").path(0).asText();
      }
      for (String path : List.of("/data/report", "/data/chosen", "/data/hot")) {
        assertThat(isStored(path)).as(path).isFalse();
      }
      assertThat(hdfs.run("undo", id).unfolded())
          .contains("'tierwise secondary recall' or 'offload' takes back");
      assertThat(isStored("/data/cold")).isTrue();

      aPersonHasTheLastWord();
      JsonNode wanted =
          await(
              () -> {
                readThere("/data/cold");
                readThere("/data/old");
              },
              LONG_TIME,
              "plan",
              each ->
                  paths(each.path("recalls")).contains("/data/cold")
                      && (paths(each.path("recalls")).contains("/data/old")
                          || !reasons(each, "/data/old").isEmpty()));
      assertThat(paths(wanted.path("recalls"))).containsExactly("/data/cold");
      assertThat(reasons(wanted, "/data/old"))
          .containsExactly("somebody sent it to the secondary store");
      assertThat(isStored("/data/cold")).isTrue();
      await(
          () -> readThere("/data/cold"),
          LONG_TIME,
          "run",
          each -> each.path("recalled_files").asInt() == 1);
      assertThat(isStored("/data/cold")).isFalse();
      assertThat(hdfs.replicas("/data/cold")).isEqualTo(3);
      DFSTestUtil.readFile(hdfs.fs(), AuditedHdfs.hadoop("/data/cold"));
    }
  }

  private void byHand(String verb) throws IOException {
    CommandRun run =
        hdfs.run("secondary", verb, "/data/old", "-D", "tierwise.secondary.stores=" + store);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  /** Of a file that he brings back, and sends there again. */
  private void aPersonHasTheLastWord() throws Exception {
    byHand("recall");
    JsonNode plan = json(TIME, "plan", rules());
    assertThat(paths(plan.path("offloads"))).isEmpty();
    assertThat(paths(plan.path("recalls"))).as("nobody reads the other one").isEmpty();
    assertThat(reasons(plan, "/data/old"))
        .containsExactly(
            "somebody copied it to the secondary store, or brought it back from there");
    byHand("offload");
    assertThat(isStored("/data/old")).isTrue();
  }

  @Test
  void whatCannotBeIsRefusedBeforeAnythingRuns() throws Exception {
    store = "file://" + folder.resolve("not-there");
    try (AuditedHdfs started = new AuditedHdfs(folder, new HdfsConfiguration(), DISK)) {
      hdfs = started;
      hdfs.write("/data/cold", 1);
      hdfs.read("/data/cold", 1);
      String[][] cases = {
        {"5 s", "ppa", "the secondary store " + store + " is not there"},
        {"100 ms", "ppa", "--secondary \"100 ms\" is too little: give 1 s or more"},
        {"30 d", "ppa", "--secondary 30 d is more than the "},
        {"5 s", "lru", "no file is unpopular to the predictor lru"}
      };
      for (String[] each : cases) {
        CommandRun run = autotier("plan", "--secondary", each[0], "--predictor", each[1]);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1).contains("--secondary", each[2]);
      }
    }
  }
}
