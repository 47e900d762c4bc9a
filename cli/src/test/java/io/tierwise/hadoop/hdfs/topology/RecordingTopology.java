package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.recorded.RecordingAccess;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** The topology of a NameNode, which records what its access strategy is asked and told. */
public final class RecordingTopology extends TierwiseTopology {
  private RecordingAccess recording;

  @Override
  AccessSession session(String spec) {
    recording = new RecordingAccess(spec);
    return AccessSession.of(recording);
  }

  /** What the NameNode records, which was started with this class. */
  public static RecordingAccess of(NameNode nameNode) {
    var nodes = nameNode.getNamesystem().getBlockManager().getDatanodeManager();
    return ((RecordingTopology) nodes.getNetworkTopology()).recording;
  }
}
