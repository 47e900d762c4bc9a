package io.tierwise.policies.movement;

import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Chooses the first files of an order that free enough of a tier, among files that are offered one
 * after the other. Memory grows with the number of chosen files, not with that of offered ones.
 */
public final class FlushSelection {
  private final long neededBytes;
  private final TreeSet<FlushCandidate> chosen;
  private long bytes;

  public FlushSelection(long neededBytes, FlushOrder order) {
    this.neededBytes = neededBytes;
    this.chosen = new TreeSet<>(Objects.requireNonNull(order, "order"));
  }

  /** Takes a file into account; one that frees nothing is never chosen. */
  public void offer(FlushCandidate file) {
    if (file.bytes() == 0 || neededBytes <= 0 || !chosen.add(file)) {
      return;
    }
    bytes += file.bytes();
    while (bytes - chosen.last().bytes() >= neededBytes) {
      bytes -= chosen.pollLast().bytes();
    }
  }

  /** The files to flush, in their order. */
  public List<FlushCandidate> chosen() {
    return List.copyOf(chosen);
  }

  /** The bytes that they free. */
  public long bytes() {
    return bytes;
  }

  /** Whether that is enough. */
  public boolean isEnough() {
    return bytes >= neededBytes;
  }
}
