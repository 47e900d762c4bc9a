package io.tierwise.policies.recorded;

import io.tierwise.policies.access.AccessRequest;
import java.util.List;

/**
 * A live host's question in which order a block's replicas are read, and the strategy's answer.
 *
 * @param seed of the generator that the strategy drew from
 * @param answer numbers of the replicas, the one to read from first
 * @param why the strategy's reason
 * @param told what the host told the strategy between this question and the next one
 */
public record RecordedRead(
    RecordedReplicas replicas,
    AccessRequest request,
    long seed,
    int[] answer,
    String why,
    List<Told> told) {

  /**
   * The host gave an answer to a reader, or took it back.
   *
   * @param read the question, by its number from 0
   * @param replica that the reader asks first
   * @param share of the block that it is expected to read
   */
  public record Told(int read, int replica, double share) {}
}
