package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real HDFS with the plug-in, and a directory whose new files follow its share. */
abstract class SharedDirectory {
  static final String DATA = "/data";
  static final String HALF = "zone-ratio:ssd=0.5,disk=0.5,scope=directory";
  private static final long HOUR_MILLIS = 3_600_000;
  private static final double WINDOW_SECONDS = 10;
  static final String SSD =
      "class: {name: s, read-megabytes-per-second: 400, write-megabytes-per-second: 400}";

  @TempDir Path folder;
  final LeftFiles left = new LeftFiles();
  TwoTierHdfs hdfs;
  private int files;

  @BeforeEach
  void start() throws IOException {
    tiers(SSD);
    start(withPlugin(configuration()), folder);
  }

  Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", folder.resolve("tiers.yaml").toString());
    return conf;
  }

  static Configuration withPlugin(Configuration conf) {
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    return conf;
  }

  void start(Configuration conf, Path where) throws IOException {
    hdfs = TwoTierHdfs.start(conf, where);
    hdfs.fs().mkdirs(hadoop(DATA));
    set(DATA, HALF);
  }

  @AfterEach
  void stop() {
    hdfs.close();
  }

  void tiers(String ssd) throws IOException {
    Files.writeString(
        folder.resolve("tiers.yaml"),
        """
        tiers:
          - name: ssd
            match: {storage-type: SSD}
            %s
          - name: disk
            match: {storage-type: DISK}
            class: {name: d, read-megabytes-per-second: 100, write-megabytes-per-second: 100}
        """
            .formatted(ssd));
  }

  static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** Nobody knows since when. */
  void set(String path, String policy) throws IOException {
    hdfs.fs()
        .setXAttr(
            hadoop(path), PathPolicy.PLACEMENT_ATTRIBUTE, policy.getBytes(StandardCharsets.UTF_8));
  }

  String policy() throws IOException {
    return DirectoryShares.policyOn(hdfs.cluster(), DATA);
  }

  AutotierSettings settings(int callsMax, String... shares) {
    return new AutotierSettings("ppa", HOUR_MILLIS, 20, 3, 0, List.of("/data"), 100)
        .toBuilder().callsMax(callsMax).shares(shares).build();
  }

  DirectoryShares shares(MoverCluster cluster, int callsMax, String... shares) throws IOException {
    AutotierSettings settings = settings(callsMax, shares);
    return new DirectoryShares(cluster, settings, Hardware.of(cluster, settings));
  }

  DirectoryShares shares() throws IOException {
    return shares(hdfs.cluster(), 1_000, DATA);
  }

  /** Writes files of one block, and says how many of them are on the SSD. */
  int write(int count) throws IOException {
    int fast = 0;
    for (int i = 0; i < count; i++) {
      String path = DATA + "/" + files++;
      hdfs.write(path);
      fast += hdfs.types(path).get(0) == StorageType.SSD ? 1 : 0;
    }
    return fast;
  }

  static double nowSeconds() {
    return System.currentTimeMillis() / 1e3;
  }

  /** So much was read of the first file, in a window that began long before anything was there. */
  static ShareUse.Window read(double megabytesPerSecond) {
    return new ShareUse.Window(
        1_000,
        1_000 + WINDOW_SECONDS,
        Map.of(DATA + "/0", megabytesPerSecond * 1e6 * WINDOW_SECONDS, "/elsewhere", 1e15));
  }

  ShareChoice choose(ShareUse.Window use) throws IOException {
    List<ShareChoice> choices = shares().choose(use, nowSeconds(), left);
    assertThat(left.list()).isEmpty();
    return choices.get(0);
  }

  Round make(List<ShareChoice> choices) throws Exception {
    RoundPlan plan =
        new RoundPlan(
            "none",
            "",
            "",
            0,
            0,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            choices,
            new RoundPlan.Heard(0, ""),
            List.of(),
            left.list(),
            null);
    return hdfs.make(plan, settings(1_000, DATA), new Journal(folder.resolve("journal")));
  }
}
