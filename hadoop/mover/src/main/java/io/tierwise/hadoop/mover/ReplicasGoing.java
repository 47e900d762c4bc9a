package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.namenode.PluginStatus;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks with a replica that HDFS has chosen to drop and still tells clients of, as the plug-in in
 * the NameNode knows them: after a change that is taken back, such a block has as many replicas as
 * its file wants, and HDFS has yet to copy one.
 */
final class ReplicasGoing {
  private final MoverCluster cluster;
  private final NameNodePlugin plugin;
  private final List<String> files = new ArrayList<>();
  private long blocks;

  private ReplicasGoing(MoverCluster cluster) {
    this.cluster = cluster;
    this.plugin = new NameNodePlugin(cluster.fs(), cluster.conf());
  }

  /** Of the files below those paths. */
  static long below(MoverCluster cluster, List<String> paths) throws IOException {
    ReplicasGoing going = new ReplicasGoing(cluster);
    if (going.ask(List.of()) > 0) {
      for (String path : paths) {
        FilesBelow.walk(cluster.fs(), path, false, (file, status) -> going.add(file));
      }
      going.flush();
    }
    return going.blocks;
  }

  private long ask(List<String> some) throws IOException {
    return plugin.blocksWithExcess(cluster.active(), some);
  }

  private void add(String file) throws IOException {
    files.add(file);
    if (files.size() == PluginStatus.FILES_MAX) {
      flush();
    }
  }

  private void flush() throws IOException {
    if (!files.isEmpty()) {
      blocks += ask(files);
      files.clear();
    }
  }
}
