package io.tierwise.cli.testbed;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.testbed.host.NodeProcesses;
import io.tierwise.cli.testbed.plan.HadoopConfiguration;
import io.tierwise.cli.testbed.plan.NodePlan;
import io.tierwise.cli.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code tierwise testbed run}: a command of the user's inside a node. */
@Command(
    name = "run",
    description = {
      "Runs a command inside a node: its network, its host name, its I/O limits,",
      "and HADOOP_CONF_DIR set to its configuration"
    },
    mixinStandardHelpOptions = true)
final class TestbedRunCommand extends TestbedAction {
  @Parameters(index = "0", paramLabel = "NODE", description = "For example nn or r1n1")
  private String nodeName;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "With arguments")
  private List<String> command;

  @Override
  void act(Testbed testbed) {
    TestbedPlan plan = testbed.plan();
    NodePlan node = NodeNames.require(plan, nodeName);
    HadoopConfiguration configuration = new HadoopConfiguration(plan, testbed.folder());
    ProcessBuilder builder =
        new ProcessBuilder(
                new NodeProcesses(plan, testbed.host().limits()).inside(node.name(), command))
            .inheritIO();
    builder.environment().put("HADOOP_CONF_DIR", configuration.of(node).toString());
    builder
        .environment()
        .put("TIERWISE_JAVA_OPTS", "-Djdk.net.hosts.file=" + configuration.hostsFile());
    builder.environment().put("HADOOP_OPTS", "-Djdk.net.hosts.file=" + configuration.hostsFile());
    try {
      int exitCode = builder.start().waitFor();
      if (exitCode != 0) {
        throw OperatorException.cluster("the command ended with exit code " + exitCode, null);
      }
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot run the command in node " + nodeName + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OperatorException.cluster("interrupted", e);
    }
  }
}
