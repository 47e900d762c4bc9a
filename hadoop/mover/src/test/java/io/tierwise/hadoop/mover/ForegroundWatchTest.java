package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class ForegroundWatchTest {
  private final MoveQueue queue = new MoveQueue(new MovementLimits(1L << 40, 1L << 40, 4, 0));

  private static DatanodeInfo busyNode(String id) {
    return node(id, 1000);
  }

  private static DatanodeInfo node(String id, int transfers) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", id, id, 1, 2, 3, 4))
        .setXceiverCount(transfers)
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
  void aNodeThatSendsMapOutputMakesOneMoveAtATimeAndNoOtherDoes() throws Exception {
    new ForegroundWatch(
            () -> List.of(node("a", 0), node("b", 0)),
            node -> node.getDatanodeUuid().equals("a") ? 1e9 : 0,
            node -> 1,
            queue)
        .look();
    for (String node : new String[] {"a", "a", "b", "b"}) {
      queue.add(Made.move(Made.work(), node, node), System.nanoTime());
    }

    for (String node : new String[] {"a", "b", "b"}) {
      assertThat(take().get(1, TimeUnit.MINUTES).to().nodeId()).isEqualTo(node);
    }
    CompletableFuture<PlannedMove> second = take();
    assertThat(second).isNotDone();
    queue.close();
    assertThat(second.get(1, TimeUnit.MINUTES)).isNull();
  }

  @Test
  void besideAnotherMoverANodeMakesHalfAsManyMovesAtOnceAndOthersAllOfTheirs() throws Exception {
    new ForegroundWatch(
            () -> List.of(node("a", 0), node("b", 0)),
            node -> 0,
            node -> node.equals("a") ? 0.5 : 1,
            queue)
        .look();
    for (String node : new String[] {"a", "a", "a", "b", "b", "b"}) {
      queue.add(Made.move(Made.work(), node, node), System.nanoTime());
    }

    for (String node : new String[] {"a", "a", "b", "b", "b"}) {
      assertThat(take().get(1, TimeUnit.MINUTES).to().nodeId()).isEqualTo(node);
    }
    CompletableFuture<PlannedMove> third = take();
    assertThat(third).isNotDone();
    queue.close();
    assertThat(third.get(1, TimeUnit.MINUTES)).isNull();
  }

  @Test
  void aBusyNodeMakesOneMoveAtATimeUntilNobodyHasSaidForLongThatItIsBusy() throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicBoolean away = new AtomicBoolean();
    ForegroundWatch watch =
        new ForegroundWatch(
            () -> {
              if (away.get()) {
                throw new IOException("no NameNode");
              }
              return List.of(busyNode("a"));
            },
            node -> 0,
            node -> 1,
            queue,
            now::get);
    watch.look();
    for (int i = 0; i < 2; i++) {
      queue.add(Made.move(Made.work(), "a", "a"), System.nanoTime());
    }

    assertThat(take().get(1, TimeUnit.MINUTES)).isNotNull();
    CompletableFuture<PlannedMove> second = take();
    away.set(true);
    now.addAndGet(ForegroundWatch.BELIEVED_NANOS_MAX);
    watch.look();
    assertThat(second).isNotDone();
    now.incrementAndGet();
    watch.look();

    assertThat(second.get(1, TimeUnit.MINUTES)).isNotNull();
    assertThat(queue.yielded().nodes()).isEqualTo(1);
  }
}
