package io.tierwise.cli.bench;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.lab.demo.MovementDemo;
import io.tierwise.lab.demo.MovementPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise demo movement}. */
@Command(
    name = "movement",
    description = {
      "Starts a real HDFS in this process on emulated devices; moves stored data between tiers"
          + " while a reader runs, loses a node, waits until its replicas are back, and undoes the"
          + " move."
    })
public final class DemoMovementCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where the results go (default: ${DEFAULT-VALUE}).",
      defaultValue = "build/demo")
  private Path directory;

  @Option(
      names = "--quick",
      description = "A quarter of the data, short phases: shows that all works, not how fast.")
  private boolean quick;

  @Override
  public Integer call() throws IOException {
    MovementDemo demo = new MovementDemo(directory, quick);
    progress(Fold.text(demo.introduction()));
    MovementDemo.Result result =
        demo.run(
            new TerminalListener(output, ProgressBar.onTerminal()) {
              @Override
              public void say(String line) {
                progress(Fold.text(line));
              }
            });
    Files.writeString(directory.resolve("movement.json"), Output.toJson(result.columns()));
    if (output.json()) {
      output.printJson(result.columns());
    } else {
      print(result);
    }
    progress("Results: " + directory.resolve("movement.json") + " and .svg");
    return 0;
  }

  private void progress(String line) {
    output.err().println(line);
    output.err().flush();
  }

  private void print(MovementDemo.Result result) {
    List<String> tiers = List.copyOf(result.phases().get(0).bytesByTier().keySet());
    TextTable table = new TextTable().left("phase").right("seconds", "reads", "p50", "p99");
    tiers.forEach(table::right);
    for (MovementPhase phase : result.phases()) {
      List<Object> row = new ArrayList<>();
      row.add(phase.name());
      row.add(String.format(Locale.ROOT, "%.1f", phase.seconds()));
      row.add(phase.reads());
      row.add(millis(phase.p50Seconds()));
      row.add(millis(phase.p99Seconds()));
      tiers.forEach(tier -> row.add(Words.bytes(phase.bytesByTier().get(tier))));
      table.row(row.toArray());
    }
    table.print(output.out());
    output.fold(
        "Columns of tiers: bytes of replicas there at the end of the phase. Every byte that was"
            + " read was checked.");
    output.fold(
        String.format(
            Locale.ROOT,
            "Moved %s (%s) in %.1f s; the simulator said beforehand %s in %.1f s (%+.0f%%).",
            Words.count(result.moved().moved().replicas(), "replica"),
            Words.bytes(result.moved().moved().bytes()),
            result.moved().seconds(),
            Words.count(result.predicted().replicas(), "replica"),
            result.predicted().seconds(),
            100 * (result.predicted().seconds() / result.moved().seconds() - 1)));
    output.fold(
        String.format(
            Locale.ROOT,
            "Lost %s: given up after %.1f s; HDFS's own re-replication, placed by the policy, had"
                + " every block back in its layout %.1f s later.",
            result.lost(),
            result.noticedSeconds(),
            result.repairedSeconds()));
    output.fold(
        String.format(
            Locale.ROOT,
            "Undo moved %s back%s; 'file move --to policy' brought back %d more.",
            Words.count(result.undone().moved().replicas(), "replica"),
            left(result.undone()),
            result.rest().moved().replicas()));
  }

  /** What an undo left, with its reasons. */
  private static String left(MoverReport undone) {
    return undone.left().stream()
        .map(left -> " and left " + left.amount().replicas() + " (" + left.reason() + ")")
        .collect(Collectors.joining(","));
  }

  private static String millis(double seconds) {
    return Double.isNaN(seconds) ? null : String.format(Locale.ROOT, "%.0f ms", 1000 * seconds);
  }
}
