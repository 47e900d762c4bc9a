package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.dfsio.ClientKeysFor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Files that one placement has placed; all strategies read the same ones.
 *
 * @param name as the table shows it; stock ones begin with "stock"
 * @param storagePolicy HDFS's own, or null
 * @param placement specification for the NameNode plug-in, or null
 */
public record BenchDataSet(String name, String storagePolicy, String placement) {
  static final BenchDataSet HOT = new BenchDataSet("stock-HOT", "HOT", null);
  static final BenchDataSet ONE_SSD = new BenchDataSet("stock-ONE_SSD", "ONE_SSD", null);
  static final BenchDataSet TIER_AWARE = new BenchDataSet("tier-aware", null, "tier-aware");
  static final BenchDataSet HYBRID = new BenchDataSet("hybrid", null, "hybrid");

  /** The third replica in a third rack. */
  static final BenchDataSet HYBRID_OVER_THREE =
      new BenchDataSet("hybrid:racks=3", null, "hybrid:racks=3");

  /**
   * The data set of the access-strategies paper: one replica on the fastest tier, the others on
   * disks.
   */
  static final BenchDataSet ONE_FAST =
      new BenchDataSet(
          "layout:one-fast", null, "layout:1 x pcie-ssd + 2 x disk on different racks");

  public String folder() {
    return "/bench/" + name.replace(':', '-');
  }

  /** Makes the folder and puts it under its policy. */
  void prepare(DistributedFileSystem admin) throws IOException {
    Path path = new Path(folder());
    admin.mkdirs(path);
    if (storagePolicy != null) {
      admin.setStoragePolicy(path, storagePolicy);
    } else {
      admin.setXAttr(
          path, ClientKeysFor.PLACEMENT_ATTRIBUTE, placement.getBytes(StandardCharsets.UTF_8));
    }
  }
}
