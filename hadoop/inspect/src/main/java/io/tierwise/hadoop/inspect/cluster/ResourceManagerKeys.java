package io.tierwise.hadoop.inspect.cluster;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Keeps another cluster's ResourceManager from being taken for that of the cluster at hand. Hadoop
 * adds {@code yarn-site.xml} to every configuration as soon as YARN's classes are loaded; values
 * that are set here stand above it.
 */
final class ResourceManagerKeys {
  /** YARN's own defaults, which name no ResourceManager. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "yarn.resourcemanager.ha.enabled", "false",
          "yarn.resourcemanager.hostname", "0.0.0.0",
          "yarn.resourcemanager.address", "${yarn.resourcemanager.hostname}:8032");

  /** Hadoop's name for the source of a value that a program set. */
  private static final String SET = "programmatically";

  private ResourceManagerKeys() {}

  /** For a cluster that the site files do not describe: what the user set stays. */
  static void forgetFiles(Configuration conf) {
    DEFAULTS.forEach(
        (key, value) -> {
          if (!source(conf, key).equals(SET)) {
            conf.set(key, value);
          }
        });
  }

  private static String source(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null || sources.length == 0 ? "" : sources[sources.length - 1];
  }
}
