package io.tierwise.core.message;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Lines of comma-separated values. */
public final class Csv {
  private Csv() {}

  /** One line, without its end; a cell of null is empty. */
  public static String line(List<?> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(","));
  }

  private static String cell(Object value) {
    String text = Objects.toString(value, "");
    return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
