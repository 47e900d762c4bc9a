package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.hadoop.inspect.explain.Explanation;
import io.tierwise.hadoop.inspect.explain.FilesToExplain;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints every block and replica of a file: what is wanted, what is, and what would be read. */
@Command(
    name = "explain",
    description = {
      "Prints every block and replica of a file: the policy that is in force now and where it"
          + " stands; what it wants each replica to be and what the replica is (! marks those that"
          + " are elsewhere); whether the block is older than the policy, where that is known; and"
          + " which replica a client here would read first, and why.",
      "Replicas stand in the order in which a reader would ask them. With --json an object, for a"
          + " pattern one a line.",
      "Exit code 2 when a policy or strategy that stands there is malformed and hence ignored."
    },
    footer = "  tierwise explain /warehouse/part-0")
public final class ExplainCommand extends ClusterCommand {
  @Parameters(
      paramLabel = "PATH",
      description = "A file, also one in a snapshot; or a pattern such as '/data/part-*'.")
  private String path;

  @Option(
      names = "--access",
      paramLabel = "SPEC",
      description = "Explain this access strategy instead of the one that a client would use.")
  private String access;

  @Option(
      names = "--reader",
      paramLabel = "NODE",
      description =
          "Take the reader to be there: a DataNode's host name or address, or any RACK/HOST such as"
              + " /rack1/host1 (default: this machine). Replicas then count as listed by distance"
              + " from there: the NameNode lists them for this machine.")
  private String reader;

  private boolean malformed;

  @Override
  public Integer call() throws IOException {
    FilesToExplain.read(
        cluster.configuration(),
        new FilesToExplain.Wish(path, access, reader),
        new FilesToExplain.Reader() {
          @Override
          public void file(Explanation explanation) {
            print(explanation, output::printJson);
          }

          @Override
          public void match(Explanation explanation) {
            print(explanation, output::printJsonLine);
            output.requireReader();
          }

          @Override
          public void gone(String plain) {
            output.say(plain + " went away while others were explained");
          }
        });
    return malformed ? ExitCode.BAD_INPUT : 0;
  }

  private void print(Explanation explanation, Consumer<Explanation> asJson) {
    if (output.json()) {
      asJson.accept(explanation);
    } else {
      explanation.sentences().forEach(output::fold);
      if (explanation.blocks().isEmpty()) {
        output.line("no block: the file is empty");
      } else {
        output.table(explanation.table());
      }
    }
    output.out().flush();
    malformed |= !explanation.malformed().isEmpty();
    explanation.malformed().forEach(output::say);
  }
}
