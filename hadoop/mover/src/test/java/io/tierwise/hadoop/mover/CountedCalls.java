package io.tierwise.hadoop.mover;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;

/** HDFS's client as it is, and how often it asked for a directory and for what is in it. */
final class CountedCalls implements AutoCloseable {
  private final AtomicInteger listings = new AtomicInteger();
  private final AtomicInteger attributes = new AtomicInteger();
  private final DistributedFileSystem fs;

  CountedCalls(LiveCluster cluster, String directory) throws IOException {
    Configuration conf = cluster.clientConf();
    DFSClient client =
        new DFSClient(cluster.fs().getUri(), conf) {
          @Override
          public DirectoryListing listPaths(String path, byte[] after, boolean withLocations)
              throws IOException {
            listings.addAndGet(path.equals(directory) && withLocations ? 1 : 0);
            return super.listPaths(path, after, withLocations);
          }

          @Override
          public Map<String, byte[]> getXAttrs(String path) throws IOException {
            attributes.addAndGet(path.startsWith(directory + "/") ? 1 : 0);
            return super.getXAttrs(path);
          }
        };
    fs =
        new DistributedFileSystem() {
          @Override
          public DFSClient getClient() {
            return client;
          }
        };
    fs.initialize(cluster.fs().getUri(), conf);
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** Listings of the directory with locations. */
  int listings() {
    return listings.get();
  }

  /** Questions for the attributes of what is in it. */
  int attributes() {
    return attributes.get();
  }

  @Override
  public void close() throws IOException {
    fs.getClient().close();
    fs.close();
  }
}
