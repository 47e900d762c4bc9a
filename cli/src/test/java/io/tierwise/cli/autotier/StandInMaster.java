package io.tierwise.cli.autotier;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * An application's master in the place of Spark's. In the end it says where its input and its local
 * directories were when it started. Its process takes {@code FS SCHEDULER INPUT END}, and ends when
 * the file {@code END} is there.
 */
public final class StandInMaster {
  private static final long LOOK_MILLIS = 200;

  private StandInMaster() {}

  /** The process's begin. */
  public static void main(String[] arguments) throws Exception {
    YarnConfiguration conf = new YarnConfiguration();
    conf.set("fs.defaultFS", arguments[0]);
    conf.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, arguments[1]);
    Path input = new Path(arguments[2]);
    Path end = new Path(arguments[3]);
    try (FileSystem fs = FileSystem.get(conf);
        AMRMClient<ContainerRequest> client = AMRMClient.createAMRMClient()) {
      BlockLocation block = fs.getFileBlockLocations(input, 0, 1)[0];
      client.init(conf);
      client.start();
      client.registerApplicationMaster("localhost", -1, "");
      while (!fs.exists(end)) {
        client.allocate(0);
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      client.unregisterApplicationMaster(
          FinalApplicationStatus.SUCCEEDED,
          Arrays.toString(block.getStorageTypes()) + " " + System.getenv("LOCAL_DIRS"),
          "");
    }
  }
}
