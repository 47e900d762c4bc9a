package io.tierwise.benchmarks.placement;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Opens of files of one block by RPC. Processor time of the server's own threads counts, which
 * decides how many calls it can answer.
 */
final class OpensByRpc implements PairedTurns.Work {
  static final int FILES = 256;
  static final int OPENS_A_TURN = 32;

  private final Switch changed;
  private final List<ClientProtocol> clients = new ArrayList<>();
  private final List<long[]> threads = new ArrayList<>();
  private final Random random = new Random(1);

  /** Makes a NameNode have the part that is compared, or not. */
  interface Switch {
    void use(int nameNode, boolean ours);
  }

  /**
   * @param clusters made by {@link #clusterWithFiles}
   */
  OpensByRpc(List<BenchCluster> clusters, Switch changed) throws IOException {
    this.changed = changed;
    for (BenchCluster cluster : clusters) {
      InetSocketAddress address = cluster.nameNode().getNameNodeAddress();
      clients.add(
          NameNodeProxies.createNonHAProxy(
                  new Configuration(false),
                  address,
                  ClientProtocol.class,
                  UserGroupInformation.getCurrentUser(),
                  false)
              .getProxy());
      String port = " port " + address.getPort();
      threads.add(
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().endsWith(port))
              .mapToLong(Thread::getId)
              .toArray());
    }
  }

  /** A NameNode with {@link #FILES} files. */
  static BenchCluster clusterWithFiles(int nodes, Configuration changes) throws IOException {
    BenchCluster cluster = new BenchCluster(TreeShape.FLAT, changes);
    cluster.growTo(nodes);
    cluster.nameNode().getRpcServer().mkdirs("/data", FsPermission.getDirDefault(), true);
    FileOperations operations = new FileOperations(cluster);
    for (int file = 0; file < FILES; file++) {
      operations.write(file(file));
    }
    return cluster;
  }

  static String file(int number) {
    return "/data/file-" + number;
  }

  @Override
  public void use(int nameNode, boolean ours) {
    changed.use(nameNode, ours);
  }

  @Override
  public void turn(int nameNode) throws IOException {
    for (int open = 0; open < OPENS_A_TURN; open++) {
      clients
          .get(nameNode)
          .getBlockLocations(file(random.nextInt(FILES)), 0, ServedCalls.BYTES_OF_AN_OPEN);
    }
  }

  @Override
  public long processorNanos(int nameNode) {
    long nanos = 0;
    for (long thread : threads.get(nameNode)) {
      nanos += PairedTurns.THREADS.getThreadCpuTime(thread);
    }
    return nanos;
  }
}
