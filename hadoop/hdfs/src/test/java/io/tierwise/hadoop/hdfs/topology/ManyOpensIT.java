package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import io.tierwise.policies.access.ReadReport;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many opens on a NameNode that counts, and on several that each see a part of them. */
class ManyOpensIT {
  private static final int NODES = AutoHdfs.NODES;
  private static final int HANDLERS = 4;
  private static final int OPENS = 5_000;
  private static final String HANDLER_NAME = "opens-";

  /** More than a lock of Java's has. */
  private static final int FRAMES = 16;

  private static AutoHdfs auto;

  @BeforeAll
  static void start(@TempDir File folder) throws IOException {
    auto = AutoHdfs.start(folder, 1000);
    auto.hdfs().write("/file", MiniHdfs.BLOCK_BYTES, NODES);
  }

  @AfterAll
  static void stop() {
    auto.close();
  }

  /** Of idle nodes: a heartbeat sent while the file was written told of transfers that ended. */
  private static LocatedBlock block() throws IOException {
    LocatedBlock block = auto.blocks("/file").get(0);
    for (DatanodeInfo node : block.getLocations()) {
      node.setXceiverCount(0);
    }
    return block;
  }

  @Test
  void opensOfManyHandlersAreAllCountedAndNoHandlerWaitsForUs() throws Exception {
    TierwiseTopology topology = auto.topology();
    LocatedBlock block = block();
    double before = topology.countedReads();
    List<List<LocatedBlock>> blocks = new ArrayList<>();
    for (int handler = 0; handler < HANDLERS; handler++) {
      blocks.add(AutoHdfs.copyOf(block));
    }
    onHandlers(
        (handler, open) -> {
          String reader = "192.0.2." + (open * HANDLERS + handler) % 250;
          AutoHdfs.asCall(open, () -> auto.nodes().sortLocatedBlocks(reader, blocks.get(handler)));
        });
    assertAllCounted(topology, before);
    assertThat(topology.failureCount()).isZero();
  }

  /** A report may be dropped, an open neither waits nor fails. */
  @Test
  void opensThatTellOfReadsAreAllCountedAndNoHandlerWaitsForUs() throws Exception {
    TierwiseTopology topology = auto.freshTopology(TierwiseTopology.STRATEGY, "auto");
    DatanodeInfoWithStorage[] all = block().getLocations();
    ReplicaTiers tiers = auto.freshTiers();
    // Whoever sees a storage first puts it into a table, where another's may stand in the way.
    topology.sortByDistanceUsingNetworkLocation(
        new NodeBase("192.0.2.200", "/elsewhere"), all.clone(), NODES, Collections::shuffle);
    double before = topology.countedReads();
    List<ReadReport> slow =
        Stream.of(all)
            .map(replica -> new ReadReport(tiers.of(replica).number(), true, 1, 5_000, 0))
            .toList();
    String context = ReadReportText.KEY + ":" + ReadReportText.of(slow);
    onHandlers(
        (handler, open) -> {
          DatanodeInfoWithStorage[] own = all.clone();
          NodeBase reader = new NodeBase("192.0.2." + handler, "/elsewhere");
          CallerContext.setCurrent(new CallerContext.Builder(context).build());
          AutoHdfs.asCallFrom(
              handler,
              open,
              () ->
                  topology.sortByDistanceUsingNetworkLocation(
                      reader, own, NODES, Collections::shuffle));
        });
    assertAllCounted(topology, before);
    assertThat(topology.reportedReadCount())
        .isBetween((long) OPENS * NODES, (long) HANDLERS * OPENS * NODES);
    assertThat(topology.failureCount()).isZero();
  }

  /** A machine that stands still makes orders slow, and the next ones are left out for a moment. */
  private static void assertAllCounted(TierwiseTopology topology, double before) {
    double counted = topology.countedReads() - before;
    assertThat(counted + topology.leftOutCount()).isEqualTo((double) HANDLERS * OPENS);
    assertThat(counted).isGreaterThan(HANDLERS * OPENS / 2.0);
  }

