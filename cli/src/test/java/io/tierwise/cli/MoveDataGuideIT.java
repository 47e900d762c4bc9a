package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.GuideCommands.Line;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** The commands of docs/how-to/move-data.md as they stand there, and what they answer. */
class MoveDataGuideIT extends MoveDataCluster {
  private static final java.nio.file.Path GUIDE =
      java.nio.file.Path.of(System.getProperty("tierwise.root"), "docs", "how-to", "move-data.md");

  @Test
  void everyCommandOfTheGuideRuns() throws IOException {
    assertThat(GuideCommands.unsaid(GUIDE)).isEmpty();
    List<String> answers = new ArrayList<>();
    for (Line line : GuideCommands.of(GUIDE, "move")) {
      assertThat(line.words().get(0)).isEqualTo("bin/tierwise");
      CommandRun run = run(line.arguments(1));
      assertThat(run.exitCode()).as("%s: %s %s", line, run.out(), run.err()).isZero();
      EveryCommandTest.assertFits(line.toString(), run.out());
      answers.add(run.unfolded());
      if (answers.size() == 30) {
        // Before the commands of lazy deletion.
        assertThat(regions()).containsExactly(6);
        assertThat(replicas()).containsExactly(6, 0);
      }
    }

    assertThat(answers).hasSize(35);
    assertThat(answers.get(1)).startsWith("would move 3 replicas (293.0 KiB, 0 B between nodes)");
    assertThat(answers.get(2)).startsWith("moved 3 replicas");
    assertThat(answers.get(6)).contains("100.0%");
    assertThat(answers.get(8)).contains("4 replicas a file; 3 of 3 files had another number");
    assertThat(answers.get(9)).contains("/warehouse is under layout:2 x disk");
    assertThat(answers.get(11)).startsWith("moved 3 replicas");
    assertThat(answers.get(12)).contains("file copy-to", "file drop-from", "file move");
    assertThat(answers.get(13)).contains("/warehouse/part-0 block 0", "disk@", "-> ssd@", "done");
    assertThat(answers.get(15)).startsWith("would move 3 replicas");
    assertThat(answers.get(16)).startsWith("moved 3 replicas");
    assertThat(answers.get(17)).contains("repaired: ");
    assertThat(answers.get(20)).contains("east", "west", "whole files");
    assertThat(answers.get(21)).contains("3 replicas a file");
    assertThat(answers.get(22)).contains("is under layout:1 x any in region east");
    assertThat(answers.get(25)).startsWith("moved 3 replicas");
    assertThat(answers.get(26)).startsWith("took back 1 policy").contains("moved 3 replicas");
    assertThat(answers.get(27)).startsWith("would move 3 replicas").contains("in place by 20");
    assertThat(answers.get(31)).contains("under layout:2 x disk + 1 x ssd surplus", "1 is surplus");
    assertThat(answers.get(33)).contains("under layout:2 x disk + 1 x ssd (before", "0 B come");
    assertThat(answers.get(34)).contains("repaired: ");
    assertThat(answers.subList(28, 30))
        .allMatch(
            answer -> answer.startsWith("ssd is ") && answer.contains("nothing has to leave"));
    // The last repair moves what the monitor has found by then: nothing, or all.
    assertThat(replicas()).isIn(List.of(6, 3), List.of(3, 6));
  }

