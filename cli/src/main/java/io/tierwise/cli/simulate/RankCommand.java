package io.tierwise.cli.simulate;

import io.tierwise.cli.output.Output;
import io.tierwise.experiments.popularity.PredictorRanking;
import io.tierwise.experiments.popularity.ReadTrace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise rank}. */
@Command(
    name = "rank",
    description = {
      "Ranks popularity predictors on a trace, by regret: what was read from the slow tier and"
          + " could have been read from the fast one.",
      "At the end of each window the fast tier is filled with the files that are predicted to be"
          + " the most popular. 'tierwise policy list' names the predictors."
    },
    footer = "  tierwise rank FB-2010.tsv --predictor ppa --predictor lru")
public final class RankCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(paramLabel = "TRACE", description = "A SWIM trace that names input paths.")
  private Path trace;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      split = ",",
      description = "The windows' length (default: several from '1 min' to '24 h', where two fit).")
  private List<String> windows = new ArrayList<>();

  @Option(
      names = "--predictor",
      paramLabel = "SPEC",
      description = "One predictor; may be given several times (default: all).")
  private List<String> predictors = new ArrayList<>();

  @Option(
      names = "--fast-percent",
      paramLabel = "PERCENT",
      defaultValue = "10",
      description = "The fast tier's share of the bytes of all files (default: ${DEFAULT-VALUE}).")
  private double fastPercent;

  @Override
  public Integer call() {
    PredictorRanking ranking =
        PredictorRanking.of(ReadTrace.read(trace), windows, predictors, fastPercent);
    output.answer(
        ranking,
        () -> {
          output.table(ranking.table());
          output.fold(ranking.text());
        });
    return 0;
  }
}
