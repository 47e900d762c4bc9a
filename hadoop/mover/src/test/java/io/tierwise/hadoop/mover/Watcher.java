package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Looks at files again and again while they are moved, and fails at its end if anything was off.
 */
final class Watcher implements AutoCloseable {
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<Looks> looks;
  private volatile boolean over;

  private interface Look {
    void at(Path file) throws IOException;
  }

  /** The looks of a thread. */
  private final class Looks extends Thread {
    private final List<Path> files;
    private final Look look;
    private final AtomicLong made = new AtomicLong();

    Looks(String name, List<Path> files, Look look) {
      super(name);
      this.files = files;
      this.look = look;
    }

    @Override
    public void run() {
      try {
        while (!over) {
          for (Path file : files) {
            look.at(file);
            made.incrementAndGet();
          }
        }
      } catch (IOException | AssertionError e) {
        failure.compareAndSet(null, e);
      }
    }
  }

  /**
   * Reads files with their checksums, and asks the NameNode at every moment that it can whether
   * each block has its replicas, on as many nodes.
   */
  Watcher(LiveCluster cluster, List<Path> files, int blocks, int replicas) {
    looks =
        List.of(
            new Looks("test-reader", files, file -> cluster.assertWhole(file, blocks)),
            new Looks("test-sampler", files, file -> sample(cluster, file, replicas)));
    looks.forEach(Thread::start);
  }

  private Watcher(LiveCluster cluster, List<Path> files, List<ExtendedBlock> blocks, int replicas) {
    looks =
        List.of(
            new Looks("test-sampler", files, file -> sampleDataNodes(cluster, blocks, replicas)));
    looks.forEach(Thread::start);
  }

  /**
   * Counts the replicas on the DataNodes themselves: a NameNode that is away knows nothing, and one
   * that has just started knows less than there is. None of the nodes may start or stop meanwhile.
   */
  static Watcher ofDataNodes(LiveCluster cluster, List<Path> files, int replicas)
      throws IOException {
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (Path file : files) {
      cluster.blocks(file).forEach(block -> blocks.add(block.getBlock()));
    }
    return new Watcher(cluster, files, blocks, replicas);
  }

  private static void sample(LiveCluster cluster, Path file, int replicas) throws IOException {
    for (LocatedBlock block : cluster.blocks(file)) {
      long nodes =
          Arrays.stream(block.getLocations()).map(DatanodeInfo::getDatanodeUuid).distinct().count();
      assertThat(nodes).as("%s", block).isGreaterThanOrEqualTo(replicas);
    }
  }

  private static void sampleDataNodes(
      LiveCluster cluster, List<ExtendedBlock> blocks, int replicas) {
    for (ExtendedBlock block : blocks) {
      long nodes =
          cluster.mini().getDataNodes().stream()
              .filter(node -> node.getFSDataset().contains(block))
              .count();
      assertThat(nodes).as("%s on the DataNodes", block).isGreaterThanOrEqualTo(replicas);
    }
    // These looks wait for nobody, and would take a processor for themselves.
    LockSupport.parkNanos(100_000);
  }

  /** The files that were read. */
  long reads() {
    return looks.get(0).made.get();
  }

  /** Not before each look was made at least once, however slow the machine is. */
  @Override
  public void close() {
    try {
      LiveCluster.await(
          "a look of each kind",
          () -> failure.get() != null || looks.stream().allMatch(thread -> thread.made.get() > 0));
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      over = true;
    }
    try {
      for (Thread thread : looks) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (failure.get() != null) {
      throw new AssertionError("while data was moved", failure.get());
    }
  }
}
