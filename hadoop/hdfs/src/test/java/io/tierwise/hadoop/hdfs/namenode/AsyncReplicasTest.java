package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AsyncReplicasTest {
  private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(2);

  @Test
  void aTurnWhoseLookFailsComesAgain() {
    AsyncReplicas async = new AsyncReplicas();
    long now = System.nanoTime();
    async.tell(5);
    async.tell(6);
    List<Long> turn = async.turn(now + TURN_NANOS);
    assertThat(turn).containsExactly(5L, 6L);
    assertThat(async.turn(now + 2 * TURN_NANOS)).as("they are looked at").isEmpty();

    async.giveBack(turn);
    async.giveBack(turn);

    assertThat(async.turn(now + 3 * TURN_NANOS)).as("once each").containsExactly(5L, 6L);
  }
}
