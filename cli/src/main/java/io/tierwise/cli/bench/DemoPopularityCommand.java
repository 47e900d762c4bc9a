package io.tierwise.cli.bench;

import io.tierwise.cli.output.Output;
import io.tierwise.lab.demo.PopularityDemo;
import io.tierwise.lab.demo.PopularityResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise demo popularity}. */
@Command(
    name = "popularity",
    description = {
      "Starts a real HDFS in this process on emulated devices; reads a hot set that shifts from"
          + " phase to phase, and compares a fast tier that nobody manages with one that follows"
          + " LRU, AptStore's PPA or an oracle, by the NameNode's audit log and the mover.",
      "Then a real YARN beside it: a MapReduce job that was profiled waits, and finds its input"
          + " prefetched and its intermediate data on the fast tier."
    },
    footer = "  tierwise demo popularity")
public final class DemoPopularityCommand implements Callable<Integer> {
  @Mixin private Output output;
  @Mixin private DemoFolder folder;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Makes contents and reads again (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--quick",
      description = "Little data, three phases: shows that all works, not how fast.")
  private boolean quick;

  @Override
  public Integer call() throws IOException {
    PopularityDemo demo = new PopularityDemo(folder.made(), seed, quick);
    DemoProgress progress = new DemoProgress(output);
    progress.say(demo.introduction());
    PopularityResult result = demo.run(progress);
    Files.writeString(folder.path().resolve("popularity.json"), Output.toJson(result.columns()));
    if (output.json()) {
      output.printJson(result.columns());
    } else {
      output.table(result.table());
      output.line("");
      output.table(result.phases());
      output.line("");
      result.sentences().forEach(output::fold);
    }
    progress.say("Results: " + folder.path().resolve("popularity.json") + " and .svg");
    return 0;
  }
}
