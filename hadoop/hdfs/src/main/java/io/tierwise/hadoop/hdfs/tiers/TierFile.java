package io.tierwise.hadoop.hdfs.tiers;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.Nearest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads {@code tiers.yaml}. Every error names the line, the place ({@code tiers[1].class.name}),
 * the bad value and what is allowed; unknown keys are errors, so that a misspelt one is not
 * silently ignored.
 */
final class TierFile {
  /** The file's figures are in megabytes of 10^6 bytes, as device data sheets are. */
  static final double BYTES_PER_MEGABYTE = 1e6;

  private static final int BYTES_MAX = 1 << 20;

  private static final Set<String> TOP_KEYS =
      Set.of("tiers", "layouts", "rules", "limits", "byte-limits", "links", "uplinks", "volumes");

  private static final String LINK_SPEED = "megabytes-per-second";
  private static final String READ_SPEED = "read-megabytes-per-second";
  private static final String IDLE_WATTS = "idle-watts";
  private static final String ACTIVE_WATTS = "active-watts";

  private static final List<String> TYPES =
      EnumSet.allOf(StorageType.class).stream().map(StorageType::name).toList();

  private final String source;

  TierFile(String source) {
    this.source = source;
  }

  TierConfiguration read(String yaml) {
    Map<String, YamlNode> root = document(yaml).mapping(TOP_KEYS);
    YamlNode tiers = root.get("tiers");
    if (tiers == null || tiers.list().isEmpty()) {
      throw new TierFileException(source + ": tiers: name at least one tier, fastest first");
    }
    List<TierMatch> matches = new ArrayList<>();
    TierTable table = readTiers(tiers.list(), matches);
    return new TierConfiguration(
        source,
        table,
        new TierMatcher(matches),
        readLayouts(root.get("layouts")),
        readRules(root.get("rules")),
        readLimits(root.get("limits"), table),
        readByteLimits(root.get("byte-limits"), table),
        new LinkTable(
            readLinks(root.get("links"), Set.of("racks", "hosts", LINK_SPEED)),
            readLinks(root.get("uplinks"), Set.of("racks", LINK_SPEED))),
        new VolumeTable(readVolumes(root.get("volumes"))),
        yaml);
  }

  private YamlNode document(String yaml) {
    if (yaml.length() > BYTES_MAX) {
      throw new TierFileException(source + ": larger than " + BYTES_MAX + " characters");
    }
    if (yaml.isBlank()) {
      throw new TierFileException(source + ": is empty: name at least one tier, fastest first");
    }
    try {
      return YamlNode.document(source, yaml);
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
      throw new TierFileException(source + line + ": is not YAML: " + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new TierFileException(
          source + ": is not YAML: " + e.getMessage().replaceAll("\\s+", " "), e);
    }
  }

  private TierTable readTiers(List<YamlNode> nodes, List<TierMatch> matches) {
    List<Map<String, YamlNode>> entries = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (YamlNode node : nodes) {
      Map<String, YamlNode> entry = node.mapping(Set.of("name", "match", "class", "fallback"));
      String name = required(node, entry, "name").text();
      if (!name.matches("[a-z][a-z0-9_-]{0,62}") || name.equals("any")) {
        throw entry.get("name").error("\"" + name + "\" is no tier name: use a-z, 0-9, - and _");
      }
      if (names.contains(name)) {
        throw entry.get("name").error("two tiers are named \"" + name + "\"");
      }
      entries.add(entry);
      names.add(name);
    }
    List<Tier> tiers = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Map<String, YamlNode> entry = entries.get(i);
      matches.add(readMatch(required(nodes.get(i), entry, "match")));
      tiers.add(
          new Tier(
              i,
              names.get(i),
              readClass(entry.get("class"), names.get(i)),
              fallback(entry, i, names)));
    }
    return TierTable.ofTiers(tiers);
  }

  private static YamlNode required(YamlNode parent, Map<String, YamlNode> entry, String key) {
    YamlNode node = entry.get(key);
    if (node == null) {
      throw parent.error("needs the key " + key);
    }
    return node;
  }

  private static TierMatch readMatch(YamlNode node) {
    Map<String, YamlNode> entry =
        node.mapping(Set.of("storage-type", "racks", "hosts", "storage-ids"));
    if (entry.isEmpty()) {
      throw node.error("names no criterion: give storage-type, racks, hosts or storage-ids");
    }
    EnumSet<StorageType> types = EnumSet.noneOf(StorageType.class);
    if (entry.containsKey("storage-type")) {
      entry.get("storage-type").list().forEach(type -> types.add(storageType(type)));
    }
    return new TierMatch(
        types, texts(entry, "racks"), texts(entry, "hosts"), texts(entry, "storage-ids"));
  }

