package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
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

  @Test
  void namesAndDirectionsAreOfOneRow() {
    assertThat(UseFeatures.names()).hasSize(UseFeatures.count()).doesNotHaveDuplicates();
    assertThat(UseFeatures.directions()).hasSize(UseFeatures.count()).contains(-1, 0, 1);
  }
}
