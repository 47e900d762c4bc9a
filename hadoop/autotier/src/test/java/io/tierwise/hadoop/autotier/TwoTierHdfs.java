package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A real HDFS of one node with an SSD and a disk. */
final class TwoTierHdfs implements AutoCloseable {
  static final int FILE_BYTES = 100_000;

  private final MiniDFSCluster hdfs;
  private final DistributedFileSystem fs;
  private final MoverCluster cluster;

  private TwoTierHdfs(MiniDFSCluster hdfs, Configuration conf) throws IOException {
    this.hdfs = hdfs;
    fs = hdfs.getFileSystem();
    cluster = MoverCluster.of(fs, conf);
  }

  static TwoTierHdfs start(Configuration conf, java.nio.file.Path folder) throws IOException {
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    hdfs.waitActive();
    return new TwoTierHdfs(hdfs, conf);
  }

  DistributedFileSystem fs() {
    return fs;
  }

  MoverCluster cluster() {
    return cluster;
  }

  /** Writes a file of one block and one replica; its inode id. */
  long write(String path) throws IOException {
    DFSTestUtil.createFile(fs, new Path(path), FILE_BYTES, (short) 1, 1);
    return fs.getClient().getFileInfo(path).getFileId();
  }

  void delete(String path) throws IOException {
    fs.delete(new Path(path), false);
  }

  static AutotierSettings settings() {
    return new AutotierSettings("ppa", 1_000, 20, 1, 0, List.of("/"), 100);
  }

  @Override
  public void close() {
    hdfs.shutdown();
  }
}