  private static StorageType storageType(YamlNode node) {
    try {
      return StorageType.valueOf(node.text().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw node.error(
          "\"" + node.text() + "\" is no storage type" + Nearest.hint(node.text(), TYPES));
    }
  }

  private static List<String> texts(Map<String, YamlNode> entry, String key) {
    return entry.containsKey(key) ? entry.get(key).texts() : List.of();
  }

  private static DeviceClass readClass(YamlNode node, String tierName) {
    if (node == null) {
      return DeviceClass.unmeasured(tierName);
    }
    Map<String, YamlNode> entry =
        node.mapping(
            Set.of(
                "name",
                READ_SPEED,
                "write-megabytes-per-second",
                "random-reads-per-second",
                "readers-at-peak",
                "peak-read-megabytes-per-second",
                IDLE_WATTS,
                ACTIVE_WATTS));
    return new DeviceClass(
        entry.containsKey("name") ? entry.get("name").text() : tierName,
        figure(entry, READ_SPEED, BYTES_PER_MEGABYTE),
        figure(entry, "write-megabytes-per-second", BYTES_PER_MEGABYTE),
        figure(entry, "random-reads-per-second", 1),
        entry.containsKey("readers-at-peak") ? entry.get("readers-at-peak").wholeNumber() : 0,
        figure(entry, "peak-read-megabytes-per-second", BYTES_PER_MEGABYTE),
        power(node, entry));
  }

  private static Power power(YamlNode parent, Map<String, YamlNode> entry) {
    if (!entry.containsKey(IDLE_WATTS) && !entry.containsKey(ACTIVE_WATTS)) {
      return Power.UNKNOWN;
    }
    double idle = required(parent, entry, IDLE_WATTS).numberFromZero();
    double active = required(parent, entry, ACTIVE_WATTS).positiveNumber();
    if (active < idle) {
      YamlNode node = entry.get(ACTIVE_WATTS);
      throw node.error("must not be below " + IDLE_WATTS + " (" + idle + "), is " + node.shown());
    }
    return new Power(idle, active);
  }

  private static double figure(Map<String, YamlNode> entry, String key, double unit) {
    return entry.containsKey(key) ? entry.get(key).positiveNumber() * unit : Double.NaN;
  }

  private static List<Integer> fallback(Map<String, YamlNode> entry, int self, List<String> names) {
    YamlNode node = entry.get("fallback");
    if (node == null) {
      return TierTable.slowerThenFaster(self, names.size());
    }
    Set<Integer> order = new LinkedHashSet<>();
    for (YamlNode item : node.list()) {
      int other = names.indexOf(item.text());
      if (other < 0 || other == self) {
        throw item.error("\"" + item.text() + "\" is no other tier; the table has: " + names);
      }
      order.add(other);
    }
    return List.copyOf(order);
  }

  private static Map<String, String> readLayouts(YamlNode node) {
    Map<String, String> layouts = new LinkedHashMap<>();
    if (node != null) {
      node.anyMapping().forEach((name, text) -> layouts.put(name, text.text()));
    }
    return layouts;
  }

  private static List<PathRule> readRules(YamlNode node) {
    List<PathRule> rules = new ArrayList<>();
    for (YamlNode item : node == null ? List.<YamlNode>of() : node.list()) {
      Map<String, YamlNode> entry = item.mapping(Set.of("path", "placement", "access"));
      try {
        rules.add(
            new PathRule(
                required(item, entry, "path").text(),
                entry.containsKey("placement") ? entry.get("placement").text() : null,
                entry.containsKey("access") ? entry.get("access").text() : null));
      } catch (TierFileException e) {
        throw e;
      } catch (IllegalArgumentException e) {
        throw item.error(e.getMessage());
      }
    }
    return rules;
  }

  private static List<TierLimit> readLimits(YamlNode node, TierTable table) {
    List<TierLimit> limits = new ArrayList<>();
    for (YamlNode item : node == null ? List.<YamlNode>of() : node.list()) {
      Map<String, YamlNode> entry = item.mapping(Set.of("users", "groups", "paths", "tiers"));
      Set<Integer> tiers = new LinkedHashSet<>();
      for (YamlNode tier : required(item, entry, "tiers").list()) {
        tiers.add(tier(tier, table));
      }
      try {
        limits.add(
            new TierLimit(
                texts(entry, "users"), texts(entry, "groups"), texts(entry, "paths"), tiers));
      } catch (IllegalArgumentException e) {
        throw item.error(e.getMessage());
      }
    }
    return limits;
  }

  private static List<ByteLimit> readByteLimits(YamlNode node, TierTable table) {
    List<ByteLimit> limits = new ArrayList<>();
    for (YamlNode item : node == null ? List.<YamlNode>of() : node.list()) {
      Map<String, YamlNode> entry = item.mapping(Set.of("path", "tier", "bytes"));
      int tier = tier(required(item, entry, "tier"), table);
      try {
        limits.add(
            new ByteLimit(
                required(item, entry, "path").text(),
                tier,
                ByteLimit.parse(required(item, entry, "bytes").text())));
      } catch (TierFileException e) {
        throw e;
      } catch (IllegalArgumentException e) {
        throw item.error(e.getMessage());
      }
    }
    return limits;
  }

  private static List<LinkTable.Link> readLinks(YamlNode node, Set<String> keys) {
    List<LinkTable.Link> links = new ArrayList<>();
    for (YamlNode item : node == null ? List.<YamlNode>of() : node.list()) {
      Map<String, YamlNode> entry = item.mapping(keys);
      required(item, entry, LINK_SPEED);
      links.add(
          new LinkTable.Link(
              texts(entry, "racks"),
              texts(entry, "hosts"),
              figure(entry, LINK_SPEED, BYTES_PER_MEGABYTE)));
    }
    return links;
  }

  private static List<VolumeTable.Volume> readVolumes(YamlNode node) {
    List<VolumeTable.Volume> volumes = new ArrayList<>();
    for (YamlNode item : node == null ? List.<YamlNode>of() : node.list()) {
      Map<String, YamlNode> entry = item.mapping(Set.of("storage-ids", READ_SPEED));
      required(item, entry, READ_SPEED);
      required(item, entry, "storage-ids");
      double speed = figure(entry, READ_SPEED, BYTES_PER_MEGABYTE);
      try {
        volumes.add(new VolumeTable.Volume(texts(entry, "storage-ids"), speed));
      } catch (TierFileException e) {
        throw e;
      } catch (IllegalArgumentException e) {
        throw item.error(e.getMessage());
      }
    }
    return volumes;
  }

  private static int tier(YamlNode node, TierTable table) {
    return table
        .find(node.text())
        .orElseThrow(
            () ->
                node.error("unknown tier \"" + node.text() + "\"; the table has: " + table.names()))
        .index();
  }
}
