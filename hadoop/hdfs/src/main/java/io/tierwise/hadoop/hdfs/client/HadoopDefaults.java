package io.tierwise.hadoop.hdfs.client;

import org.apache.hadoop.conf.Configuration;

/** Tells Hadoop's own defaults from what a user has set, which is left alone. */
final class HadoopDefaults {
  private HadoopDefaults() {}

  /**
   * By where the value came from first: YARN hands a job's settings to its tasks in a file of its
   * own, which spells out the defaults and says where each value came from before.
   */
  static boolean isSetByUser(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null && sources.length > 0 && !sources[0].endsWith("hdfs-default.xml");
  }
}
