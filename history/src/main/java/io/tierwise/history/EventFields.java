package io.tierwise.history;

import java.io.IOException;

/**
 * Events of a log, each read field by field in the order of the file, whatever its encoding. A
 * value that a reader leaves is skipped.
 */
public interface EventFields extends Position {
  /** Reads the fields of the next event; false after the last. */
  boolean next(Json.FieldReader reader) throws IOException;

  /**
   * Reads the fields of the value at hand. One of several possible records counts as a record of
   * one field, which has the name of the one that it is.
   */
  void eachField(Json.FieldReader reader) throws IOException;

  /** Reads the elements of the value at hand. */
  void eachElement(Json.FieldReader reader) throws IOException;

  /** The value at hand, a whole number from 0 to a maximum; -1, "not known", counts as 0. */
  long number(String field, long max) throws IOException;

  /** The value at hand, a text; empty when it is none. */
  String text() throws IOException;
}
