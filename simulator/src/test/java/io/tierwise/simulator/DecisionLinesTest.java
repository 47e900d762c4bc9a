package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.DecisionLines;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decisions of a run, line by line. */
class DecisionLinesTest {
  /** Jobs read and write; a node fails for longer than HDFS waits and comes back; files move. */
  private static final String ALL_KINDS =
      """
      nodes:
        both:
          map-slots: 2
          reduce-slots: 1
          volumes: [{device: sata-ssd, capacity: 100 GB}, {device: hdd, capacity: 1 TB}]
      cluster: {racks: [{name: a, nodes: [{kind: both, count: 3}]}, {name: b, nodes: [{kind: both, count: 3}]}]}
      tiers: [{name: ssd, device: sata-ssd}, {name: disk, device: hdd}]
      policies: {placement: "layout:3 x disk", access: greedy, block: 64 MiB}
      stored: [{path: /w, files: 2, size: 128 MiB}]
      movement: [{path: /w, placement: "1 x ssd + 2 x disk", bandwidth: 1 GB/s, keep-free: 0}]
      faults: [{at: 20 s, until: 700 s, node: node-0}]
      workload: {applications: {arrival: {clients: 1, think: 350 s}, jobs: [{application: lsn/grep, count: 4, scale: 0.05}]}}
      """;

  private static Scenario scenario() {
    return ScenarioFiles.parse(ALL_KINDS, "test").scenario();
  }

  private static List<JsonNode> lines(Simulation simulation) throws IOException {
    StringWriter text = new StringWriter();
    simulation.tell(new DecisionLines(text)::decided).run(Progress.NONE);
    List<JsonNode> lines = new ArrayList<>();
    ObjectMapper json = new ObjectMapper();
    for (String line : text.toString().split("\n")) {
      lines.add(json.readTree(line));
    }
    return lines;
  }

  @Test
  void eachKindOfActionHasTheSameFields() throws IOException {
    TreeSet<String> kinds = new TreeSet<>();
    double last = 0;
    for (JsonNode line : lines(Simulation.of(scenario()))) {
      assertThat(line.get("seconds").asDouble()).as("%s", line).isGreaterThanOrEqualTo(last);
      last = line.get("seconds").asDouble();
      for (String field : List.of("policy", "rule", "what")) {
        assertThat(line.get(field).asText()).as("%s of %s", field, line).isNotBlank();
      }
      String kind = line.get("action").asText();
      kinds.add(kind);
      assertThat(line.has("score")).as("%s", line).isEqualTo(kind.equals("assign"));
      if (kind.equals("copy") || kind.equals("drop") || kind.equals("move")) {
        long stored = line.get("cost").get("stored_bytes").asLong();
        assertThat(Long.signum(stored))
            .as("%s", line)
            .isEqualTo(kind.equals("copy") ? 1 : kind.equals("drop") ? -1 : 0);
      }
    }
    assertThat(kinds).containsExactly("assign", "copy", "drop", "move", "order", "place");
  }

  /** Also where the policy fills a node in one turn, waits, and wants second attempts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fifo",
        "fair:delay-seconds=5,late-factor=1.1",
        "capacity:lsn/grep=10/60,late-factor=1.1"
      })
  void listeningChangesNothing(String scheduler) throws IOException {
    Scenario scenario =
        ScenarioFiles.parse(ALL_KINDS, "test")
            .with("policies.scheduler=" + scheduler, "test")
            .with("model.stragglers=20%", "test")
            .scenario();
    RunResult alone = Simulation.of(scenario).run(Progress.NONE);
    RunResult heard =
        Simulation.of(scenario).tell((seconds, action, view) -> {}).run(Progress.NONE);

    assertThat(heard.engine().logHash()).isEqualTo(alone.engine().logHash());
  }

  @Test
  void aFileThatCannotBeWrittenEndsTheRun() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Simulation simulation = Simulation.of(scenario()).tell(new DecisionLines(full)::decided);

    assertThatThrownBy(() -> simulation.run(Progress.NONE))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
  }
}
