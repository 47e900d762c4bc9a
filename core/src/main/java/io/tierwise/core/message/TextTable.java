package io.tierwise.core.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Lays a table out in lines of 80 characters: columns as wide as their widest cell, two blanks
 * apart.
 *
 * <p>A table that would be wider gives way by rule. Text cells become narrower, the widest column
 * first, none below {@value #TEXT_CHARACTERS_MIN} characters: sentences are folded, names are cut
 * so that no two of a column look alike. Numbers are never cut: when that is not enough, columns
 * stand below, behind the first columns once more, and text stays as wide as a line can have it. A
 * row that has nothing to say there is left out.
 */
public final class TextTable {
  /** The width of a terminal that nobody has made wider. */
  public static final int WIDTH = 80;

  private static final int TEXT_CHARACTERS_MIN = 16;
  private static final int KEYS_WIDTH = 48;
  private static final int GAP = 2;

  private final Table table;
  private final List<String> lines = new ArrayList<>();

  private TextTable(Table table) {
    this.table = table;
  }

  /** The lines of a table, its titles first. */
  public static List<String> lines(Table table) {
    TextTable text = new TextTable(table);
    text.layOut();
    return text.lines;
  }

  private void layOut() {
    int[] widths = narrowed(natural());
    int keys = keyColumns(widths);
    int room = WIDTH - GAP - width(IntStream.range(0, keys).boxed().toList(), widths);
    for (int i = keys; i < widths.length; i++) {
      if (!table.isNumber(i)) {
        widths[i] = Math.min(widths[i], room);
      }
    }
    List<Function<String, List<String>>> folds = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      folds.add(fold(i, widths[i]));
    }
    int next = keys;
    while (next < widths.length) {
      if (next > keys) {
        lines.add("");
      }
      List<Integer> columns = new ArrayList<>(IntStream.range(0, keys).boxed().toList());
      do {
        columns.add(next++);
      } while (next < widths.length && width(columns, widths) + GAP + widths[next] <= WIDTH);
      addRow(widths, folds, columns, table.titles());
      for (List<String> row : table.rows()) {
        if (!columns.stream().allMatch(column -> row.get(column).isBlank())) {
          addRow(widths, folds, columns, row);
        }
      }
    }
  }

  private int[] natural() {
    int[] widths = new int[table.titles().size()];
    widen(widths, table.titles());
    table.rows().forEach(row -> widen(widths, row));
    return widths;
  }

  private static void widen(int[] widths, List<String> cells) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], cells.get(i).length());
    }
  }

  /** Takes what is too much from the widest column of text, character by character. */
  private int[] narrowed(int[] natural) {
    int[] widths = natural.clone();
    if (narrow(widths, widths.length, WIDTH)) {
      return widths;
    }
    int texts = 1;
    while (texts < natural.length && !table.isNumber(texts)) {
      texts++;
    }
    int[] inParts = natural.clone();
    narrow(inParts, texts, KEYS_WIDTH);
    return inParts;
  }

  /** Makes the first columns fit; whether that was possible. */
  private boolean narrow(int[] widths, int count, int most) {
    while (width(IntStream.range(0, count).boxed().toList(), widths) > most) {
      int widest = -1;
      for (int i = 0; i < count; i++) {
        boolean gives =
            !table.isNumber(i)
                && widths[i] > Math.max(TEXT_CHARACTERS_MIN, table.titles().get(i).length());
        if (gives && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return false;
      }
      widths[widest]--;
    }
    return true;
  }

  /** The leading columns of text, as far as they leave room for numbers; at least one column. */
  private int keyColumns(int[] widths) {
    if (table.keyCount() > 0) {
      return table.keyCount();
    }
    int keys = 0;
    int width = 0;
    while (keys < widths.length - 1 && !table.isNumber(keys)) {
      width += (keys == 0 ? 0 : GAP) + widths[keys];
      if (keys > 0 && width > KEYS_WIDTH) {
        break;
      }
      keys++;
    }
    return Math.min(Math.max(1, keys), widths.length - 1);
  }

  private static int width(List<Integer> columns, int[] widths) {
    return columns.stream().mapToInt(i -> widths[i] + GAP).sum() - GAP;
  }

  /** How a cell of the column is shown in that width. */
  private Function<String, List<String>> fold(int column, int width) {
    Map<String, List<String>> names =
        Fold.names(
            table.rows().stream().map(row -> row.get(column)).filter(Fold::isName).toList(), width);
    return cell -> names.getOrDefault(cell, Fold.lines(cell, width, ""));
  }

  private void addRow(
      int[] widths,
      List<Function<String, List<String>>> folds,
      List<Integer> columns,
      List<String> cells) {
    List<List<String>> folded = new ArrayList<>();
    int lines = 1;
    for (int column : columns) {
      folded.add(folds.get(column).apply(cells.get(column)));
      lines = Math.max(lines, folded.get(folded.size() - 1).size());
    }
    for (int i = 0; i < lines; i++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns.size(); c++) {
        List<String> parts = folded.get(c);
        String cell = i < parts.size() ? parts.get(i) : "";
        String padding = " ".repeat(widths[columns.get(c)] - cell.length());
        line.append(c == 0 ? "" : " ".repeat(GAP));
        line.append(table.isNumber(columns.get(c)) ? padding + cell : cell + padding);
      }
      this.lines.add(line.toString().stripTrailing());
    }
  }
}
