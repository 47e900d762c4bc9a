package io.tierwise.cli.doctor;

import java.util.List;

/** The keys that put Tierwise's plug-ins into the processes of a cluster. */
final class PluginKeys {
  /**
   * One plug-in point.
   *
   * @param key HDFS's configuration key
   * @param className our class
   * @param required whether managed placement does not work without it
   * @param brings what the user gains
   */
  record Plugin(String key, String className, boolean required, String brings) {}

  static final List<Plugin> NAMENODE =
      List.of(
          new Plugin(
              "dfs.block.replicator.classname",
              "io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy",
              true,
              "placement by tier"),
          new Plugin(
              "dfs.namenode.plugins",
              "io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin",
              true,
              "path policies and counters"));

  static final List<Plugin> DATANODE =
      List.of(
          new Plugin(
              "dfs.datanode.fsdataset.factory",
              "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TierwiseDatasetFactory",
              false,
              "refusing reads of saturated volumes (the strategies nbd and sbd)"),
          new Plugin(
              "dfs.datanode.fsdataset.volume.choosing.policy",
              "io.tierwise.hadoop.hdfs.datanode.StorageIdVolumeChoosingPolicy",
              false,
              "telling two tiers of one storage type on one node apart"));

  static final List<Plugin> CLIENT =
      List.of(
          new Plugin(
              "fs.hdfs.impl",
              "io.tierwise.hadoop.hdfs.client.TierwiseFileSystem",
              false,
              "access strategies for FileSystem users"),
          new Plugin(
              "fs.AbstractFileSystem.hdfs.impl",
              "io.tierwise.hadoop.hdfs.client.TierwiseFs",
              false,
              "access strategies for FileContext users"));

  private PluginKeys() {}
}
