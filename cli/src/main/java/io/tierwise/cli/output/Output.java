package io.tierwise.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Section;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.TextTable;
import io.tierwise.core.message.Words;
import java.io.PrintWriter;
import java.util.List;
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

  /** Prints a line of the answer. */
  public void line(String text) {
    out().println(text);
    out().flush();
  }

  /** Prints a line of the answer, folded to the width of a terminal. */
  public void fold(String text) {
    line(Fold.text(text));
  }

  public void table(Table table) {
    TextTable.lines(table).forEach(this::line);
  }

  /** Prints a section of an answer, with an empty line before each of its tables. */
  public void section(Section section) {
    for (Table table : section.tables()) {
      line("");
      table(table);
    }
    if (section.tables().isEmpty()) {
      line("");
    }
    section.below().forEach(this::fold);
  }

  /** Prints an answer: as JSON, or the table of it. */
  public void answer(Object value, Table table) {
    answer(value, () -> table(table));
  }

  /** Prints an answer: as JSON, or in words. */
  public void answer(Object value, Runnable words) {
    if (json()) {
      printJson(value);
    } else {
      words.run();
    }
  }

  /** Prints one of many values: as JSON in a line, or in words. */
  public void answerLine(Object value, Runnable words) {
    if (json()) {
      printJsonLine(value);
    } else {
      words.run();
    }
  }

  /**
   * Ends a command whose answer nobody reads any more, or cannot be written: one that prints until
   * Ctrl-C, or as long as it finds something. A writer tells of that only when it is asked.
   */
  public void requireReader() {
    // The parser's writer buffers what System.out takes, and that one hears of the pipe.
    if (out().checkError() || System.out.checkError()) {
      throw new ReaderGone();
    }
  }

  /** Prints a table, and lines below it. */
  public static void print(Table table, List<String> below, PrintWriter out) {
    TextTable.lines(table).forEach(out::println);
    out.println();
    below.forEach(line -> out.println(Fold.text(line)));
    out.flush();
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
    err.println(command.qualifiedName() + ": " + Words.plain(text));
    err.flush();
  }

  /** Prints a value (records, maps, lists) as JSON with snake_case names. */
  public void printJson(Object value) {
    line(toJson(value));
  }

  /** Prints a value as JSON in one line, for answers of many values: one a line. */
  public void printJsonLine(Object value) {
    out().println(json(LINE_MAPPER, value));
  }

  /** The JSON text of a value, names in snake_case. */
  public static String toJson(Object value) {
    return json(MAPPER, value);
  }

  private static String json(ObjectMapper mapper, Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
    }
  }
}
