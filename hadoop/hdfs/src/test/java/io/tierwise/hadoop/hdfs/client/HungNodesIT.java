package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A DataNode takes requests, says to the NameNode that it lives, and answers nothing. */
@Tag("long")
class HungNodesIT {
  private static final int TIMEOUT_MILLIS = 6_000;

  /** Four rounds and 27 s of waits, as stock at the longest, and the round that goes beyond. */
  private static final int ASKED_MAX = 4 + 27_000 / TIMEOUT_MILLIS + 1;

  @Test
  void aReaderGivesUpAsSoonAsAStockReaderWouldAtTheLatest() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    try (MiniHdfs hdfs =
        MiniHdfs.start(
            MiniHdfs.configuration(),
            new StorageType[] {StorageType.DISK},
            new String[] {"/rack0"})) {
      byte[] data = hdfs.write("/file", 1_000, 1);
      try (FileSystem client =
              hdfs.client(
                  ClientKeys.STRATEGY,
                  "auto",
                  HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY,
                  String.valueOf(TIMEOUT_MILLIS));
          FSDataInputStream in = client.open(new Path("/file"))) {
        DataNodeFaultInjector.set(hanging(over, asked));
        assertThatThrownBy(in::read).isInstanceOf(BlockMissingException.class);
        assertThat(asked.get()).isBetween(4, ASKED_MAX);
        over.countDown();
        assertThat(in.readAllBytes()).isEqualTo(data);
      }
    } finally {
      over.countDown();
      DataNodeFaultInjector.set(before);
    }
  }

  private static DataNodeFaultInjector hanging(CountDownLatch over, AtomicInteger asked) {
    return new DataNodeFaultInjector() {
      @Override
      public void delayGetMetaDataInputStream() {
        asked.incrementAndGet();
        try {
          over.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }
}
