package io.tierwise.hadoop.mover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A whole cluster with its mover and monitor, which moves its own clock in the middle of moves. */
final class ClockJumpsProcess {
  private static final int BLOCKS = 8;
  private static final long DAY = TimeUnit.DAYS.toSeconds(1);

  private final Path file;
  private long seconds;

  private ClockJumpsProcess(Path file) {
    this.file = file;
  }

  /** From now on the time of day is that much later. */
  private void jump(long bySeconds) {
    long before = System.currentTimeMillis();
    seconds += bySeconds;
    ByteBuffer shift = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    shift.putLong(seconds).flip();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(shift);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // This process sees the jump; the little time that passes meanwhile is rounded off.
    long cameTo = System.currentTimeMillis() - before;
    System.out.println("jumped by " + Math.round(cameTo / 60_000.0) * 60 + " s");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private void run() throws IOException {
    try (LiveCluster cluster =
        LiveCluster.ofMixedNodes(LiveCluster.withPlugin(), "/r1", "/r2", "/r3")) {
      org.apache.hadoop.fs.Path stored = cluster.write("/t/file", BLOCKS, 3);
      cluster.setPolicy("/t", "layout:3 x ssd");
      MoverSettings slow =
          LiveCluster.quick().atRates(2L * LiveCluster.BLOCK_BYTES, 1L << 40).withMovesPerNode(1);
      MoverReport report;
      try (Mover mover = Mover.open(cluster.cluster(), slow)) {
        report =
            mover.run(
                cluster.order("", "/t"),
                new SteppedProgress(
                    count -> {
                      if (count == 4) {
                        jump(DAY);
                      } else if (count == 12) {
                        jump(-2 * DAY);
                      }
                    }));
      }
      require(report.left().isEmpty(), "left: " + report.left());
      require(report.seconds() > 0 && report.seconds() < DAY / 2.0, report.text(false));
      requireAll(cluster, stored, "SSD SSD SSD");
      System.out.println("all is on SSDs");

      cluster.setPolicy("/t", "layout:3 x disk");
      SeenMonitor monitor = new SeenMonitor(cluster);
      monitor.walk();
      jump(DAY);
      Repairs.Round round = monitor.repairs().round();
      require(round.done() == BLOCKS, round.text());
      monitor.walk();
      requireAll(cluster, stored, "DISK DISK DISK");
      require(SeenMonitor.shown("QueueBlocks").equals(0), "the monitor still has blocks");
      System.out.println("all is on disks");
    }
  }

  private static void requireAll(
      LiveCluster cluster, org.apache.hadoop.fs.Path stored, String types) throws IOException {
    List<String> found = cluster.typesOf(stored);
    require(found.stream().allMatch(types::equals), found.toString());
    cluster.assertWhole(stored, BLOCKS);
  }

  public static void main(String[] arguments) throws IOException {
    new ClockJumpsProcess(Path.of(arguments[0])).run();
    System.exit(0);
  }
}
