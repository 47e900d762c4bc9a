package io.tierwise.simulator.scenario.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tierwise.simulator.scenario.yaml.ValueKind.Choice;
import io.tierwise.simulator.scenario.yaml.ValueKind.Count;
import io.tierwise.simulator.scenario.yaml.ValueKind.ListOf;
import io.tierwise.simulator.scenario.yaml.ValueKind.Measure;
import io.tierwise.simulator.scenario.yaml.ValueKind.Named;
import io.tierwise.simulator.scenario.yaml.ValueKind.Nested;
import java.util.regex.Pattern;

/** Shows {@link ScenarioKeys} as the tables of the reference page and as JSON Schema. */
public final class ScenarioReference {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ScenarioReference() {}

  /** The sections with their keys, as Markdown. */
  public static String markdown() {
    StringBuilder page = new StringBuilder();
    for (String section : ScenarioKeys.sections()) {
      page.append("### ").append(section).append("\n\n");
      page.append(ScenarioKeys.introduction(section)).append("\n\n");
      page.append("| key | value | default | meaning |\n|---|---|---|---|\n");
      for (ScenarioKey key : ScenarioKeys.of(section)) {
        page.append("| `").append(key.name()).append("` | ").append(key.kind().description());
        page.append(" | ").append(fallback(key)).append(" | ").append(key.meaning()).append(" |\n");
      }
      page.append('\n');
    }
    return page.toString().stripTrailing() + "\n";
  }

  private static String fallback(ScenarioKey key) {
    if (key.fallback() == null) {
      return "required";
    }
    return key.fallback().isEmpty() ? "" : "`" + key.fallback() + "`";
  }

  /** The units that figures may be written in, as a Markdown table. */
  public static String units() {
    StringBuilder table = new StringBuilder("| figure | example | units |\n|---|---|---|\n");
    for (Quantity quantity : Quantity.values()) {
      table.append("| ").append(quantity.label()).append(" | `").append(quantity.example());
      table.append("` | ").append(String.join(", ", quantity.unitNames())).append(" |\n");
    }
    return table.toString();
  }

  /** A JSON Schema (2020-12) of scenario files. */
  public static JsonNode jsonSchema() {
    ObjectNode schema = JSON.objectNode();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Tierwise scenario");
    schema.put("$ref", "#/$defs/" + ScenarioKeys.SCENARIO);
    ObjectNode definitions = schema.putObject("$defs");
    for (String section : ScenarioKeys.sections()) {
      ObjectNode definition = definitions.putObject(section);
      definition.put("type", "object");
      definition.put("description", ScenarioKeys.introduction(section));
      definition.put("additionalProperties", false);
      ObjectNode properties = definition.putObject("properties");
      for (ScenarioKey key : ScenarioKeys.of(section)) {
        ObjectNode property = value(key.kind());
        property.put("description", describe(key));
        properties.set(key.name(), property);
      }
    }
    return schema;
  }

  private static String describe(ScenarioKey key) {
    String fallback =
        key.fallback() == null || key.fallback().isEmpty()
            ? ""
            : " (default: " + key.fallback() + ")";
    return (key.meaning() + fallback).strip();
  }

  private static ObjectNode value(ValueKind kind) {
    if (kind instanceof Measure measure) {
      return type("string").put("pattern", pattern(measure));
    }
    if (kind instanceof ValueKind.WordedMeasure worded) {
      ObjectNode word = type("string").put("pattern", "^(" + worded.pattern() + ")$");
      return either(value(worded.measure()), word);
    }
    if (kind instanceof Count count) {
      ObjectNode number =
          type("integer").put("minimum", count.least()).put("maximum", count.most());
      return count.word().isEmpty() ? number : either(number, constant(count.word()));
    }
    if (kind instanceof ValueKind.Decimal number) {
      ObjectNode plain =
          type("number").put("minimum", number.least()).put("maximum", number.most());
      return number.share() ? either(plain, type("string").put("pattern", "%$")) : plain;
    }
    if (kind instanceof Choice choice) {
      ObjectNode words = JSON.objectNode();
      choice.words().forEach(words.putArray("enum")::add);
      return words;
    }
    if (kind instanceof ValueKind.Flag) {
      return type("boolean");
    }
    if (kind instanceof ValueKind.Texts) {
      ObjectNode list = type("array");
      list.set("items", type("string"));
      return either(type("string"), list);
    }
    return structure(kind);
  }

  private static ObjectNode structure(ValueKind kind) {
    if (kind instanceof Nested nested) {
      return reference(nested.section());
    }
    if (kind instanceof ListOf list) {
      ObjectNode array = type("array");
      ObjectNode item = reference(list.section());
      array.set("items", list.shortForm().isEmpty() ? item : either(item, type("string")));
      return array;
    }
    if (kind instanceof Named named) {
      ObjectNode mapping = type("object");
      mapping.set("additionalProperties", reference(named.section()));
      return mapping;
    }
    if (kind instanceof ValueKind.Curve) {
      ObjectNode curve = type("object");
      curve.set("additionalProperties", either(type("number"), type("string")));
      return curve;
    }
    if (kind instanceof ValueKind.Arrivals arrivals) {
      return either(reference(arrivals.section()), type("string"));
    }
    return type("string");
  }

  private static String pattern(Measure measure) {
    String units =
        measure.quantity().unitNames().stream()
            .map(Pattern::quote)
            .map(unit -> unit.replace("\\Q", "").replace("\\E", "").replace("$", "\\$"))
            .reduce((a, b) -> a + "|" + b)
            .orElseThrow();
    String number = "[0-9.]+([eE][+-]?[0-9]+)?";
    String written = measure.quantity() == Quantity.MONEY ? "\\$" + number + "|" : "";
    return "^("
        + written
        + number
        + " *("
        + units
        + ")|0"
        + (measure.orNone() ? "|none" : "")
        + ")$";
  }

  private static ObjectNode type(String name) {
    return JSON.objectNode().put("type", name);
  }

  private static ObjectNode constant(String word) {
    return JSON.objectNode().put("const", word);
  }

  private static ObjectNode reference(String section) {
    return JSON.objectNode().put("$ref", "#/$defs/" + section);
  }

  private static ObjectNode either(ObjectNode one, ObjectNode other) {
    ObjectNode either = JSON.objectNode();
    ArrayNode options = either.putArray("anyOf");
    options.add(one).add(other);
    return either;
  }
}
