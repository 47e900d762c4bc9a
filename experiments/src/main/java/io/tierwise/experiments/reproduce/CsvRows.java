package io.tierwise.experiments.reproduce;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads comma-separated files: cells may stand in double quotes, lines may not be broken. */
final class CsvRows {
  private CsvRows() {}

  /**
   * All lines after the header, each with as many cells as the header.
   *
   * @param header the first line, as it must be
   */
  static List<List<String>> read(Path file, String header) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.get(0).equals(header)) {
      throw OperatorException.badInput(file + ": the first line must be: " + header);
    }
    int cells = header.split(",").length;
    List<List<String>> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      List<String> row = split(lines.get(i));
      if (row.size() != cells) {
        throw OperatorException.badInput(
            file + ":" + (i + 1) + ": has " + row.size() + " cells, must have " + cells);
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<String> split(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        cell.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString());
    return cells;
  }
}
