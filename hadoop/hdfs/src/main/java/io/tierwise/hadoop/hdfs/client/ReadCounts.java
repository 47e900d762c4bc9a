package io.tierwise.hadoop.hdfs.client;

import io.tierwise.policies.access.AccessReason;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reads of a client so far, at one moment.
 *
 * @param bytes bytes by tier name and distance; all tiers of the table, and {@link #NO_TIER}
 * @param blocks visits of a block's replica, by tier name and distance
 * @param reasons how often each reason put a replica first; counts listings too
 * @param erasureCodedBytes bytes of erasure-coded files, which no strategy orders
 * @param refusals times that a node took the connection and turned the read down at once
 * @param failures times that a node could not be reached or broke off
 * @param orderFailures blocks that kept the NameNode's order because a strategy failed
 */
public record ReadCounts(
    Map<String, Map<ReadDistance, Long>> bytes,
    Map<String, Map<ReadDistance, Long>> blocks,
    Map<AccessReason, Long> reasons,
    long erasureCodedBytes,
    long refusals,
    long failures,
    long orderFailures) {
  /** Stands for replicas that no tier matches. */
  public static final String NO_TIER = "none";

  public long totalBytes() {
    return bytes.values().stream()
            .flatMap(row -> row.values().stream())
            .mapToLong(Long::longValue)
            .sum()
        + erasureCodedBytes;
  }

  public long bytesOf(String tier) {
    return bytes.getOrDefault(tier, Map.of()).values().stream().mapToLong(Long::longValue).sum();
  }

  public long bytesOf(ReadDistance distance) {
    return bytes.values().stream().mapToLong(row -> row.getOrDefault(distance, 0L)).sum();
  }

  /** The reads after {@code earlier}, a snapshot of the same client. */
  public ReadCounts since(ReadCounts earlier) {
    Map<AccessReason, Long> reasonCounts = new EnumMap<>(AccessReason.class);
    reasons.forEach(
        (reason, count) ->
            reasonCounts.put(reason, count - earlier.reasons.getOrDefault(reason, 0L)));
    return new ReadCounts(
        difference(bytes, earlier.bytes),
        difference(blocks, earlier.blocks),
        reasonCounts,
        erasureCodedBytes - earlier.erasureCodedBytes,
        refusals - earlier.refusals,
        failures - earlier.failures,
        orderFailures - earlier.orderFailures);
  }

  private static Map<String, Map<ReadDistance, Long>> difference(
      Map<String, Map<ReadDistance, Long>> now, Map<String, Map<ReadDistance, Long>> earlier) {
    Map<String, Map<ReadDistance, Long>> result = new LinkedHashMap<>();
    now.forEach(
        (tier, row) -> {
          Map<ReadDistance, Long> before = earlier.getOrDefault(tier, Map.of());
          Map<ReadDistance, Long> after = new EnumMap<>(ReadDistance.class);
          row.forEach((distance, n) -> after.put(distance, n - before.getOrDefault(distance, 0L)));
          result.put(tier, after);
        });
    return result;
  }
}
