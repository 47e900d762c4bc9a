package io.tierwise.cli;

import io.tierwise.cli.output.Output;
import io.tierwise.core.message.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with the words on the command line: what, how the command is used, where more
 * is told. Not the whole help, which would push the first line off the screen.
 */
final class UsageLines implements IParameterExceptionHandler {
  /** The parser's own words. */
  private static final String MISSING_COMMAND = "Missing required subcommand";

  private static final Map<String, String> TYPES =
      Map.of(
          "' is not a short", "' is no whole number of at most " + Short.MAX_VALUE,
          "' is not an int", "' is no whole number of at most " + Integer.MAX_VALUE,
          "' is not a long", "' is no whole number of at most " + Long.MAX_VALUE,
          "' is not a double", "' is no number");

  /** As pages and tables write a share; options of percent take the number alone. */
  private static final Pattern PERCENT =
      Pattern.compile(".*'([\\d.]+)%' is no (?:whole )?number.*");

  /** How the parser tells of a value that a class of Java refuses, and of the exception's words. */
  private static final Pattern CONVERTED =
      Pattern.compile("(.*): cannot convert '.*' to (?:class )?[\\w.]+ \\((?:[\\w.]+: )?(.*)\\)");

  @Override
  public int handleParseException(ParameterException thrown, String[] arguments) {
    CommandLine line = thrown.getCommandLine();
    CommandSpec command = line.getCommandSpec();
    Output.say(command, message(thrown, line) + suggestion(thrown, line));
    line.getErr().println("Usage: " + line.getHelp().abbreviatedSynopsis().strip());
    line.getErr().println("'" + command.qualifiedName() + " --help' says more.");
    line.getErr().flush();
    return ExitCode.BAD_INPUT;
  }

  private static String message(ParameterException thrown, CommandLine line) {
    if (thrown instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String first = unmatched.getUnmatched().get(0);
      return line.getSubcommands().isEmpty()
          ? "'" + first + "' is a word too many"
          : "there is no command '" + first + "'";
    }
    return MISSING_COMMAND.equals(thrown.getMessage())
        ? "name a command: " + String.join(", ", commands(line))
        : lowerCase(String.valueOf(thrown.getMessage()));
  }

  private static List<String> commands(CommandLine line) {
    return line.getSubcommands().keySet().stream()
        .filter(name -> !name.equals("help") && !name.equals("generate-completion"))
        .toList();
  }

  /**
   * The parser's sentences begin with a capital, stutter and name types of Java; those of the
   * commands do not.
   */
  private static String lowerCase(String message) {
    String first = message.lines().findFirst().orElse("").strip();
    first = first.replace("option option", "option").replaceFirst("^Error: ", "");
    for (Map.Entry<String, String> type : TYPES.entrySet()) {
      first = first.replace(type.getKey(), type.getValue());
    }
    Matcher percent = PERCENT.matcher(first);
    if (percent.matches()) {
      first += ": write " + percent.group(1);
    }
    Matcher converted = CONVERTED.matcher(first);
    first = converted.matches() ? converted.group(1) + ": " + converted.group(2) : first;
    return first.substring(0, Math.min(1, first.length())).toLowerCase(Locale.ROOT)
        + first.substring(Math.min(1, first.length()));
  }

  private static String suggestion(ParameterException thrown, CommandLine line) {
    if (!(thrown instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    if (!unmatched.isUnknownOption()) {
      return Nearest.to(unmatched.getUnmatched().get(0), line.getSubcommands().keySet())
          .map(word -> "; did you mean '" + word + "'?")
          .orElse("");
    }
    List<String> suggestions = unmatched.getSuggestions();
    return suggestions.isEmpty() ? "" : "; did you mean " + String.join(" or ", suggestions) + "?";
  }
}
