package io.tierwise.core.view;

import java.util.EnumMap;
import java.util.Map;

/** How often each refusal was met. */
public final class RefusalCounts {
  private final Map<Refusal, Integer> counts = new EnumMap<>(Refusal.class);

  public void clear() {
    counts.clear();
  }

  public void note(Refusal refusal) {
    counts.merge(refusal, 1, Integer::sum);
  }

  /** The one that was met most often, of several the first; {@code NONE} when none was met. */
  public Refusal commonest() {
    Refusal commonest = Refusal.NONE;
    int most = 0;
    for (Map.Entry<Refusal, Integer> entry : counts.entrySet()) {
      if (entry.getValue() > most) {
        most = entry.getValue();
        commonest = entry.getKey();
      }
    }
    return commonest;
  }
}
