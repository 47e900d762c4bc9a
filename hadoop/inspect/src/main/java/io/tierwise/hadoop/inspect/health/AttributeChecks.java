package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Policies that cannot be understood. Looks at the top of the tree only, level by level, since a
 * namespace may have hundreds of millions of directories; the finding says how many. Deeper ones
 * are those that the NameNode met when it placed blocks.
 */
public final class AttributeChecks {
  public static final String WHERE = "paths";

  private static final int DIRECTORIES_MAX = 1_000;
  private static final int LEVELS_MAX = 3;

  private final DistributedFileSystem fs;
  private final TierConfiguration tiers;
  private final Findings findings;

  /** Directories that name a placement other than stock's. */
  private final List<String> placed = new ArrayList<>();

  /**
   * @param tiers the NameNode's tier table, as far as it is known
   */
  public AttributeChecks(DistributedFileSystem fs, TierConfiguration tiers, Findings findings) {
    this.fs = fs;
    this.tiers = tiers;
    this.findings = findings;
  }

  /**
   * Looks at paths that the NameNode says it cannot understand, and at the top of the tree.
   *
   * @param stockPlaces whether the NameNode is taken for one that is meant to place as stock HDFS
   */
  public void run(List<String> malformed, boolean stockPlaces) throws IOException {
    for (String path : malformed) {
      findings.check(WHERE, path, "run it as HDFS's superuser", () -> lookAtMalformed(path));
    }
    walk(Set.copyOf(malformed));
    if (stockPlaces && !placed.isEmpty()) {
      findings.add(
          Finding.failure(
              WHERE,
              Findings.names(placed) + ": a placement is set, and NameNodes place as stock HDFS",
              PluginKeys.PLACEMENT.advice() + ", or take it back with 'tierwise policy unset'"));
    }
  }

  private void lookAtMalformed(String path) throws IOException {
    try {
      if (look(new Path(path)).placement() == State.UNDERSTOOD) {
        findings.add(
            Finding.failure(
                WHERE,
                path + ": " + PathPolicy.PLACEMENT_ATTRIBUTE + " is not understood by the NameNode",
                "update the NameNode's plug-in to this command's version, or set another policy"));
      }
    } catch (FileNotFoundException e) {
      // Deleted since the NameNode met it.
    }
  }

  private void walk(Set<String> known) throws IOException {
    Deque<Path> waiting = new ArrayDeque<>();
    waiting.add(new Path("/"));
    int looked = 0;
    int managed = 0;
    boolean all = true;
    List<String> denied = new ArrayList<>();
    while (!waiting.isEmpty()) {
      Path directory = waiting.remove();
      if (looked == DIRECTORIES_MAX) {
        all = false;
        break;
      }
      looked++;
      String path = Path.getPathWithoutSchemeAndAuthority(directory).toString();
      try {
        if (known.contains(path)) {
          managed++;
        } else {
          Looked found = look(directory);
          managed += found.hasPolicy() ? 1 : 0;
          if (found.placement() == State.UNDERSTOOD) {
            placed.add(path);
          }
        }
        all &= addChildren(directory, waiting);
      } catch (AccessControlException e) {
        denied.add(path);
      }
    }
    if (!denied.isEmpty()) {
      findings.add(
          Finding.notChecked(
              WHERE,
              Findings.names(denied),
              "no permission to read",
              "run it as HDFS's superuser"));
    }
    findings.add(
        Finding.ok(
            WHERE,
            managed
                + " of "
                + looked
                + " directories have a policy of their own; looked at "
                + (all
                    ? denied.isEmpty() ? "all directories" : "all directories that may be read"
                    : "the top " + LEVELS_MAX + " levels, at most " + DIRECTORIES_MAX)
                + ", no files"));
  }

  /** Adds what is below, unless that is too deep; whether nothing was left out. */
  private boolean addChildren(Path directory, Deque<Path> waiting) throws IOException {
    boolean tooDeep = directory.depth() >= LEVELS_MAX;
    RemoteIterator<FileStatus> children = fs.listStatusIterator(directory);
    while (children.hasNext()) {
      FileStatus child = children.next();
      if (child.isDirectory()) {
        if (tooDeep || waiting.size() >= DIRECTORIES_MAX) {
          return false;
        }
        waiting.add(child.getPath());
      }
    }
    return true;
  }

  /** The state of an attribute, by the tier table that was handed in. */
  private enum State {
    NOT_SET,
    STOCK,
    UNDERSTOOD,
    MALFORMED
  }

  private record Looked(State placement, State access) {
    boolean hasPolicy() {
      return placement != State.NOT_SET || access != State.NOT_SET;
    }
  }

  private Looked look(Path directory) throws IOException {
    Map<String, byte[]> attributes = fs.getXAttrs(directory);
    String path = Path.getPathWithoutSchemeAndAuthority(directory).toString();
    State placement =
        check(
            attributes,
            PathPolicy.PLACEMENT_ATTRIBUTE,
            path,
            text -> PlacementPolicies.parse(text, tiers.table(), tiers.layouts()));
    State access =
        check(attributes, PathPolicy.ACCESS_ATTRIBUTE, path, text -> AccessStrategies.parse(text));
    return new Looked(placement, access);
  }

  /** Reads a text, or throws {@link IllegalArgumentException}. */
  @FunctionalInterface
  private interface Parser {
    void parse(String text);
  }

  private State check(
      Map<String, byte[]> attributes, String attribute, String path, Parser parser) {
    byte[] value = attributes.get(attribute);
    if (value == null) {
      return State.NOT_SET;
    }
    String text = new String(value, StandardCharsets.UTF_8);
    if (text.equals("stock")) {
      return State.STOCK;
    }
    try {
      parser.parse(text);
      return State.UNDERSTOOD;
    } catch (IllegalArgumentException e) {
      findings.add(
          Finding.failure(
              WHERE,
              path + ": " + attribute + " cannot be understood: " + e.getMessage(),
              "stock HDFS decides there; mend it with 'tierwise policy set " + path + "'"));
      return State.MALFORMED;
    }
  }
}
