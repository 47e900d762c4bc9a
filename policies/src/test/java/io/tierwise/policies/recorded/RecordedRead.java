package io.tierwise.policies.recorded;

import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.ReadReport;
import java.util.List;

/**
 * A live host's question in which order a block's replicas are read, and the strategy's answer.
 *
 * @param heard what readers told the host between the question before and this one
 * @param seed of the generator that the strategy drew from
 * @param answer numbers of the replicas, the one to read from first
 * @param why the strategy's reason
 * @param told what the host told the strategy between this question and the next one
 */
public record RecordedRead(
    List<Heard> heard,
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
   * @param share of the block that it is expected to read; less than 0 where all was taken back
   */
  public record Told(int read, int replica, double share) {
    Told takenBack() {
      return new Told(read, replica, -1);
    }

    boolean isTakenBack() {
      return share < 0;
    }
  }

  /** A reader told the host what it got from the only replica of a view. */
  public record Heard(RecordedReplicas replicas, ReadReport read, long host) {}

  /** The same question of a host that no reader told anything. */
  public RecordedRead unheard() {
    return new RecordedRead(List.of(), replicas, request, seed, answer, why, told);
  }
}
