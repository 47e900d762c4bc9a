package io.tierwise.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An Avro schema, as far as reading binary data needs it.
 *
 * <p>Source: Apache Avro specification, "Schema Declaration".
 */
final class AvroSchema {
  private static final int NESTING_MAX = 64;

  enum Kind {
    NULL,
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    BYTES,
    STRING,
    ENUM,
    FIXED,
    RECORD,
    ARRAY,
    MAP,
    UNION
  }

  final Kind kind;

  /** Without its namespace; empty for a type that has none. */
  final String name;

  /** Bytes of a {@link Kind#FIXED}. */
  final int size;

  /** Of a record, in the order of {@link #children}. */
  final List<String> fieldNames = new ArrayList<>();

  /** A record's fields, a union's branches, an array's elements, a map's values. */
  final List<AvroSchema> children = new ArrayList<>();

  private AvroSchema(Kind kind, String name, int size) {
    this.kind = kind;
    this.name = name;
    this.size = size;
  }

  /**
   * Reads a schema.
   *
   * @param where file and line, for the message
   */
  static AvroSchema parse(String json, String where) throws BadRowException {
    try {
      return new Parser(where).parse(new ObjectMapper().readTree(json), 0);
    } catch (JsonProcessingException e) {
      throw new BadRowException(where + ": " + Json.reason(e), e);
    }
  }

  private static final class Parser {
    private final String where;
    private final Map<String, AvroSchema> named = new HashMap<>();

    Parser(String where) {
      this.where = where;
    }

    AvroSchema parse(JsonNode node, int depth) throws BadRowException {
      if (node == null || depth > NESTING_MAX) {
        throw bad(depth > NESTING_MAX ? "nested too deeply" : "without a type");
      }
      if (node.isTextual()) {
        return ofName(node.asText());
      }
      if (node.isArray()) {
        AvroSchema union = new AvroSchema(Kind.UNION, "", 0);
        for (JsonNode branch : node) {
          union.children.add(parse(branch, depth + 1));
        }
        return union;
      }
      if (!node.path("type").isTextual()) {
        return parse(node.get("type"), depth + 1);
      }
      return ofObject(node, depth);
    }

    private AvroSchema ofObject(JsonNode node, int depth) throws BadRowException {
      String type = node.path("type").asText();
      String name = node.path("name").asText("");
      switch (type) {
        case "record", "error" -> {
          AvroSchema schema = remember(new AvroSchema(Kind.RECORD, name, 0));
          for (JsonNode field : node.path("fields")) {
            schema.fieldNames.add(field.path("name").asText(""));
            schema.children.add(parse(field.get("type"), depth + 1));
          }
          return schema;
        }
        case "enum" -> {
          return remember(new AvroSchema(Kind.ENUM, name, 0));
        }
        case "fixed" -> {
          return remember(new AvroSchema(Kind.FIXED, name, Math.max(0, node.path("size").asInt())));
        }
        case "array", "map" -> {
          boolean array = type.equals("array");
          AvroSchema schema = new AvroSchema(array ? Kind.ARRAY : Kind.MAP, "", 0);
          schema.children.add(parse(node.get(array ? "items" : "values"), depth + 1));
          return schema;
        }
        default -> {
          return ofName(type);
        }
      }
    }

    private AvroSchema remember(AvroSchema schema) {
      named.put(schema.name, schema);
      return schema;
    }

    private AvroSchema ofName(String fullName) throws BadRowException {
      String name = fullName.substring(fullName.lastIndexOf('.') + 1);
      AvroSchema known = named.get(name);
      if (known != null) {
        return known;
      }
      return switch (fullName) {
        case "null" -> new AvroSchema(Kind.NULL, "", 0);
        case "boolean" -> new AvroSchema(Kind.BOOLEAN, "", 0);
        case "int" -> new AvroSchema(Kind.INT, "", 0);
        case "long" -> new AvroSchema(Kind.LONG, "", 0);
        case "float" -> new AvroSchema(Kind.FLOAT, "", 0);
        case "double" -> new AvroSchema(Kind.DOUBLE, "", 0);
        case "bytes" -> new AvroSchema(Kind.BYTES, "", 0);
        case "string" -> new AvroSchema(Kind.STRING, "", 0);
        default -> throw bad("with the unknown type " + TraceException.quoted(fullName));
      };
    }

    private BadRowException bad(String problem) {
      return new BadRowException(where + ": is an Avro schema " + problem);
    }
  }
}
