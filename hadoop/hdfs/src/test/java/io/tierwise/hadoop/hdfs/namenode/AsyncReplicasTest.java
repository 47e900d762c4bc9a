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

  @Test
  void filesBeyondTheBoundCountAsTheLastWalkSawThem() {
    AsyncReplicas async = new AsyncReplicas(2);
    async.walkBegins();
    async.saw(1, 100, 1, true);
    async.saw(2, 100, 1, true);
    async.saw(3, 10, 2, true);
    async.saw(3, 5, 1, true);
    async.saw(4, 7, 0, true);
    async.saw(5, 7, 1, true);
    async.saw(5, 7, 1, false);
    assertThat(async.fileCount()).as("before its end").isZero();

    async.walkEnded();

    assertThat(async.fileCount()).as("the first two count when they were looked at").isEqualTo(2);
    assertThat(async.blockCount()).isEqualTo(3);
    assertThat(async.bytes()).isEqualTo(2 * 10 + 5 + 7);
    async.walkBegins();
    async.walkEnded();
    assertThat(async.fileCount()).isZero();
  }
}
