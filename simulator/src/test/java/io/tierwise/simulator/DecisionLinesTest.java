package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.core.action.Action;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.DecisionLines;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decisions of runs, line by line. */
class DecisionLinesTest {
  /** Jobs read and write; a node fails for longer than HDFS waits and comes back; files move. */
  private static final String JOBS =
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

  /** One file is read again and again, and now and then by many jobs at once; others once. */
  private static final String POPULAR =
      """
      nodes: {worker: {map-slots: 1, reduce-slots: 1, page-cache: 0 B, volumes: [{device: hdd, capacity: 500 GB}, {device: pcie-ssd, capacity: 10 GB}]}}
      cluster: {racks: [{count: 2, nodes: [{kind: worker, count: 4}]}]}
      tiers: [{name: ssd, device: pcie-ssd}, {name: hdd, device: hdd}]
      policies: {placement: "network-aware:tiers=hdd", access: greedy, block: 64 MB}
      model: {write-through: true}
      workload: {trace: {format: swim, file: %s}}
      """;

  @TempDir Path folder;

  /** A decision as its listener gets it, and its line. */
  private record Told(String explanation, JsonNode line) {
    String kind() {
      return line.get("action").asText();
    }

    String text(String field) {
      return line.get(field).asText();
    }
  }

  private static Scenario scenario() {
    return ScenarioFiles.parse(JOBS, "test").scenario();
  }

  private Scenario popular(String host) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int minute = 0; minute < 60; minute++) {
      int readers = minute % 10 == 5 ? 6 : 1;
      for (int reader = 0; reader < readers; reader++) {
        row(rows, "hot" + minute + "-" + reader, 60 * minute, "/hot");
      }
      row(rows, "cold" + minute, 60 * minute + 30, "/cold" + minute);
    }
    Path trace = Files.writeString(folder.resolve("trace.tsv"), rows);
    return ScenarioFiles.parse(POPULAR.formatted(trace) + host, "test").scenario();
  }

  private static void row(StringBuilder rows, String job, int seconds, String path) {
    rows.append(job + "\t" + seconds + "\t1\t128000000\t0\t0\t" + path + "\n");
  }

  private static List<Told> told(Scenario scenario) throws IOException {
    StringWriter text = new StringWriter();
    DecisionLines lines = new DecisionLines(text);
    List<String> explanations = new ArrayList<>();
    Simulation.of(scenario)
        .tell(
            (seconds, action, view) -> {
              lines.decided(seconds, action, view);
              explanations.add(action.describe(view));
            })
        .run(Progress.NONE);
    ObjectMapper json = new ObjectMapper();
    List<Told> told = new ArrayList<>();
    for (String line : text.toString().split("\n")) {
      told.add(new Told(explanations.get(told.size()), json.readTree(line)));
    }
    return told;
  }

  @Test
  void eachKindOfActionHasTheSameFieldsAndItsExplanationIsMadeOfThem() throws IOException {
    Set<String> kinds = new TreeSet<>();
    for (Scenario scenario :
        List.of(
            scenario(),
            popular("popularity: {predictor: scarlett, window: 10 min}"),
            popular("fast-tier: {tier: ssd, persistent: 1 GB, window: 10 min}"))) {
      double last = 0;
      for (Told each : told(scenario)) {
        assertThat(each.line().get("seconds").asDouble())
            .as("%s", each)
            .isGreaterThanOrEqualTo(last);
        last = each.line().get("seconds").asDouble();
        kinds.add(each.kind());
        requireForm(each);
        requireCost(each);
      }
    }
    assertThat(kinds).isEqualTo(allKinds());
  }

  /** A kind that is new has to be here, too. */
  private static Set<String> allKinds() {
    return Stream.of(Action.class.getPermittedSubclasses())
        .map(Class::getSimpleName)
        .map(name -> Character.toLowerCase(name.charAt(0)) + name.substring(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void requireForm(Told each) {
    for (String field : List.of("policy", "rule", "what")) {
      assertThat(each.text(field)).as("%s of %s", field, each).isNotBlank();
    }
    // The explanation of a placement does not end with its rule.
    String rule = each.kind().equals("place") ? "" : ": " + each.text("rule");
    assertThat(each.explanation()).isEqualTo(each.text("policy") + ": " + each.text("what") + rule);
    assertThat(each.line().has("score")).as("%s", each).isEqualTo(each.kind().equals("assign"));
  }

  private static void requireCost(Told each) {
    Integer stored =
        switch (each.kind()) {
          case "copy", "stage", "setReplicas" -> 1;
          case "drop" -> -1;
          case "move" -> 0;
          default -> null;
        };
    assertThat(each.line().has("cost")).as("%s", each).isEqualTo(stored != null);
    if (stored != null) {
      long bytes = each.line().get("cost").get("stored_bytes").asLong();
      assertThat(Long.signum(bytes)).as("%s", each).isEqualTo(stored);
    }
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
        ScenarioFiles.parse(JOBS, "test")
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
