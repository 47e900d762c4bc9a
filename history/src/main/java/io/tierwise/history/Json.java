package io.tierwise.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * JSON as a stream of tokens: only values that are asked for are kept, so that a document of any
 * size costs no memory.
 */
public final class Json {
  private static final int NAME_CHARACTERS_MAX = 4096;

  /** Names are not kept in a table that lives on: a hostile file has endless different ones. */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(200)
                  .maxNumberLength(100)
                  .maxNameLength(NAME_CHARACTERS_MAX)
                  .maxStringLength(1 << 20)
                  .build())
          .build();

  /** Takes the value of a field; the parser stands on the value's first token. */
  @FunctionalInterface
  public interface FieldReader {
    void read(String field) throws IOException;
  }

  private Json() {}

  /** A parser of a stream, which it leaves open. */
  public static JsonParser parser(InputStream in) throws IOException {
    return FACTORY.createParser(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /**
   * Reads an object field by field. Values that the reader leaves are skipped. Does nothing with a
   * null.
   *
   * @param place for the message
   */
  public static void eachField(JsonParser parser, String place, FieldReader reader)
      throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new BadRowException(place + " is no JSON object");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      reader.read(field);
      parser.skipChildren();
    }
  }

  /** Reads an array element by element; see {@link #eachField}. */
  public static void eachElement(JsonParser parser, String place, FieldReader reader)
      throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new BadRowException(place + " is no JSON array");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      reader.read("");
      parser.skipChildren();
    }
  }

  /**
   * The text of a value, cut to what a name needs; empty for anything but a text. JSON may escape
   * half of a surrogate pair, which no file can hold: it is a question mark here.
   */
  public static String text(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      return "";
    }
    String text = parser.getText();
    String name =
        text.length() > NAME_CHARACTERS_MAX ? text.substring(0, NAME_CHARACTERS_MAX) : text;
    boolean whole = name.chars().noneMatch(c -> Character.isSurrogate((char) c));
    return whole ? name : new String(name.getBytes(UTF_8), UTF_8);
  }

  /**
   * A whole number from 0 to a maximum. -1 and null, by which these formats say that a figure is
   * not known, count as 0.
   */
  public static long number(JsonParser parser, String place, String field, long max)
      throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return 0;
    }
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && parser.getTextLength() <= 19) {
      long value = parser.getTextLength() == 19 ? parseLong(parser) : parser.getLongValue();
      if (value >= -1 && value <= max) {
        return Math.max(0, value);
      }
    }
    String shown =
        parser.currentToken().isScalarValue()
            ? TraceException.quoted(parser.getText())
            : "no number";
    throw new BadRowException(
        place + ": " + field + " is " + shown + ", must be a whole number from 0 to " + max);
  }

  /** Nineteen characters may be more than a long holds: then it is more than any maximum, too. */
  private static long parseLong(JsonParser parser) throws IOException {
    try {
      return Long.parseLong(parser.getText());
    } catch (NumberFormatException e) {
      return Long.MIN_VALUE;
    }
  }

  /** The fault of the text, in one line and without quoting it at length. */
  public static String reason(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    String line = message == null ? "" : message.lines().findFirst().orElse("");
    int source = line.indexOf(" (start marker at");
    String shown = source < 0 ? line : line.substring(0, source);
    return "is not JSON (" + TraceException.printable(shown, 120) + ")";
  }
}
