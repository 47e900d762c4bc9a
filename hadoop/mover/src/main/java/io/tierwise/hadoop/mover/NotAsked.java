package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.FailureText;
import java.util.Optional;

/**
 * Why the NameNode could not be asked about a block.
 *
 * @param refusal a line about what Kerberos asks of the operator; empty where a NameNode is away
 */
record NotAsked(Optional<String> refusal) {
  private static final String TEXT = "the NameNode could not be asked whether it is in place";

  static NotAsked of(Exception why) {
    return new NotAsked(FailureText.ofKerberos(why));
  }

  /** For people; the same for all blocks. */
  String text() {
    return TEXT + refusal.map(line -> ": " + line).orElse(" (run again when it answers)");
  }
}
