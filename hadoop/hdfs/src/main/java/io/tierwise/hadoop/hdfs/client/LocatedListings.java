package io.tierwise.hadoop.hdfs.client;

import java.io.IOException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.functional.RemoteIterators;

/** Puts the block locations of listed files into the order of the files' strategies. */
final class LocatedListings {
  private LocatedListings() {}

  static RemoteIterator<LocatedFileStatus> ordered(
      TierwiseClient client, RemoteIterator<LocatedFileStatus> listing) {
    return RemoteIterators.mappingRemoteIterator(listing, status -> order(client, status));
  }

  /** Re-orders the hosts of the status's locations in place. */
  static LocatedFileStatus order(TierwiseClient client, LocatedFileStatus status)
      throws IOException {
    BlockLocation[] shown = status.getBlockLocations();
    if (shown == null || !(status instanceof HdfsLocatedFileStatus located)) {
      return status;
    }
    LocatedBlocks blocks = located.getLocatedBlocks();
    if (blocks == null) {
      return status;
    }
    client.order(status.getPath().toUri().getPath(), blocks);
    BlockLocation[] ordered = DFSUtilClient.locatedBlocks2Locations(blocks);
    for (int i = 0; i < shown.length && i < ordered.length; i++) {
      shown[i].setHosts(ordered[i].getHosts());
      shown[i].setNames(ordered[i].getNames());
      shown[i].setTopologyPaths(ordered[i].getTopologyPaths());
      shown[i].setStorageIds(ordered[i].getStorageIds());
      shown[i].setStorageTypes(ordered[i].getStorageTypes());
      shown[i].setCachedHosts(ordered[i].getCachedHosts());
    }
    return status;
  }
}
