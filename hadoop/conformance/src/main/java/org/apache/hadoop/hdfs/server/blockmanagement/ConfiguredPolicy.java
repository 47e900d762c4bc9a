package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** The placement policy that the site files name; stock's default when they name none. */
final class ConfiguredPolicy {

  private ConfiguredPolicy() {}

  static String className() {
    return new HdfsConfiguration()
        .get(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
            BlockPlacementPolicyDefault.class.getName());
  }

  /** In the form that Hadoop's parameterized classes take. */
  static Iterable<Object[]> asParameters() {
    return List.<Object[]>of(new Object[] {className()});
  }
}
