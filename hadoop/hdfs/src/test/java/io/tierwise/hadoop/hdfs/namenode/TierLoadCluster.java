package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.UnregisteredNodeException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.test.GenericTestUtils;

/**
 * A cluster with every default of Hadoop's in which tiers stand on few nodes: {@code t3} on three,
 * and one more on all of them. One writer, a file a block.
 */
final class TierLoadCluster implements AutoCloseable {
  private static final int RACKS = 3;

  private final TieredCluster cluster;
  private final String all;
  private final Map<String, List<String>> hosts = new LinkedHashMap<>();

  /**
   * @param sizes nodes of each tier, one tier after the other
   */
  TierLoadCluster(int nodes, int... sizes) throws IOException {
    all = "t" + nodes;
    StringBuilder yaml = new StringBuilder("tiers:\n");
    int next = 0;
    for (int size : sizes) {
      int first = next;
      next += size;
      hosts.put("t" + size, IntStream.range(first, next).mapToObj(TierLoadCluster::host).toList());
      yaml.append(
          "  - {name: t%d, match: {storage-type: SSD, hosts: %s}}%n"
              .formatted(size, hosts.get("t" + size)));
    }
    yaml.append("  - {name: %s, match: {storage-type: DISK}}%n".formatted(all));
    String[] racks =
        IntStream.range(0, nodes).mapToObj(i -> "/r" + i % RACKS).toArray(String[]::new);
    StorageType[][] types = new StorageType[nodes][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK});
    cluster = TieredCluster.startWithStockDefaults(yaml.toString(), racks, types);
  }

  private static String host(int node) {
    return "host" + node + ".foo.com";
  }

  /** The name of the first node of a tier. */
  String firstHost(String tier) {
    return hosts.get(tier).get(0);
  }

  TieredCluster cluster() {
    return cluster;
  }

  Path directory(String name, String tier, int replicas) throws IOException {
    return cluster.directory("/" + name + "-" + tier, "layout:" + replicas + " x " + tier);
  }

  /** Writes files one after the other; of each pipeline one node tells, the others do not yet. */
  void writeWithOldHeartbeats(Path directory, int files, int replicas) throws IOException {
    for (int i = 0; i < files; i++) {
      Path file = new Path(directory, "file" + i);
      try (FSDataOutputStream out = cluster.files().create(file, (short) replicas)) {
        out.write(i);
        out.hflush();
        DatanodeInfo[] pipeline = cluster.blocks(file).get(0).getLocations();
        String told = pipeline[i % pipeline.length].getDatanodeUuid();
        DataNodeTestUtils.triggerHeartbeat(
            cluster.mini().getDataNodes().stream()
                .filter(node -> node.getDatanodeUuid().equals(told))
                .findFirst()
                .orElseThrow());
      }
    }
  }

  void write(Path directory, int files, int replicas) throws IOException {
    for (int i = 0; i < files; i++) {
      try (FSDataOutputStream out =
          cluster.files().create(new Path(directory, "file" + i), (short) replicas)) {
        out.write(i);
      }
    }
  }

  /** Keeps so many blocks being written on that node, and has it say so. */
  List<FSDataOutputStream> load(String host, int transfers) throws Exception {
    DataNode node =
        cluster.mini().getDataNodes().stream()
            .filter(each -> each.getDatanodeId().getHostName().equals(host))
            .findFirst()
            .orElseThrow();
    List<FSDataOutputStream> open = new ArrayList<>();
    DistributedFileSystem files = cluster.files();
    // A node that tells of its first transfers is avoided by stock HDFS for the others.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(node, true);
    for (int i = 0; i < transfers; i++) {
      Path file = new Path("/load/" + host + "-" + i);
      FSDataOutputStream out =
          files.create(
              file,
              FsPermission.getFileDefault(),
              true,
              4096,
              (short) 1,
              files.getDefaultBlockSize(new Path("/")),
              null,
              new InetSocketAddress[] {node.getXferAddress()});
      open.add(out);
      out.write(i);
      out.hflush();
      assertThat(cluster.blocks(file).get(0).getLocations())
          .extracting(DatanodeInfo::getHostName)
          .containsExactly(host);
    }
    DataNodeTestUtils.setHeartbeatsDisabledForTests(node, false);
    awaitKnown(node, known -> known >= transfers);
    return open;
  }

  /**
   * Waits until the NameNode knows of no node that is above the floor. A node that was busy a
   * moment ago is avoided until its next heartbeat.
   */
  void awaitIdle() throws Exception {
    for (DataNode node : cluster.mini().getDataNodes()) {
      awaitKnown(node, known -> known <= TierLoads.FLOOR_DEFAULT);
    }
  }

  /** A triggered heartbeat may still be on its way: this asks the NameNode what it knows. */
  private void awaitKnown(DataNode node, IntPredicate wanted) throws Exception {
    GenericTestUtils.waitFor(
        () -> {
          triggerHeartbeat(node);
          return wanted.test(transfersKnown(node));
        },
        100,
        60_000);
  }

  private static void triggerHeartbeat(DataNode node) {
    try {
      DataNodeTestUtils.triggerHeartbeat(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int transfersKnown(DataNode node) {
    try {
      return cluster
          .mini()
          .getNamesystem()
          .getBlockManager()
          .getDatanodeManager()
          .getDatanode(node.getDatanodeId())
          .getXceiverCount();
    } catch (UnregisteredNodeException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the loads as the next tick of the view would. */
  void tick() {
    cluster.host().admission().refreshLoad(cluster.host().views().index());
  }

  long fallbacks(String tier, String reason) {
    return cluster.counters().fallbacks().getOrDefault(tier + "/" + reason, 0L);
  }

  void assertAllOn(String tier, Path directory, int files, int replicas) throws IOException {
    List<String> placed = placed(directory, files, replicas);
    long onTier = placed.stream().filter(at -> at.startsWith(tier + "@")).count();
    assertThat(onTier + " of " + placed.size() + " on " + tier)
        .isEqualTo(files * replicas + " of " + files * replicas + " on " + tier);
  }

  /** Every replica as tier@host. */
  List<String> placed(Path directory, int files, int replicas) throws IOException {
    List<String> placed = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      Path file = new Path(directory, "file" + i);
      cluster.awaitReplicas(file, replicas);
      LocatedBlock block = cluster.blocks(file).get(0);
      for (int j = 0; j < replicas; j++) {
        String host = block.getLocations()[j].getHostName();
        placed.add(tierOf(host, block.getStorageTypes()[j]) + "@" + host);
      }
    }
    return placed;
  }

  private String tierOf(String host, StorageType type) {
    return type == StorageType.DISK
        ? all
        : hosts.entrySet().stream()
            .filter(tier -> tier.getValue().contains(host))
            .map(Map.Entry::getKey)
            .collect(Collectors.joining());
  }

  @Override
  public void close() {
    cluster.close();
  }
}
