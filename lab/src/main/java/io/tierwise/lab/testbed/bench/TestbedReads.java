package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.dfsio.DfsioTask;
import io.tierwise.lab.dfsio.NodeReads;
import io.tierwise.lab.dfsio.TaskFigures;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import io.tierwise.simulator.bound.ReadBound;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Where the replicas of a data set are, to compute what its reads could reach at each link speed,
 * and what those that were made had in the simulator. Devices have their nominal speed, whatever
 * the number of readers: that is what the kernel limits.
 */
final class TestbedReads {
  private final TestbedPlan plan;
  private final List<String> names;
  private final List<DfsioTask> tasks;
  private final List<List<LocatedBlock>> blocks = new ArrayList<>();
  private final Map<Double, NodeReads> atLinks = new HashMap<>();
  private final Map<Double, ReadBound> bounds = new HashMap<>();

  /**
   * @param tasks that read; all replicas must have been reported
   */
  TestbedReads(TestbedPlan plan, List<DfsioTask> tasks, DistributedFileSystem admin)
      throws IOException {
    this.plan = plan;
    this.names = plan.dataNodes().stream().map(NodePlan::name).toList();
    this.tasks = tasks;
    for (DfsioTask task : tasks) {
      blocks.add(
          admin.getClient().getLocatedBlocks(task.path(), 0, task.bytes()).getLocatedBlocks());
    }
  }

  List<DfsioTask> tasks() {
    return tasks;
  }

  /** Null when it would take too long. */
  ReadBound bound(double linkBytesPerSecond) {
    return bounds.computeIfAbsent(linkBytesPerSecond, speed -> reads(speed).bound());
  }

  /**
   * Simulates what the same choices of replicas have in the simulator's network; null when a reader
   * went elsewhere in the middle of a block.
   *
   * @param read by the tasks
   */
  Double chosen(double linkBytesPerSecond, List<TaskFigures> read) {
    Map<Integer, List<Integer>> byTask = new HashMap<>();
    read.forEach(
        task -> byTask.put(task.index(), task.sources().stream().map(names::indexOf).toList()));
    return reads(linkBytesPerSecond)
        .bytesPerSecondFrom(tasks.stream().map(task -> byTask.get(task.index())).toList());
  }

  private NodeReads reads(double linkBytesPerSecond) {
    return atLinks.computeIfAbsent(linkBytesPerSecond, this::compute);
  }

  private NodeReads compute(double linkBytesPerSecond) {
    NodeReads reads = network(plan, linkBytesPerSecond);
    Map<String, Integer> devices = new HashMap<>();
    for (NodePlan node : plan.dataNodes()) {
      node.volumes()
          .forEach(
              volume -> {
                double speed = (double) volume.kind().readBytesPerSecond(plan.scaleDown());
                devices.put(
                    key(node.name(), volume.kind().storageType()), reads.addDevice(n -> speed));
              });
    }
    for (int task = 0; task < tasks.size(); task++) {
      reads.addReader(names.indexOf(tasks.get(task).place().hostName()));
      for (LocatedBlock block : blocks.get(task)) {
        reads.addBlock((double) block.getBlockSize());
        for (int i = 0; i < block.getLocations().length; i++) {
          String node = block.getLocations()[i].getHostName();
          reads.addReplica(
              names.indexOf(node), devices.get(key(node, block.getStorageTypes()[i].name())));
        }
      }
    }
    return reads;
  }

  private static NodeReads network(TestbedPlan plan, double linkBytesPerSecond) {
    int[] racks = plan.dataNodes().stream().mapToInt(node -> node.rack() - 1).toArray();
    double uplink = plan.uplinkBitsPerSecond(Math.round(8 * linkBytesPerSecond)) / 8.0;
    return new NodeReads(
        racks,
        linkBytesPerSecond,
        plan.oversubscription() == 1 ? Double.POSITIVE_INFINITY : uplink);
  }

  /** No node of a testbed has two volumes of one storage type. */
  private static String key(String node, String storageType) {
    return node + " " + storageType;
  }
}
