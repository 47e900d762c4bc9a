package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

class FreshReportsTest {
  private static Configuration pair() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "pair");
    conf.set("dfs.ha.namenodes.pair", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.pair.nn1", "localhost:1");
    conf.set("dfs.namenode.rpc-address.pair.nn2", "localhost:2");
    return conf;
  }

  /** Neither NameNode answers. */
  private static DistributedFileSystem away() {
    return new DistributedFileSystem() {
      @Override
      public URI getUri() {
        return URI.create("hdfs://pair");
      }

      @Override
      public boolean exists(Path path) throws IOException {
        throw new IOException("away");
      }
    };
  }

  @Test
  void questionsDoNotPileUpWhileOneIsUnderWay() throws Exception {
    ThreadPoolExecutor calls =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    CountDownLatch busy = new CountDownLatch(1);
    calls.execute(() -> awaitUnchecked(busy));
    FreshReports reports = new FreshReports(away(), pair(), calls);
    for (int late = 0; late < 1_000; late++) {
      reports.late(Made.blockOn("a"));
    }
    assertThat(calls.getQueue()).hasSize(1);

    busy.countDown();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (calls.getTaskCount() < 3) {
      assertThat(System.nanoTime()).as("another question").isLessThan(end);
      reports.late(Made.blockOn("a"));
    }
    calls.shutdown();
    assertThat(calls.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
