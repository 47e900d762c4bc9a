package io.tierwise.hadoop.hdfs.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.heat.FileHeat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The audit logger in a real NameNode with Hadoop's defaults. */
class AuditLoggerIT {
  private static final int BLOCK = 1 << 20;

  @TempDir private Path folder;

  private MiniDFSCluster cluster(Configuration conf) throws IOException {
    conf.set("dfs.namenode.audit.loggers", "default," + TierwiseAuditLogger.class.getName());
    conf.setInt("dfs.blocksize", BLOCK);
    // All of a test lies in one window: in another one a read that goes on counts again.
    conf.setInt(FeedSettings.WINDOW_KEY, 604_800);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, folder.toFile()).numDataNodes(1).build();
    cluster.waitActive();
    return cluster;
  }

  private static AccessFeed feed(MiniDFSCluster cluster) {
    for (AuditLogger logger : cluster.getNamesystem().getAuditLoggers()) {
      if (logger instanceof TierwiseAuditLogger ours) {
        return ours.feed();
      }
    }
    throw new AssertionError("no such logger: " + cluster.getNamesystem().getAuditLoggers());
  }

  private static void write(DistributedFileSystem fs, String path, int blocks) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (FSDataOutputStream out = fs.create(file, true, 4096, (short) 1, BLOCK)) {
      out.write(new byte[blocks * BLOCK]);
    }
  }

  private static void read(DistributedFileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      in.readAllBytes();
    }
  }

  private static FileHeat heat(AccessFeed feed, String path) {
    return feed.ask(heat -> heat.report(4).file(path));
  }

  private static void await(String what, Callable<Boolean> check) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!check.call()) {
      assertThat(System.nanoTime()).as("waiting for " + what).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static long shown(String attribute) throws Exception {
    ObjectName name = new ObjectName("Hadoop:service=NameNode,name=" + AccessFeedStatus.NAME);
    return ((Number) ManagementFactory.getPlatformMBeanServer().getAttribute(name, attribute))
        .longValue();
  }

  /** 25 blocks are three calls for locations: opens of one read. */
  @Test
  @Timeout(180)
  void countsReadsAndNotCallsAndFollowsRenamesAndDeletions() throws Exception {
    try (MiniDFSCluster cluster = cluster(new HdfsConfiguration())) {
      DistributedFileSystem fs = cluster.getFileSystem();
      AccessFeed feed = feed(cluster);
      write(fs, "/d/large\nname", 25);
      write(fs, "/d/small", 1);
      read(fs, "/d/large\nname");
      read(fs, "/d/small");
      await("the reads", () -> shown("Reads") == 2);
      await("calls of the large file", () -> shown("Continued") >= 2);
      assertThat(heat(feed, "/d/large\nname").reads()).isEqualTo(1);

      fs.rename(new org.apache.hadoop.fs.Path("/d"), new org.apache.hadoop.fs.Path("/e"));
      fs.delete(new org.apache.hadoop.fs.Path("/e/large\nname"), false);
      await("the deletion", () -> heat(feed, "/d/small").reads() == 0 && shown("Files") == 1);
      assertThat(heat(feed, "/e/small").reads()).isEqualTo(1);
      assertThat(shown("Dropped")).isZero();
      assertThat(shown("Failures")).isZero();
    }
  }

  /** All clients of a Router come from its address, and it tells theirs. */
  @Test
  @Timeout(180)
  void clientsOfOneRouterAreReadersOfTheirOwn() throws Exception {
    try (MiniDFSCluster cluster = cluster(new HdfsConfiguration())) {
      DistributedFileSystem fs = cluster.getFileSystem();
      AccessFeed feed = feed(cluster);
      write(fs, "/f", 1);
      CallerContext before = CallerContext.getCurrent();
      try {
        for (int task = 0; task < 40; task++) {
          String context = "SPARK_TASK_" + task + ",clientIp:10.0.0." + task % 20;
          CallerContext.setCurrent(new CallerContext.Builder(context).build());
          fs.getClient().getLocatedBlocks("/f", 0);
        }
      } finally {
        CallerContext.setCurrent(before);
      }
      await("the opens", () -> shown("Reads") + shown("Continued") == 40);
      assertThat(heat(feed, "/f").reads()).isEqualTo(20);
    }
  }

  /** Nothing is counted while a question is answered: the queue fills, and calls go on. */
  @Test
  @Timeout(180)
  void dropsAndCountsWhatFindsTheQueueFullAndNeverHoldsACall() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(FeedSettings.QUEUE_KEY, 16);
    try (MiniDFSCluster cluster = cluster(conf)) {
      DistributedFileSystem fs = cluster.getFileSystem();
      AccessFeed feed = feed(cluster);
      write(fs, "/f", 1);
      await("an empty queue", () -> feed.queued() == 0);
      long before = feed.taken();
      int opens = 200;
      CountDownLatch asking = new CountDownLatch(1);
      CountDownLatch opened = new CountDownLatch(1);
      Thread question =
          new Thread(
              () ->
                  feed.ask(
                      heat -> {
                        asking.countDown();
                        try {
                          return opened.await(60, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                          throw new UncheckedIOException(new IOException(e));
                        }
                      }));
      question.start();
      asking.await();
      for (int i = 0; i < opens; i++) {
        fs.getClient().getLocatedBlocks("/f", 0);
      }
      assertThat(feed.taken() - before + feed.dropped()).isEqualTo(opens);
      // One may have been taken out before it waited for the question's end.
      assertThat(feed.dropped()).isBetween(opens - 17L, opens - 16L);
      opened.countDown();
      question.join();
      await("the rest", () -> feed.queued() == 0);
      await("the count", () -> heat(feed, "/f").reads() == 1);
      fs.getClient().getLocatedBlocks("/f", 0);
      await("counting to go on", () -> feed.taken() - before == opens + 1 - feed.dropped());
    }
  }
}
