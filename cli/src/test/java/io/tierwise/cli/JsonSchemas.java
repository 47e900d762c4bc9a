package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The schemas of docs/reference/schemas, and whether an answer is what they say. */
public final class JsonSchemas {
  /** Commands that answer with an object a line; all others answer with one object. */
  static final Set<String> OF_LINES =
      Set.of("journal", "monitor run", "policy find", "policy purge");

  private static final Path FOLDER =
      CommandReferenceTest.projectFolder().resolve("docs/reference/schemas");
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
  private static final JsonSchemaFactory FACTORY =
      JsonSchemaFactory.getInstance(VersionFlag.V202012);
  private static final Map<String, JsonSchema> SCHEMAS = new ConcurrentHashMap<>();

  private JsonSchemas() {}

  /** The file of a command's schema: {@code tiers-list.schema.json} for {@code tiers list}. */
  static Path file(String command) {
    return FOLDER.resolve(command.replace(' ', '-') + ".schema.json");
  }

  /** A command without the program's name. */
  static String name(CommandSpec command) {
    return command.qualifiedName().replaceFirst("^tierwise ?", "");
  }

  /** Checks the answer of a command line that ran, if it answered in JSON. */
  static void check(CommandLine line, String output) {
    ParseResult parsed = line.getParseResult();
    while (parsed != null && parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }
    // A command that fails says so on standard error alone.
    if (parsed != null && parsed.hasMatchedOption("--json") && !output.isBlank()) {
      if (parsed.hasMatchedOption("--schema") || parsed.isUsageHelpRequested()) {
        return;
      }
      check(name(parsed.commandSpec()), output);
    }
  }

  /** Fails unless the output is what the command's schema and the rules of all answers say. */
  public static void check(String command, String output) {
    List<JsonNode> answers = read(command, output);
    boolean lines =
        OF_LINES.contains(command)
            || (command.equals("explain") && answers.size() > 1 && isObjectALine(output));
    if (!lines) {
      assertThat(answers).as("objects that '%s' prints", command).hasSize(1);
    } else {
      assertThat(answers).as("an object a line").hasSameSizeAs(output.lines().toList());
    }
    for (JsonNode answer : answers) {
      assertThat(schema(command).validate(answer))
          .as("%s: %s", file(command).getFileName(), answer)
          .isEmpty();
      keepsTheRules(command, answer);
    }
  }

  private static boolean isObjectALine(String output) {
    return output.lines().allMatch(line -> line.startsWith("{") && line.endsWith("}"));
  }

  private static List<JsonNode> read(String command, String output) {
    try (var values = MAPPER.readerFor(JsonNode.class).<JsonNode>readValues(output)) {
      return values.readAll();
    } catch (IOException e) {
      throw new AssertionError("'" + command + "' printed no JSON: " + output, e);
    }
  }

  private static JsonSchema schema(String command) {
    return SCHEMAS.computeIfAbsent(command, JsonSchemas::load);
  }

  private static JsonSchema load(String command) {
    Path file = file(command);
    try {
      return FACTORY.getSchema(
          SchemaLocation.of(file.toUri().toString()), MAPPER.readTree(file.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException("no schema of '" + command + "'", e);
    }
  }

  /** An absent value is null: no text and no number stands for it. */
  private static void keepsTheRules(String where, JsonNode value) {
    if (value.isTextual()) {
      assertThat(value.asText()).as(where).isNotIn("", "-", "NaN", "Infinity", "-Infinity");
    } else if (value.isIntegralNumber()) {
      assertThat(value.asLong()).as(where).isNotEqualTo(-1);
    } else if (value.isObject()) {
      value
          .fields()
          .forEachRemaining(
              each -> {
                assertThat(each.getKey()).as(where).isNotEqualTo("");
                keepsTheRules(where + "." + each.getKey(), each.getValue());
              });
    } else {
      value.elements().forEachRemaining(each -> keepsTheRules(where + "[]", each));
    }
  }
}
