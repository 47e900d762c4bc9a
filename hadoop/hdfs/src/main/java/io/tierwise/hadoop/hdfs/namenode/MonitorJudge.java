package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.namenode.MonitorWalk.SeenBlock;
import io.tierwise.hadoop.hdfs.namenode.OtherTools.Tool;
import io.tierwise.policies.movement.LayoutCheck;
import io.tierwise.policies.movement.Misplaced;
import io.tierwise.policies.movement.RepairBacklog;
import io.tierwise.policies.movement.RepairMemory.Verdict;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;

/** Compares blocks that a monitor saw with their layouts. By the monitor's thread. */
final class MonitorJudge {
  private final Host host;
  private final Memory memory;

  /** The NameNode that blocks were seen in. */
  record Host(
      FSNamesystem namesystem,
      ViewKeeper views,
      StoredPolicies policies,
      MonitorSettings settings,
      OnceLog once) {}

  /** The parts of a monitor that learn of what was seen. */
  record Memory(
      RepairBacklog backlog,
      RepairCounters repairs,
      OtherTools tools,
      LearnedFiles learned,
      AsyncReplicas async) {}

  /** Why blocks were looked at. */
  enum Look {
    /** A walk came by them, which counts all. */
    WALK,
    /** A decision told that it wrote their file elsewhere. */
    TOLD,
    /** Their file has replicas that come after the write. */
    ASYNC
  }

  MonitorJudge(Host host, Memory memory) {
    this.host = host;
    this.memory = memory;
  }

  @SuppressWarnings("ReferenceEquality") // Blocks of one file that were seen together share it.
  void judge(List<SeenBlock> seen, double seenSeconds, Look why) {
    ClusterIndex index = host.views().current();
    NameNodeView usual = new NameNodeView(index, host.views().admission(), ClusterView.NONE);
    MonitorWalk.SeenFile file = null;
    boolean allowed = false;
    for (SeenBlock block : seen) {
      if (block.file() != file) {
        file = block.file();
        allowed = host.policies().ownerMayUse(file.owner(), file.path(), file.policy());
      }
      if (allowed) {
        judge(block, seenSeconds, index, usual, why);
      }
    }
  }

  private void judge(
      SeenBlock block, double seenSeconds, ClusterIndex index, NameNodeView usual, Look why) {
    boolean walked = why == Look.WALK;
    int[] volumes = new int[block.replicas().length];
    NameNodeView view = usual;
    for (int i = 0; i < volumes.length; i++) {
      DatanodeStorageInfo replica = block.replicas()[i];
      if (!replica.getDatanodeDescriptor().isInService()) {
        memory.backlog().engineCopies(block.blockId());
        memory.backlog().leftToEngine(block.blockId(), walked);
        return;
      }
      volumes[i] = index.idOf(replica);
      if (volumes[i] == ClusterView.NONE) {
        ReplicaView all =
            host.views().replicas(index, ClusterView.NONE, Arrays.asList(block.replicas()));
        volumes = all.volumes();
        view = all;
        break;
      }
    }
    FileView file = new FileView(block.file().id(), block.index(), block.file().replication());
    PlacementPolicy policy = block.file().policy().policy();
    if (policy.writesAsync()) {
      policy
          .fit(file, volumes, file.replicaCount(), view)
          .ifPresent(
              fit -> memory.async().saw(file.fileId(), block.bytes(), fit.openAsync(), walked));
    }
    LayoutCheck check = LayoutCheck.of(policy, file, volumes, view);
    switch (check.verdict()) {
      case AS_WANTED, NOT_TOLD -> memory.backlog().asWanted(block.blockId());
      case LEFT_TO_ENGINE -> {
        if (volumes.length < file.replicaCount()) {
          memory.backlog().engineCopies(block.blockId());
        }
        memory.backlog().leftToEngine(block.blockId(), walked);
      }
      case MISPLACED -> {
        boolean elsewhere = isWrittenElsewhere(block.file().id(), why);
        Misplaced found =
            Misplaced.found(
                block.blockId(),
                block.file().id(),
                block.index(),
                policy,
                file,
                block.bytes(),
                check,
                elsewhere,
                seenSeconds);
        misplaced(found, elsewhere, walked);
      }
    }
  }

  /** The walk may come by a file that a decision told of before its look is due. */
  private boolean isWrittenElsewhere(long fileId, Look why) {
    return why == Look.TOLD || memory.learned().knows(fileId, System.nanoTime());
  }

  private void misplaced(Misplaced block, boolean elsewhere, boolean walked) {
    if (elsewhere) {
      memory.backlog().wroteElsewhere(block, walked);
      return;
    }
    double repaired = memory.backlog().repairedAtSeconds(block.blockId());
    if (memory.backlog().misplaced(block, walked) == Verdict.UNDONE) {
      Tool tool = memory.tools().since(repaired);
      memory.repairs().backedOff(tool);
      host.once()
          .warn(
              "undone " + tool,
              "Blocks that were repaired, such as one of "
                  + pathOf(block.fileId())
                  + ", were moved back by "
                  + memory.tools().text(tool)
                  + ": the monitor leaves each of them alone for "
                  + host.settings().backOffSeconds()
                  + " s, then twice as long each time. To keep it off, "
                  + tool.advice());
    }
  }

  private String pathOf(long fileId) {
    TreeLock.lock(host.namesystem());
    try {
      INode file = host.namesystem().getFSDirectory().getInode(fileId);
      return file == null ? "a file that is gone" : file.getFullPathName();
    } finally {
      TreeLock.unlock(host.namesystem(), "tierwiseMonitorPath");
    }
  }
}
