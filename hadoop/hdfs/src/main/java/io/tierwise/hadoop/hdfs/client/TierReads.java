package io.tierwise.hadoop.hdfs.client;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.access.AccessReason;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was read from which tier and how far away. Safe for many threads. */
final class TierReads {
  private final TierTable table;
  private final Map<ReadDistance, LongAdder>[] bytes;
  private final Map<ReadDistance, LongAdder>[] blocks;
  private final EnumMap<AccessReason, LongAdder> reasons = new EnumMap<>(AccessReason.class);
  private final LongAdder erasureCodedBytes = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final LongAdder failures = new LongAdder();

  TierReads(TierTable table) {
    this.table = table;
    bytes = counters(table.count() + 1);
    blocks = counters(table.count() + 1);
    for (AccessReason reason : AccessReason.values()) {
      reasons.put(reason, new LongAdder());
    }
  }

  /** One counter for each tier and distance; the last row is of replicas without a tier. */
  private static Map<ReadDistance, LongAdder>[] counters(int rows) {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Map<ReadDistance, LongAdder>[] counters = new Map[rows];
    for (int i = 0; i < rows; i++) {
      counters[i] = new EnumMap<>(ReadDistance.class);
      for (ReadDistance distance : ReadDistance.values()) {
        counters[i].put(distance, new LongAdder());
      }
    }
    return counters;
  }

  void ordered(AccessReason reason) {
    reasons.get(reason).increment();
  }

  void read(int tier, int distance, long bytesRead) {
    int row = tier >= 0 && tier < table.count() ? tier : table.count();
    ReadDistance kind = ReadDistance.of(distance);
    bytes[row].get(kind).add(bytesRead);
    blocks[row].get(kind).increment();
  }

  void readErasureCoded(long bytesRead) {
    erasureCodedBytes.add(bytesRead);
  }

  void refused() {
    refusals.increment();
  }

  void failed() {
    failures.increment();
  }

  ReadCounts snapshot(long orderFailures) {
    Map<AccessReason, Long> reasonCounts = new EnumMap<>(AccessReason.class);
    reasons.forEach((reason, count) -> reasonCounts.put(reason, count.sum()));
    return new ReadCounts(
        sums(bytes),
        sums(blocks),
        reasonCounts,
        erasureCodedBytes.sum(),
        refusals.sum(),
        failures.sum(),
        orderFailures);
  }

  private Map<String, Map<ReadDistance, Long>> sums(Map<ReadDistance, LongAdder>[] counters) {
    Map<String, Map<ReadDistance, Long>> sums = new LinkedHashMap<>();
    for (Tier tier : table.tiers()) {
      sums.put(tier.name(), sums(counters[tier.index()]));
    }
    sums.put(ReadCounts.NO_TIER, sums(counters[table.count()]));
    return sums;
  }

  private static Map<ReadDistance, Long> sums(Map<ReadDistance, LongAdder> counters) {
    Map<ReadDistance, Long> sums = new EnumMap<>(ReadDistance.class);
    counters.forEach((distance, counter) -> sums.put(distance, counter.sum()));
    return sums;
  }
}
