package io.tierwise.hadoop.hdfs.client;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;

/** A real HDFS in this process: node i has one volume, stands in a rack and is named host i. */
public final class MiniHdfs implements AutoCloseable {
  public static final int BLOCK_BYTES = 1 << 20;

  private static final long REPORTED_NANOS_MAX = 60_000_000_000L;

  private final MiniDFSCluster cluster;

  private MiniHdfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  public static Configuration configuration() {
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    CompletionPolls.shorten(conf);
    return conf;
  }

  public static MiniHdfs start(Configuration conf, StorageType[] volumes, String[] racks)
      throws IOException {
    String[] hosts = new String[volumes.length];
    StorageType[][] types = new StorageType[volumes.length][];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = "host" + i;
      types[i] = new StorageType[] {volumes[i]};
    }
    File folder = new File(System.getProperty("test.build.data", "target/test/data"));
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, new File(folder, UUID.randomUUID().toString()))
            .numDataNodes(volumes.length)
            .storagesPerDatanode(1)
            .storageTypes(types)
            .racks(racks)
            .hosts(hosts)
            .build();
    cluster.waitActive();
    return new MiniHdfs(cluster);
  }

  public MiniDFSCluster cluster() {
    return cluster;
  }

  /** A stock client. */
  public DistributedFileSystem stock() throws IOException {
    return cluster.getFileSystem();
  }

  /** A client of ours; {@code settings} are keys and values in turn. */
  public TierwiseFileSystem client(String... settings) throws IOException {
    return (TierwiseFileSystem) FileSystem.newInstance(uri(), clientConfiguration(settings));
  }

  public Configuration clientConfiguration(String... settings) {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.set("fs.hdfs.impl", TierwiseFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", TierwiseFs.class.getName());
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  public URI uri() {
    return cluster.getURI();
  }

  /** Writes a file of random bytes that depend on its path, and returns them. */
  public byte[] write(String path, int bytes, int replication) throws IOException {
    byte[] data = new byte[bytes];
    new Random(path.hashCode()).nextBytes(data);
    try (FSDataOutputStream out =
        stock().create(new Path(path), true, 4096, (short) replication, BLOCK_BYTES)) {
      out.write(data);
    }
    awaitReplicas(path, replication);
    return data;
  }

  /**
   * A closed file is complete with one reported replica, or with as many parts of a coded block as
   * hold its data; the others are reported soon after. Asks within the NameNode: a client's
   * question would count as a read.
   */
  private void awaitReplicas(String path, int replication) throws IOException {
    long end = System.nanoTime() + REPORTED_NANOS_MAX;
    while (!isReported(
        NameNodeAdapter.getBlockLocations(cluster.getNameNode(), path, 0, Long.MAX_VALUE),
        replication)) {
      if (System.nanoTime() > end) {
        throw new IOException(path + ": not all replicas or parts were reported");
      }
      LockSupport.parkNanos(5_000_000L);
    }
  }

  private static boolean isReported(LocatedBlocks blocks, int replication) {
    ErasureCodingPolicy code = blocks.getErasureCodingPolicy();
    return blocks.getLocatedBlocks().stream()
        .allMatch(
            block ->
                block.getLocations().length
                    >= (code == null ? replication : parts(code, block.getBlockSize())));
  }

  /** A block of few bytes has no parts for the data that it lacks. */
  private static int parts(ErasureCodingPolicy code, long bytes) {
    long cells = (bytes + code.getCellSize() - 1) / code.getCellSize();
    return (int) Math.min(cells, code.getNumDataUnits()) + code.getNumParityUnits();
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
