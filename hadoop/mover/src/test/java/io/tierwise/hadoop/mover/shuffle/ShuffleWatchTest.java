package io.tierwise.hadoop.mover.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShuffleWatchTest {
  private static final NodeManager BUSY = new NodeManager("localhost:1", "localhost", "http://a");
  private static final NodeManager SILENT = new NodeManager("b:1", "b", "http://b");
  private static final NodeManager OTHER = new NodeManager("c:1", "c.invalid", "http://c");

  private final ShuffleWatch watch = new ShuffleWatch(new Configuration(false));
  private final ExecutorService calls = Executors.newFixedThreadPool(2);
  private long sent;

  @AfterEach
  void end() {
    calls.shutdownNow();
  }

  private static DatanodeInfo dataNode(String address, String host) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID(address, host, "uuid", 1, 2, 3, 4))
        .build();
  }

  private void look() throws InterruptedException {
    sent += 1_000_000;
    watch.look(
        () -> List.of(BUSY, SILENT, OTHER),
        node -> {
          if (node.equals(SILENT)) {
            throw new IOException("Connection refused\nwith a trace");
          }
          return node.equals(BUSY) ? OptionalLong.of(sent) : OptionalLong.empty();
        },
        calls);
  }

  @Test
  void aNodeIsKnownByItsNameOrItsAddress() throws Exception {
    look();
    assertThat(watch.bytesPerSecond(dataNode("127.0.0.1", "localhost"))).isZero();
    look();

    assertThat(watch.bytesPerSecond(dataNode("10.9.9.9", "LocalHost"))).isPositive();
    assertThat(watch.bytesPerSecond(dataNode("127.0.0.1", "node1"))).isPositive();
    assertThat(watch.bytesPerSecond(dataNode("10.9.9.9", "node1"))).isZero();
  }

  @Test
  void oneThatDoesNotTellHoldsNobodyUpAndIsSaidOnce() throws Exception {
    assertThat(watch.unseen()).isNull();
    look();
    look();

    assertThat(watch.unseen())
        .isEqualTo(
            "moves could not always yield to the shuffle of 1 NodeManager that did not say what it sends,"
                + " for example of b: Connection refused");
  }

  @Test
  void withoutAListTheLastRatesStay() throws Exception {
    look();
    look();
    watch.look(
        () -> {
          throw new IOException("no ResourceManager");
        },
        node -> OptionalLong.empty(),
        calls);

    assertThat(watch.bytesPerSecond(dataNode("127.0.0.1", "node1"))).isPositive();
    assertThat(watch.unseen())
        .isEqualTo(
            "moves could not always yield to shuffles: the ResourceManager did not list its nodes"
                + " (no ResourceManager)");
  }

  private static void await(ShuffleWatch watch, String said) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (watch.unseen() == null || !watch.unseen().contains(said)) {
      assertThat(System.nanoTime() - end).as(watch.unseen()).isNegative();
      Thread.sleep(10);
    }
  }

  private static ShuffleWatch watching(int port) {
    Configuration conf = new Configuration();
    conf.set("yarn.resourcemanager.address", "127.0.0.1:" + port);
    return new ShuffleWatch(conf, new ShuffleWatch.Times(1_500, 1_500, 100));
  }

  /** It takes connections, as a machine does whose process hangs. */
  @Test
  void aResourceManagerThatNeverAnswersIsSaid() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ShuffleWatch asking = watching(silent.getLocalPort())) {
      asking.start();
      await(asking, "moves could not yield to shuffles yet");
      await(asking, "did not list its nodes (no answer within 1.5 s)");
      assertThat(asking.bytesPerSecond(dataNode("127.0.0.1", "localhost"))).isZero();
    }
  }

  @Test
  void aResourceManagerThatIsAwayIsSaid() throws Exception {
    try (ShuffleWatch asking = watching(1)) {
      asking.start();
      await(asking, "the ResourceManager did not list its nodes");
    }
  }

  @Test
  void whileAListIsUnderWayNobodyAsksForAnother() throws Exception {
    ShuffleWatch hasty =
        new ShuffleWatch(new Configuration(false), new ShuffleWatch.Times(50, 1_000, 0));
    CountDownLatch answers = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ShuffleWatch.Listing listing =
        () -> {
          asked.incrementAndGet();
          begun.countDown();
          awaitDeaf(answers);
          return List.of(BUSY);
        };
    AtomicLong count = new AtomicLong();
    ShuffleWatch.Question question = node -> OptionalLong.of(count.addAndGet(1_000));
    hasty.look(listing, question, calls);
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    hasty.look(listing, question, calls);
    assertThat(asked).hasValue(1);
    assertThat(hasty.unseen()).contains("no answer within 0.05 s");
    assertThat(count).hasValue(0);

    answers.countDown();
    while (count.get() < 2_000) {
      hasty.look(listing, question, calls);
    }
    assertThat(hasty.bytesPerSecond(dataNode("127.0.0.1", "node1"))).isPositive();
  }

  /** As a socket, which no interrupt ends. */
  static void awaitDeaf(CountDownLatch latch) {
    boolean over = false;
    while (!over) {
      try {
        latch.await();
        over = true;
      } catch (InterruptedException e) {
        // Not heard.
      }
    }
  }

  @Test
  void withoutYarnNobodyIsAsked() throws Exception {
    Configuration conf = new Configuration();
    assertThat(RunningNodes.of(conf)).isEmpty();

    conf.set("yarn.resourcemanager.hostname", "rm.invalid");
    try (RunningNodes nodes = RunningNodes.of(conf).orElseThrow()) {
      assertThat(nodes).isNotNull();
    }
  }
}
