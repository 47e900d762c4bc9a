package io.tierwise.cli.embedded;

import io.tierwise.cli.TierwiseCommand;
import io.tierwise.cli.output.Output;
import io.tierwise.lab.embedded.Background;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlace;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.lab.embedded.EmbeddedServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs an embedded cluster until it is told to end, for commands with {@code --embedded}. */
@Command(
    name = "embedded",
    description = {
      "Runs a real HDFS in one process on emulated devices: nine DataNodes in three racks, with the"
          + " plug-ins.",
      "Runs until Ctrl-C, or with --background until --stop. Other commands find it with --embedded"
          + " when they run in the same directory. It begins with a file /data/example; its data is"
          + " gone when it ends."
    },
    footer = "  tierwise embedded --background")
public final class EmbeddedCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--speed-factor",
      paramLabel = "FACTOR",
      description = "Speed of the emulated devices and links (default: ${DEFAULT-VALUE}).",
      defaultValue = "0.25")
  private double speedFactor;

  @Option(
      names = "--background",
      description = "Return as soon as it serves; it goes on without a terminal.")
  private boolean background;

  @Option(names = "--stop", description = "End the one that runs here, and remove its files.")
  private boolean stop;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (stop && background) {
      throw new ParameterException(
          spec.commandLine(), "--background starts one and --stop ends it: give one of them");
    }
    if (stop) {
      out.println(Background.stop() ? "The embedded cluster has ended." : "None runs here.");
      return 0;
    }
    EmbeddedPlan plan = EmbeddedPlan.SMALL.withSpeedFactor(speedFactor);
    if (background) {
      long pid =
          Background.start(
              List.of(
                  TierwiseCommand.class.getName(),
                  "embedded",
                  "--speed-factor",
                  String.valueOf(speedFactor)));
      out.printf("An embedded HDFS serves: process %d, log %s.%n", pid, EmbeddedPlace.LOG);
      out.println("Try:  bin/tierwise tiers list --embedded");
      out.println("Stop: bin/tierwise embedded --stop");
      out.flush();
      return 0;
    }
    try (EmbeddedPlace place = EmbeddedPlace.take()) {
      if (place.cleaned()) {
        Output.say(spec, "removed what one that was killed had left in " + EmbeddedPlace.ROOT);
      }
      serve(plan, out);
    }
    return 0;
  }

  /** Until the process is told to end. */
  private void serve(EmbeddedPlan plan, PrintWriter out) throws IOException, InterruptedException {
    EmbeddedCluster cluster = EmbeddedServer.start(plan);
    out.printf(
        Locale.ROOT,
        "HDFS at %s, devices emulated (hatS Table 4.2 x %s). Its nodes:%n",
        cluster.uri(),
        speedFactor);
    cluster.nodes().forEach(node -> out.println("  " + node.text()));
    out.println("Try: bin/tierwise tiers list --embedded      End with Ctrl-C.");
    out.flush();
    new CountDownLatch(1).await();
  }
}
