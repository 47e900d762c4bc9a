package io.tierwise.hadoop.hdfs.namenode;

import java.lang.reflect.Constructor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.balancer.Balancer;
import org.apache.hadoop.util.Tool;

/** Hadoop's own Mover and Balancer, in the tests' JVM. */
final class HadoopTools {
  private HadoopTools() {}

  /** Lets them move small blocks, and end soon. */
  static Configuration hurry(Configuration conf) {
    conf.setLong(DFSConfigKeys.DFS_MOVER_MOVEDWINWIDTH_KEY, 1000);
    conf.setLong(DFSConfigKeys.DFS_BALANCER_MOVEDWINWIDTH_KEY, 1000);
    // How long the Balancer goes on after its last move: a minute otherwise.
    conf.setInt(DFSConfigKeys.DFS_BALANCER_MAX_NO_MOVE_INTERVAL_KEY, 10_000);
    conf.setLong(DFSConfigKeys.DFS_BALANCER_GETBLOCKS_MIN_BLOCK_SIZE_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_MOVER_RETRY_MAX_ATTEMPTS_KEY, 2);
    return conf;
  }

  /** The class behind {@code hdfs balancer}; Hadoop shows it to its own package only. */
  static Tool balancer() throws ReflectiveOperationException {
    Constructor<?> constructor =
        Class.forName(Balancer.class.getName() + "$Cli").getDeclaredConstructor();
    constructor.setAccessible(true);
    return (Tool) constructor.newInstance();
  }
}
