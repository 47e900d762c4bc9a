package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Checks that the NameNode knows how much DataNodes keep free on each volume. One that does not
 * know sends blocks to volumes that refuse them; a writer gives up after a few.
 */
final class KeptFreeChecks {
  private static final String WHERE = "datanode";

  private final Map<String, Long> bytesByNode;
  private final Findings findings;

  /**
   * @param bytesByNode what each DataNode keeps free, by its own keys
   */
  KeptFreeChecks(Map<String, Long> bytesByNode, Findings findings) {
    this.bytesByNode = bytesByNode;
    this.findings = findings;
  }

  /**
   * @param nameNode what the active NameNode believes; empty where no plug-in runs in it
   */
  void compare(OptionalLong nameNode) {
    if (nameNode.isEmpty()) {
      return;
    }
    nodesByBytes(kept -> kept > nameNode.getAsLong())
        .forEach(
            (bytes, names) ->
                findings.add(
                    Finding.failure(
                        WHERE,
                        Findings.names(names)
                            + " refuse blocks for volumes with less than "
                            + Words.bytes(bytes)
                            + " left; the NameNode counts with "
                            + Words.bytes(nameNode.getAsLong())
                            + " and sends them there",
                        "set "
                            + KeptFree.KEY
                            + " to "
                            + bytes
                            + " on the NameNodes, restart them")));
    Map<Long, List<String>> less = nodesByBytes(kept -> kept < nameNode.getAsLong());
    less.forEach(
        (bytes, names) ->
            findings.add(
                Finding.warning(
                    WHERE,
                    Findings.names(names)
                        + " keep "
                        + Words.bytes(bytes)
                        + " free on each volume, less than the "
                        + Words.bytes(nameNode.getAsLong())
                        + " that the NameNode counts with: that room stays unused",
                    less.size() == 1 && names.size() == bytesByNode.size()
                        ? "set " + KeptFree.KEY + " to " + bytes + " on the NameNodes, restart them"
                        : "give all DataNodes and NameNodes one value of " + KeptFree.KEY)));
  }

  private Map<Long, List<String>> nodesByBytes(LongPredicate kept) {
    return bytesByNode.entrySet().stream()
        .filter(node -> kept.test(node.getValue()))
        .collect(
            Collectors.groupingBy(
                Map.Entry::getValue,
                TreeMap::new,
                Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
  }

  void volumes(ClusterVolumes volumes, OptionalLong nameNode) {
    Map<String, List<String>> small =
        volumes.volumes().stream()
            .filter(volume -> volume.tier() >= 0 && !volume.failed())
            .filter(
                volume ->
                    volume.capacityBytes()
                        <= Math.max(
                            bytesByNode.getOrDefault(volume.nodeName(), 0L), nameNode.orElse(0)))
            .collect(
                Collectors.groupingBy(
                    volume -> volumes.tiers().table().tier(volume.tier()).name(),
                    TreeMap::new,
                    Collectors.mapping(ClusterVolumes.Volume::nodeName, Collectors.toList())));
    small.forEach(
        (tier, names) ->
            findings.add(
                Finding.warning(
                    WHERE,
                    Words.count(names.size(), "volume")
                        + " of tier "
                        + tier
                        + " on "
                        + Findings.names(names.stream().distinct().toList())
                        + " hold less than is kept free on each volume: no block goes there",
                    "lower " + KeptFree.DATA_NODE_KEY + " there and on the NameNodes")));
  }
}
