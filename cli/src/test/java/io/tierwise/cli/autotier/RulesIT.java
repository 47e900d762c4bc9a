package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules on a stock HDFS whose nodes have an SSD and a disk each. */
class RulesIT {
  @TempDir static Path folder;
  private static AuditedHdfs hdfs;

  @BeforeAll
  static void files() throws IOException, InterruptedException {
    hdfs = new AuditedHdfs(folder);
    for (int i = 0; i < 3; i++) {
      hdfs.write("/logs/day-" + i, 3);
      hdfs.write("/tables/part-" + i, 3);
      hdfs.read("/tables/part-" + i, 2);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static String rules(String... lines) throws IOException {
    return Files.writeString(folder.resolve("rules.txt"), String.join("\n", lines)).toString();
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private static int onSsd(String path) throws IOException {
    JsonNode tiers = json(hdfs.run("file", "where", path, "--json")).path("tiers");
    int replicas = 0;
    for (JsonNode tier : tiers) {
      replicas += tier.path("tier").asText().equals("ssd") ? tier.path("replicas").asInt() : 0;
    }
    return replicas;
  }

  @Test
  void rulesChangeReplicasAndTiersAndSayWhyTheyDoNotFire() throws IOException {
    String unheard = "path matches /logs/** and reads(7d) < 3 -> replicas 1";
    String known = "path matches /logs/** and size > 50kB -> replicas 2  # small copies";
    JsonNode waiting =
        json(hdfs.autotier("plan", "--below", "/", "--rules", rules(unheard, known), "--json"));
    assertThat(waiting.path("changes")).isEmpty();
    assertThat(waiting.path("rules").get(0).path("left").get(0).path("reason").asText())
        .startsWith("reads(7d) < 3 is not known: reads have been counted for ");
    assertThat(waiting.path("rules").get(1).path("left").get(0).path("reason").asText())
        .startsWith("a rule above may be for it: reads(7d) < 3 is not known: reads have been");

    String file =
        rules(
            known,
            unheard,
            "path matches /tables/part-* and reads(1d) >= 2 -> tier ssd",
            "path matches /nowhere/** -> replicas 2");

    JsonNode plan = json(hdfs.autotier("plan", "--below", "/", "--rules", file, "--json"));

    assertThat(plan.path("changes")).hasSize(3);
    assertThat(plan.path("going_bytes").asLong()).isEqualTo(3L * AuditedHdfs.BYTES);
    assertThat(plan.path("moves").get(0).path("moves").path("moved").path("bytes").asLong())
        .isEqualTo(3L * AuditedHdfs.BYTES);
    assertThat(plan.path("rules").get(1).path("fired").asInt()).isZero();
    assertThat(plan.path("rules").get(1).path("left").get(0).path("reason").asText())
        .isEqualTo("rules above decide about all files of its path");
    assertThat(plan.path("rules").get(3).path("left").get(0).path("reason").asText())
        .isEqualTo("no file matches its path");
    CommandRun words = hdfs.autotier("plan", "--below", "/", "--rules", file, "--explain");
    assertThat(words.unfolded())
        .contains(
            "rule 2: path matches /logs/** and reads(7d) < 3 -> replicas 1: fires for 0 files")
        .contains("3 files to ssd: would move 3 replicas (293.0 KiB", "(rules.txt:3)");

    JsonNode round =
        json(hdfs.autotier("run", "--below", "/", "--rules", file, "--rounds", "1", "--json"));

    assertThat(round.path("changed").asInt()).isEqualTo(3);
    assertThat(round.path("moved_replicas").asInt()).isEqualTo(3);
    assertThat(round.path("ids")).hasSize(2);
    assertThat(hdfs.replicas("/logs/day-0")).isEqualTo(2);
    assertThat(onSsd("/tables")).isEqualTo(3);
    assertThat(hdfs.run("journal", round.path("ids").get(0).asText()).unfolded())
        .contains("/logs/day-0: replicas 3 -> 2, rules.txt:1: path matches /logs/**");
    assertThat(hdfs.run("journal").unfolded()).contains("autotier run");
    assertThat(
            json(hdfs.autotier("run", "--below", "/", "--rules", file, "--rounds", "1", "--json"))
                .path("ids"))
        .as("all is as the rules want it")
        .isEmpty();

    for (JsonNode id : round.path("ids")) {
      assertThat(hdfs.run("undo", id.asText()).exitCode()).isZero();
    }
    assertThat(hdfs.replicas("/logs/day-0")).isEqualTo(3);
    assertThat(onSsd("/tables")).isZero();
  }

  @Test
  void aRuleMovesFilesToTheSecondaryStore() throws IOException {
    Path store = Files.createDirectory(folder.resolve("nas"));
    hdfs.write("/cold/old", 3);
    hdfs.write("/cold/older", 3);
    String[] words = {
      "--below",
      "/cold",
      "--rules",
      rules("path matches /cold/** -> secondary"),
      "--json",
      "-D",
      "tierwise.secondary.stores=file://" + store
    };
    List<String> run = new ArrayList<>(List.of("run", "--rounds", "1"));
    run.addAll(List.of(words));
    List<String> plan = new ArrayList<>(List.of("plan"));
    plan.addAll(List.of(words));

    JsonNode offload = json(hdfs.autotier(plan.toArray(String[]::new))).path("offloads").get(0);
    assertThat(offload.path("files").asInt()).isEqualTo(2);
    assertThat(offload.path("bytes").asLong()).isEqualTo(2L * AuditedHdfs.BYTES);
    assertThat(Placeholder.is(hdfs.fs().getClient().getFileInfo("/cold/old"))).isFalse();

    JsonNode round = json(hdfs.autotier(run.toArray(String[]::new)));

    assertThat(round.path("offloaded_files").asInt()).as("%s", round).isEqualTo(2);
    assertThat(Placeholder.is(hdfs.fs().getClient().getFileInfo("/cold/old"))).isTrue();
    assertThat(json(hdfs.autotier(run.toArray(String[]::new))).path("ids")).isEmpty();
    CommandRun recalled =
        hdfs.run("secondary", "recall", "/cold", "-D", "tierwise.secondary.stores=file://" + store);
    assertThat(recalled.exitCode()).as(recalled.err()).isZero();
    DFSTestUtil.readFile(hdfs.fs(), AuditedHdfs.hadoop("/cold/old"));
  }

  @Test
  void aFullTierRefusesTheRuleThatNamesItAndNoOther() throws IOException {
    hdfs.write("/full/log", 3);
    hdfs.write("/full/table", 3);
    String file =
        rules("path matches /full/table -> tier ssd", "path matches /full/log -> replicas 2");
    String[] words = {"run", "--below", "/full", "--rules", file, "--rounds", "1"};
    List<String> full = new ArrayList<>(List.of(words));
    full.addAll(List.of("--keep-free", "99"));

    CommandRun round = hdfs.autotier(full.toArray(String[]::new));

    assertThat(round.exitCode()).as("%s", round.err()).isEqualTo(1);
    assertThat(round.unfolded())
        .contains(
            "rules.txt:1: would put 97.7 KiB on ssd, and there is room for 0 B beyond --keep-free:"
                + " none of its files is changed");
    assertThat(hdfs.replicas("/full/log")).isEqualTo(2);
    assertThat(onSsd("/full/table")).isZero();
    assertThat(hdfs.autotier(words).exitCode()).isZero();
    assertThat(onSsd("/full/table")).isOne();
  }

  @Test
  void popularFilesGetAReplicaInTheFastTierWhereSpeedsSayThatItPays() throws Exception {
    hdfs.write("/popular/hot", 3);
    hdfs.read("/popular/hot", 3); // Each has a replica: another one does not pay, a fast one does.
    hdfs.write("/popular/once", 3);
    hdfs.read("/popular/once", 1);
    CommandRun unmeasured = hdfs.autotier("plan", "--below", "/popular", "--fast-tier", "ssd");
    assertThat(unmeasured.exitCode()).isEqualTo(2);
    assertThat(unmeasured.err()).hasLineCount(1).contains("nobody measured how fast ssd and disk");
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), AuditedHdfs.MEASURED_TIERS);
    String[] words = {
      "--below",
      "/popular",
      "--fast-tier",
      "ssd",
      "--on-average",
      "--hold",
      "1",
      "-D",
      "tierwise.tiers.file=" + tiers,
      "--json"
    };
    List<String> run = new ArrayList<>(List.of("run", "--rounds", "1"));
    run.addAll(List.of(words));

    List<String> silent = new ArrayList<>(List.of("plan", "--predictor", "lru"));
    silent.addAll(List.of(words));
    JsonNode moves = json(hdfs.autotier(silent.toArray(String[]::new))).path("moves");
    assertThat(moves).as("of a predictor that says nothing of replicas").hasSize(1);
    assertThat(moves.get(0).path("paths")).hasSize(1);
    assertThat(moves.get(0).path("paths").get(0).asText()).isEqualTo("/popular/hot");

    JsonNode round = json(hdfs.autotier(run.toArray(String[]::new)));

    assertThat(round.path("moved_replicas").asInt()).as("%s", round).isOne();
    assertThat(onSsd("/popular/hot")).isOne();
    assertThat(onSsd("/popular/once")).isZero();
    assertThat(hdfs.replicas("/popular/hot")).isEqualTo(3);
    assertThat(json(hdfs.autotier(run.toArray(String[]::new))).path("ids")).isEmpty();
  }

  @Test
  void rulesThatTheHardwareCannotKeepAreRefusedInOneLine() throws IOException {
    for (String[] bad :
        new String[][] {
          {"path matches /logs/** -> tier sdd", "rules.txt:2: unknown tier \"sdd\"; did you mean"},
          {
            "path matches /logs/** -> replicas 6", "rules.txt:2: replicas 6 is more than a file can"
          },
          {
            "path matches logs -> replicas 2",
            "rules.txt:2: path pattern \"logs\" must begin with /"
          },
          {"path matches /logs/** and reads(9000d) < 3 -> replicas 2", "rules.txt:2: reads(9000d)"},
          {"path matches /logs/** -> secondary", "rules.txt:2: tierwise.secondary.stores names no"},
          {"path is /logs -> secondary", "rules.txt:2: \"path is /logs -> secondary\" is no rule"}
        }) {
      CommandRun run = hdfs.autotier("plan", "--below", "/", "--rules", rules("# rules", bad[0]));
      assertThat(run.exitCode()).as(bad[0]).isEqualTo(2);
      assertThat(run.err()).as(bad[0]).hasLineCount(1).contains(bad[1]);
    }
    assertThat(hdfs.autotier("run", "--below", "/", "--rules", folder + "/none").err())
        .hasLineCount(1)
        .contains("/none cannot be read");
  }
}
