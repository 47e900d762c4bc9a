package io.tierwise.hadoop.inspect.policy;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Policies that a path is to get, checked against the cluster as it is. */
public final class PolicySetting {
  private static final String FROM_ATTRIBUTE_KEY = "tierwise.access.from-attribute.enabled";

  /**
   * A wish for a path.
   *
   * @param placement null: none
   * @param access null: none
   * @param apply whether what is stored is to be moved to the placement
   */
  public record Wish(String placement, String access, boolean apply) {
    public Wish {
      if (placement == null && access == null) {
        throw OperatorException.badInput("nothing to set: give --placement, --access, or both");
      }
      if (apply && (placement == null || placement.strip().equals(PathPolicy.STOCK))) {
        throw OperatorException.badInput(
            "--apply moves to a placement other than stock: give one by --placement");
      }
    }
  }

  private final Wish wish;
  private final String path;
  private final DistributedFileSystem fs;
  private final FileStatus status;
  private final NameNodePlugin plugin;
  private final NameNodePlugin.Answer active;
  private final TierConfiguration tiers;
  private final Map<String, String> attributes = new LinkedHashMap<>();

  /** Checks a wish; nothing is changed. */
  public PolicySetting(Wish wish, String path, ClusterConnection.Place place, Configuration conf)
      throws IOException {
    this.wish = wish;
    this.path = path;
    fs = place.fs();
    plugin = new NameNodePlugin(fs, conf);
    active = plugin.ofActive();
    tiers = plugin.tiersInForce(active, TierConfiguration.load(conf)).configuration();
    if (wish.placement() != null) {
      boolean stock = wish.placement().strip().equals(PathPolicy.STOCK);
      attributes.put(
          PathPolicy.PLACEMENT_ATTRIBUTE,
          stock
              ? PathPolicy.STOCK
              : PlacementPolicies.canonical(wish.placement(), tiers.table(), tiers.layouts()));
    }
    if (wish.access() != null) {
      attributes.put(PathPolicy.ACCESS_ATTRIBUTE, AccessStrategies.canonical(wish.access()));
    }
    status = fs.getFileStatus(place.path());
    if (wish.access() != null && status.isFile()) {
      // Clients look up a file's directory, not each file: one lookup serves all its files.
      throw OperatorException.badInput(
          "--access holds for directories, and " + path + " is a file: name its directory");
    }
  }

  /**
   * The NameNodes that would not obey the placement, a line each.
   *
   * @param force whether it may be set though the active one does not
   * @throws OperatorException when that one does not, and it may not
   */
  public List<String> notObeyed(boolean force) throws IOException {
    List<String> lines = new ArrayList<>();
    if (wish.placement() != null) {
      if (!active.runs() && !force) {
        throw OperatorException.cluster(
            active.whyNot() + ": no placement was set (install the plug-in, or give --force)",
            null);
      }
      if (!active.runs()) {
        lines.add(active.whyNot() + ": it places blocks as stock HDFS does");
      }
      for (NameNodePlugin.Answer other : plugin.ofOthers(active)) {
        if (!other.runs()) {
          boolean missing = other.state() == NameNodePlugin.State.MISSING;
          lines.add(
              "the NameNode "
                  + other.nameNode()
                  + (missing
                      ? " runs without the Tierwise plug-in: after a failover to it the policy"
                          + " is not obeyed"
                      : " could not be asked for the plug-in (" + other.problem() + ")"));
        }
      }
    }
    return lines;
  }

  /** The files and limits that the placement does not reach. */
  public List<NotEnforced.Gap> gaps() throws IOException {
    String specification = placement();
    if (specification == null || specification.equals(PathPolicy.STOCK)) {
      return List.of();
    }
    return new NotEnforced(fs, status.getPath(), tiers, specification)
        .find(plugin, active).stream()
            .filter(gap -> !wish.apply() || !gap.reason().equals(NotEnforced.STORED_ALREADY))
            .toList();
  }

  /** The keys that a client still needs to follow the access strategy, a line each. */
  public List<String> clientKeys(Configuration conf) {
    return wish.access() == null || conf.getBoolean(FROM_ATTRIBUTE_KEY, false)
        ? List.of()
        : List.of("clients follow the attribute only with " + FROM_ATTRIBUTE_KEY + "=true");
  }

  /** Whether every file of the cluster is meant. */
  public boolean isOfRoot() {
    return status.getPath().isRoot();
  }

  /** The path as the NameNode knows it. */
  public String plainPath() {
    return status.getPath().toUri().getPath();
  }

  /** The placement in canonical form; null for none. */
  public String placement() {
    return attributes.get(PathPolicy.PLACEMENT_ATTRIBUTE);
  }

  /** The access strategy in canonical form; null for none. */
  public String access() {
    return attributes.get(PathPolicy.ACCESS_ATTRIBUTE);
  }

  /** The attributes that the path gets, in canonical form. */
  public Map<String, String> attributes() {
    return attributes;
  }

  /**
   * The attributes and what they do not reach, for a terminal.
   *
   * @param would whether nothing was changed
   */
  public List<String> lines(List<NotEnforced.Gap> gaps, boolean would) {
    List<String> lines = new ArrayList<>();
    String verb = would ? "would set " : "set ";
    attributes.forEach((name, value) -> lines.add(verb + name + " of " + path + " to " + value));
    if (!gaps.isEmpty()) {
      lines.add("not enforced:");
      gaps.forEach(gap -> lines.add(Fold.text("- " + gap.text())));
    }
    return lines;
  }

  /** Whether the plug-in is in the active NameNode, as JSON has it. */
  public String pluginState() {
    return active.state().name().toLowerCase(Locale.ROOT);
  }

  /** Sets the attributes. */
  public void set() throws IOException {
    PolicyChange.set(fs, status.getPath(), attributes, active);
  }
}
