package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.Versions;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierFileException;
import io.tierwise.hadoop.hdfs.topology.MeasuredLinks;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.ComposedPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.PeerReports;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's service plug-in ({@code dfs.namenode.plugins}): reads the tier table, keeps the
 * view of the cluster, finds the policies of paths, counts, and makes all of it known to {@link
 * TierwisePlacementPolicy}.
 *
 * <p>It works the same in an active and in a standby NameNode: everything that it must remember
 * stands in the namespace (extended attributes). When it cannot start, it says so in one line, and
 * the NameNode is stock HDFS.
 */
public class TierwiseNameNodePlugin implements ServicePlugin {
  /** Whether excess replicas of managed files are chosen by their policy. */
  static final String SAFE_DELETION_KEY = "tierwise.namenode.layout-safe-deletion.enabled";

  static final boolean SAFE_DELETION_DEFAULT = true;

  /** DataNodes report every half hour; a tick is a second. */
  private static final int TICKS_BETWEEN_REPORTS = 5;

  private static final Logger LOG = LoggerFactory.getLogger(TierwiseNameNodePlugin.class);

  private BlockManager blocks;
  private NameNode calls;
  private PlacementHost host;
  private PlacementStatus status;
  private PluginAnswers answers;
  private Monitor monitor;
  private MonitorStatus monitorStatus;
  private final MeasuredLinks links = new MeasuredLinks();
  private int ticks;

  public TierwiseNameNodePlugin() {}

  @Override
  public void start(Object service) {
    if (!(service instanceof NameNode nameNode)) {
      LOG.warn("{} works in a NameNode only, not in {}", getClass().getName(), service);
      return;
    }
    if (!Versions.allow("NameNode plug-in")) {
      return;
    }
    try {
      open(nameNode);
    } catch (TierFileException e) {
      // The operator's mistake: the line says all, a stack trace would hide it.
      LOG.warn("Tierwise does not start; stock HDFS places all blocks: {}", e.getMessage());
      stop();
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn("Tierwise does not start; stock HDFS places all blocks: {}", e.getMessage(), e);
      stop();
    }
  }

  private void open(NameNode nameNode) throws ReflectiveOperationException {
    StorageInternals.requireAvailable();
    Configuration conf = nameNode.getConf();
    TierConfiguration configuration = TierConfiguration.load(conf);
    FSNamesystem namesystem = nameNode.getNamesystem();
    blocks = namesystem.getBlockManager();
    DatanodeManager nodes = blocks.getDatanodeManager();
    WriteAdmission admission = new WriteAdmission(conf, nodes.getFSClusterStats());
    PlacementCounters counters = new PlacementCounters();
    CountedTiers counted = new CountedTiers(configuration);
    PolicyCatalog catalog = new PolicyCatalog(counted);
    NamespacePolicies paths = new NamespacePolicies(namesystem, configuration, catalog, counters);
    ViewKeeper views =
        new ViewKeeper(
            nodes.getNetworkTopology(),
            counted,
            new RegionNames(conf),
            admission,
            conf.getLongBytes(
                DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT),
            conf.getLongBytes(
                DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY,
                DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_DEFAULT),
            () -> {
              counters.lookAtDecisions();
              if (nodes.getNetworkTopology() instanceof TierwiseTopology topology) {
                topology.lookAtOrders();
              }
              tick(nameNode, paths);
            });
    boolean safeDeletion = conf.getBoolean(SAFE_DELETION_KEY, SAFE_DELETION_DEFAULT);
    DeletionContext deletions = safeDeletion ? listenToDeletions(paths) : null;
    host =
        new PlacementHost(
            nodes.getNetworkTopology(), views, admission, paths, counters, deletions, safeDeletion);
    BlockManager manager = blocks;
    status = new PlacementStatus(configuration, host, () -> placesUnmanaged(manager));
    status.register(String.valueOf(nameNode.getNameNodeAddress().getPort()));
    host.open();
    watch(nameNode, new StoredPolicies(configuration, catalog));
    listenToCalls(nameNode);
    answers = new PluginAnswers(nameNode, counted, views, paths, monitor);
    answers.open();
    LOG.info(
        "Tierwise placement is on: tiers {} from {}, {} nodes",
        configuration.table().names(),
        configuration.source(),
        views.index().nodes.length);
  }

