package io.tierwise.cli.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.cli.TierwiseCommand;
import io.tierwise.lab.testbed.NodeNames;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Arguments behind the node's name belong to another program. */
class TestbedRunArgumentsTest {
  @Test
  void aNodeIsFoundByItsNameAndByItsAddress() {
    TestbedPlan plan = new TestbedPlan("t2", 2, 2, 20, 10_000, 1, 2000, true);
    for (NodePlan node : plan.nodes()) {
      assertThat(NodeNames.require(plan, node.name())).isEqualTo(node);
      assertThat(NodeNames.require(plan, node.address())).isEqualTo(node);
    }
    assertThatThrownBy(() -> NodeNames.require(plan, "r9n9"))
        .hasMessageContaining("no node is named \"r9n9\"; the testbed has: nn, r1n1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "testbed run --name t2 r1n1 hdfs dfs -ls --json /",
        "testbed run --name t2 r1n1 -- hdfs dfs -ls --json /"
      })
  void optionsOfTheCommandAreNotTaken(String line) {
    CommandLine.ParseResult result =
        TierwiseCommand.commandLine().parseArgs(line.split(" ")).subcommand().subcommand();
    assertThat(result.matchedOptionValue("--name", "")).isEqualTo("t2");
    List<String> words = result.matchedPositionals().get(1).getValue();
    assertThat(TestbedRunCommand.words(words)).containsExactly("hdfs", "dfs", "-ls", "--json", "/");
  }
}
