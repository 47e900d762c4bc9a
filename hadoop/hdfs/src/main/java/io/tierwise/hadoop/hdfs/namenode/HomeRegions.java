package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;

/**
 * The home region of files that are being written: where the first block's first replica was put.
 *
 * <p>The NameNode keeps the replicas of a finished block in the order of their reports, so the
 * answer is remembered while the first block is under construction, for the latest files. Without a
 * memory (after a restart, for an old file) the first reported replica stands for the first one.
 */
final class HomeRegions {
  private static final int FILES_MAX = 4096;

  private final Map<Long, String> regionNameOfFile =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > FILES_MAX;
        }
      };

  /** The region's number in {@code index}, or {@link ClusterView#NONE} without a first block. */
  int of(INodeFile file, ClusterIndex index) {
    if (index.regionNames.length <= 1 || file.numBlocks() == 0) {
      return ClusterView.NONE;
    }
    String name;
    synchronized (regionNameOfFile) {
      name = regionNameOfFile.get(file.getId());
    }
    if (name == null) {
      int region = regionOfFirstReplica(file.getBlocks()[0], index);
      if (region != ClusterView.NONE) {
        synchronized (regionNameOfFile) {
          regionNameOfFile.put(file.getId(), index.regionNames[region]);
        }
      }
      return region;
    }
    for (int region = 0; region < index.regionNames.length; region++) {
      if (index.regionNames[region].equals(name)) {
        return region;
      }
    }
    return ClusterView.NONE;
  }

  /** Notes where the first block of a file goes, in the order of its pipeline. */
  void note(long fileId, String regionName) {
    synchronized (regionNameOfFile) {
      regionNameOfFile.put(fileId, regionName);
    }
  }

  private static int regionOfFirstReplica(BlockInfo block, ClusterIndex index) {
    Iterator<DatanodeStorageInfo> storages = block.getStorageInfos();
    DatanodeStorageInfo first = storages.hasNext() ? storages.next() : null;
    BlockUnderConstructionFeature writing = block.getUnderConstructionFeature();
    if (first == null && writing != null && writing.getNumExpectedLocations() > 0) {
      first = writing.getExpectedStorageLocations()[0];
    }
    // By its rack's name: a node that registered again may be missing in the index, its rack is
    // not.
    int rack =
        first == null
            ? ClusterView.NONE
            : index.rackOf(first.getDatanodeDescriptor().getNetworkLocation());
    return rack == ClusterView.NONE ? ClusterView.NONE : index.rackRegions[rack];
  }
}
