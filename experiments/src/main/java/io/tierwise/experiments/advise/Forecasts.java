package io.tierwise.experiments.advise;

import io.tierwise.core.message.Section;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.experiments.popularity.PredictorRanking;
import io.tierwise.experiments.popularity.ReadTrace;
import java.util.List;
import java.util.Optional;

/** How well popularity predictors would have filled a fast tier for a log's own reads. */
public final class Forecasts {
  private static final String WINDOW = "1 h";
  private static final double WINDOW_SECONDS = 3_600;

  /** As the command that ranks them on a trace has it. */
  private static final double FAST_PERCENT = 10;

  /** For people, where there is no ranking. */
  private static final String NONE =
      "No predictors are ranked: of the log's last reads (--reads) none is of a file that was read"
          + " before, or they cover less than two hours.";

  private Forecasts() {}

  /**
   * Ranks all predictors that need no fitting, an hour ahead.
   *
   * @param readsMax the last reads of the log that take part
   * @return empty for a log in which nothing is read twice, or of less than two hours
   */
  public static Optional<PredictorRanking> of(ReadHistory history, int readsMax) {
    ReadTrace trace = ReadTrace.of(history.last(readsMax));
    return trace.repeats() && trace.holdsTwo(WINDOW_SECONDS)
        ? Optional.of(
            PredictorRanking.of(trace, List.of(WINDOW), PredictorRanking.unfitted(), FAST_PERCENT))
        : Optional.empty();
  }

  /**
   * A ranking for people.
   *
   * @param ranking null where there is none
   */
  public static Section section(PredictorRanking ranking) {
    String title = "Popularity predictors on the same reads";
    return ranking == null
        ? new Section(title, List.of(), List.of(NONE))
        : new Section(title, ranking.table(), ranking.text());
  }
}
