package io.tierwise.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code help}: picocli's own takes one word only, and shows {@code policy} for "policy set". */
@Command(name = "help", helpCommand = true, description = "Shows how a command is used.")
public final class HelpCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command's words, such as 'policy set'; none: all commands.")
  private List<String> words = List.of();

  @Override
  public void run() {
    CommandLine command = spec.commandLine().getParent();
    for (String word : words) {
      CommandLine next = command.getSubcommands().get(word);
      if (next == null) {
        throw new ParameterException(
            spec.commandLine(),
            "'" + command.getCommandSpec().qualifiedName() + "' has no command '" + word + "'");
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
  }
}
