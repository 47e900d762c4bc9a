package io.tierwise.history;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * A file of one JSON object a line. A line that is no JSON does not keep the next from being read.
 */
public final class JsonLines extends Position.OfBelow implements EventFields {
  private final LineStream lines;
  private JsonParser parser;

  public JsonLines(HistoryFile file) throws IOException {
    this(new LineStream(TraceFile.open(file)));
  }

  /** The lines that follow in a file. */
  JsonLines(LineStream lines) {
    super(lines);
    this.lines = lines;
  }

  /**
   * Reads the object on the next line that is not blank, field by field.
   *
   * @return false after the last line
   * @throws BadRowException when the line is no JSON object
   */
  @Override
  public boolean next(Json.FieldReader reader) throws IOException {
    while (lines.nextLine()) {
      try (JsonParser ofLine = Json.parser(lines)) {
        parser = ofLine;
        if (parser.nextToken() != null) {
          Json.eachField(parser, where(), reader);
          return true;
        }
      } catch (JsonProcessingException e) {
        throw new BadRowException(where() + ": " + Json.reason(e), e);
      }
    }
    return false;
  }

  @Override
  public long number(String field, long max) throws IOException {
    return Json.number(parser, where(), field, max);
  }

  @Override
  public String text() throws IOException {
    return Json.text(parser);
  }

  /** Whether a value is {@code true}. */
  boolean flag() throws IOException {
    return parser.currentToken() == JsonToken.VALUE_TRUE;
  }

  @Override
  public void eachField(Json.FieldReader reader) throws IOException {
    Json.eachField(parser, where(), reader);
  }

  @Override
  public void eachElement(Json.FieldReader reader) throws IOException {
    Json.eachElement(parser, where(), reader);
  }
}
