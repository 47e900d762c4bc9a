package io.tierwise.cli;

import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Help whose descriptions are folded at blanks alone. Java folds behind dots, too: keys and paths
 * such as {@code fs.defaultFS} could then neither be copied nor be found.
 */
final class HelpLayout extends Help {
  HelpLayout(CommandSpec command, ColorScheme colors) {
    super(command, colors);
  }

  @Override
  public Layout createDefaultLayout(
      List<OptionSpec> options, List<PositionalParamSpec> parameters, ColorScheme colors) {
    TextTable usual = super.createDefaultLayout(options, parameters, colors).textTable();
    return new Layout(
        colors,
        new Unbroken(colors, usual.columns()),
        createDefaultOptionRenderer(),
        createDefaultParameterRenderer());
  }

  /** A table in which signs stand for letters while its cells are folded. */
  private static final class Unbroken extends TextTable {
    /** To characters for private use, between which nobody folds. */
    private static final int SHIFT = 0xE000;

    private final ColorScheme colors;

    Unbroken(ColorScheme colors, Column[] columns) {
      super(colors, columns);
      this.colors = colors;
    }

    @Override
    public Cell putValue(int row, int column, Text value) {
      boolean isPlain = value != null && value.toString().equals(value.plainString());
      return super.putValue(
          row,
          column,
          isPlain ? colors.ansi().new Text(hidden(value.plainString()), colors) : value);
    }

    private static String hidden(String text) {
      StringBuilder hidden = new StringBuilder(text);
      for (int i = 0; i < text.length(); i++) {
        char sign = text.charAt(i);
        if (sign > ' ' && sign < 0x7F && !Character.isLetterOrDigit(sign)) {
          hidden.setCharAt(i, (char) (sign + SHIFT));
        }
      }
      return hidden.toString();
    }

    @Override
    public StringBuilder toString(StringBuilder text) {
      int start = text.length();
      super.toString(text);
      for (int i = start; i < text.length(); i++) {
        if (text.charAt(i) > SHIFT && text.charAt(i) < SHIFT + 0x7F) {
          text.setCharAt(i, (char) (text.charAt(i) - SHIFT));
        }
      }
      return text;
    }
  }
}
