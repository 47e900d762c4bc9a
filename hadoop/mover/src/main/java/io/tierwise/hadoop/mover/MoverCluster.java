package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.namenode.PluginStatus;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierFileException;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A cluster as the mover has to know it: its tiers, its regions, and who decides in it. */
public final class MoverCluster {
  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final TierConfiguration tiers;
  private final NameNodePlugin.Answer active;

  private MoverCluster(
      Configuration conf,
      DistributedFileSystem fs,
      TierConfiguration tiers,
      NameNodePlugin.Answer active) {
    this.conf = conf;
    this.fs = fs;
    this.tiers = tiers;
    this.active = active;
  }

  /**
   * Lets a connection give locations as the NameNode does, and outlive a signal, at which a run
   * still gives its lock back. To be called before the connection is made.
   */
  public static void prepare(Configuration conf) {
    ClusterConnection.keepNameNodesOrder(conf);
    conf.setBoolean("fs.automatic.close", false);
  }

  /**
   * Asks the active NameNode whether the plug-in runs there, and with which tiers.
   *
   * @throws OperatorException when a tier table cannot be read, as while somebody edits it: a
   *     daemon asks again
   */
  public static MoverCluster of(DistributedFileSystem fs, Configuration given) throws IOException {
    Configuration conf = new Configuration(given);
    NameNodePlugin plugin = new NameNodePlugin(fs, conf);
    NameNodePlugin.Answer active = plugin.ofActive();
    TierConfiguration tiers = plugin.tiersInForce(active, own(conf)).configuration();
    if (!active.runs() && tiers.isByStorageType()) {
      tiers = counting(fs, tiers);
    }
    return new MoverCluster(conf, fs, tiers, active);
  }

  private static TierConfiguration own(Configuration conf) {
    try {
      return TierConfiguration.load(conf);
    } catch (TierFileException e) {
      throw OperatorException.badInput(e.getMessage());
    }
  }

  /** Without a plug-in that tells: the tiers with a volume, as it would count them. */
  private static TierConfiguration counting(DistributedFileSystem fs, TierConfiguration tiers)
      throws IOException {
    try {
      return tiers.counting(ClusterVolumes.read(fs, tiers).tierSet());
    } catch (OperatorException e) {
      return tiers; // This user may not list volumes, and moves nothing either.
    }
  }

  /** The settings in force, which nobody is to change. */
  public Configuration conf() {
    return conf;
  }

  /** The connection to it. */
  public DistributedFileSystem fs() {
    return fs;
  }

  /** The tier table in force. */
  public TierConfiguration tiers() {
    return tiers;
  }

  /** Whether the plug-in decides in the NameNode which of too many replicas goes. */
  public boolean pluginRuns() {
    return active.runs();
  }

  /**
   * Refuses a Router, see {@link NameNodePlugin.Answer#requireNameNode}.
   *
   * @throws OperatorException when it is one
   */
  public void requireNameNode() {
    active.requireNameNode();
  }

  /** Why nobody knows whether it does, for people; empty when that is known. */
  public Optional<String> pluginUnknown() {
    return active.state() == NameNodePlugin.State.UNKNOWN
        ? Optional.of(active.whyNot())
        : Optional.empty();
  }

  /**
   * Whether the active NameNode goes by other tiers or regions now, as one does that was started
   * anew with another table; no while it does not tell.
   *
   * @throws OperatorException when the table of this process counts, and is not right any more
   */
  public boolean isOutdated() throws IOException {
    NameNodePlugin.Answer now = new NameNodePlugin(fs, conf).ofActive();
    if (now.runs()) {
      return !active.runs() || !isSame(active.status(), now.status());
    }
    return active.runs()
        ? now.state() == NameNodePlugin.State.MISSING
        : !own(conf).yaml().equals(tiers.yaml());
  }

  private static boolean isSame(PluginStatus one, PluginStatus other) {
    return one.tiersDigest().equals(other.tiersDigest())
        && one.regionMap().equals(other.regionMap());
  }

  NameNodePlugin.Answer active() {
    return active;
  }

  FileJudge judge() {
    return FileJudge.of(conf, active, tiers);
  }

  RegionNames regions() {
    return active.regions(conf);
  }

  ClusterSnapshot.Names names() throws IOException {
    // The NameNode's values: its DataNodes have the same site files, a client may not.
    FsServerDefaults ofNameNode = fs.getServerDefaults(new Path("/"));
    List<String> order = active.runs() ? active.status().regions() : List.of();
    return ClusterSnapshot.Names.of(conf, tiers, regions(), order, ofNameNode);
  }
}
