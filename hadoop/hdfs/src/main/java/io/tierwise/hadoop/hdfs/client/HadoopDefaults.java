package io.tierwise.hadoop.hdfs.client;

import org.apache.hadoop.conf.Configuration;

/** Tells Hadoop's own defaults from what a user has set, which is left alone. */
final class HadoopDefaults {
  private HadoopDefaults() {}

  static boolean isSetByUser(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && sources.length > 0
        && !sources[sources.length - 1].endsWith("hdfs-default.xml");
  }
}
