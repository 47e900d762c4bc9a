package io.tierwise.hadoop.inspect.health;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The keys that put Tierwise's plug-ins into the processes of a cluster. */
final class PluginKeys {
  /**
   * One plug-in point.
   *
   * @param key HDFS's configuration key
   * @param className our class
   * @param brings what the user gains
   */
  record Plugin(String key, String className, String brings) {
    boolean isSetBy(Optional<String> value) {
      return value.isPresent()
          && Arrays.stream(value.get().split(",", -1))
              .map(String::strip)
              .anyMatch(className::equals);
    }

    String advice() {
      return "for " + brings + " set it to " + className;
    }
  }

  static final Plugin PLACEMENT =
      new Plugin(
          "dfs.block.replicator.classname",
          "io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy",
          "placement by tier");

  static final Plugin PATHS =
      new Plugin(
          "dfs.namenode.plugins",
          "io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin",
          "path policies and counters");

  static final Plugin DATASET =
      new Plugin(
          "dfs.datanode.fsdataset.factory",
          "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TierwiseDatasetFactory",
          "refusing reads of saturated volumes (the strategies nbd and sbd)");

  static final Plugin VOLUME_CHOICE =
      new Plugin(
          "dfs.datanode.fsdataset.volume.choosing.policy",
          "io.tierwise.hadoop.hdfs.datanode.StorageIdVolumeChoosingPolicy",
          "telling two tiers of one storage type on one node apart");

  static final List<Plugin> CLIENT =
      List.of(
          new Plugin(
              "fs.hdfs.impl",
              "io.tierwise.hadoop.hdfs.client.TierwiseFileSystem",
              "access strategies and secondary stores for FileSystem users"),
          new Plugin(
              "fs.AbstractFileSystem.hdfs.impl",
              "io.tierwise.hadoop.hdfs.client.TierwiseFs",
              "access strategies and secondary stores for FileContext users"));

  private PluginKeys() {}
}
