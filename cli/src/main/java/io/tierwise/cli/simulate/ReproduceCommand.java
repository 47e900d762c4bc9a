package io.tierwise.cli.simulate;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.experiments.reproduce.Comparison;
import io.tierwise.experiments.reproduce.NullScore;
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
    description = {
      "Runs the papers' experiments on the simulator and prints the papers' numbers beside ours.",
      "A number that does not reproduce is a result, not an error, unless --strict is given.",
      "When interrupted, or when a run fails, it keeps the runs that are over: the same command"
          + " goes on from there."
    },
    footer = "  tierwise reproduce hats --quick --no-write")
public final class ReproduceCommand implements Callable<Integer> {
  private static final Path OWN = Path.of(System.getProperty("tierwise.home", ""), "reproductions");

  @Mixin private Output output;

  @Parameters(paramLabel = "PAPER", arity = "0..*", description = "Which ones (default: all).")
  private List<String> papers = new ArrayList<>();

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = {
        "Where the reproductions are; the page of results, reproductions.md, is there, too"
            + " (default: the project's own, whose page is in its docs/results)."
      })
  private Path folder = OWN;

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

  @Option(names = "--dry-run", description = "Check the files and options, and stop.")
  private boolean dryRun;

  @Option(
      names = "--no-write",
      description = "Print only: leave ours.csv and the page as they are.")
  private boolean noWrite;

  @Option(
      names = "--strict",
      description = "Exit with 1 when a number does not reproduce, or could not be checked.")
  private boolean strict;

  @Override
  public Integer call() {
    int runsAtATime = threads();
    Path traces = Runner.tracesIn(data);
    List<Reproduction> all = Reproduction.read(folder, papers.stream().distinct().toList());
    Reproduction.requireAny(all, figure);
    List<Reproduction> wanted =
        all.stream().filter(each -> figure.isEmpty() || hasRow(each)).toList();
    if (dryRun) {
      wanted.forEach(
          each -> new Runner(each, settings, traces, output::say).check(each.rows(figure, quick)));
      say(wanted);
      return 0;
    }
    return run(wanted, traces, runsAtATime);
  }

  private boolean hasRow(Reproduction each) {
    return each.plans().values().stream().anyMatch(each.rows(figure, false));
  }

  private void say(List<Reproduction> wanted) {
    List<Reproduction.Size> sizes = wanted.stream().map(Reproduction::size).toList();
    output.answer(Map.of("papers", sizes), () -> sizes.forEach(one -> output.line(one.text())));
  }

  private int run(List<Reproduction> wanted, Path traces, int runsAtATime) {
    boolean misses = false;
    List<Object> json = new ArrayList<>();
    List<Runner> begun = new ArrayList<>();
    boolean writes = settings.isEmpty() && !noWrite && !quick && figure.isEmpty();
    Path page = ResultFiles.page(folder, OWN);
    if (writes) {
      wanted.forEach(each -> ResultFiles.requireWritable(each, page));
    }
    try (SignalGuard signal = RunOptions.stopSignal(output)) {
      for (Reproduction each : wanted) {
        Predicate<RowPlan> rows = each.rows(figure, quick);
        Runner runner = new Runner(each, settings, traces, output::say);
        begun.add(runner);
        runner.run(rows, runsAtATime, RunOptions.meter(output), signal::signalled);
        if (signal.signalled()) {
          begun.forEach(one -> output.say("interrupted: " + one.keep()));
          return ExitCode.INTERRUPTED;
        }
        List<Comparison> comparisons = runner.compare(rows);
        if (writes) {
          ResultFiles.write(each, comparisons, page);
        }
        List<Comparison> shown = each.only(rows, comparisons);
        json.addAll(ResultFiles.columns(each.paper(), shown));
        if (!output.json()) {
          output.line(each.paper() + ": " + ResultFiles.summary(shown));
          output.line(NullScore.of(shown).text());
          output.table(ResultFiles.table(shown));
          output.line("");
        }
        misses |= ResultFiles.isAnyMissed(shown);
      }
    } catch (RuntimeException e) {
      begun.stream().filter(Runner::isBegun).forEach(one -> output.say("failed: " + one.keep()));
      throw e;
    }
    begun.forEach(writes || !settings.isEmpty() ? Runner::forget : Runner::forgetOwn);
    if (output.json()) {
      output.printJson(Map.of("rows", json));
    }
    return strict && misses ? ExitCode.FAILED : 0;
  }

  private int threads() {
    return threads == null
        ? Runtime.getRuntime().availableProcessors()
        : RunOptions.threads(threads);
  }
}
