package io.tierwise.cli.bench;

import io.tierwise.cli.output.Output;
import io.tierwise.lab.demo.MovementDemo;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise demo movement}. */
@Command(
    name = "movement",
    description = {
      "Starts a real HDFS in this process on emulated devices; moves stored data between tiers"
          + " while a reader runs, loses a node, waits until its replicas are back, undoes the"
          + " move, and has repaired what the monitor finds then."
    },
    footer = "  tierwise demo movement")
public final class DemoMovementCommand implements Callable<Integer> {
  @Mixin private Output output;
  @Mixin private DemoFolder folder;

  @Option(
      names = "--quick",
      description = "A quarter of the data, short phases: shows that all works, not how fast.")
  private boolean quick;

  @Override
  public Integer call() throws IOException {
    MovementDemo demo = new MovementDemo(folder.made(), quick);
    DemoProgress progress = new DemoProgress(output);
    progress.say(demo.introduction());
    MovementDemo.Result result = demo.run(progress);
    Files.writeString(folder.path().resolve("movement.json"), Output.toJson(result.columns()));
    if (output.json()) {
      output.printJson(result.columns());
    } else {
      output.table(result.table());
      result.sentences().forEach(output::fold);
    }
    progress.say("Results: " + folder.path().resolve("movement.json") + " and .svg");
    return 0;
  }
}
