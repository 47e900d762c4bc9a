package io.tierwise.cli.reproduce;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.simulate.RunMeter;
import io.tierwise.cli.simulate.RunOptions;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.reproduce.Comparison;
import io.tierwise.experiments.reproduce.Comparison.Verdict;
import io.tierwise.experiments.reproduce.Reproduction;
import io.tierwise.experiments.reproduce.ResultFiles;
import io.tierwise.experiments.reproduce.RowPlan;
import io.tierwise.experiments.reproduce.Runner;
import io.tierwise.lab.SignalGuard;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise reproduce}. */
@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the papers' experiments on the simulator and prints the papers' numbers beside ours.",
      "A number that does not reproduce is a result, not an error, unless --strict is given."
    })
public final class ReproduceCommand implements Callable<Integer> {
  private static final String TRACES = "TIERWISE_TRACES";

  @Mixin private Output output;

  @Parameters(paramLabel = "PAPER", arity = "0..*", description = "Which ones (default: all).")
  private List<String> papers = new ArrayList<>();

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where the reproductions are (default: the project's own).")
  private Path folder;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "Folder of traces with 'swim' in it, for rows that replay one; without it they are not"
            + " run (default: $TIERWISE_TRACES)."
      })
  private Path data;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set a key of every run, to see what depends on it; nothing is written.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--figure",
      paramLabel = "TEXT",
      description = "Only rows whose figure, case or metric contains this text.")
  private String figure = "";

  @Option(names = "--quick", description = "Only rows that come from quick runs.")
  private boolean quick;

  @Option(
      names = "--threads",
      paramLabel = "COUNT",
      description = "Runs at a time; results do not depend on it (default: one a processor).")
  private Integer threads;

  @Option(names = "--dry-run", description = "Check the files, and stop.")
  private boolean dryRun;

  @Option(
      names = "--no-write",
      description = "Print only: leave ours.csv and the page as they are.")
  private boolean noWrite;

  @Option(names = "--strict", description = "Exit with 1 when a number does not reproduce.")
  private boolean strict;

  @Override
  public Integer call() {
    Path traces =
        data != null
            ? Runner.traces(data, "--data ")
            : Runner.traces(System.getenv(TRACES), TRACES + "=");
    Path home = folder == null ? home().resolve("reproductions") : folder;
    List<String> known = Reproduction.papers(home);
    List<Reproduction> wanted = new ArrayList<>();
    for (String paper : papers.isEmpty() ? known : papers) {
      if (!known.contains(paper)) {
        throw OperatorException.badInput(
            "no reproduction is named " + paper + "; there are: " + String.join(", ", known));
      }
      wanted.add(Reproduction.read(home.resolve(paper)));
    }
    if (dryRun) {
      say(wanted);
      return 0;
    }
    return run(wanted, traces);
  }

  /** The reproduced tables of a paper. */
  private record Paper(String paper, int printedNumbers, int runs) {}

  private void say(List<Reproduction> wanted) {
    List<Paper> found =
        wanted.stream()
            .map(each -> new Paper(each.paper(), each.expected().size(), each.runs().size()))
            .toList();
    if (output.json()) {
      output.printJson(Map.of("papers", found));
      return;
    }
    found.forEach(
        each ->
            output
                .out()
                .printf(
                    "%s: %d printed numbers, %d runs%n",
                    each.paper(), each.printedNumbers(), each.runs()));
  }

  private static Path home() {
    return Path.of(System.getProperty("tierwise.home", ""));
  }

  private int run(List<Reproduction> wanted, Path traces) {
    boolean misses = false;
    List<Object> json = new ArrayList<>();
    try (SignalGuard signal = RunOptions.stopSignal(output)) {
      for (Reproduction each : wanted) {
        Predicate<RowPlan> rows = each.rows(figure, quick);
        Runner runner = new Runner(each, settings, traces);
        RunMeter meter = RunOptions.meter(output);
        runner.run(rows, threads(), meter, signal::signalled);
        if (signal.signalled()) {
          output.say("interrupted: nothing of " + each.paper() + " was written");
          return ExitCode.INTERRUPTED;
        }
        List<Comparison> comparisons = runner.compare(rows);
        if (settings.isEmpty() && !noWrite && !quick && figure.isEmpty()) {
          ResultFiles.write(each, comparisons);
        }
        List<Comparison> shown =
            comparisons.stream()
                .filter(row -> rows.test(each.plans().get(row.row().key())))
                .toList();
        json.addAll(ResultFiles.columns(each.paper(), shown));
        if (!output.json()) {
          ReproductionTable.print(each.paper(), shown, output.out());
          output.out().println();
        }
        misses |= ResultFiles.count(shown, Verdict.DOES_NOT_REPRODUCE) > 0;
      }
    }
    if (output.json()) {
      output.printJson(Map.of("rows", json));
    }
    return strict && misses ? 1 : 0;
  }

  private int threads() {
    return threads == null
        ? Runtime.getRuntime().availableProcessors()
        : RunOptions.threads(threads);
  }
}