  @Test
  void aPolicyIsSetAppliedAndTakenBackInOneRun() throws Exception {
    String[] set = {"policy", "set", "/warehouse", "--placement", "layout:3 x ssd", "--apply"};
    CommandRun hers =
        UserGroupInformation.createRemoteUser("alice")
            .doAs((PrivilegedExceptionAction<CommandRun>) () -> run(set));
    assertOneLine(hers, ExitCode.CLUSTER, "superuser");
    assertThat(fs.getXAttrs(WAREHOUSE)).isEmpty();

    CommandRun run = run(Stream.concat(Stream.of(set), Stream.of("--json")).toArray(String[]::new));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(json(run).path("moves").path("moved").path("replicas").asInt()).isEqualTo(9);
    assertThat(run.out()).doesNotContain("stored_already");
    assertThat(replicas()).containsExactly(9, 0);
    CommandRun undo = run("undo", json(run).path("id").asText(), "--json");
    assertThat(undo.exitCode()).as(undo.err()).isZero();
    assertThat(json(undo).path("policies").asInt()).isOne();
    assertThat(fs.getXAttrs(WAREHOUSE)).isEmpty();
    assertThat(replicas()).containsExactly(0, 9);
    assertOneLine(
        run("policy", "set", "/warehouse", "--placement", "stock", "--apply"),
        ExitCode.BAD_INPUT,
        "other than stock");
  }

  @Test
  void aChangeOfALayoutIsTakenBackWithItsReplicas() throws Exception {
    run("file", "layout", "/warehouse", "--to", "2 x disk", "--wait", "60");
    assertThat(replicas()).containsExactly(0, 6);
    CommandRun hers =
        UserGroupInformation.createRemoteUser("alice")
            .doAs((PrivilegedExceptionAction<CommandRun>) () -> run("undo", "last"));
    assertOneLine(hers, ExitCode.CLUSTER, "alice");
    String id = lastRun().path("undoes").asText();

    CommandRun undo = run("undo", id, "--json");

    assertThat(undo.exitCode()).as(undo.err()).isZero();
    assertThat(json(undo).path("files").asInt()).isEqualTo(3);
    assertThat(json(undo).path("policies").asInt()).isOne();
    assertThat(fs.getXAttrs(WAREHOUSE)).isEmpty();
    assertThat(fs.getFileStatus(new Path(WAREHOUSE, "part-0")).getReplication())
        .isEqualTo((short) 3);
    assertThat(lastRun().path("undoes").asText()).isEqualTo(id);
    List<String> steps = run("journal", id, "--json").out().lines().toList();
    assertThat(steps).hasSize(4).first().asString().contains("\"kind\":\"policy\"");
    assertThat(steps).allMatch(step -> step.contains("\"result\":\"done\""));
    assertThat(run("undo", "last", "--dry-run", "--json").exitCode()).isZero();
  }

  /** One replica goes and another one comes: their number is right before either is done. */
  @Test
  void aWaitEndsWhenTheRightReplicasAreThere() throws IOException {
    run("file", "layout", "/warehouse", "--to", "1 x any in region east", "--wait", "60");
    run("file", "copy-to", "/warehouse", "--region", "west", "--copies", "1", "--wait", "60");
    assertThat(regions()).containsExactly(3, 3);
    haveHeartbeatsInTheWest(false);
    try {
      run("file", "drop-from", "/warehouse", "--region", "west");
      String[] more = {"file", "layout", "/warehouse", "--region", "east", "--replicas", "2"};

      CommandRun early = run(with(more, "--wait", "2"));

      assertThat(early.exitCode()).as(early.err()).isEqualTo(ExitCode.CLUSTER);
      assertThat(early.out()).isEmpty();
      assertThat(early.err())
          .contains("HDFS drops what an earlier change left", "had a replica too many for 2 s")
          .hasLineCount(2);
      assertThat(fs.getFileStatus(new Path(WAREHOUSE, "part-0")).getReplication())
          .isEqualTo((short) 1);
      haveHeartbeatsInTheWest(true);
      CommandRun run = run(with(more, "--wait", "60"));
      assertThat(run.exitCode()).as("%s", run.out()).isZero();
      assertThat(run.err()).contains("HDFS copies and drops", "3 blocks, 0 left");
      assertThat(regions()).containsExactly(6);
    } finally {
      haveHeartbeatsInTheWest(true);
    }
  }

