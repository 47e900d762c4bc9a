package io.tierwise.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes with a buffer of 1 GiB each over a disk that writes 64 MiB a second. */
class WriteBuffersTest {
  private static final long MIB = 1L << 20;
  private static final double ANY_SPEED = Double.POSITIVE_INFINITY;
  private static final int[] DISK = {0};

  private final Engine engine = new Engine();
  private final List<Long> told = new ArrayList<>();
  private final WriteBuffers buffers = new BufferNodes(1024 * MIB, 512 * MIB, 1).buffers(engine);

  private boolean write(long bytes) {
    return write(bytes, 0);
  }

  private boolean write(long bytes, long file) {
    boolean fits = buffers.reserve(DISK, bytes, ANY_SPEED, told::add, bytes);
    if (fits) {
      buffers.writtenOf(file, 0, bytes);
    }
    return fits;
  }

  private long dirtyBytesAt(double seconds) {
    engine.runUntil(Ticks.ofSeconds(seconds));
    return buffers.dirtyBytes(0);
  }

  @Test
  void theDeviceLeavesALittleDirtyDataAloneForThirtySeconds() {
    write(128 * MIB);

    assertThat(dirtyBytesAt(29.9)).isEqualTo(128 * MIB);
    assertThat(dirtyBytesAt(31.9)).isEqualTo(128 * MIB);
    assertThat(dirtyBytesAt(32.1)).isZero();
  }

  @Test
  void newerDataWaitsForItsOwnThirtySeconds() {
    write(128 * MIB, 1);
    dirtyBytesAt(20);
    write(128 * MIB, 2);

    assertThat(dirtyBytesAt(32.1)).isEqualTo(128 * MIB);
    assertThat(dirtyBytesAt(49.9)).isEqualTo(128 * MIB);
    assertThat(dirtyBytesAt(52.1)).isZero();
  }

  /** There always is some, the oldest of it 20 s old, and no limit is near. */
  @Test
  void dataThatIsDeletedInTimeIsNeverWritten() {
    for (int second = 0; second < 200; second += 5) {
      dirtyBytesAt(second);
      write(16 * MIB, second);
      buffers.deleted(second - 20, 0);
    }

    assertThat(buffers.dirtyBytes(0)).isEqualTo(4 * 16 * MIB);
    assertThat(buffers.writtenBytes(0)).as("waits").isEqualTo(buffers.dirtyBytes(0));
  }

  /** In the kernel it is one file, that is dirty since its first byte. */
  @Test
  void aFileThatGrowsIsAsOldAsItsFirstBytes() {
    for (int second = 0; second < 4; second++) {
      dirtyBytesAt(second);
      write(16 * MIB, 1);
    }

    assertThat(dirtyBytesAt(29.9)).isEqualTo(64 * MIB);
    assertThat(dirtyBytesAt(31.1)).isZero();
  }

  @Test
  void theDeviceFollowsAtOnceUntilHalfOfTheBufferIsClean() {
    write(768 * MIB);

    assertThat(dirtyBytesAt(2.1)).isEqualTo(640 * MIB);
    assertThat(dirtyBytesAt(20)).isEqualTo(512 * MIB);
    assertThat(dirtyBytesAt(39)).isZero();
  }

  /** By Linux 2.6.21 devices begin at a quarter of what writers wait for. */
  @Test
  void theDeviceFollowsFromTheBackgroundLimitOn() {
    assertThat(dirtyBytesWith(256 * MIB, 256 * MIB)).isEqualTo(256 * MIB);
    assertThat(dirtyBytesWith(256 * MIB, 384 * MIB)).as("one flush").isEqualTo(256 * MIB);
    assertThat(dirtyBytesWith(384 * MIB, 384 * MIB)).isEqualTo(384 * MIB);
  }

  /** Four seconds after a write. */
  private static long dirtyBytesWith(long background, long written) {
    Engine own = new Engine();
    WriteBuffers nodes = new BufferNodes(1024 * MIB, background, 1).buffers(own);
    assertThat(nodes.reserve(DISK, written, ANY_SPEED, ticket -> {}, 0)).isTrue();
    nodes.written(0, written);
    own.runUntil(Ticks.ofSeconds(4));
    return nodes.dirtyBytes(0);
  }

  @Test
  void theDeviceNeverSeesWhatIsDeletedBeforeItsTurn() {
    write(128 * MIB, 1);
    buffers.deleted(1, 0);

    assertThat(buffers.dirtyBytes(0)).isZero();
    assertThat(buffers.writtenBytes(0)).isZero();

    write(768 * MIB, 1);
    write(128 * MIB, 2);
    buffers.deleted(2, 0);

    assertThat(buffers.writtenBytes(0)).isEqualTo(768 * MIB);
    assertThat(dirtyBytesAt(60)).isZero();
  }

