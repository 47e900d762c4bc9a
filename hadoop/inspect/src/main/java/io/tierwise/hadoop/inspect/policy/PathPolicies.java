package io.tierwise.hadoop.inspect.policy;

import io.tierwise.core.message.Table;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The policies that a path is under.
 *
 * @param placement null: none, HDFS places as ever
 * @param access null: none, the client's configuration decides
 * @param notObeyed why the placement is not obeyed; null when it is, or when there is none
 * @param malformed each specification that is ignored, and why
 */
public record PathPolicies(
    PathPolicy placement, PathPolicy access, String notObeyed, List<String> malformed) {

  /** Asks the NameNode. */
  public static PathPolicies of(ClusterConnection.Place place, Configuration conf)
      throws IOException {
    NameNodePlugin.InForce force = NameNodePlugin.inForce(place.fs(), conf);
    Path full = place.fs().getFileStatus(place.path()).getPath();
    Optional<PathPolicy> placement = PathPolicy.placement(place.fs(), full, force.table());
    Optional<PathPolicy> access = PathPolicy.access(place.fs(), full, force.own());
    boolean wished = placement.filter(policy -> !isStock(policy.specification())).isPresent();
    List<String> malformed = new ArrayList<>();
    placement.ifPresent(policy -> parse(policy, text -> place(text, force.table()), malformed));
    access.ifPresent(policy -> parse(policy, AccessStrategies::parse, malformed));
    return new PathPolicies(
        placement.orElse(null),
        access.orElse(null),
        wished && !force.active().runs() ? force.active().whyNotObeyed() : null,
        malformed);
  }

  /** Both for people, where none stands, too. */
  public Table table() {
    Table table = new Table().text("what", "specification", "from");
    addRow(table, "placement", placement, "stock", "no policy: HDFS places as ever");
    addRow(table, "access", access, "-", "no policy: the client's tierwise.access.strategy");
    return table;
  }

  private static void addRow(
      Table table, String what, PathPolicy policy, String none, String from) {
    table.row(
        what,
        policy == null ? none : policy.specification(),
        policy == null ? from : policy.origin());
  }

  private static boolean isStock(String specification) {
    return specification.strip().equals(PathPolicy.STOCK);
  }

  private static void place(String specification, TierConfiguration tiers) {
    if (!isStock(specification)) {
      PlacementPolicies.parse(specification, tiers.table(), tiers.layouts());
    }
  }

  /** Somebody may have stored a specification without checking it. */
  private static void parse(PathPolicy policy, Consumer<String> parser, List<String> malformed) {
    try {
      parser.accept(policy.specification());
    } catch (IllegalArgumentException e) {
      malformed.add(policy.origin() + " is ignored: " + e.getMessage());
    }
  }
}
