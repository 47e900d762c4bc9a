package io.tierwise.policies.placement;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.List;
import java.util.Objects;

/**
 * A host's question to a placement policy.
 *
 * @param file the file of the block
 * @param blockBytes room that each replica needs
 * @param replicaCount how many volumes are wanted, beyond the existing ones
 * @param writerNode the writer's node when it is preferred, or {@code ClusterView.NONE} for a
 *     writer outside, unless a node stands for it, and where the host prefers no local node
 * @param writerRack the writer's rack, or {@code ClusterView.NONE} when unknown
 * @param existingVolumes volumes of the live replicas; an id may be {@code ClusterView.NONE} for a
 *     replica that the view does not know. Empty for a new block
 * @param excluded nodes that must not be chosen; nodes of existing replicas are excluded anyway
 * @param avoid what the client asked to keep clear of
 * @param avoidedNode the writer's node for {@code avoid}, also where it is not preferred
 * @param sourceVolumes volumes one of which holds the replica that is copied, when none is live;
 *     else empty
 * @param pledges other replicas that the host counts on
 * @param allowance what the file may take of volumes that are limited for it
 * @param atOnceMin of the wanted volumes, how many must be chosen now; the others may be left out
 *     where the policy lets them come after the write, and the host asks for them again
 */
public record PlacementRequest(
    FileView file,
    long blockBytes,
    int replicaCount,
    int writerNode,
    int writerRack,
    int[] existingVolumes,
    NodeSet excluded,
    Avoid avoid,
    int avoidedNode,
    int[] sourceVolumes,
    List<Pledge> pledges,
    Allowance allowance,
    int atOnceMin) {
  public PlacementRequest {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(existingVolumes, "existingVolumes");
    Objects.requireNonNull(excluded, "excluded");
    Objects.requireNonNull(avoid, "avoid");
    Objects.requireNonNull(sourceVolumes, "sourceVolumes");
    Objects.requireNonNull(pledges, "pledges");
    Objects.requireNonNull(allowance, "allowance");
    if (blockBytes < 0 || replicaCount < 0) {
      throw new IllegalArgumentException(
          "blockBytes "
              + blockBytes
              + " and replicaCount "
              + replicaCount
              + " must not be negative");
    }
  }

  /** A request for all replicas at once. */
  public PlacementRequest(
      FileView file,
      long blockBytes,
      int replicaCount,
      int writerNode,
      int writerRack,
      int[] existingVolumes,
      NodeSet excluded,
      Avoid avoid,
      int avoidedNode,
      int[] sourceVolumes,
      List<Pledge> pledges,
      Allowance allowance) {
    this(
        file,
        blockBytes,
        replicaCount,
        writerNode,
        writerRack,
        existingVolumes,
        excluded,
        avoid,
        avoidedNode,
        sourceVolumes,
        pledges,
        allowance,
        replicaCount);
  }

  /** A request in which the writer's node is preferred, and no replica is without a known place. */
  public PlacementRequest(
      FileView file,
      long blockBytes,
      int replicaCount,
      int writerNode,
      int writerRack,
      int[] existingVolumes,
      NodeSet excluded,
      Avoid avoid) {
    this(
        file,
        blockBytes,
        replicaCount,
        writerNode,
        writerRack,
        existingVolumes,
        excluded,
        avoid,
        writerNode,
        new int[0],
        List.of(),
        Allowance.UNLIMITED);
  }

  /** A request for nothing new: the replicas that a block has, for questions about them. */
  static PlacementRequest ofExisting(FileView file, int[] volumes) {
    return new PlacementRequest(
        file, 0, 0, ClusterView.NONE, ClusterView.NONE, volumes, NodeSet.EMPTY, Avoid.NOTHING);
  }

  /**
   * A replica that is neither live nor missing.
   *
   * @param volumes those of its node, one of which holds it or gets it
   * @param coming whether a policy chose its node a moment ago: then it took the first wish that
   *     was open
   */
  public record Pledge(int[] volumes, boolean coming) {}

  /**
   * The number of replicas of the block that volumes may still take that are limited for its file.
   */
  public interface Allowance {
    Allowance UNLIMITED =
        new Allowance() {
          @Override
          public int limitOf(int volume) {
            return ClusterView.NONE;
          }

          @Override
          public int replicasLeft(int limit) {
            return Integer.MAX_VALUE;
          }
        };

    /** The limit that holds for the volume: a small number, or {@code ClusterView.NONE}. */
    int limitOf(int volume);

    /** Replicas that may yet go to all volumes under that limit. */
    int replicasLeft(int limit);
  }

  /** A set of node ids. */
  @FunctionalInterface
  public interface NodeSet {
    NodeSet EMPTY = node -> false;

    boolean contains(int node);
  }

  /** HDFS's hints of the writing client; dropped when they leave too few nodes. */
  public enum Avoid {
    NOTHING,
    WRITER_NODE,
    WRITER_RACK
  }
}
