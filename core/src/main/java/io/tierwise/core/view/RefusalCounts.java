package io.tierwise.core.view;

import java.util.Arrays;

/** How often each refusal was met. Takes memory from the first one on: most decisions meet none. */
public final class RefusalCounts {
  private static final Refusal[] REFUSALS = Refusal.values();

  private int[] counts;

  public void clear() {
    if (counts != null) {
      Arrays.fill(counts, 0);
    }
  }

  @SuppressWarnings("EnumOrdinal") // A map would box a count for each refused node.
  public void note(Refusal refusal) {
    if (counts == null) {
      counts = new int[REFUSALS.length];
    }
    counts[refusal.ordinal()]++;
  }

  /**
   * The one that was met most often here and in {@code others} together, of several the first;
   * {@code NONE} when none was met.
   */
  public Refusal commonestWith(RefusalCounts others) {
    Refusal commonest = Refusal.NONE;
    int most = 0;
    for (int i = 0; i < REFUSALS.length; i++) {
      int met = count(i) + others.count(i);
      if (met > most) {
        most = met;
        commonest = REFUSALS[i];
      }
    }
    return commonest;
  }

  private int count(int ordinal) {
    return counts == null ? 0 : counts[ordinal];
  }
}
