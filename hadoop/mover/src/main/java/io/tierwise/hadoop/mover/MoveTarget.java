package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A place where stored replicas are to be: a layout's, or so many of them in a tier or a region.
 */
public sealed interface MoveTarget {
  /** The target, for people and the journal. */
  String text();

  /**
   * The work that brings files there.
   *
   * @throws OperatorException when the files, or the tiers, do not allow it
   */
  MoverJob job(MoverCluster cluster, StoredFiles files) throws IOException;

  /** Whether the same order given again does the rest of a run that was stopped, and no more. */
  boolean mayBeRepeated();

  /**
   * A layout; policies stay.
   *
   * @param text a layout or a placement policy; {@code policy} for each file's own
   */
  record ToLayout(String text) implements MoveTarget {
    @Override
    public MoverJob job(MoverCluster cluster, StoredFiles files) {
      return MoverJob.of(cluster, MoveOrder.to(text, files.plainPaths(), cluster.tiers()));
    }

    @Override
    public boolean mayBeRepeated() {
      return true;
    }
  }

  /** Some of the replicas that a layout names; the layout changes, too. */
  sealed interface Part extends MoveTarget {
    /** The change of the layout of a path. */
    FileTiers.Change change(MoverCluster cluster, String path) throws IOException;

    @Override
    default MoverJob job(MoverCluster cluster, StoredFiles files) throws IOException {
      files.requireNoRoot();
      Map<String, String> policies = new LinkedHashMap<>();
      Map<String, String> madeOf = new LinkedHashMap<>();
      for (String path : files.plainPaths()) {
        FileTiers.Change change = change(cluster, path);
        policies.put(path, change.after());
        madeOf.put(path, change.before());
      }
      return new PolicyMoves(cluster, policies, Map.of(), madeOf);
    }

    /** Given again, it would move as many replicas once more. */
    @Override
    default boolean mayBeRepeated() {
      return false;
    }
  }

  /**
   * Replicas that go to a tier.
   *
   * @param from null for any tier
   */
  record ToTier(String from, String to, int replicas) implements Part {
    public ToTier {
      OperatorException.requireAtLeast(1, "--replicas", replicas);
    }

    @Override
    public String text() {
      return from == null ? "tier " + to : "tier " + to + " from " + from;
    }

    @Override
    public FileTiers.Change change(MoverCluster cluster, String path) throws IOException {
      FileTiers tiers = new FileTiers(cluster);
      return from == null
          ? tiers.gatherInTier(path, to, replicas)
          : tiers.moveTier(path, from, to, replicas);
    }
  }

  /** Replicas that go from a region to another one. */
  record ToRegion(String from, String to, int replicas) implements Part {
    public ToRegion {
      OperatorException.requireAtLeast(1, "--replicas", replicas);
    }

    @Override
    public String text() {
      return "region " + to + " from " + from;
    }

    @Override
    public FileTiers.Change change(MoverCluster cluster, String path) throws IOException {
      return new FileRegions(cluster).moveRegion(path, from, to, replicas);
    }
  }
}
