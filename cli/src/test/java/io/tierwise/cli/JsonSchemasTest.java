package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command that answers in JSON has its schema, and the schemas are strict. */
class JsonSchemasTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A row that other schemas add keys to. */
  private static final String CLOSED_ELSEWHERE = "Closed where it is used.";

  static Stream<String> commandsWithJson() {
    return EveryCommandTest.commands()
        .map(command -> command.getCommandSpec())
        .filter(command -> command.findOption("--json") != null)
        .filter(command -> !command.name().equals("tierwise"))
        .map(JsonSchemas::name);
  }

  private static JsonNode schema(String command) throws IOException {
    return MAPPER.readTree(JsonSchemas.file(command).toFile());
  }

  @ParameterizedTest
  @MethodSource("commandsWithJson")
  void hasASchemaThatIsOne(String command) throws IOException {
    assertThat(JsonSchemas.file(command)).exists();
    JsonNode schema = schema(command);
    assertThat(schema.path("$schema").asText())
        .isEqualTo("https://json-schema.org/draft/2020-12/schema");
    JsonSchema ofSchemas =
        JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(MAPPER.createObjectNode().put("$ref", schema.path("$schema").asText()));
    assertThat(ofSchemas.validate(schema)).isEmpty();
    assertThat(schema.path("description").asText()).endsWith(".");
  }

  /** Else a key that nobody wrote down would pass. */
  @ParameterizedTest
  @MethodSource("commandsWithJson")
  void saysOfEachObjectWhichKeysItHas(String command) throws IOException {
    assertStrict(command, schema(command));
  }

  private static void assertStrict(String where, JsonNode schema) {
    if (schema.path("properties").isObject() && schema.path("type").asText().equals("object")) {
      assertThat(
              schema.has("additionalProperties")
                  || schema.has("unevaluatedProperties")
                  || schema.path("$comment").asText().equals(CLOSED_ELSEWHERE))
          .as("%s: %s", where, schema)
          .isTrue();
    }
    schema.fields().forEachRemaining(each -> assertStrict(where, each.getValue()));
    schema.elements().forEachRemaining(each -> assertStrict(where, each));
  }

  @Test
  void thePageListsEachSchemaAndNoOther() throws IOException {
    Path page = JsonSchemas.file("x").getParent().resolveSibling("json.md");
    List<String> commands = commandsWithJson().toList();
    assertThat(Files.readString(page))
        .contains(
            commands.stream()
                .map(name -> "`" + name + "` | [schema](schemas/" + name.replace(' ', '-') + ".")
                .toList());
    try (Stream<Path> files = Files.list(JsonSchemas.file("x").getParent())) {
      assertThat(files)
          .containsExactlyInAnyOrderElementsOf(commands.stream().map(JsonSchemas::file).toList());
    }
  }

  @Test
  void anUnknownKeyAnEmptyTextAndASecondObjectAreNoticed() {
    String row = "{\"name\": \"n\", \"specification\": \"n\", \"description\": \"d\"}";
    String answer =
        "{\"placement\": [" + row + "], \"access\": [], \"scheduling\": [], \"popularity\": []}";
    JsonSchemas.check("policy list", answer);
    for (String wrong :
        List.of(
            answer.replace("\"access\"", "\"more\": 1, \"access\""),
            answer.replace("\"d\"", "\"\""),
            answer.replace("\"d\"", "\"-\""),
            answer.replace("\"d\"", "-1"),
            answer.replace("\"description\"", "\"descriptions\""),
            answer + "\n" + answer,
            "placement: none")) {
      assertThatThrownBy(() -> JsonSchemas.check("policy list", wrong))
          .as(wrong)
          .isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void answersThatNeedNoClusterAreWhatTheirSchemasSay(@TempDir Path folder) {
    Path papers = CommandReferenceTest.projectFolder().resolve("reproductions");
    for (String line :
        List.of(
            "policy list --json",
            "simulate --list --json",
            "reproduce --dry-run --json --folder " + papers,
            "bench dfsio --dry-run --json",
            "tiers probe --dry-run --json " + folder)) {
      CommandRun run = CommandRun.of(line.split(" "));
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).isNotBlank();
    }
  }
}
