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
 *
 * <p>Of one wait: files without such a block are asked for once.
 */
final class ReplicasGoing {
  private final MoverCluster cluster;
  private final NameNodePlugin plugin;
  private final List<String> paths;

  /** The groups of files of which some have such a block; null until all were asked for. */
  private List<List<String>> unsettled;

  /** Of the files below those paths. */
  ReplicasGoing(MoverCluster cluster, List<String> paths) {
    this.cluster = cluster;
    this.plugin = new NameNodePlugin(cluster.fs(), cluster.conf());
    this.paths = paths;
  }

  /** False when the cluster has none at all; true also when nobody tells. */
  boolean maybeSome() {
    try {
      return plugin.blocksWithExcess(active(), List.of()) > 0;
    } catch (IOException e) {
      return true;
    }
  }

  private NameNodePlugin.Answer active() throws IOException {
    NameNodePlugin.Answer active = plugin.ofActive();
    if (!active.runs()) {
      throw new IOException(active.whyNot());
    }
    return active;
  }

  /**
   * So many there are now.
   *
   * @throws NameNodePlugin.OlderPlugin when the NameNode's plug-in cannot tell
   * @throws IOException when the NameNode that is active now does not tell
   */
  long count() throws IOException {
    Asked asked = new Asked(active());
    if (unsettled == null) {
      for (String path : paths) {
        FilesBelow.walk(cluster.fs(), path, false, (file, status) -> asked.add(file));
      }
      asked.flush();
    } else {
      for (List<String> group : unsettled) {
        asked.ask(group);
      }
    }
    unsettled = asked.left;
    return asked.blocks;
  }

  /** The questions of one look, to one NameNode. */
  private final class Asked {
    private final NameNodePlugin.Answer active;
    private final List<List<String>> left = new ArrayList<>();
    private List<String> group = new ArrayList<>();
    private long blocks;

    Asked(NameNodePlugin.Answer active) {
      this.active = active;
    }

    void add(String file) throws IOException {
      group.add(file);
      if (group.size() == PluginStatus.FILES_MAX) {
        flush();
      }
    }

    void flush() throws IOException {
      if (!group.isEmpty()) {
        ask(group);
        group = new ArrayList<>();
      }
    }

    void ask(List<String> files) throws IOException {
      long count = plugin.blocksWithExcess(active, files);
      if (count > 0) {
        blocks += count;
        left.add(files);
      }
    }
  }
}
