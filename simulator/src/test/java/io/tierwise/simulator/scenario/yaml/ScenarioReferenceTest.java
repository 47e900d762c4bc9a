package io.tierwise.simulator.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tierwise.simulator.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps docs/reference/scenario.md equal to the table that the reader follows, and every example
 * readable. Run with {@code -Dtierwise.docs.update=true} to write the page's tables anew.
 */
class ScenarioReferenceTest {
  private static final String UPDATE = "tierwise.docs.update";
  private static final Path PROJECT = projectFolder();

  private static Path projectFolder() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.list(PROJECT.resolve("examples/scenarios"))) {
      return files.map(Path::toString).filter(file -> file.endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsAScenarioAndWritesBack(String file) {
    Scenario scenario = ScenarioFiles.load(file).scenario();
    String yaml = ScenarioWriter.write(scenario, List.of());
    assertThat(ScenarioFiles.parse(yaml, "again.yaml").scenario()).isEqualTo(scenario);
  }

  @Test
  void theReferenceHoldsTheTablesOfAllKeys() throws IOException {
    Path page = PROJECT.resolve("docs/reference/scenario.md");
    String text = Files.readString(page);
    String expected =
        between(
            between(text, "units", ScenarioReference.units()),
            "keys",
            ScenarioReference.markdown());
    if (Boolean.getBoolean(UPDATE)) {
      Files.writeString(page, expected);
    }
    assertThat(Files.readString(page)).as("run 'make docs' to write it anew").isEqualTo(expected);
  }

  private static String between(String text, String name, String generated) {
    String start = "<!-- " + name + " -->\n";
    String end = "<!-- end of " + name + " -->";
    int from = text.indexOf(start);
    int to = text.indexOf(end);
    assertThat(from).as(start).isNotNegative();
    assertThat(to).as(end).isGreaterThan(from);
    return text.substring(0, from + start.length()) + "\n" + generated + "\n" + text.substring(to);
  }

  @Test
  void theReferenceNamesEveryBuiltInThing() throws IOException {
    String text = Files.readString(PROJECT.resolve("docs/reference/scenario.md"));
    for (String name : ScenarioFiles.named()) {
      assertThat(text).contains("`" + name + "`");
    }
    YamlValue.Entries library =
        (YamlValue.Entries) YamlText.read(ScenarioFiles.resource("library"), "library");
    for (YamlValue part : library.entries().values()) {
      for (String name : ((YamlValue.Entries) part).entries().keySet()) {
        assertThat(text).contains("`" + name + "`");
      }
    }
  }

  @Test
  void everyDefaultIsAllowedByItsOwnKey() {
    for (String section : ScenarioKeys.sections()) {
      for (ScenarioKey key : ScenarioKeys.of(section)) {
        if (key.kind() instanceof ValueKind.Measure measure && hasDefault(key)) {
          if (!key.fallback().equals("none")) {
            assertThat(measure.quantity().parse(key.fallback()))
                .as(section + "." + key.name())
                .isBetween(
                    measure.quantity().parse(measure.leastText()),
                    measure.quantity().parse(measure.mostText()));
          }
        }
      }
    }
  }

  private static boolean hasDefault(ScenarioKey key) {
    return key.fallback() != null && !key.fallback().isEmpty();
  }

  @Test
  void theSchemaKnowsEveryKeyAndEveryReferenceLeadsSomewhere() {
    JsonNode schema = ScenarioReference.jsonSchema();
    for (String section : ScenarioKeys.sections()) {
      List<String> names = new ArrayList<>();
      schema.at("/$defs/" + section + "/properties").fieldNames().forEachRemaining(names::add);
      assertThat(names)
          .as(section)
          .containsExactlyElementsOf(
              ScenarioKeys.of(section).stream().map(ScenarioKey::name).toList());
    }
    for (JsonNode reference : schema.findValues("$ref")) {
      assertThat(schema.at(reference.asText().substring(1)).isObject())
          .as(reference.asText())
          .isTrue();
    }
  }

  @Test
  void theSchemasPatternsTakeTheDefaults() {
    JsonNode definitions = ScenarioReference.jsonSchema().get("$defs");
    for (String section : ScenarioKeys.sections()) {
      for (ScenarioKey key : ScenarioKeys.of(section)) {
        JsonNode pattern = definitions.at("/" + section + "/properties/" + key.name() + "/pattern");
        if (!pattern.isMissingNode() && hasDefault(key)) {
          assertThat(key.fallback()).as(section + "." + key.name()).matches(pattern.asText());
        }
      }
    }
  }

  /** What an editor accepts the reader takes, and what it marks the reader refuses. */
  @ParameterizedTest
  @CsvSource({
    "linux-2.6, true",
    "linux-2.6.32, true",
    "linux-2.10, true",
    "linux-3.0, true",
    "linux-6.12.4, true",
    "64 MB, true",
    "linux-2.4.18, false",
    "linux-2.5.75, false",
    "linux-2.06, false",
    "linux-1.0, false",
    "linux-6, false",
    "linux-6.12.4-rc1, false",
    "linux-6.1234, false",
    "Linux-6.12, false"
  })
  void theSchemaTakesTheKernelsThatScenariosTake(String buffer, boolean isTaken) {
    JsonNode options =
        ScenarioReference.jsonSchema()
            .at("/$defs/" + ScenarioKeys.NODE + "/properties/write-buffer/anyOf");
    assertThat(options.findValuesAsText("pattern").stream().anyMatch(buffer::matches))
        .as("by the schema")
        .isEqualTo(isTaken);

    ScenarioFiles files =
        ScenarioFiles.parse(
            """
            nodes: {n: {write-buffer: %s, volumes: [hdd]}}
            cluster: {racks: [{nodes: [{kind: n, count: 3}]}]}
            workload: {dfsio: {tasks: 1}}
            """
                .formatted(buffer),
            "s.yaml");
    if (isTaken) {
      assertThat(files.scenario().name()).isEqualTo("s");
    } else {
      assertThatThrownBy(files::scenario)
          .isInstanceOf(ScenarioException.class)
          .hasMessageContaining("write-buffer: \"" + buffer + "\"");
    }
  }
}
