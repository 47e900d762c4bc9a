package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that is ended or paused while it looks at the files of its rules. */
class StopsMeanwhileIT {
  private static final String FILE = "/cold/file";
  private static final short REPLICAS = 2;

  @TempDir private Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<Round> rounds = new CopyOnWriteArrayList<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicBoolean paused = new AtomicBoolean();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger askedSincePause = new AtomicInteger();
  private volatile int askedMax = Integer.MAX_VALUE;
  private MiniDFSCluster hdfs;

  @BeforeEach
  void start() throws IOException {
    hdfs =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .numDataNodes(REPLICAS)
            .build();
    hdfs.waitActive();
    DFSTestUtil.createFile(
        hdfs.getFileSystem(), new org.apache.hadoop.fs.Path(FILE), 1, REPLICAS, 1);
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  @FunctionalInterface
  private interface Doing {
    void run() throws IOException;
  }

  /** Something is done when a directory is listed. */
  private DistributedFileSystem listing(Doing doing) throws IOException {
    Configuration conf = hdfs.getConfiguration(0);
    DFSClient client =
        new DFSClient(hdfs.getURI(), conf) {
          @Override
          public DirectoryListing listPaths(String path, byte[] after, boolean withLocations)
              throws IOException {
            doing.run();
            return super.listPaths(path, after, withLocations);
          }
        };
    DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public DFSClient getClient() {
            return client;
          }

          @Override
          public void close() throws IOException {
            client.close();
            super.close();
          }
        };
    fs.initialize(hdfs.getURI(), conf);
    return fs;
  }

  private Autotier autotier(DistributedFileSystem fs) throws IOException {
    return RuledAutotier.of(
        fs, hdfs.getConfiguration(0), folder, "path matches /cold/** -> replicas 1", said::add);
  }

  private Autotier.Gate gate() {
    return new Autotier.Gate() {
      @Override
      public boolean isStopped() {
        // Three seconds after a pause whatever was begun has changed something.
        return stopped.get() || askedSincePause.get() > 3 || asked.get() > askedMax;
      }

      @Override
      public boolean mayChange() {
        asked.incrementAndGet();
        if (paused.get()) {
          askedSincePause.incrementAndGet();
        }
        return !paused.get();
      }

      @Override
      public void requireLease() {
        // It has it.
      }
    };
  }

  private static void awaitEver(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException("ended").initCause(e);
    }
  }

  private void run(Autotier autotier) {
    try {
      autotier.run(0, rounds::add, gate());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Timeout(180)
  void aLookAtManyFilesEndsWithTheDaemon() throws Exception {
    CountDownLatch listing = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    try (DistributedFileSystem fs =
        listing(
            () -> {
              listing.countDown();
              awaitEver(never);
            })) {
      Autotier autotier = autotier(fs);
      Thread daemon = new Thread(() -> run(autotier), "daemon");
      daemon.start();
      assertThat(listing.await(1, TimeUnit.MINUTES)).isTrue();

      stopped.set(true);
      daemon.join(TimeUnit.MINUTES.toMillis(1));

      boolean ended = !daemon.isAlive();
      never.countDown();
      daemon.join();
      assertThat(ended).isTrue();
      assertThat(said).isEmpty();
      assertThat(rounds).isEmpty();
    }
  }

  @Test
  @Timeout(180)
  void aPlanThatFailsIsNotMadeAgainEachSecond() throws Exception {
    AtomicInteger listings = new AtomicInteger();
    long begun = System.nanoTime();
    try (DistributedFileSystem fs =
        listing(
            () -> {
              if (listings.getAndIncrement() == 0) {
                // Some seconds more, however long the first plan took to begin.
                askedMax = asked.get() + 6;
              }
              throw new IOException("away");
            })) {
      run(autotier(fs));
    }

    double seconds = (System.nanoTime() - begun) / 1e9;
    assertThat(listings).hasPositiveValue();
    assertThat(listings.get()).isLessThanOrEqualTo(1 + (int) (seconds / Autotier.REST_SECONDS));
    assertThat(said).containsOnly("IOException: away").hasSizeLessThanOrEqualTo(listings.get());
  }

  @Test
  @Timeout(180)
  void aPauseInALookAtFilesComesBeforeTheFirstChange() throws Exception {
    try (DistributedFileSystem fs = listing(() -> paused.set(true))) {
      run(autotier(fs));
    }

    assertThat(rounds).isEmpty();
    assertThat(hdfs.getFileSystem().getFileStatus(new org.apache.hadoop.fs.Path(FILE)))
        .extracting(file -> file.getReplication())
        .isEqualTo(REPLICAS);
  }
}
