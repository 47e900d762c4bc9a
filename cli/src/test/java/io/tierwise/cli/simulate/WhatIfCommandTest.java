package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatIfCommandTest {
  private static final String SCENARIO =
      """
      nodes:
        both:
          write-buffer: 10 MB
          volumes:
            - {device: sata-ssd, capacity: 4 GB, temporary: false}
            - {device: hdd, capacity: 1 TB}
      cluster: {racks: [{count: 2, nodes: [{kind: both, count: 3}]}]}
      tiers: [{name: ssd, device: sata-ssd}, {name: disk, device: hdd}]
      policies: {placement: "layout:3 x disk", access: greedy, block: 64 MB}
      stored: [{path: /hot, files: 6, size: 640 MB}, {path: /cold, size: 64 MB}]
      workload: {dfsio: {tasks: 12, file: 1 GB, read: false}}
      """;

  @TempDir private Path folder;
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    scenario = Files.writeString(folder.resolve("s.yaml"), SCENARIO).toString();
  }

  private JsonNode json(String... more) throws IOException {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "what-if";
    arguments[1] = scenario;
    arguments[2] = "--json";
    System.arraycopy(more, 0, arguments, 3, more.length);
    Ran ran = Ran.of(arguments);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    return new ObjectMapper().readTree(ran.out());
  }

  @Test
  void saysWhatMovesHowLongItTakesAndWhatJobsLose() throws IOException {
    JsonNode answer =
        json("--path", "/hot", "--to", "1 x ssd + 2 x disk", "--bandwidth", "100", "--at", "5 s");

    JsonNode move = answer.path("movements").path(0);
    assertThat(move.path("replicas").asLong()).isEqualTo(60);
    assertThat(move.path("bytes").asLong()).isEqualTo(60 * 64_000_000L);
    assertThat(move.path("network_bytes").asLong()).isZero();
    assertThat(move.path("complete").asBoolean()).isTrue();
    assertThat(move.path("seconds").asDouble())
        .isGreaterThan(0.5 * move.path("seconds_at_limits").asDouble());
    assertThat(move.path("tiers").path(0).path("come_bytes").asLong())
        .isEqualTo(move.path("bytes").asLong());
    assertThat(answer.path("meanwhile").path("count").asLong()).isEqualTo(1);
    assertThat(answer.path("meanwhile").path("growth_share").asDouble()).isPositive();
    assertThat(answer.path("jobs")).isEqualTo(answer.path("meanwhile"));
  }

  @Test
  void whatFindsNoRoomIsCounted() throws IOException {
    JsonNode move =
        json("--path", "/hot", "--to", "3 x ssd", "--keep-free", "80").path("movements").path(0);

    assertThat(move.path("left").path(0).path("reason").asText())
        .isEqualTo("no room in the wanted tier");
    assertThat(move.path("left").path(0).path("replicas").asLong() + move.path("replicas").asLong())
        .isEqualTo(180);
  }

  @Test
  void noJobRunsWhileNothingMoves() {
    Ran ran = Ran.of("what-if", scenario, "--path", "/hot", "--to", "3 x disk", "--at", "5 s");

    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("would move 0 replicas", "no job runs meanwhile");
  }

  @Test
  void printsATableThatFitsATerminal() {
    Ran ran = Ran.of("what-if", scenario, "--path", "/hot", "--to", "1 x ssd + 2 x disk");

    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("/hot to layout:1 x ssd + 2 x disk")
        .contains("would move 60 replicas (3.84 GB, 0 B between nodes)")
        .contains("1 job runs meanwhile: ")
        .containsPattern("makespan +\\S+ min +\\S+ min \\(\\S+%\\)")
        .containsPattern("moved +- +3.84 GB");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aPathWithoutFilesIsRefused() {
    Ran ran = Ran.of("what-if", scenario, "--path", "/cool", "--to", "3 x ssd");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("tierwise what-if: no file is at /cool, or below it; the scenario stores /hot");
  }

  @Test
  void aDryRunSaysWhatWouldRunAndRunsNothing() throws IOException {
    Path out = folder.resolve("out");
    String[] asked = {
      "what-if", scenario, "--path", "/hot", "--to", "3 x ssd", "--out", out.toString(), "--dry-run"
    };
    Ran ran = Ran.of(asked);

    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .containsPattern("case +nodes +volumes")
        .containsPattern("\nwithout +6 +12 ")
        .containsPattern("\nwith +6 +12 ");
    assertThat(out).doesNotExist();
    JsonNode plans = json("--path", "/hot", "--to", "3 x ssd", "--dry-run").path("plans");
    assertThat(plans.findValuesAsText("label")).containsExactly("without", "with");
  }

  /** The defaults of a scenario and of the mover are written down in two places. */
  @Test
  void theDefaultsAreTheMovers() throws IOException {
    String own = "--set=movement=[{path: /hot, placement: \"1 x ssd + 2 x disk\"}]";

    assertThat(json(own)).isEqualTo(json("--path", "/hot", "--to", "1 x ssd + 2 x disk"));
    assertThat(MovementLimits.DEFAULT.nodeBytesPerSecond()).isEqualTo(25_000_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--path hot --to 3_x_ssd | \"hot\" is no path: write it from the root",
        "--path /hot --to 3_x_tape | unknown tier \"tape\"",
        "--path /hot --to 3_x_ssd --at soon | movement[0].at: \"soon\"",
        "--path /hot --to 3_x_ssd --bandwidth 0 | --bandwidth 0 is too little",
        "--path /hot | missing required argument(s): --to=LAYOUT",
        "--bandwidth 5 | --bandwidth goes with --path and --to",
        "--seeds 2 | the scenario moves nothing: give --path and --to",
        "--dry-run | the scenario moves nothing: give --path and --to",
        "--path /hot --to 3_x_tape --dry-run | unknown tier \"tape\"",
        "--path /hot --to 3_x_ssd --seeds 0 --dry-run | --seeds 0"
      })
  void badInputIsOneLineThatSaysWhatToChange(String arguments, String message) {
    String[] words = ("what-if " + scenario + " " + arguments).split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].replace('_', ' ');
    }
    Ran ran = Ran.of(words);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains(message);
    assertThat(ran.err().lines().filter(line -> line.startsWith("tierwise"))).hasSize(1);
  }
}
