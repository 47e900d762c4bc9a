package io.tierwise.policies.access;

/**
 * How a host remembers a node that refused a read. Within the refused block it goes on with the
 * next replica of the order in either case.
 */
public enum AfterRefusal {
  /** As stock HDFS: the stream avoids the node for its later blocks. */
  AVOID_NODE,
  /**
   * The refusal is forgotten with the block: each later block is ordered, and asked for, as if the
   * node had never refused.
   *
   * <p>Source: access strategies, section IV-B: each read request is sent to the DataNode with high
   * performance storage even after a Read_Fail, because its load changes while the job runs.
   */
  ASK_AGAIN
}
