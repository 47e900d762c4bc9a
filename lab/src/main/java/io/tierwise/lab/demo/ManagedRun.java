package io.tierwise.lab.demo;

import io.tierwise.core.message.Words;
import io.tierwise.policies.movement.TierPromotions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * All phases of the popularity demo under one way to manage the fast tier.
 *
 * @param fileBytes of each file
 * @param storedBytes of all replicas at the end
 */
record ManagedRun(
    FastTierPilot.Way way, List<PopularityPhase> phases, long fileBytes, long storedBytes) {
  ManagedRun {
    phases = List.copyOf(phases);
  }

  /**
   * A file's time in the fast tier.
   *
   * @param phase in which it came
   * @param fastReads that the tier served, to the end of the phase in which the file left
   */
  record Stay(int file, int phase, long fastReads) {
    /** Whether readers have saved more seconds than its way there took of devices. */
    boolean paid(TierPromotions promotions, long bytes) {
      return promotions.savedSeconds((double) fastReads, bytes) > promotions.costSeconds(bytes);
    }
  }

  /** The promotions, in order of time. */
  List<Stay> stays() {
    List<Stay> stays = new ArrayList<>();
    Set<Integer> before = Set.of();
    for (int phase = 0; phase < phases.size(); phase++) {
      Set<Integer> there = phases.get(phase).there();
      for (int file : there.stream().sorted().toList()) {
        if (!before.contains(file)) {
          stays.add(new Stay(file, phase, fastReads(file, phase)));
        }
      }
      before = there;
    }
    return stays;
  }

  private long fastReads(int file, int fromPhase) {
    long reads = 0;
    boolean isThere = true;
    for (int phase = fromPhase; isThere && phase < phases.size(); phase++) {
      reads += phases.get(phase).fastReads().get(file);
      isThere = phases.get(phase).there().contains(file);
    }
    return reads;
  }

  long paid(TierPromotions promotions) {
    return stays().stream().filter(stay -> stay.paid(promotions, fileBytes)).count();
  }

  double readingSeconds() {
    return seconds(PopularityPhase::seconds);
  }

  double readerSeconds() {
    return seconds(PopularityPhase::readerSeconds);
  }

  double waitingSeconds() {
    return seconds(PopularityPhase::waitingSeconds);
  }

  private double seconds(ToDoubleFunction<PopularityPhase> of) {
    return phases.stream().mapToDouble(of).sum();
  }

  private long count(ToLongFunction<PopularityPhase> of) {
    return phases.stream().mapToLong(of).sum();
  }

  long reads() {
    return count(PopularityPhase::reads);
  }

  long movedBytes() {
    return count(phase -> phase.moved().bytes());
  }

  double fastShare() {
    return (double) count(phase -> PopularityPhase.sum(phase.fastReads())) / reads();
  }

  /** That a reader gets of a file. */
  double bytesPerSecond() {
    return reads() * fileBytes / readerSeconds();
  }

  long fastBytesMax() {
    return phases.stream().mapToLong(phase -> phase.there().size() * fileBytes).max().orElse(0);
  }

  /** All figures by name. */
  Map<String, Object> columns(TierPromotions promotions) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("management", way.text());
    columns.put("reading_seconds", readingSeconds());
    columns.put("reader_seconds", readerSeconds());
    columns.put("waiting_seconds", waitingSeconds());
    columns.put("moving_seconds", seconds(phase -> phase.moved().seconds()));
    columns.put("read_bytes_per_second", bytesPerSecond());
    columns.put("reads", reads());
    columns.put("heard_reads", count(phase -> PopularityPhase.sum(phase.heard())));
    columns.put("fast_share", fastShare());
    columns.put("moved_replicas", count(phase -> phase.moved().replicas()));
    columns.put("left_replicas", count(phase -> phase.moved().leftReplicas()));
    columns.put("moved_bytes", movedBytes());
    columns.put("promotions", stays().size());
    columns.put("promotions_paid", paid(promotions));
    columns.put("fast_tier_most_bytes", fastBytesMax());
    columns.put("stored_bytes", storedBytes);
    columns.put(
        "phases",
        IntStream.range(0, phases.size()).mapToObj(i -> phases.get(i).columns(i + 1)).toList());
    return columns;
  }

  /** The cells of its row, as {@link PopularityResult#table} names them. */
  Object[] cells(TierPromotions promotions) {
    int promoted = stays().size();
    return new Object[] {
      way.text(),
      String.format(Locale.ROOT, "%.1f s", readerSeconds()),
      String.format(Locale.ROOT, "%.1f s", readingSeconds()),
      Words.percent(fastShare()),
      way.isManaged() ? Words.bytes(movedBytes()) : null,
      way.isManaged() ? paid(promotions) + " of " + promoted : null,
      Words.bytes(fastBytesMax()),
      Words.bytes(storedBytes)
    };
  }
}
