package io.tierwise.cli.explain;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.MountTable;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.explain.AccessOfClient;
import io.tierwise.hadoop.inspect.explain.Explanation;
import io.tierwise.hadoop.inspect.explain.FileExplainer;
import io.tierwise.hadoop.inspect.explain.FilesToExplain;
import io.tierwise.hadoop.inspect.explain.ReaderNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

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
              + " /rack1/host1 (default: this machine).")
  private String reader;

  private boolean malformed;

  @Override
  public Integer call() throws IOException {
    Configuration asClient = cluster.configuration();
    TierConfiguration own = TierConfiguration.load(asClient);
    Configuration conf = new Configuration(asClient);
    // Ask for the NameNode's own order: the strategy is applied here, where its reason is seen.
    conf.set(MountTable.clientKey(conf), DistributedFileSystem.class.getName());
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      if (reader != null) {
        conf.set(ClientKeys.LOCATION, ReaderNode.location(place.fs(), reader));
      }
      NameNodePlugin plugin = new NameNodePlugin(place.fs(), conf);
      NameNodePlugin.Answer active = plugin.ofActive();
      FileExplainer explainer =
          new FileExplainer(
              place.fs(),
              conf,
              plugin,
              active,
              plugin.tiersInForce(active, own),
              new AccessOfClient(asClient, own),
              access);
      new FilesToExplain(place, explainer)
          .read(
              path,
              new FilesToExplain.Reader() {
                @Override
                public void file(Explanation explanation) {
                  print(explanation, output::printJson);
                }

                @Override
                public void match(Explanation explanation) {
                  print(explanation, output::printJsonLine);
                }

                @Override
                public void gone(String plain) {
                  output.say(plain + " went away while others were explained");
                }
              });
    }
    return malformed ? ExitCode.BAD_INPUT : 0;
  }

  private void print(Explanation explanation, Consumer<Explanation> asJson) {
    if (output.json()) {
      asJson.accept(explanation);
    } else {
      ExplanationText.print(explanation, output.out());
    }
    output.out().flush();
    malformed |= !explanation.malformed().isEmpty();
    explanation.malformed().forEach(output::say);
  }
}
