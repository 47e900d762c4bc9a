package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UseFeaturesTest {
  private static final float NEVER = 1e9f;

  private final Uses uses = new Uses(2);
  private final PopularityState state = new PopularityState();

  private Map<String, Float> row(UseWindow window, int file) {
    float[] row = new float[UseFeatures.count() + 1];
    UseFeatures.fill(window, state, file, row, 1);
    Map<String, Float> named = new LinkedHashMap<>();
    for (int feature = 0; feature < UseFeatures.count(); feature++) {
      named.put(UseFeatures.names().get(feature), row[feature + 1]);
    }
    return named;
  }

  private UseWindow window(int reads, double minutes) {
    UseWindow window = uses.next(2);
    Uses.readAtOnce(window, 0, reads, minutes);
    return window;
  }

  @Test
  void tellsWhatWindowsHaveKept() {
    UseFeatures.remember(window(2, 30), state);
    UseFeatures.remember(window(0, 0), state);
    UseWindow last = window(3, 10);
    last.read(0, last.startSeconds() + 50 * 60, 1);
    UseFeatures.remember(last, state);

    assertThat(row(last, 0))
        .containsEntry("blocks", 1f)
        .containsEntry("age-seconds", 7200f)
        .containsEntry("reads", 4f)
        .containsEntry("readers-max", 3f)
        .containsEntry("fading-reads", 4.5f)
        .containsEntry("all-reads", 6f)
        .containsEntry("idle-seconds", 600f)
        .containsEntry("gap-in-window-seconds", 800f)
        .containsEntry("last-gap-seconds", 8400f)
        .containsEntry("gap-2-seconds", NEVER);
    assertThat(row(last, 1))
        .containsEntry("all-reads", 0f)
        .containsEntry("idle-seconds", NEVER)
        .containsEntry("gap-in-window-seconds", NEVER)
        .containsEntry("last-gap-seconds", NEVER);
  }

  @Test
  void theLastGapsAreKeptInOrder() {
    for (int window = 0; window < 7; window++) {
      UseFeatures.remember(window(1, window), state);
    }
    UseWindow last = window(1, 37);
    UseFeatures.remember(last, state);

    assertThat(row(last, 0))
        .containsEntry("last-gap-seconds", 3600f + 31 * 60)
        .containsEntry("gap-2-seconds", 3660f)
        .containsEntry("gap-4-seconds", 3660f);
  }

  /** Trees have no branch for a number that is missing. */
  @Test
  void everyNumberOfARowIsFinite() {
    float[] row = new float[UseFeatures.count()];
    for (int seed = 0; seed < 20; seed++) {
      PopularityState drawn = new PopularityState();
      int[] numbers = IntStream.range(0, 50).toArray();
      for (UseWindow window : Uses.drawn(new SplittableRandom(seed), numbers).windows()) {
        UseFeatures.remember(window, drawn);
        for (int file = 0; file < numbers.length; file++) {
          if (window.exists(file)) {
            UseFeatures.fill(window, drawn, file, row, 0);
            for (int feature = 0; feature < row.length; feature++) {
              assertThat(row[feature]).as(UseFeatures.names().get(feature)).isFinite();
            }
          }
        }
      }
    }
  }

  @Test
  void namesAndDirectionsAreOfOneRow() {
    assertThat(UseFeatures.names()).hasSize(UseFeatures.count()).doesNotHaveDuplicates();
    assertThat(UseFeatures.directions()).hasSize(UseFeatures.count()).contains(-1, 0, 1);
  }
}
