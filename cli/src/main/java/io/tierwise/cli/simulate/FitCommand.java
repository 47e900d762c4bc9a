package io.tierwise.cli.simulate;

import io.tierwise.cli.heat.AuditLogOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.experiments.popularity.FittedTrees;
import io.tierwise.experiments.popularity.PredictorRanking;
import io.tierwise.experiments.popularity.ReadTrace;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.audit.LogWindows;
import io.tierwise.profiles.output.OutputFile;
import io.tierwise.profiles.popularity.TreeLearner;
import io.tierwise.simulator.scenario.yaml.Quantity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise fit}. */
@Command(
    name = "fit",
    description = {
      "Fits trees for the popularity predictor 'trees' to the windows of a trace or of an audit"
          + " log, and writes them into a file.",
      "'tierwise rank --predictor trees:model=FILE' judges them: on another trace than this one,"
          + " since they have seen this one."
    },
    footer = "  tierwise fit --audit-log hdfs-audit.log -o trees.json")
public final class FitCommand implements Callable<Integer> {
  @Mixin private Output output;
  @Mixin private AuditLogOptions log;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "Gets the trees; replaced if it exists.")
  private Path file;

  @ArgGroup(multiplicity = "1")
  private Source source;

  /** What is learned from. */
  static final class Source {
    @Option(names = "--trace", paramLabel = "TRACE", description = "A SWIM trace with input paths.")
    private Path trace;

    @Option(
        names = "--audit-log",
        paramLabel = "FILE",
        arity = "1..*",
        description = "A NameNode's log, plain or gzip, in any order, rotated files too.")
    private List<Path> auditLog;

    private Map<String, List<Path>> files() {
      return trace == null ? Map.of("--audit-log", auditLog) : Map.of("--trace", List.of(trace));
    }
  }

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "1 h",
      description = "The windows' length, such as 90 min or 6 h (default: ${DEFAULT-VALUE}).")
  private String window;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Draws the files that are learned from (default: ${DEFAULT-VALUE}).")
  private int seed;

  @Override
  public Integer call() throws IOException {
    if (source.trace != null) {
      log.requireNone(List.of(), "a trace is read whole");
    }
    OutputFile.requireOther("--output", file, source.files());
    FittedTrees.requireWritable(file);
    FittedTrees fitted = source.trace == null ? ofLog() : ofTrace();
    output.answer(fitted, () -> output.fold(fitted.text()));
    return 0;
  }

  private FittedTrees ofTrace() {
    ReadTrace trace = ReadTrace.read(source.trace);
    return FittedTrees.of(trace, PredictorRanking.seconds(window, trace), seed, file);
  }

  private FittedTrees ofLog() throws IOException {
    LogHeat.Wish wish = log.wish(source.auditLog, Quantity.millis("--window", window), false);
    double seconds = wish.windowMillis() / 1e3;
    try (TreeLearner learner = new TreeLearner(seconds, seed)) {
      LogWindows.read(wish, learner);
      return FittedTrees.written(learner, seconds, file);
    }
  }
}
