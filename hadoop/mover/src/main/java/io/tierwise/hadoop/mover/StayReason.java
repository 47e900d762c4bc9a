package io.tierwise.hadoop.mover;

import java.util.Set;

/** Why replicas stay where they are, for people; each the same for all blocks. */
final class StayReason {
  static final String STOPPED = "the mover was stopped";
  static final String DELETED = "its file was deleted meanwhile";
  static final String FEWER = "its file keeps fewer replicas since the run began";
  static final String CHANGED = "its file was appended to or truncated meanwhile";
  static final String ANOTHER_GONE = "the NameNode dropped another replica than the one that moved";
  static final String COPIED = "it was copied, and the NameNode has yet to drop the old replica";

  private static final Set<String> NO_FAULTS = Set.of(STOPPED, FEWER, MoveQueue.NODE_LEAVES);

  private StayReason() {}

  /** Whether something went wrong, as against what somebody wanted. */
  static boolean isFault(String reason) {
    return !NO_FAULTS.contains(reason);
  }
}
