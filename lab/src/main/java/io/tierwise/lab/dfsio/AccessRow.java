package io.tierwise.lab.dfsio;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.inspect.health.NameNodeOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A row of reads on a cluster as it is. Some clients keep the order in which the NameNode lists
 * replicas: their row is named by that order, which may be one of ours.
 *
 * @param name of what is measured
 * @param strategy that was asked for
 * @param keys of its clients
 */
record AccessRow(String name, String strategy, Map<String, String> keys) {
  private static final String STOCK = "stock";
  private static final String AUTO = "auto";

  /**
   * By what the NameNode orders.
   *
   * @param strategy empty for by distance, and when it is not known
   * @param whyUnknown null when it is known
   */
  private record Order(Optional<String> strategy, String whyUnknown) {
    static Order of(DistributedFileSystem admin, Configuration conf) {
      try {
        return new Order(NameNodeOrder.ofActive(admin, conf), null);
      } catch (IOException e) {
        return new Order(Optional.empty(), e.getMessage());
      }
    }

    boolean isAuto() {
      return strategy.filter(AccessRow::isAuto).isPresent();
    }
  }

  private static boolean isAuto(String strategy) {
    return strategy.split(":", 2)[0].equals(AUTO);
  }

  private static boolean keepsOrder(String strategy) {
    return strategy.startsWith(STOCK)
        || strategy.equals(ClientKeys.STRATEGY_DEFAULT)
        || isAuto(strategy);
  }

  /**
   * The rows of these strategies.
   *
   * @param remarks takes a line when the NameNode's order cannot be known
   * @throws OperatorException when {@code auto} would be measured where the NameNode has not that
   *     order
   */
  static List<AccessRow> of(
      List<String> strategies,
      DistributedFileSystem admin,
      Configuration conf,
      List<String> remarks) {
    if (strategies.stream().noneMatch(AccessRow::keepsOrder)) {
      return strategies.stream().map(strategy -> row(strategy, strategy)).toList();
    }
    Order order = Order.of(admin, conf);
    List<AccessRow> rows = new ArrayList<>();
    for (String strategy : strategies) {
      if (isAuto(strategy) && !order.isAuto()) {
        throw OperatorException.cluster(whyNotAuto(strategy, order), null);
      }
      rows.add(row(keepsOrder(strategy) ? nameOf(strategy, order) : strategy, strategy));
    }
    if (order.whyUnknown() != null) {
      remarks.add(
          "the order in which the NameNode lists replicas, which 'client' rows have, is not known: "
              + order.whyUnknown());
    }
    return rows;
  }

  private static AccessRow row(String name, String strategy) {
    Map<String, String> keys = new LinkedHashMap<>(ClientKeysFor.access(strategy));
    // The bench's folder has the strategy as its attribute, which stands above all rules.
    keys.put(ClientKeys.FROM_ATTRIBUTE, "true");
    return new AccessRow(name, strategy, keys);
  }

  private static String nameOf(String strategy, Order order) {
    if (order.whyUnknown() != null) {
      return strategy + " client";
    }
    return order
        .strategy()
        .filter(ofNameNode -> !strategy.equals(AUTO) && !strategy.equals(ofNameNode))
        .map(ofNameNode -> strategy + " client, NameNode's " + ofNameNode)
        .orElse(strategy);
  }

  private static String whyNotAuto(String strategy, Order order) {
    String keeps = strategy + " keeps the order of the NameNode, ";
    return order.whyUnknown() != null
        ? keeps
            + "which is not known ("
            + order.whyUnknown()
            + "): name its web server in dfs.namenode.http-address, or leave it out"
        : keeps
            + "which lists replicas by "
            + order.strategy().orElse("distance")
            + ": it would be measured as that (set dfs.net.topology.impl and"
            + " tierwise.namenode.access.strategy there, or leave it out)";
  }

  /** Whether HDFS's own client reads. */
  boolean isStock() {
    return strategy.startsWith(STOCK);
  }
}
