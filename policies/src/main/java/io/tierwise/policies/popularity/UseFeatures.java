package io.tierwise.policies.popularity;

import io.tierwise.policies.text.SpecWriter;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers that trees get of a file at the end of a window. They are computed here alone, for
 * fitting as for asking, so that both mean the same.
 *
 * <p>Source: AutoTier (Herodotou and Kakoulli, VLDB 2019): size, time since creation, times between
 * the last k accesses. Deviation: a window keeps no list of accesses, so that the last access of a
 * window stands for all of it, and that of {@value #GAPS} windows is remembered; counts, the most
 * readers at one time and the mean time between reads in the window are added, which a window does
 * keep. The first window in which a file is seen stands for its creation.
 */
public final class UseFeatures {
  /** Own: 16 bytes a file; not measured. */
  private static final int GAPS = 4;

  /** Longer than any time that is told; for what never was. A tree can still split before it. */
  private static final float NEVER_SECONDS = 1e9f;

  private static final int ALL_READS = 0;
  private static final int AGE = 1;
  private static final int FIRST_GAP = 2;

  /** Numbers that are remembered of each file, besides those that every predictor has. */
  private static final int NOTES = FIRST_GAP + GAPS;

  /** Which way the popularity may change when the number grows. */
  private enum Way {
    RISES(1),
    FALLS(-1),
    ANY(0);

    private final int direction;

    Way(int direction) {
      this.direction = direction;
    }
  }

  /** The features, in the order in which {@link #fill} writes a row. */
  private enum Feature {
    BLOCKS(Way.ANY),
    AGE_SECONDS(Way.ANY),
    READS(Way.RISES),
    READERS_MAX(Way.RISES),
    FADING_READS(Way.RISES),
    ALL_READS(Way.RISES),
    IDLE_SECONDS(Way.ANY),
    GAP_IN_WINDOW_SECONDS(Way.FALLS),
    LAST_GAP_SECONDS(Way.ANY),
    GAP_2_SECONDS(Way.ANY),
    GAP_3_SECONDS(Way.ANY),
    GAP_4_SECONDS(Way.ANY);

    private final Way way;

    Feature(Way way) {
      this.way = way;
    }
  }

  private static final Feature[] FEATURES = Feature.values();

  private UseFeatures() {}

  /** Numbers in a row. */
  public static int count() {
    return FEATURES.length;
  }

  /** Their names, in the order of a row. */
  public static List<String> names() {
    return Arrays.stream(FEATURES).map(SpecWriter::wordOf).toList();
  }

  /**
   * For each number 1 where more of it may not make a file less popular, -1 where it may not make
   * it more popular, else 0. Trees that keep to this keep the promise of {@link
   * PopularityPredictor} about one read more.
   */
  public static int[] directions() {
    return Arrays.stream(FEATURES).mapToInt(feature -> feature.way.direction).toArray();
  }

  /** Takes a window that has ended into what is remembered. */
  public static void remember(UseWindow window, PopularityState state) {
    int files = window.fileCount();
    state.grow(files);
    float[] notes = state.notes(NOTES);
    for (int file = 0; file < files; file++) {
      if (window.exists(file)) {
        remember(window, state, file, notes);
      } else {
        state.forget(file);
      }
    }
    FileByFilePredictor.forgetFilesBeyond(files, state);
  }

  private static void remember(UseWindow window, PopularityState state, int file, float[] notes) {
    int at = file * NOTES;
    double lastUse = FileByFilePredictor.lastUseSeconds(window, state, file);
    double fading = window.reads(file);
    if (state.isKnown(file)) {
      fading += state.popularity(file) / 2;
      notes[at + AGE] += (float) (window.endSeconds() - window.startSeconds());
    } else {
      Arrays.fill(notes, at, at + FIRST_GAP, 0);
      Arrays.fill(notes, at + FIRST_GAP, at + NOTES, NEVER_SECONDS);
    }
    notes[at + ALL_READS] += window.reads(file);
    double before = state.lastReadSeconds(file);
    if (window.reads(file) > 0 && before > Double.NEGATIVE_INFINITY) {
      int first = at + FIRST_GAP;
      System.arraycopy(notes, first, notes, first + 1, GAPS - 1);
      notes[first] = (float) (lastUse - before);
    }
    state.remember(file, fading, lastUse);
  }

  /**
   * Writes a file's row, once its window is {@link #remember remembered}.
   *
   * @param file that exists
   * @param row gets {@link #count} numbers
   * @param at where the row begins
   */
  public static void fill(UseWindow window, PopularityState state, int file, float[] row, int at) {
    float[] notes = state.notes(NOTES);
    int note = file * NOTES;
    int reads = window.reads(file);
    int next = at;
    row[next++] = window.blocks(file);
    row[next++] = notes[note + AGE];
    row[next++] = reads;
    row[next++] = window.readersMax(file);
    row[next++] = (float) state.popularity(file);
    row[next++] = notes[note + ALL_READS];
    row[next++] =
        (float) Math.min(NEVER_SECONDS, window.endSeconds() - state.lastReadSeconds(file));
    row[next++] =
        reads < 2
            ? NEVER_SECONDS
            : (float) (window.lastReadSeconds(file) - window.firstReadSeconds(file)) / (reads - 1);
    System.arraycopy(notes, note + FIRST_GAP, row, next, GAPS);
  }
}
