package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Reads files again and again with their checksums, and asks the NameNode at every moment that it
 * can whether each block has its replicas, on as many nodes.
 */
final class Watcher implements AutoCloseable {
  private final LiveCluster cluster;
  private final List<Path> files;
  private final int blocks;
  private final int replicas;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong samples = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads;
  private volatile boolean over;

  Watcher(LiveCluster cluster, List<Path> files, int blocks, int replicas) {
    this.cluster = cluster;
    this.files = files;
    this.blocks = blocks;
    this.replicas = replicas;
    this.threads =
        List.of(new Thread(this::read, "test-reader"), new Thread(this::sample, "test-sampler"));
    threads.forEach(Thread::start);
  }

  private void read() {
    repeat(
        file -> {
          cluster.assertWhole(file, blocks);
          reads.incrementAndGet();
        });
  }

  private void sample() {
    repeat(
        file -> {
          for (LocatedBlock block : cluster.blocks(file)) {
            long nodes =
                Arrays.stream(block.getLocations())
                    .map(DatanodeInfo::getDatanodeUuid)
                    .distinct()
                    .count();
            assertThat(nodes).as("%s", block).isGreaterThanOrEqualTo(replicas);
            samples.incrementAndGet();
          }
        });
  }

  private interface Look {
    void at(Path file) throws IOException;
  }

  private void repeat(Look look) {
    try {
      while (!over) {
        for (Path file : files) {
          look.at(file);
        }
      }
    } catch (IOException | AssertionError e) {
      failure.compareAndSet(null, e);
    }
  }

  long reads() {
    return reads.get();
  }

  /** Not before it has read and looked at least once, however slow the machine is. */
  @Override
  public void close() {
    try {
      LiveCluster.await(
          "a reader and a look",
          () -> failure.get() != null || (reads.get() > 0 && samples.get() > 0));
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      over = true;
    }
    try {
      for (Thread thread : threads) {
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
