package io.tierwise.lab.demo;

import io.tierwise.lab.dfsio.ClientKeysFor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A placement of the demo and the strategies that read what it placed.
 *
 * @param name as the table shows it
 * @param how who places
 * @param specification a storage policy's name, or a placement specification
 * @param accesses specifications of strategies
 */
public record DemoPlacement(String name, How how, String specification, List<String> accesses) {
  /** The kind of placement. */
  public enum How {
    /** HDFS, by one of its own storage policies. */
    STORAGE_POLICY,
    /** The NameNode plug-in, by an extended attribute. */
    ATTRIBUTE
  }

  /** The stock rows' access. */
  static final String STOCK = "stock";

  /** Read after the NameNode has been restarted with the key set. */
  static final String STOCK_BY_TYPE = "stock-considerStorageType";

  static final String STOCK_HOT = "stock-HOT";
  static final String STOCK_ONE_SSD = "stock-ONE_SSD";

  static final String HYBRID = "hybrid";

  /** Read after the NameNode has been restarted to order by it. */
  static final String AUTO = "auto";

  static final String LAYOUT_ONE_FAST = "layout:one-fast";

  /** One replica on the fastest tier, two on disks: what the access-strategies paper reads. */
  private static final String ONE_FAST = "layout:1 x pcie-ssd + 2 x disk on different racks";

  /** The strategies that DataNodes refuse readers for. */
  static final String BY_NODE = "nbd:threshold=4";

  static final String BY_STORAGE = "sbd";

  /**
   * Every placement with the hybrid strategy; hatS's with the strategy of the same name as well;
   * and every strategy on one fast replica and two on disks.
   *
   * @param linkBytesPerSecond speed of a link, for the strategy that weighs it
   */
  public static List<DemoPlacement> all(double linkBytesPerSecond) {
    String hybrid = toldOfLinks(HYBRID, linkBytesPerSecond);
    return List.of(
        new DemoPlacement(STOCK_HOT, How.STORAGE_POLICY, "HOT", List.of(STOCK)),
        new DemoPlacement(STOCK_ONE_SSD, How.STORAGE_POLICY, "ONE_SSD", List.of(STOCK)),
        ours("network-aware", "network-aware", hybrid),
        ours("random", "random", hybrid),
        ours("tier-aware", "tier-aware", hybrid),
        ours(HYBRID, hybrid),
        ours("zone-ratio:0.5", hybrid),
        ours("region-aware", hybrid),
        new DemoPlacement(
            LAYOUT_ONE_FAST,
            How.ATTRIBUTE,
            ONE_FAST,
            List.of(
                "network-aware",
                "random",
                "tier-aware",
                hybrid,
                "greedy",
                "balanced:50",
                "dld",
                "adaptive")));
  }

  /** A strategy that weighs what a link carries. */
  static String toldOfLinks(String strategy, double linkBytesPerSecond) {
    return String.format(
        Locale.ROOT,
        "%s:link-megabytes-per-second=%d",
        strategy,
        Math.max(1, Math.round(linkBytesPerSecond / 1e6)));
  }

  private static DemoPlacement ours(String specification, String... accesses) {
    return new DemoPlacement(specification, How.ATTRIBUTE, specification, List.of(accesses));
  }

  /** Makes a folder whose files this placement places. */
  void prepare(DistributedFileSystem admin, String folder) throws IOException {
    Path path = new Path(folder);
    admin.mkdirs(path);
    switch (how) {
      case STORAGE_POLICY -> admin.setStoragePolicy(path, specification);
      case ATTRIBUTE ->
          admin.setXAttr(
              path,
              ClientKeysFor.PLACEMENT_ATTRIBUTE,
              specification.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The text without the link speed, which is the same in all rows. */
  static String shortName(String text) {
    return text.replaceFirst(":link-megabytes-per-second=\\d+", "");
  }
}
