package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;

/**
 * Hadoop's own tools that move replicas and run now, as far as a NameNode can know: each holds a
 * file of its own open while it runs. For one thread.
 */
final class OtherTools {
  private static final String BALANCER_LOCK = "/system/balancer.id";

  /** Own: a tool that was last seen so long before a change still counts as its cause. */
  private static final double GRACE_SECONDS = 60;

  private final FSNamesystem namesystem;
  private final Map<Tool, Seen> seen = new EnumMap<>(Tool.class);

  private record Seen(double atSeconds, String host) {}

  /** A tool that moves replicas. */
  enum Tool {
    MOVER(
        "Hadoop's Mover or its storage policy satisfier",
        "give the path a storage policy that fits its layout (hdfs storagepolicies"
            + " -setStoragePolicy), or leave it out of 'hdfs mover -p' and set"
            + " dfs.storage.policy.satisfier.mode to none"),
    BALANCER(
        "Hadoop's Balancer",
        "set "
            + TierwiseNameNodePlugin.SAFE_DELETION_KEY
            + " to true here, and "
            + MovesWithinTiers.KEY
            + " to true where it runs, with "
            + TierConfiguration.FILE_KEY
            + " as here"),
    UNKNOWN(
        "a tool that is not known: neither Hadoop's Mover nor its Balancer was seen",
        "look for who moves replicas of the path, or take its policy off");

    private final String text;
    private final String advice;

    Tool(String text, String advice) {
      this.text = text;
      this.advice = advice;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Advice how to keep the tool off, for people. */
    String advice() {
      return advice;
    }
  }

  OtherTools(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  void look(double nowSeconds) {
    look(Tool.MOVER, HdfsServerConstants.MOVER_ID_PATH.toString(), nowSeconds);
    look(Tool.BALANCER, BALANCER_LOCK, nowSeconds);
  }

  private void look(Tool tool, String path, double nowSeconds) {
    TreeLock.lock(namesystem);
    try {
      INode inode = namesystem.getFSDirectory().getINode(path, FSDirectory.DirOp.READ_LINK);
      if (inode != null && inode.isFile() && inode.asFile().isUnderConstruction()) {
        String host = inode.asFile().getFileUnderConstructionFeature().getClientMachine();
        seen.put(tool, new Seen(nowSeconds, host));
      }
    } catch (IOException e) {
      // Nobody has made the directory: no tool has ever run.
      return;
    } finally {
      TreeLock.unlock(namesystem, "tierwiseOtherTools");
    }
  }

  /** The tool that was seen last since then. */
  Tool since(double seconds) {
    Tool latest = Tool.UNKNOWN;
    double at = seconds - GRACE_SECONDS;
    for (Map.Entry<Tool, Seen> one : seen.entrySet()) {
      if (one.getValue().atSeconds() > at) {
        latest = one.getKey();
        at = one.getValue().atSeconds();
      }
    }
    return latest;
  }

  /** The tool with the machine that it ran on, for people. */
  String text(Tool tool) {
    Seen last = seen.get(tool);
    return tool.text + (last == null ? "" : " (on " + last.host() + ")");
  }
}
