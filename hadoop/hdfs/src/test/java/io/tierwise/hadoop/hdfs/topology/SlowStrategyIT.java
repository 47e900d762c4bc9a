package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.DecisionTimes;
import io.tierwise.hadoop.hdfs.SlowDecision;
import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import io.tierwise.hadoop.hdfs.namenode.LogLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A strategy that hangs inside a NameNode that orders replicas for all clients. */
class SlowStrategyIT {
  /** More than the NameNode has handlers. */
  private static final int MANY = 12;

  private final ExecutorService readers = Executors.newCachedThreadPool();
  private final LogLines lines = new LogLines(DecisionTimes.class);
  private MiniHdfs hdfs;
  private byte[] data;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = MiniHdfs.configuration();
    OrderKeys.of(HangingAccess.NAME).forEach(conf::set);
    hdfs =
        MiniHdfs.start(
            conf,
            new StorageType[] {StorageType.DISK, StorageType.DISK},
            new String[] {"/rack0", "/rack1"});
    data = hdfs.write("/file", MiniHdfs.BLOCK_BYTES, 2);
  }

  @AfterEach
  void stop() {
    HangingAccess.gate.countDown();
    readers.shutdownNow();
    lines.close();
    if (hdfs != null) {
      hdfs.close();
    }
  }

  private TierwiseTopology topology() {
    return (TierwiseTopology)
        hdfs.cluster()
            .getNameNode()
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getNetworkTopology();
  }

  private Future<byte[]> read() {
    return readers.submit(
        () -> {
          try (FSDataInputStream in = hdfs.stock().open(new Path("/file"))) {
            return in.readAllBytes();
          }
        });
  }

  @Test
  void threeOrdersThatHangLeaveTheNameNodeToAllOthers() throws Exception {
    CountDownLatch opens = new CountDownLatch(1);
    HangingAccess.gate = opens;
    long before = topology().slowCount();
    List<Future<byte[]>> hanging = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      hanging.add(read());
      while (HangingAccess.waiting() < i) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
    SlowDecision.await();
    List<Future<byte[]>> others = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      others.add(read());
    }
    for (Future<byte[]> other : others) {
      assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(data);
    }
    assertThat(hanging).noneMatch(Future::isDone);
    assertThat(topology().leftOutCount()).isGreaterThanOrEqualTo(MANY);
    opens.countDown();
    for (Future<byte[]> late : hanging) {
      assertThat(late.get(1, TimeUnit.MINUTES)).isEqualTo(data);
    }
    assertThat(topology().slowCount() - before).isEqualTo(3);
    assertThat(topology().failureCount()).isZero();
    assertThat(lines.with(HangingAccess.class.getName() + " took "))
        .hasSize(1)
        .first()
        .asString()
        .contains("to order a block's replicas");
  }
}
