package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementRequest.Pledge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * Replicas that are neither live nor missing: copies on their way, and replicas on nodes in
 * maintenance. The NameNode asks for no others in their stead, yet shows their nodes only among
 * those that it excludes.
 *
 * <p>Also among those are holders of corrupt and of excess replicas; they cannot be told from the
 * target of a copy. A policy therefore only prefers what no pledge stands for.
 */
final class Pledges {
  private Pledges() {}

  /**
   * @param waiting storages that hold replicas on nodes in maintenance, as far as that is known
   */
  static List<Pledge> of(
      PlacementHost.Question question, List<DatanodeStorageInfo> waiting, NameNodeView view) {
    List<DatanodeDescriptor> holders = holders(question);
    if (holders.isEmpty()) {
      return List.of();
    }
    List<Pledge> pledges = new ArrayList<>();
    for (DatanodeDescriptor holder : holders) {
      int[] volumes =
          storagesOn(holder, waiting).stream()
              .mapToInt(view::idOf)
              .filter(volume -> volume != ClusterView.NONE)
              .toArray();
      if (volumes.length > 0) {
        pledges.add(new Pledge(volumes, holder.isInService()));
      }
    }
    // A hash set has no order of its own; sorted, the same question gets the same answer.
    pledges.sort(Comparator.comparingInt(pledge -> pledge.volumes()[0]));
    return pledges;
  }

  private static List<DatanodeStorageInfo> storagesOn(
      DatanodeDescriptor holder, List<DatanodeStorageInfo> waiting) {
    List<DatanodeStorageInfo> known =
        waiting.stream().filter(at -> at.getDatanodeDescriptor().equals(holder)).toList();
    return known.isEmpty() ? Arrays.asList(holder.getStorageInfos()) : known;
  }

  /** All storages of the nodes with a pledge: mostly nobody tells on which of them it is. */
  static List<DatanodeStorageInfo> storages(PlacementHost.Question question) {
    return holders(question).stream()
        .flatMap(holder -> Arrays.stream(holder.getStorageInfos()))
        .toList();
  }

  private static List<DatanodeDescriptor> holders(PlacementHost.Question question) {
    if (question.kind() != DecisionKind.RECONSTRUCTION || question.excluded() == null) {
      return List.of();
    }
    List<DatanodeDescriptor> holders = new ArrayList<>();
    for (Node node : question.excluded()) {
      if (node instanceof DatanodeDescriptor holder && mayHold(holder, question)) {
        holders.add(holder);
      }
    }
    return holders;
  }

  private static boolean mayHold(DatanodeDescriptor node, PlacementHost.Question question) {
    // A node in maintenance is mostly off, and HDFS counts on its replicas all the same.
    boolean counts = node.isInMaintenance() || (node.isAlive() && !TierBytesWalk.isLeaving(node));
    if (!counts || node.equals(question.writer())) {
      return false;
    }
    for (DatanodeStorageInfo storage : question.existing()) {
      if (storage.getDatanodeDescriptor().equals(node)) {
        return false;
      }
    }
    return true;
  }
}