  private static String placesUnmanaged(BlockManager blocks) {
    BlockPlacementPolicy policy = blocks.getBlockPlacementPolicy();
    return (policy instanceof ComposedPlacementPolicy ours ? ours.unmanaged() : policy)
        .getClass()
        .getName();
  }

  /** Begins to compare stored blocks with their layouts. */
  private void watch(NameNode nameNode, StoredPolicies policies) {
    monitor =
        new Monitor(
            MonitorSettings.of(nameNode.getConf(), LOG::warn),
            nameNode.getNamesystem(),
            host.views(),
            policies,
            host.paths(),
            nameNode::isActiveState);
    monitorStatus = new MonitorStatus(monitor);
    monitorStatus.register(String.valueOf(nameNode.getNameNodeAddress().getPort()));
    host.tellFilesElsewhere(monitor::wroteElsewhere);
    if (monitor.settings().enabled()) {
      host.tellFilesAsync(monitor.async()::tell);
    }
    monitor.start();
  }

  /** Counts afresh, because another NameNode wrote while this one was standby. */
  private void tick(NameNode nameNode, NamespacePolicies paths) {
    if (nameNode.isActiveState()) {
      paths.dataSets().refresh();
    } else {
      paths.dataSets().clear();
    }
    PlacementHost at = host;
    if (at != null) {
      paths.tierBytes().refresh(at.views()::index, () -> at.isOpen() && nameNode.isActiveState());
    }
    if (ticks++ % TICKS_BETWEEN_REPORTS == 0) {
      tellOfSlowPeers(nameNode.getNamesystem().getBlockManager().getDatanodeManager());
    }
  }

  /** Each NameNode hears of slow peers itself, active or not. */
  private void tellOfSlowPeers(DatanodeManager nodes) {
    if (nodes.getNetworkTopology() instanceof TierwiseTopology topology) {
      topology.seenSlow(links.after(PeerReports.sharesOfUsualSpeed(nodes), Time.monotonicNow()));
    }
  }

  private void listenToCalls(NameNode nameNode) {
    try {
      CalledFile.listen(nameNode);
      calls = nameNode;
    } catch (IOException | LinkageError e) {
      LOG.warn(
          "A file that is renamed while it is written is known by its old path: {}", e.toString());
    }
  }

  private void stopListeningToCalls() {
    if (calls != null) {
      try {
        CalledFile.forget(calls);
      } catch (IOException | RuntimeException e) {
        LOG.debug("The server keeps noting the files of calls", e);
      }
      calls = null;
    }
  }

  private DeletionContext listenToDeletions(PathPolicies paths) {
    DeletionContext context = new DeletionContext(paths::mayManage);
    try {
      context.install(blocks);
      return context;
    } catch (ReflectiveOperationException e) {
      LOG.warn(
          "This Hadoop version does not tell whose replicas are dropped ({}): the last replica in a"
              + " tier stays while another tier has two, more cannot be kept",
          e.toString());
      return null;
    }
  }

  /** The monitor, for tests in this package; null as the host is. */
  Monitor monitor() {
    return monitor;
  }

  /** The host, for tests in this package; null before the start and when it failed. */
  PlacementHost host() {
    return host;
  }

  /** Closes each part, whatever becomes of the others. */
  @Override
  public void stop() {
    stopListeningToCalls();
    end(answers);
    answers = null;
    end(monitorStatus);
    monitorStatus = null;
    end(monitor);
    monitor = null;
    end(status);
    status = null;
    end(host);
    host = null;
    if (blocks != null) {
      try {
        DeletionContext.uninstall(blocks);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.debug("Nothing to uninstall", e);
      }
      blocks = null;
    }
  }

  static void end(AutoCloseable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (Exception e) {
      LOG.warn("{} cannot be closed: {}", part.getClass().getSimpleName(), e.toString(), e);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
