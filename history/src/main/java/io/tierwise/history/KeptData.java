package io.tierwise.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The data sets that a Spark application keeps ({@code cache()}, {@code persist()}), and which
 * parts of them tasks have made.
 *
 * <p>Spark counts what a task takes of a kept part as bytes read, as what it reads of a file: a
 * loop over kept data reads its input once, and its log says so each time. No field of a log tells
 * both apart; a storage level says that a data set is kept. Own: a task whose stage computes a kept
 * data set of which an earlier task made the part of the same number takes it from there, and reads
 * nothing else. So a part that was driven out, and is read from its file again, counts once.
 */
final class KeptData {
  /** Own: 64 bytes each; bytes of parts beyond count as read, each time. */
  private static final int PARTS_MAX = 2_000_000;

  private final Map<Long, List<Long>> ofStage = new HashMap<>();

  /** Data set and number of a part, both of 31 bits. */
  private final Set<Long> made = new HashSet<>();

  /** A stage computes these kept data sets. */
  void stage(long stage, List<Long> kept) {
    if (!kept.isEmpty()) {
      ofStage.put(stage, List.copyOf(kept));
    }
  }

  /**
   * A task has ended well.
   *
   * @param part number of the part that it computed
   * @return whether it took kept data in the place of files
   */
  boolean take(long stage, long part) {
    boolean there = false;
    List<Long> parts = new ArrayList<>();
    for (long data : ofStage.getOrDefault(stage, List.of())) {
      long each = data << 32 | part;
      there |= made.contains(each);
      parts.add(each);
    }
    if (made.size() < PARTS_MAX) {
      made.addAll(parts);
    }
    return there;
  }
}
