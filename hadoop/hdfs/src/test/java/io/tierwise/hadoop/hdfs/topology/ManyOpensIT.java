package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.MiniHdfs;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many opens on a NameNode that counts, and on several that each see a part of them. */
class ManyOpensIT {
  private static final int NODES = AutoHdfs.NODES;

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

  /** Handlers are looked at while they order: none may wait for a lock of ours. */
  @Test
  void opensOfManyHandlersAreAllCountedAndNoHandlerWaitsForUs() throws Exception {
    int handlers = 4;
    int opens = 5_000;
    TierwiseTopology topology = auto.topology();
    LocatedBlock block = block();
    double before = topology.countedReads();
    ExecutorService threads = Executors.newFixedThreadPool(handlers);
    try {
      List<Future<Void>> running = new ArrayList<>();
      for (int handler = 0; handler < handlers; handler++) {
        int number = handler;
        running.add(
            threads.submit(
                () -> {
                  List<LocatedBlock> own = AutoHdfs.copyOf(block);
                  for (int open = 0; open < opens; open++) {
                    String reader = "192.0.2." + (open * handlers + number) % 250;
                    AutoHdfs.asCall(open, () -> auto.nodes().sortLocatedBlocks(reader, own));
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
    assertThat(topology.countedReads() - before).isEqualTo((double) handlers * opens);
    assertThat(topology.failureCount()).isZero();
  }

  /** Threads that are blocked in code of ours; state and frames are of the same moment. */
  private static List<String> waitingForOurs() {
    List<String> waiting = new ArrayList<>();
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false, 1)) {
      StackTraceElement[] frames = thread.getStackTrace();
      boolean ours = frames.length > 0 && frames[0].getClassName().startsWith("io.tierwise.");
      if (thread.getThreadState() == Thread.State.BLOCKED && ours) {
        waiting.add(thread.getThreadName() + " at " + frames[0] + " for " + thread.getLockInfo());
      }
    }
    return waiting;
  }

  /** As observers: what one has counted the others do not know. */
  @Test
  void threeThatEachSeeAThirdOfTheOpensStillSpreadTheReaders() throws IOException {
    int opens = 36;
    List<TierwiseTopology> observers = new ArrayList<>();
    for (int observer = 0; observer < 3; observer++) {
      TierwiseTopology topology = new TierwiseTopology();
      topology.setConf(auto.conf());
      observers.add(topology);
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
      TierwiseTopology topology = new TierwiseTopology();
      topology.setConf(auto.conf());
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
    Configuration planted = new Configuration(auto.conf());
    planted.set(TierwiseTopology.STRATEGY, "throwing-aside");
    TierwiseTopology topology = new TierwiseTopology();
    topology.setConf(planted);
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
