package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.client.MiniHdfs;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a NameNode that counts does with many opens, and several that each see a part of them. */
class ManyOpensIT {
  private static final int NODES = 3;
  private static final byte[] CLIENT = new byte[16];

  private static MiniHdfs hdfs;
  private static Configuration conf;

  @BeforeAll
  static void start(@TempDir File folder) throws IOException {
    File tiers = new File(folder, "tiers.yaml");
    Files.writeString(
        tiers.toPath(),
        """
        tiers:
          - name: disk
            match: {storage-type: DISK}
            class: {name: slow-disk, read-megabytes-per-second: 2}
        """);
    conf = MiniHdfs.configuration();
    conf.set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, TierwiseTopology.class.getName());
    conf.set(TierwiseTopology.STRATEGY, "auto:link-megabytes-per-second=1000");
    conf.set(TierConfiguration.FILE_KEY, tiers.toString());
    StorageType[] disks = new StorageType[NODES];
    Arrays.fill(disks, StorageType.DISK);
    hdfs = MiniHdfs.start(conf, disks, new String[] {"/rack0", "/rack1", "/rack2"});
    hdfs.write("/file", MiniHdfs.BLOCK_BYTES, NODES);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static DatanodeManager nodes() {
    return hdfs.cluster().getNamesystem().getBlockManager().getDatanodeManager();
  }

  /** Of idle nodes: a heartbeat sent while the file was written told of transfers that ended. */
  private static LocatedBlock block() throws IOException {
    LocatedBlock block =
        hdfs.stock().getClient().getLocatedBlocks("/file", 0, Long.MAX_VALUE).get(0);
    for (DatanodeInfo node : block.getLocations()) {
      node.setXceiverCount(0);
    }
    return block;
  }

  private static void asCall(int id, Runnable open) {
    Server.getCurCall()
        .set(new Server.Call(id, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, CLIENT));
    try {
      open.run();
    } finally {
      Server.getCurCall().remove();
    }
  }

  /** Handlers are looked at while they order: none may wait for a lock of ours. */
  @Test
  void opensOfManyHandlersAreAllCountedAndNoHandlerWaitsForUs() throws Exception {
    int handlers = 4;
    int opens = 5_000;
    TierwiseTopology topology = (TierwiseTopology) nodes().getNetworkTopology();
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
                  List<LocatedBlock> own = List.of(copyOf(block));
                  for (int open = 0; open < opens; open++) {
                    String reader = "192.0.2." + (open * handlers + number) % 250;
                    asCall(open, () -> nodes().sortLocatedBlocks(reader, own));
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

  private static LocatedBlock copyOf(LocatedBlock block) {
    return new LocatedBlock(
        block.getBlock(),
        block.getLocations().clone(),
        block.getStorageIDs(),
        block.getStorageTypes());
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
      topology.setConf(conf);
      observers.add(topology);
    }
    LocatedBlock block = block();
    Map<String, Integer> readers = new TreeMap<>();
    for (int open = 0; open < opens; open++) {
      TierwiseTopology observer = observers.get(open % observers.size());
      DatanodeInfoWithStorage[] replicas = block.getLocations().clone();
      NodeBase reader = new NodeBase("192.0.2." + open, "/elsewhere");
      asCall(
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
      topology.setConf(conf);
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
    Configuration planted = new Configuration(conf);
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
    asCall(
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
