package io.tierwise.simulator.workload.trace;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file of one JSON object a line. A line that is no JSON does not keep the next from being read.
 */
final class JsonLines implements Closeable {
  private final LineStream lines;
  private JsonParser parser;

  JsonLines(Path file) throws IOException {
    lines = new LineStream(TraceFile.open(file));
  }

  /** The next line as it stands; null after the last. */
  String nextText() throws IOException {
    return lines.nextLine() ? lines.text() : null;
  }

  /** Goes past a line without looking at it; false when there is none. */
  boolean skip() throws IOException {
    return lines.nextLine();
  }

  /**
   * Reads the object on the next line that is not blank, field by field.
   *
   * @return false after the last line
   * @throws BadRowException when the line is no JSON object
   */
  boolean next(Json.FieldReader reader) throws IOException {
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

  /** Of the line being read. */
  JsonParser parser() {
    return parser;
  }

  long number(String field, long max) throws IOException {
    return Json.number(parser, where(), field, max);
  }

  String text() throws IOException {
    return Json.text(parser);
  }

  void eachField(Json.FieldReader reader) throws IOException {
    Json.eachField(parser, where(), reader);
  }

  void eachElement(Json.FieldReader reader) throws IOException {
    Json.eachElement(parser, where(), reader);
  }

  String where() {
    return lines.where();
  }

  double progress() {
    return lines.progress();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
