package io.tierwise.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The {@code --json} option and the two ways of printing; mixed into every command that answers.
 */
public final class Output {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .build();

  private static final ObjectMapper LINE_MAPPER =
      MAPPER.copy().disable(SerializationFeature.INDENT_OUTPUT);

  @Option(names = "--json", description = "Print JSON instead of a table.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  public boolean json() {
    return json;
  }

  public PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Progress goes here, so that standard output stays a clean answer. */
  public PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** Says something beside the answer: a warning, a hint, what was done. */
  public void say(String text) {
    say(command, text);
  }

  /** Says something on standard error, in the form that all messages of all commands have. */
  public static void say(CommandSpec command, String text) {
    PrintWriter err = command.commandLine().getErr();
    err.println(command.qualifiedName() + ": " + plain(text));
    err.flush();
  }

  /** Prints a value (records, maps, lists) as JSON with snake_case names. */
  public void printJson(Object value) {
    out().println(toJson(value));
    out().flush();
  }

  /** Prints a value as JSON in one line, for answers of many values: one a line. */
  public void printJsonLine(Object value) {
    try {
      out().println(LINE_MAPPER.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
    }
  }

  /** The JSON text of a value, names in snake_case. */
  public static String toJson(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
    }
  }

  /** A state as JSON has it: one word in lower case, {@code in_service} for "In Service". */
  public static String word(String state) {
    return state.toLowerCase(Locale.ROOT).replace(' ', '_');
  }

  /**
   * A name or value that a user of the cluster stored, for a terminal: signs that would move its
   * cursor, colour it or begin a line are question marks.
   */
  public static String plain(String text) {
    StringBuilder shown = null;
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        shown = shown == null ? new StringBuilder(text) : shown;
        shown.setCharAt(i, '?');
      }
    }
    return shown == null ? text : shown.toString();
  }

  /** A count and what is counted, as people say it: {@code 1 file}, {@code 1,200 files}. */
  public static String count(long count, String noun) {
    boolean onY = noun.endsWith("y") && !noun.endsWith("ay");
    String plural = onY ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? noun : plural);
  }

  /** Bytes with a binary unit, for people. */
  public static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  /** A share between 0 and 1 as a percentage; a dash when it is not a number. */
  public static String percent(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f%%", 100 * share) : "-";
  }
}
