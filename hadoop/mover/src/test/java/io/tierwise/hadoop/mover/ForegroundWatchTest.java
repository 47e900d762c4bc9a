package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class ForegroundWatchTest {
  private final MoveQueue queue = new MoveQueue(new MovementLimits(1L << 40, 1L << 40, 4, 0));

  private static DatanodeInfo busyNode(String id) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", id, id, 1, 2, 3, 4))
        .setXceiverCount(1000)
        .setLastUpdateMonotonic(1)
        .build();
  }

  private CompletableFuture<PlannedMove> take() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return queue.take();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aBusyNodeMakesOneMoveAtATimeUntilNobodyCanSayThatItIsBusy() throws Exception {
    new ForegroundWatch(() -> List.of(busyNode("a")), queue).look();
    for (int i = 0; i < 2; i++) {
      queue.add(Made.move(Made.work(), "a", "a"), System.nanoTime());
    }

    assertThat(take().get(1, TimeUnit.MINUTES)).isNotNull();
    CompletableFuture<PlannedMove> second = take();
    assertThat(second).isNotDone();
    new ForegroundWatch(
            () -> {
              throw new IOException("no NameNode");
            },
            queue)
        .look();

    assertThat(second.get(1, TimeUnit.MINUTES)).isNotNull();
    assertThat(queue.yielded().nodes()).isEqualTo(1);
  }
}
