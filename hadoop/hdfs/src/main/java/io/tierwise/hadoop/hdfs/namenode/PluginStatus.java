package io.tierwise.hadoop.hdfs.namenode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The status of the plug-in of a running NameNode, as it tells callers by RPC.
 *
 * @param blockPool id of the namespace's block pool
 * @param lastBlockId the id that was given to a new block last; ids only grow, in every NameNode of
 *     the namespace alike
 * @param timeMillis the NameNode's clock
 * @param tiersSource where it read its tier table
 * @param tiersDigest of the tier table's text
 * @param countedTiers names of the tiers that policies count which name none, fastest first; empty
 *     from an older plug-in, which counts all
 * @param regions all regions of the cluster, in the order of their numbers
 * @param regionMap its key {@link RegionNames#REGIONS_KEY}, which maps locations to regions
 * @param nodeGroups whether node groups stand below racks in its tree; empty from an older plug-in
 * @param tiersYaml the tier table's text; empty when it was not asked for, or when there is none
 */
public record PluginStatus(
    String blockPool,
    long lastBlockId,
    long timeMillis,
    String tiersSource,
    String tiersDigest,
    List<String> countedTiers,
    List<String> regions,
    String regionMap,
    Optional<Boolean> nodeGroups,
    String tiersYaml) {
  /** A client asks by Hadoop's generic refresh call with this identifier. */
  public static final String IDENTIFIER = "tierwise";

  /** The argument that asks for the tier table's text as well. */
  public static final String WITH_TIERS = "tiers";

  /**
   * The argument before a path. Then the answer is another one: the names of the storage types that
   * have a quota of their own on the path or above it, separated by commas.
   */
  public static final String TYPE_QUOTAS_OF = "type-quotas-of";

  /**
   * The argument for another answer: the paths whose policy decisions could not understand lately,
   * as far as the caller may see them, joined by {@link #join}.
   */
  public static final String MALFORMED_PATHS = "malformed-paths";

  /**
   * The argument before paths of files, at most {@link #FILES_MAX}. Then the answer is a number:
   * how many of their blocks have a replica that HDFS has chosen to drop and still tells clients
   * of. Without a path, blocks of all files count.
   */
  public static final String EXCESS_OF = "excess-of";

  /** Own: a few milliseconds of the NameNode, and a line of its log that can be read. */
  public static final int FILES_MAX = 100;

  /** Stands in no path: HDFS has no part ".". */
  private static final String PATH_SEPARATOR = "/./";

  private static final String SEPARATOR = "\n\n";

  private static final String FIRST_KEY = "block-pool=";

  public PluginStatus {
    countedTiers = List.copyOf(countedTiers);
    regions = List.copyOf(regions);
  }

  /** Whether an answer is a status: older plug-ins give theirs to every question. */
  public static boolean isStatus(String answer) {
    return answer.startsWith(FIRST_KEY);
  }

  /** One {@code key=value} a line, then the tier table's text. */
  String format() {
    return String.join(
            "\n",
            FIRST_KEY + blockPool,
            "last-block-id=" + lastBlockId,
            "time-millis=" + timeMillis,
            "tiers-source=" + tiersSource,
            "tiers-digest=" + tiersDigest,
            "counted-tiers=" + String.join("\t", countedTiers),
            "regions=" + String.join("\t", regions),
            "region-map=" + regionMap)
        + nodeGroups.map(known -> "\nnode-groups=" + known).orElse("")
        + (tiersYaml.isEmpty() ? "" : SEPARATOR + tiersYaml);
  }

  /**
   * Reads what {@link #format} wrote.
   *
   * @throws IllegalArgumentException when it is something else
   */
  public static PluginStatus parse(String text) {
    int end = text.indexOf(SEPARATOR);
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : (end < 0 ? text : text.substring(0, end)).split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return new PluginStatus(
        value(values, "block-pool"),
        Long.parseLong(value(values, "last-block-id")),
        Long.parseLong(value(values, "time-millis")),
        value(values, "tiers-source"),
        value(values, "tiers-digest"),
        list(values.getOrDefault("counted-tiers", "")),
        list(value(values, "regions")),
        value(values, "region-map"),
        Optional.ofNullable(values.get("node-groups")).map(Boolean::parseBoolean),
        end < 0 ? "" : text.substring(end + SEPARATOR.length()));
  }

  private static List<String> list(String joined) {
    return joined.isEmpty() ? List.of() : List.of(joined.split("\t"));
  }

  private static String value(Map<String, String> values, String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException("the NameNode's plug-in does not tell its " + key);
    }
    return value;
  }

  /** Paths as one line. */
  public static String join(List<String> paths) {
    return String.join(PATH_SEPARATOR, paths);
  }

  /** The paths of such a line. */
  public static List<String> split(String joined) {
    return joined.isEmpty() ? List.of() : List.of(joined.split(Pattern.quote(PATH_SEPARATOR)));
  }
}
