package io.tierwise.lab.demo;

import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.text.SpecWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Says after each phase which files come to the fast tier and which leave it.
 *
 * <p>By worth, as {@code tierwise autotier} does: of the files for which the predictor wants more
 * than the usual replicas, those come for which {@link TierPromotions} says that it pays. By rank,
 * as a cache does: the files of the highest predicted popularity come, whatever that costs, and the
 * others make room.
 */
final class FastTierPilot {
  /** The files that come and those that leave. */
  record Change(List<Integer> in, List<Integer> out) {}

  private final Way way;
  private final PopularityPredictor predictor;
  private final TierPromotions promotions;
  private final int roomFiles;
  private final long fileBytes;
  private final PopularityState state = new PopularityState();

  /** A way to manage the fast tier. */
  enum Way {
    DEFAULT,
    LRU,
    PPA,
    ORACLE;

    /** The predictor's name, but for the way that has none. */
    String text() {
      return SpecWriter.wordOf(this);
    }

    boolean isManaged() {
      return this != DEFAULT;
    }

    /** Whether it may know the reads to come. */
    boolean foresees() {
      return this == ORACLE;
    }
  }

  /**
   * @param roomFiles how many files the fast tier may hold; all have so many bytes
   */
  FastTierPilot(Way way, TierPromotions promotions, int roomFiles, long fileBytes) {
    this.way = way;
    predictor = PopularityPredictors.parse(way.text());
    this.promotions = promotions;
    this.roomFiles = roomFiles;
    this.fileBytes = fileBytes;
  }

  /**
   * Decides when a phase has ended.
   *
   * @param there files that are in the fast tier
   */
  Change decide(UseWindow window, Collection<Integer> there) {
    double[] predicted = new double[window.fileCount()];
    predictor.predict(window, state, predicted);
    return way == Way.LRU ? byRank(predicted, there) : byWorth(window, predicted, there);
  }

  private Change byRank(double[] predicted, Collection<Integer> there) {
    Comparator<Integer> byPopularity = Comparator.comparingDouble(file -> predicted[file]);
    List<Integer> best =
        IntStream.range(0, predicted.length)
            .filter(file -> Double.isFinite(predicted[file]))
            .boxed()
            .sorted(byPopularity.reversed())
            .limit(roomFiles)
            .toList();
    List<Integer> in = best.stream().filter(file -> !there.contains(file)).toList();
    List<Integer> out =
        there.stream()
            .filter(file -> !best.contains(file))
            .sorted(byPopularity)
            .limit(Math.max(0, there.size() + in.size() - roomFiles))
            .toList();
    return new Change(in, out);
  }

  private Change byWorth(UseWindow window, double[] predicted, Collection<Integer> there) {
    UseWindow toCome = window.next().orElse(window);
    List<TierPromotions.File> files = new ArrayList<>();
    for (int file = 0; file < predicted.length; file++) {
      boolean isThere = there.contains(file);
      if (isThere || predictor.isPopular(predicted[file])) {
        long thereBytes = isThere ? fileBytes : 0;
        files.add(
            new TierPromotions.File(
                file, fileBytes, toCome.reads(file), thereBytes, TierPromotions.Claim.USUAL));
      }
    }
    TierPromotions.Choice choice = promotions.choose(files, fileBytes * (roomFiles - there.size()));
    return new Change(numbers(choice.in().keySet()), numbers(choice.out()));
  }

  private static List<Integer> numbers(Collection<Long> files) {
    return files.stream().map(Math::toIntExact).toList();
  }
}
