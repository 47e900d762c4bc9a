package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A mover that stood still for a minute, so that another one has the lock, goes on. */
@Tag("long")
@ExtendWith(MixedCluster.class)
@Timeout(180)
class LostLockIT {
  private static final int BLOCKS = 13;
  private static final long SOFT_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long HARD_MILLIS = TimeUnit.MINUTES.toMillis(20);

  private final LiveCluster cluster;

  LostLockIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void itEndsWithALineAndTheOtherOneMoves() throws Exception {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    // After the first moves none starts for minutes.
    MoverSettings slow = LiveCluster.quick().atRates(LiveCluster.BLOCK_BYTES / 256, 1L << 40);
    try (Mover first = Mover.open(cluster.cluster(), slow)) {
      MoveOrder order = cluster.order("layout:3 x ssd", "/t");
      CompletableFuture<MoverReport> run = CompletableFuture.supplyAsync(() -> run(first, order));
      LiveCluster.await("the first moves", () -> cluster.typesOf(file).toString().contains("SSD"));

      try (Mover second = takeOver()) {
        assertThatThrownBy(run::join)
            .isInstanceOf(CompletionException.class)
            .hasCauseInstanceOf(OperatorException.class)
            .hasMessageContaining("another mover may have the lock");
        assertThat(second.run(order, Listener.Step.SILENT).left()).isEmpty();
      }
    }
    assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");
    cluster.assertWhole(file, BLOCKS);
  }

  private static MoverReport run(Mover mover, MoveOrder order) {
    try {
      return mover.run(order, Listener.Step.SILENT);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private Mover takeOver() throws IOException {
    cluster.mini().setLeasePeriod(-1, HARD_MILLIS);
    try {
      cluster.fs().recoverLease(MoverConnection.LOCK);
    } finally {
      cluster.mini().setLeasePeriod(SOFT_MILLIS, HARD_MILLIS);
    }
    return Mover.open(cluster.cluster(), LiveCluster.quick());
  }
}