  private static JsonNode lastRun() throws IOException {
    List<String> lines = run("journal", "--json").out().lines().toList();
    return new ObjectMapper().readTree(lines.get(lines.size() - 1));
  }

  @Test
  void anUndoSaysWhatHasChangedSince() throws IOException {
    run("file", "move", "/warehouse", "--to", "3 x ssd");
    fs.delete(new Path(WAREHOUSE, "part-1"), false);

    assertThat(run("journal", "last", "--rule", "layout", "--json").out().lines()).hasSize(9);
    assertThat(run("journal", "last", "--result", "failed").out()).isEmpty();

    CommandRun undo = run("undo", "last");

    assertThat(undo.exitCode()).as(undo.err()).isEqualTo(ExitCode.FAILED);
    assertThat(undo.unfolded())
        .startsWith("moved 6 replicas")
        .contains("its file was deleted since; for example of /warehouse/part-1");
    assertThat(replicas()).containsExactly(0, 6);
  }

  @Test
  void aJournalThatIsOfNoUseIsOneLine() throws IOException {
    java.nio.file.Path file = Files.writeString(folder.resolve("no-directory"), "");
    assertOneLine(
        run("file", "move", "/warehouse", "--to", "3 x ssd", "--journal", file.toString()),
        ExitCode.CLUSTER,
        "nothing was changed");
    assertThat(replicas()).containsExactly(0, 9);
    java.nio.file.Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("20300101-000000.jsonl"), "{\"v\":7,\"n\":0}\n");
    assertOneLine(
        run("undo", "last", "--journal", other.toString()), ExitCode.CLUSTER, "is of version 7");
    assertOneLine(
        run("journal", "--journal", other.toString(), "--json"),
        ExitCode.CLUSTER,
        "is of version 7");
    assertOneLine(
        run("undo", "20200101-000000", "--journal", other.toString()),
        ExitCode.BAD_INPUT,
        "no run 20200101-000000");
    assertOneLine(run("journal", "--since", "noon"), ExitCode.BAD_INPUT, "--since noon");
  }

  @Test
  void aCopyAskedForTwiceComesOnce() throws IOException {
    fs.setXAttr(WAREHOUSE, "user.tierwise.placement", "layout:2 x disk + 1 x any".getBytes(UTF_8));
    String[] copy = {"file", "copy-to", "/warehouse", "--tier", "ssd", "--wait", "60", "--json"};

    JsonNode plan =
        json(run("file", "copy-to", "/warehouse", "--tier", "ssd", "--dry-run", "--json"));
    assertThat(plan.path("changed").asBoolean()).isFalse();
    assertThat(plan.path("paths").get(0).path("coming_bytes").asLong()).isEqualTo(3L * BYTES);
    assertThat(replicas()).containsExactly(0, 9);

    assertThat(json(run(copy)).path("paths").get(0).path("files_to_change").asInt()).isEqualTo(3);
    assertThat(replicas()).containsExactly(3, 9);
    assertThat(json(run(copy)).path("paths").get(0).path("files_to_change").asInt()).isZero();
    assertThat(replicas()).containsExactly(3, 9);
  }

  @Test
  void aHalfDoneCopyIsFinished() throws IOException {
    fs.setXAttr(WAREHOUSE, "user.tierwise.placement", "layout:1 x ssd + 3 x disk".getBytes(UTF_8));
    fs.setReplication(new Path(WAREHOUSE, "part-0"), (short) 4);

    CommandRun rest = run("file", "copy-to", "/warehouse", "--tier", "ssd", "--wait", "60");

    assertThat(rest.exitCode()).as(rest.err()).isZero();
    assertThat(rest.unfolded()).contains("2 of 3 files had another number");
    assertThat(replicas()).containsExactly(3, 9);
  }

  @Test
  void whatIsNotPlainIsRefusedInOneLine() throws Exception {
    assertOneLine(
        run("file", "drop-from", "/warehouse", "--tier", "ssd"),
        ExitCode.BAD_INPUT,
        "names no replica in ssd");
    assertOneLine(
        run("file", "copy-to", "/warehouse", "--tier", "gold"), ExitCode.BAD_INPUT, "gold");
    assertOneLine(run("file", "copy-to", "/", "--tier", "ssd"), ExitCode.BAD_INPUT, "every file");
    fs.setXAttr(WAREHOUSE, "user.tierwise.placement", "layout:3 x disk".getBytes(UTF_8));
    assertOneLine(
        run("file", "drop-from", "/warehouse", "--tier", "disk"),
        ExitCode.BAD_INPUT,
        "nothing would be left");
    fs.setReplication(new Path(WAREHOUSE, "part-1"), (short) 2);
    assertOneLine(
        run("file", "copy-to", "/warehouse", "--tier", "ssd"),
        ExitCode.BAD_INPUT,
        "/warehouse/part-1 has 2 replicas");
    fs.setXAttr(WAREHOUSE, "user.tierwise.placement", "hybrid".getBytes(UTF_8));
    assertOneLine(
        run("file", "copy-to", "/warehouse", "--tier", "ssd"), ExitCode.BAD_INPUT, "no layout");
    fs.setXAttr(new Path(WAREHOUSE, "part-2"), "user.tierwise.placement", "stock".getBytes(UTF_8));
    assertOneLine(
        run("file", "layout", "/warehouse", "--to", "3 x ssd"),
        ExitCode.BAD_INPUT,
        "/warehouse/part-2 has a policy of its own");
    CommandRun hers =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<CommandRun>)
                    () -> run("file", "layout", "/warehouse/part-0", "--to", "3 x ssd"));
    assertOneLine(hers, ExitCode.CLUSTER, "alice");
    assertThat(replicas().get(0)).isZero();
  }

  @Test
  void aSecondMoverEndsAtOnce() throws IOException {
    Configuration conf = new Configuration(fs.getConf());
    conf.set("tierwise.tiers.file", tiers.toString());
    try (Mover first = Mover.open(MoverCluster.of(fs, conf), MoverSettings.DEFAULT)) {
      assertThat(first).isNotNull();
      assertOneLine(
          run("file", "move", "/warehouse", "--to", "3 x ssd"),
          ExitCode.CLUSTER,
          "another mover runs on this cluster");
    }
    assertThat(replicas()).containsExactly(0, 9);
  }

  @Test
  void theAnswerAsJsonHasWhatMovedAndWhatStays() throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(WAREHOUSE, "open"))) {
      out.write(1);
      out.hflush();
      CommandRun run = run("file", "move", "/warehouse", "--to", "3 x ssd", "--json");

      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILED);
      JsonNode answer = json(run);
      assertThat(answer.path("moved").path("replicas").asInt()).isEqualTo(9);
      assertThat(answer.path("left").get(0).path("reason").asText())
          .isEqualTo("it is being written");
      assertThat(answer.path("left").get(0).path("example").asText()).isEqualTo("/warehouse/open");
    }
  }

  @Test
  void aPatternMovesItsFilesAndADryRunNone() throws IOException {
    String[] move = {"file", "move", "/warehouse/part-[01]", "--to", "3 x ssd"};
    CommandRun plan =
        run(Stream.concat(Stream.of(move), Stream.of("--dry-run")).toArray(String[]::new));

    assertThat(plan.exitCode()).as(plan.err()).isZero();
    assertThat(plan.unfolded())
        .startsWith("would move 6 replicas")
        .contains("585.9 KiB", "used then");
    assertThat(replicas()).containsExactly(0, 9);
    assertThat(run(move).unfolded()).startsWith("moved 6 replicas");
    assertThat(replicas()).containsExactly(6, 3);
  }

  @Test
  void aRegionWithFewerNodesThanReplicasTakesWhatItCan() throws IOException {
    String layout = "layout:3 x any in region east";
    CommandRun run = run("policy", "set", "/warehouse", "--placement", layout, "--apply", "--json");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILED);
    assertThat(json(run).path("moves").path("left"))
        .singleElement()
        .extracting(left -> left.path("reason").asText())
        .isEqualTo("no node of the wanted tier may take it");
    assertThat(regions()).containsExactly(6, 3);
  }

  @Test
  void wrongRegionsAndOtherPeoplesFilesAreRefusedInOneLine() throws Exception {
    assertOneLine(
        run("file", "copy-to", "/warehouse", "--region", "north"),
        ExitCode.BAD_INPUT,
        "no region north; the cluster has: east, west");
    assertOneLine(
        run("file", "drop-from", "/warehouse", "--region", "east"),
        ExitCode.BAD_INPUT,
        "names no replica in east");
    assertOneLine(
        run("file", "move", "/warehouse", "--to-tier", "ssd", "--replicas", "4"),
        ExitCode.BAD_INPUT,
        "fewer than 4");
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    for (String[] verb :
        List.of(
            new String[] {"file", "copy-to", "/warehouse", "--region", "east"},
            new String[] {"file", "layout", "/warehouse", "--region", "east", "--replicas", "1"},
            new String[] {"file", "move", "/warehouse", "--to-tier", "ssd"})) {
      CommandRun hers = alice.doAs((PrivilegedExceptionAction<CommandRun>) () -> run(verb));
      assertThat(hers.exitCode()).as(hers.err()).isEqualTo(ExitCode.CLUSTER);
      assertThat(hers.err()).hasLineCount(1);
    }
    assertThat(fs.getXAttrs(WAREHOUSE)).isEmpty();
    assertThat(replicas()).containsExactly(0, 9);
  }

  @Test
  void whatIsUnderNoPolicyIsTold() throws IOException {
    CommandRun run = run("file", "move", "/warehouse", "--to", "policy");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.unfolded()).contains("stays:").contains("it is under no policy");
    CommandRun late = run("file", "move", "/warehouse", "--to", "policy", "--by", "23:59");
    assertThat(late.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(late.unfolded()).startsWith("would move 0").contains("not all in place by 20");
    JsonNode answer =
        json(run("file", "move", "/warehouse", "--to", "policy", "--by", "23:59", "--json"));
    assertThat(answer.path("id").isNull()).isTrue();
    assertThat(answer.path("deadline").path("kept").asBoolean(true)).isFalse();
    assertThat(answer.path("fills")).hasSize(2);
    assertOneLine(
        run("file", "move", "/warehouse", "--to", "policy", "--by", "2020-01-01T00:00:00Z"),
        ExitCode.BAD_INPUT,
        "is over");
  }

  @Test
  void wrongInputIsOneLine() {
    assertOneLine(
        run("file", "move", "/warehouse", "--to", "3 x gold"), ExitCode.BAD_INPUT, "gold");
    assertOneLine(
        run("file", "move", "/nowhere", "--to", "3 x ssd"), ExitCode.BAD_INPUT, "/nowhere");
    assertOneLine(
        run("file", "move", "/warehouse", "--to", "3 x ssd", "--bandwidth", "0"),
        ExitCode.BAD_INPUT,
        "--bandwidth 0");
    assertOneLine(
        run("file", "move", "/warehouse", "--to", "3 x ssd", "--keep-free", "100"),
        ExitCode.BAD_INPUT,
        "--keep-free 100");
    assertOneLine(
        run("file", "where", "/warehouse", "hdfs://other:1/x"), ExitCode.BAD_INPUT, "hdfs://other");
  }

  @Test
  void anybodyElseGetsOneLine() throws Exception {
    CommandRun run =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<CommandRun>)
                    () -> run("file", "move", "/warehouse", "--to", "3 x ssd"));

    assertOneLine(run, ExitCode.CLUSTER, "superuser");
    assertThat(replicas()).containsExactly(0, 9);
  }
}
