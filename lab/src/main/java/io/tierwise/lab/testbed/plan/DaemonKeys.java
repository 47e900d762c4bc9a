package io.tierwise.lab.testbed.plan;

import java.util.Map;

/**
 * Configuration keys on top of what a testbed's daemons are given.
 *
 * @param nameNode the NameNode's
 * @param dataNode those of every DataNode
 */
public record DaemonKeys(Map<String, String> nameNode, Map<String, String> dataNode) {
  public static final DaemonKeys NONE = new DaemonKeys(Map.of(), Map.of());

  public DaemonKeys {
    nameNode = Map.copyOf(nameNode);
    dataNode = Map.copyOf(dataNode);
  }
}
