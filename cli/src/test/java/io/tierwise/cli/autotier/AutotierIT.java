package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The audit log of a stock NameNode becomes numbers of replicas, planned, made and taken back. */
class AutotierIT {
  private static final String HOT = "/data/hot";
  private static final String OWN = "/data/own";
  private static final String ELSEWHERE = "/elsewhere/hot";

  @TempDir static Path folder;
  private static AuditedHdfs hdfs;

  @BeforeAll
  static void aHotFileAmongColdOnes() throws IOException, InterruptedException {
    hdfs = new AuditedHdfs(folder);
    hdfs.write(HOT, 3);
    hdfs.write(OWN, 2);
    hdfs.write(ELSEWHERE, 3);
    for (String path : List.of(HOT, OWN, ELSEWHERE)) {
      hdfs.read(path, 12);
    }
    for (int i = 0; i < 9; i++) {
      hdfs.write("/data/cold-" + i, 3);
      hdfs.read("/data/cold-" + i, 1);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private static List<String> reasons(JsonNode answer) {
    return StreamSupport.stream(answer.path("left").spliterator(), false)
        .map(left -> left.path("example").asText() + ": " + left.path("reason").asText())
        .toList();
  }

  @Test
  void aHotFileGetsTheReplicasThatPayAndTheJournalTakesThemBack() throws IOException {
    JsonNode plan = json(hdfs.autotier("plan", "--below", "/data", "--json"));

    assertThat(plan.path("changes")).hasSize(1);
    JsonNode change = plan.path("changes").get(0);
    assertThat(change.path("path").asText()).isEqualTo(HOT);
    assertThat(change.path("before").asInt()).isEqualTo(3);
    assertThat(change.path("after").asInt()).isEqualTo(5);
    assertThat(plan.path("coming_bytes").asLong()).isEqualTo(2L * AuditedHdfs.BYTES);
    assertThat(reasons(plan)).anyMatch(reason -> reason.startsWith(OWN + ": somebody gave it 2"));
    assertThat(hdfs.replicas(HOT)).as("a plan changes nothing").isEqualTo(3);

    CommandRun made = hdfs.autotier("run", "--below", "/data", "--rounds", "1");

    assertThat(made.exitCode()).as(made.err()).isZero();
    assertThat(made.unfolded()).contains("1 file has another number of replicas", "195.3 KiB come");
    assertThat(hdfs.replicas(HOT)).isEqualTo(5);
    assertThat(hdfs.replicas(OWN)).isEqualTo(2);
    assertThat(hdfs.replicas(ELSEWHERE)).isEqualTo(3);
    assertThat(hdfs.replicas("/data/cold-0")).isEqualTo(3);
    CommandRun journal = hdfs.run("journal", "last");
    assertThat(journal.unfolded())
        .contains(HOT + ": replicas 3 -> 5, ppa wants 5 replicas, 2 more pay: 36 reads to come");

    JsonNode again = json(hdfs.autotier("run", "--below", "/data", "--rounds", "1", "--json"));
    assertThat(again.path("ids")).isEmpty();

    assertThat(hdfs.run("undo", "last").exitCode()).isZero();
    assertThat(hdfs.replicas(HOT)).isEqualTo(3);
    JsonNode held = json(hdfs.autotier("plan", "--below", "/data", "--json"));
    assertThat(held.path("changes")).as("what was taken back stays so").isEmpty();
    assertThat(reasons(held)).contains(HOT + ": it was changed less than 3 windows ago");
  }

  @Test
  void whoMayChangeEveryFileHasToSayWhichAreMeant() throws IOException {
    CommandRun run = hdfs.autotier("plan");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("superuser", "--below");
    assertThat(hdfs.autotier("plan", "--below", "/data", "--replicas-max", "6").err())
        .contains("--replicas-max 6 is more than the 5 DataNodes that HDFS knows");
  }

  /** HDFS gives it no replicas, and nobody wonders why. */
  @Test
  void anErasureCodedFileThatIsReadStaysWithAReason() throws Exception {
    String coded = "/coded/hot";
    org.apache.hadoop.fs.Path directory = AuditedHdfs.hadoop("/coded");
    hdfs.fs().mkdirs(directory);
    hdfs.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    hdfs.fs().setErasureCodingPolicy(directory, "XOR-2-1-1024k");
    DFSTestUtil.createFile(hdfs.fs(), AuditedHdfs.hadoop(coded), AuditedHdfs.BYTES, (short) 1, 7);
    hdfs.read(coded, 12);

    JsonNode plan = json(hdfs.autotier("plan", "--below", "/coded", "--json"));

    assertThat(plan.path("changes")).isEmpty();
    assertThat(reasons(plan))
        .containsExactly(
            coded + ": erasure-coded files are HDFS's own, however often they are read");
  }

  @Test
  void aDirectoryThatIsNotThereIsTold() throws IOException {
    CommandRun run = hdfs.autotier("plan", "--below", "/data", "--below", "/dta");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("--below /dta: nothing has that path").doesNotContain("/data:");
  }

  @Test
  void hdfsPermissionsHoldForOthers() throws Exception {
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    CommandRun unknown =
        alice.doAs((PrivilegedExceptionAction<CommandRun>) () -> hdfs.autotier("plan"));
    assertThat(unknown.err()).hasLineCount(1).contains("give --replicas-max");

    hdfs.fs().mkdirs(AuditedHdfs.hadoop("/public"));
    hdfs.fs().setPermission(AuditedHdfs.hadoop("/public"), new FsPermission("777"));
    CommandRun run =
        alice.doAs(
            (PrivilegedExceptionAction<CommandRun>)
                () ->
                    hdfs.autotier(
                        "run",
                        "--rounds",
                        "1",
                        "--replicas-max",
                        "4",
                        "--extra",
                        "100",
                        "-D",
                        "tierwise.autotier.directory=/public/alice"));

    CommandRun nowhere =
        alice.doAs(
            (PrivilegedExceptionAction<CommandRun>)
                () -> hdfs.autotier("run", "--rounds", "1", "--replicas-max", "4"));
    assertThat(nowhere.err()).hasLineCount(1).contains("-D tierwise.autotier.directory=DIR");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.unfolded()).contains("this user has no permission to change it");
    assertThat(hdfs.replicas(ELSEWHERE)).isEqualTo(3);
  }

  /** A daemon tries again what fails in a round, and this never becomes better by itself. */
  @Test
  @Timeout(120)
  void aJournalThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    for (String journal : new String[] {file.toString(), file + "/journal", "/proc/journal"}) {
      CommandRun run =
          hdfs.autotier("run", "--below", "/data", "--rounds", "1", "--journal", journal);

      assertThat(run.exitCode()).as(run.out()).isEqualTo(3);
      assertThat(run.err()).hasLineCount(1).contains("journal " + journal, "give --journal DIR");
    }
  }
}
