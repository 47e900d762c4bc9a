package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two nodes with a buffer of 256 MiB each over three disks that write 64 MiB a second. */
class WriteBuffersFollowTest {
  private static final long MIB = 1L << 20;
  private static final double ANY_SPEED = Double.POSITIVE_INFINITY;
  private static final int DISKS = 3;
  private static final int NODES = 2;

  /** A write to two volumes, of a file that may be deleted. */
  private record Write(int[] targets, long bytes, long file) {}

  private final Engine engine = new Engine();
  private final SplittableRandom random = new SplittableRandom(8);
  private final WriteBuffers buffers = new BufferNodes(256 * MIB, 128 * MIB, DISKS).buffers(engine);
  private final Deque<Write> written = new ArrayDeque<>();
  private int waiting;

  /** Writers come faster than devices write; some of what they wrote is deleted, some is lost. */
  @Test
  void whileSomebodyWaitsNoDeviceWithDirtyDataIsIdle() {
    int full = 0;
    for (int step = 0; step < 3_000; step++) {
      int[] targets = {random.nextInt(DISKS), DISKS + random.nextInt(DISKS)};
      long bytes = (1 + random.nextInt(48)) * MIB;
      reserve(new Write(targets, bytes, random.nextInt(40)));
      switch (random.nextInt(6)) {
        case 0 -> {
          Write gone = written.poll();
          if (gone != null) {
            buffers.deleted(gone.file(), gone.targets()[random.nextInt(NODES)]);
          }
        }
        case 1 -> buffers.fail(random.nextInt(NODES * DISKS));
        default -> engine.runUntil(engine.now() + Ticks.ofSeconds(random.nextDouble() / 4));
      }
      for (int node = 0; node < NODES; node++) {
        assertThat(buffers.devicesFollow(node)).as("node %s, step %s", node, step).isTrue();
        assertThat(buffers.dirtyBytes(node)).isEqualTo(buffers.queuedBytes(node));
      }
      full += waiting > 0 ? 1 : 0;
    }
    assertThat(full).isGreaterThan(1_000);
    engine.runUntil(Ticks.NEVER);
    assertThat(waiting).isZero();
    assertThat(buffers.dirtyBytes(0) + buffers.dirtyBytes(1)).isZero();
  }

  private void reserve(Write write) {
    waiting++;
    ask(write);
  }

  private void ask(Write write) {
    if (buffers.reserve(write.targets(), write.bytes(), ANY_SPEED, none -> ask(write), 0)) {
      waiting--;
      for (int target : write.targets()) {
        buffers.writtenOf(write.file(), target, write.bytes());
      }
      written.add(write);
    }
  }
}