  /** Handlers are looked at while they order: none may wait for a lock of ours. */
  private static void onHandlers(HandledOpen open) throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            HANDLERS, task -> new Thread(task, HANDLER_NAME + task.hashCode()));
    try {
      List<Future<Void>> running = new ArrayList<>();
      for (int handler = 0; handler < HANDLERS; handler++) {
        int number = handler;
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < OPENS; i++) {
                    open.handle(number, i);
                  }
                  return null;
                }));
      }
      for (Future<Void> handler : running) {
        while (!handler.isDone()) {
          assertThat(waitingForOurs()).isEmpty();
          TimeUnit.MILLISECONDS.sleep(5);
        }
        handler.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** What a handler's thread does for each open. */
  private interface HandledOpen {
    void handle(int handler, int open);
  }

  /**
   * Handlers that wait in code of ours; state and frames are of the same moment. Whoever needs a
   * class first loads it, and others wait for that once.
   */
  private static List<String> waitingForOurs() {
    List<String> waiting = new ArrayList<>();
    for (ThreadInfo thread :
        ManagementFactory.getThreadMXBean().dumpAllThreads(false, false, FRAMES)) {
      boolean waits =
          thread.getThreadState() == Thread.State.BLOCKED
              || thread.getThreadState() == Thread.State.WAITING;
      if (waits && thread.getThreadName().startsWith(HANDLER_NAME) && !loadsClass(thread)) {
        Stream.of(thread.getStackTrace())
            .filter(frame -> !isOfJava(frame))
            .limit(1)
            .filter(frame -> frame.getClassName().startsWith("io.tierwise."))
            .forEach(frame -> waiting.add(frame + " for " + thread.getLockInfo()));
      }
    }
    return waiting;
  }

  /** While one thread initializes a class, the others wait at a lock that is an {@code int[0]}. */
  private static boolean loadsClass(ThreadInfo thread) {
    boolean initializes =
        thread.getLockInfo() != null && thread.getLockInfo().getClassName().equals("[I");
    return initializes
        || Stream.of(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("loadClass"));
  }

  /** A lock's own frames. */
  private static boolean isOfJava(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.") || frame.getClassName().startsWith("jdk.");
  }

  /** As observers: what one has counted the others do not know. */
  @Test
  void threeThatEachSeeAThirdOfTheOpensStillSpreadTheReaders() throws IOException {
    int opens = 36;
    List<TierwiseTopology> observers = new ArrayList<>();
    for (int observer = 0; observer < 3; observer++) {
      observers.add(auto.freshTopology());
    }
    LocatedBlock block = block();
    Map<String, Integer> readers = new TreeMap<>();
    for (int open = 0; open < opens; open++) {
      TierwiseTopology observer = observers.get(open % observers.size());
      DatanodeInfoWithStorage[] replicas = block.getLocations().clone();
      NodeBase reader = new NodeBase("192.0.2." + open, "/elsewhere");
      AutoHdfs.asCall(
          open,
          () ->
              observer.sortByDistanceUsingNetworkLocation(
                  reader, replicas, NODES, Collections::shuffle));
      readers.merge(replicas[0].getHostName(), 1, Integer::sum);
    }
    assertThat(readers).hasSize(NODES);
    assertThat(readers.values()).allMatch(count -> count >= opens / NODES / 2);
    assertThat(observers).allMatch(observer -> observer.failureCount() == 0);
    assertThat(observers).allMatch(observer -> observer.countedReads() == opens / 3.0);
  }

  /** Not only the counter: also what the order is made by. */
  @Test
  void nodesThatWereOnlyLookedAtAreReadFirstAsBefore() throws IOException {
    DatanodeInfoWithStorage[] all = block().getLocations();
    Set<String> first = new TreeSet<>();
    for (int draw = 0; draw < 60; draw++) {
      // A new one each time: what a draw itself would leave is no matter.
      TierwiseTopology topology = auto.freshTopology();
      lookAt(topology, 1, all[0]);
      assertThat(topology.lookCount()).isOne();
      assertThat(topology.countedReads()).isZero();
      first.add(lookAt(topology, 2, all));
    }
    assertThat(first).hasSize(NODES);
  }

  /** The handler of a call would pass it on to the client. */
  @Test
  void aStrategyThatFailsToCountFailsNoCall() throws IOException {
    TierwiseTopology topology = auto.freshTopology(TierwiseTopology.STRATEGY, "throwing-aside");
    assertThat(lookAt(topology, 1, block().getLocations())).isNotEmpty();
    assertThat(topology.failureCount()).as("told, and taken back").isEqualTo(2);
  }

  /** A call that asks for locations and reads nothing; the node that it would have read from. */
  private static String lookAt(
      TierwiseTopology topology, int id, DatanodeInfoWithStorage... locations) {
    DatanodeInfoWithStorage[] replicas = locations.clone();
    AutoHdfs.asCall(
        id,
        () -> {
          NodeBase reader = new NodeBase("192.0.2.1", "/elsewhere");
          topology.sortByDistanceUsingNetworkLocation(
              reader, replicas, replicas.length, Collections::shuffle);
          topology.onlyLooked();
        });
    return replicas[0].getHostName();
  }
}