  @Test
  void whatTheDeviceHasOrIsWritingIsNotTakenBack() {
    write(768 * MIB, 1);
    buffers.deleted(1, 0);

    // One flush of an eighth of the buffer had begun.
    assertThat(buffers.writtenBytes(0)).isEqualTo(128 * MIB);
    buffers.deleted(1, 0);
    assertThat(buffers.writtenBytes(0)).isEqualTo(128 * MIB);
    assertThat(dirtyBytesAt(2.1)).isZero();
  }

  @Test
  void othersDataIsNotDeletedInstead() {
    write(64 * MIB, 1);
    assertThat(dirtyBytesAt(31.1)).isZero();
    write(128 * MIB, 2);
    buffers.deleted(1, 0);

    assertThat(buffers.dirtyBytes(0)).isEqualTo(128 * MIB);
  }

  /** An order in which a queue that knows only how much waits would keep 128 MiB of nothing. */
  @Test
  void whatIsDeletedLastGoesAsAWhole() {
    write(768 * MIB, 1);
    write(128 * MIB, 2);
    assertThat(buffers.queuedBytes(0)).as("one flush is under way").isEqualTo(896 * MIB);
    buffers.deleted(2, 0);
    buffers.deleted(1, 0);

    assertThat(buffers.dirtyBytes(0)).as("the flush under way").isEqualTo(128 * MIB);
    assertThat(dirtyBytesAt(2.1)).isZero();
    assertThat(buffers.writtenBytes(0)).isEqualTo(128 * MIB);
  }

  @Test
  void aFileIsDeletedWhereItsWritesStandAmongOthers() {
    for (int i = 0; i < 10; i++) {
      write(16 * MIB, i % 2);
    }
    buffers.deleted(1, 0);

    assertThat(buffers.dirtyBytes(0)).isEqualTo(80 * MIB);
    write(16 * MIB, 1);
    buffers.deleted(0, 0);
    assertThat(buffers.dirtyBytes(0)).isEqualTo(16 * MIB);
  }

  @Test
  void whoComesLaterWaitsBehindOneWhoNeedsMoreRoom() {
    assertThat(write(1000 * MIB)).isTrue();
    assertThat(write(512 * MIB)).isFalse();
    assertThat(write(16 * MIB)).as("would fit").isFalse();

    dirtyBytesAt(7.9);
    assertThat(told).isEmpty();
    dirtyBytesAt(8.1);
    assertThat(told).containsExactly(512 * MIB, 16 * MIB);
  }

  /** The first one waits for the other node for two seconds, and then for this one. */
  @Test
  void whoWaitedForAnotherNodeKeepsItsTurn() {
    buffers.reserve(new int[] {1}, 1000 * MIB, ANY_SPEED, told::add, 0);
    buffers.writtenOf(0, 1, 1000 * MIB);
    dirtyBytesAt(1);
    assertThat(write(1000 * MIB)).isTrue();
    assertThat(reserveBoth(1)).isFalse();
    assertThat(buffers.reserve(DISK, 64 * MIB, ANY_SPEED, told::add, 2)).isFalse();
    assertThat(buffers.reserve(DISK, 64 * MIB, ANY_SPEED, told::add, 3)).isFalse();

    dirtyBytesAt(2.1);
    assertThat(told).containsExactly(1L);
    dirtyBytesAt(3.1);
    assertThat(told).containsExactly(1L, 1L, 2L, 3L);
  }

  /** Room on the other node, then on this one. */
  private boolean reserveBoth(long ticket) {
    return buffers.reserve(
        new int[] {1, 0},
        64 * MIB,
        ANY_SPEED,
        again -> {
          told.add(again);
          reserveBoth(again);
        },
        ticket);
  }

  @Test
  void whoFindsNoRoomIsToldWhenThereIsSome() {
    assertThat(write(1000 * MIB)).isTrue();
    assertThat(write(64 * MIB)).isFalse();

    assertThat(dirtyBytesAt(1.9)).isEqualTo(1000 * MIB);
    assertThat(told).isEmpty();
    dirtyBytesAt(2.1);
    assertThat(told).containsExactly(64 * MIB);
  }

  @Test
  void aSlowWriterTakesRoomForItsShareOfTheDevicesRateUntilItIsDone() {
    double slow = BufferNodes.DISK_BYTES_PER_SECOND / 4;
    buffers.reserve(DISK, 64 * MIB, slow, told::add, 0);
    assertThat(buffers.dirtyBytes(0)).isEqualTo(16 * MIB);

    buffers.written(0, 64 * MIB, slow);
    assertThat(buffers.dirtyBytes(0)).isEqualTo(64 * MIB);

    buffers.reserve(DISK, 64 * MIB, slow, told::add, 0);
    buffers.giveUp(0, 64 * MIB, slow);
    assertThat(buffers.dirtyBytes(0)).isEqualTo(64 * MIB);
    assertThat(buffers.dirtyBytes(0)).isEqualTo(buffers.queuedBytes(0));
  }
}
