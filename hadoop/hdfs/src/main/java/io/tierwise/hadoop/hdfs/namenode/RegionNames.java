package io.tierwise.hadoop.hdfs.namenode;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The region of a network location: what the administrator maps it to, else its first part when it
 * has at least two ({@code /east/rack7} is in {@code east}), else the one region of the cluster.
 */
public final class RegionNames {
  /** {@code location=region} pairs, comma-separated; a location also stands for all below it. */
  static final String REGIONS_KEY = "tierwise.namenode.regions";

  static final String SINGLE_REGION = "default";

  private final Map<String, String> regionOfLocation = new LinkedHashMap<>();

  /** Reads the administrator's map. */
  public RegionNames(Configuration conf) {
    for (String pair : conf.getTrimmedStrings(REGIONS_KEY)) {
      int equals = pair.indexOf('=');
      if (equals <= 0 || equals == pair.length() - 1 || pair.charAt(0) != '/') {
        throw new IllegalArgumentException(
            REGIONS_KEY + ": \"" + pair + "\" must read /location=region");
      }
      regionOfLocation.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
  }

  public String regionOf(String location) {
    for (Map.Entry<String, String> entry : regionOfLocation.entrySet()) {
      String prefix = entry.getKey();
      if (location.startsWith(prefix)
          && (location.length() == prefix.length() || location.charAt(prefix.length()) == '/')) {
        return entry.getValue();
      }
    }
    int second = location.indexOf('/', 1);
    return second > 1 ? location.substring(1, second) : SINGLE_REGION;
  }
}
