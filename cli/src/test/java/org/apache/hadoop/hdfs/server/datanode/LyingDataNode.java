package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.checker.StorageLocationChecker;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Timer;

/**
 * A DataNode that reports as many transfers as a file says, whatever it does. In Hadoop's package:
 * a DataNode's constructor is package-private.
 */
public final class LyingDataNode extends DataNode {
  /** Its heartbeats stay away as long as the file says so; it serves readers all the while. */
  public static final String SILENT = "silent";

  /** It tells the truth. */
  public static final String HONEST = "honest";

  private static final long LOOK_NANOS = 50_000_000;

  private final Path says;

  private LyingDataNode(
      Configuration conf,
      List<StorageLocation> locations,
      StorageLocationChecker checker,
      Path says)
      throws IOException {
    super(conf, locations, checker, null);
    this.says = says;
  }

  /** Asked for each heartbeat, and for nothing else. */
  @Override
  public int getActiveTransferThreadCount() {
    while (said().equals(SILENT)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    String said = said();
    return said.equals(HONEST) ? super.getActiveTransferThreadCount() : Integer.parseInt(said);
  }

  private String said() {
    try {
      return Files.readString(says).trim();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * @param arguments the file
   */
  public static void main(String[] arguments) {
    try {
      run(Path.of(arguments[0]));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(Path says) throws IOException, InterruptedException {
    Configuration conf = new HdfsConfiguration();
    UserGroupInformation.setConfiguration(conf);
    StorageLocationChecker checker = new StorageLocationChecker(conf, new Timer());
    List<StorageLocation> locations = checker.check(conf, getStorageLocations(conf));
    DataNode node = new LyingDataNode(conf, locations, checker, says);
    node.runDatanodeDaemon();
    node.join();
  }
}
