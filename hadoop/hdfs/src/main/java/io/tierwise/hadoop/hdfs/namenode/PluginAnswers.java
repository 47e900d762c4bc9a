package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.util.Time;

/**
 * Answers clients that ask the NameNode whether the plug-in runs in it.
 *
 * <p>Over the NameNode's own RPC server, by Hadoop's generic refresh call: so the answer comes from
 * the very process that a client's writes go to, with the cluster's own security, and needs no web
 * server. Nothing is refreshed. The NameNode writes each answer into its log.
 */
final class PluginAnswers implements RefreshHandler, AutoCloseable {
  private static final int NOT_ASKED = 1;
  private static final int CANNOT_ANSWER = 2;

  private static final Set<String> REPAIR =
      Set.of(RepairCalls.ASK, RepairCalls.TELL, RepairCalls.WALK, RepairCalls.STATUS);

  private final NameNode nameNode;
  private final CountedTiers counted;
  private final ViewKeeper views;
  private final NamespacePolicies paths;
  private final Monitor monitor;

  PluginAnswers(
      NameNode nameNode,
      CountedTiers counted,
      ViewKeeper views,
      NamespacePolicies paths,
      Monitor monitor) {
    this.nameNode = nameNode;
    this.counted = counted;
    this.views = views;
    this.paths = paths;
    this.monitor = monitor;
  }

  void open() {
    RefreshRegistry.defaultRegistry().register(PluginStatus.IDENTIFIER, this);
  }

  @Override
  public void close() {
    RefreshRegistry.defaultRegistry().unregister(PluginStatus.IDENTIFIER, this);
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] arguments) {
    if (!isAsked()) {
      return new RefreshResponse(NOT_ASKED, "asked of another NameNode of this process");
    }
    if (arguments.length == 2 && PluginStatus.TYPE_QUOTAS_OF.equals(arguments[0])) {
      return typeQuotas(arguments[1]);
    }
    if (arguments.length > 0 && PluginStatus.EXCESS_OF.equals(arguments[0])) {
      return excess(Arrays.asList(arguments).subList(1, arguments.length));
    }
    if (arguments.length == 1 && PluginStatus.MALFORMED_PATHS.equals(arguments[0])) {
      return new RefreshResponse(
          0, PluginStatus.join(paths.malformedPaths().stream().filter(this::isVisible).toList()));
    }
    if (arguments.length > 0 && REPAIR.contains(arguments[0])) {
      // Only the superuser can move replicas.
      return toSuperuser(() -> answerMover(arguments));
    }
    if (arguments.length > 0 && HeatCalls.HEAT.equals(arguments[0])) {
      // Only the superuser may see all files.
      return toSuperuser(() -> heat(arguments));
    }
    boolean withTiers = Arrays.equals(arguments, new String[] {PluginStatus.WITH_TIERS});
    if (arguments.length > 0 && !withTiers) {
      return new RefreshResponse(
          CANNOT_ANSWER, "this version of the plug-in does not know the question " + arguments[0]);
    }
    FSNamesystem namesystem = nameNode.getNamesystem();
    TierConfiguration tiers = counted.configuration();
    PluginStatus status =
        new PluginStatus(
            namesystem.getBlockPoolId(),
            namesystem.getBlockManager().getBlockIdManager().getLastAllocatedContiguousBlockId(),
            Time.now(),
            tiers.source(),
            tiers.digest(),
            tiers.countedNames(),
            List.of(views.index().regionNames),
            String.join(",", nameNode.getConf().getTrimmedStrings(RegionNames.REGIONS_KEY)),
            Optional.of(views.hasNodeGroups()),
            withTiers ? tiers.yaml() : "");
    return new RefreshResponse(0, status.format());
  }

  private RefreshResponse excess(List<String> files) {
    try {
      return new RefreshResponse(0, Long.toString(ExcessReplicasLeft.of(nameNode, files)));
    } catch (IOException e) {
      return new RefreshResponse(CANNOT_ANSWER, String.valueOf(e.getMessage()));
    }
  }

  /** For HDFS's superuser alone. */
  private RefreshResponse toSuperuser(Supplier<String> answer) {
    try {
      // A call that HDFS itself answers to its superuser only, and that costs nothing.
      nameNode.getRpcServer().isUpgradeFinalized();
      return new RefreshResponse(0, answer.get());
    } catch (IOException
        | IllegalArgumentException
        | IllegalStateException
        | IndexOutOfBoundsException e) {
      return new RefreshResponse(CANNOT_ANSWER, String.valueOf(e.getMessage()));
    }
  }

  private String heat(String[] arguments) {
    for (AuditLogger logger : nameNode.getNamesystem().getAuditLoggers()) {
      if (logger instanceof TierwiseAuditLogger counting) {
        return counting.answer(HeatCalls.Question.parse(arguments)).format();
      }
    }
    throw new IllegalStateException(
        "the NameNode counts no accesses: let its "
            + DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY
            + " be default,"
            + TierwiseAuditLogger.class.getName());
  }

  private String answerMover(String[] arguments) {
    switch (arguments[0]) {
      case RepairCalls.ASK -> {
        return RepairCalls.format(monitor.ask(RepairCalls.Question.parse(arguments)));
      }
      case RepairCalls.TELL -> {
        for (int i = 1; i < arguments.length; i++) {
          monitor.tell(RepairCalls.Result.parse(arguments[i]));
        }
        return "";
      }
      case RepairCalls.STATUS -> {
        return MonitorReport.of(new MonitorStatus(monitor)).format();
      }
      default -> {
        monitor.walkNow();
        return "";
      }
    }
  }

  /** Whether the caller may see the path, which HDFS itself checks. */
  private boolean isVisible(String path) {
    try {
      return nameNode.getRpcServer().getFileInfo(path) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** For whoever may see the path: HDFS itself checks that, and that it is there. */
  private RefreshResponse typeQuotas(String path) {
    FSNamesystem namesystem = nameNode.getNamesystem();
    try {
      if (nameNode.getRpcServer().getFileInfo(path) == null) {
        return new RefreshResponse(CANNOT_ANSWER, path + " does not exist");
      }
      TreeLock.lock(namesystem);
      try {
        INodesInPath inodes =
            namesystem.getFSDirectory().getINodesInPath(path, FSDirectory.DirOp.READ_LINK);
        return new RefreshResponse(
            0,
            TypeQuotas.above(inodes.getINodesArray()).stream()
                .map(StorageType::name)
                .collect(Collectors.joining(",")));
      } finally {
        TreeLock.unlock(namesystem, "tierwiseTypeQuotas");
      }
    } catch (IOException e) {
      return new RefreshResponse(CANNOT_ANSWER, String.valueOf(e.getMessage()));
    }
  }

  /** The registry is the JVM's: with two NameNodes in one, each answers for itself alone. */
  private boolean isAsked() {
    Server server = Server.get();
    int port = server == null ? -1 : server.getListenerAddress().getPort();
    return port == nameNode.getNameNodeAddress().getPort()
        || port == nameNode.getServiceRpcAddress().getPort();
  }
}
