package io.tierwise.cli.testbed;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.SignalGuard;
import io.tierwise.lab.testbed.NodeNames;
import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tierwise testbed run}: a command of the user's inside a node. */
@Command(
    name = "run",
    description = {
      "Runs a command inside a node: its network, its host name, its I/O limits,"
          + " and HADOOP_CONF_DIR set to its configuration.",
      "Ends with the command's own exit code; Ctrl-C ends the command and its children."
    },
    footer = "  tierwise testbed run r1n3 -- bin/tierwise tiers list")
final class TestbedRunCommand implements Callable<Integer> {
  @Mixin private TestbedOptions options;
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "NODE", description = "For example nn or r1n1.")
  private String nodeName;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "With arguments.")
  private List<String> command;

  @Override
  public Integer call() {
    Testbed.requireMachine();
    Testbed testbed = options.testbed(spec.commandLine().getErr()::println);
    TestbedPlan plan = testbed.plan();
    NodePlan node = NodeNames.require(plan, nodeName);
    ProcessBuilder builder = testbed.command(node, words(command)).inheritIO();
    try {
      Process process = builder.start();
      String late = "processes of the command may be left in node " + nodeName;
      // The terminal's signals do not reach it: it has a session of its own.
      try (SignalGuard signal =
          SignalGuard.telling(() -> say(late), () -> NodeProcesses.end(process))) {
        int code = process.waitFor();
        if (signal.signalled()) {
          say("interrupted: the command in node " + nodeName + " is ended");
          return ExitCode.INTERRUPTED;
        }
        return code;
      }
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot run the command in node " + nodeName + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OperatorException.cluster("interrupted", e);
    }
  }

  private void say(String text) {
    Output.say(spec, text);
  }

  /** The words behind the node, without the two dashes that may stand before them. */
  static List<String> words(List<String> command) {
    return command.get(0).equals("--") ? command.subList(1, command.size()) : command;
  }
}
