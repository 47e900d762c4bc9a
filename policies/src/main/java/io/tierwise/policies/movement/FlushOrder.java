package io.tierwise.policies.movement;

import java.util.Comparator;

/** Which files leave a tier first. An order is total: the same files are chosen whenever asked. */
public interface FlushOrder extends Comparator<FlushCandidate> {
  /** The file that was used longest ago first; of equal ones the one that frees most. */
  FlushOrder OLDEST =
      (one, other) ->
          Comparator.comparingLong(FlushCandidate::usedMillis)
              .thenComparing(Comparator.comparingLong(FlushCandidate::bytes).reversed())
              .thenComparing(FlushCandidate::path)
              .compare(one, other);
}
