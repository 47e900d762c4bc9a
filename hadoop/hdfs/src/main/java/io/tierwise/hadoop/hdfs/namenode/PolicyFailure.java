package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.policies.placement.PlacementPolicy;

/** Anything that a policy threw, which may be of another jar: says by its class whose it is. */
final class PolicyFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String kind;

  PolicyFailure(PlacementPolicy policy, Throwable cause) {
    super(policy.getClass().getName() + " failed: " + cause, cause);
    kind = policy.getClass().getName() + " " + cause.getClass().getName();
  }

  /** Equal for all errors that one line of a log stands for. */
  static String kindOf(Throwable e) {
    return e instanceof PolicyFailure failure ? failure.kind : e.getClass().getName();
  }
}
