package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.dfsio.DfsioTask;
import io.tierwise.lab.dfsio.NodeReads;
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
 * Where the replicas of a data set are, to compute what its reads could reach at each link speed.
 * Devices have their nominal speed, whatever the number of readers: that is what the kernel limits.
 */
final class TestbedReads {
  private final TestbedPlan plan;
  private final List<String> names;
  private final List<DfsioTask> tasks;
  private final List<List<LocatedBlock>> blocks = new ArrayList<>();
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
    return bounds.computeIfAbsent(linkBytesPerSecond, this::compute);
  }

  private ReadBound compute(double linkBytesPerSecond) {
    NodeReads reads = new NodeReads(names.size(), linkBytesPerSecond);
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
    return reads.bound();
  }

  /** No node of a testbed has two volumes of one storage type. */
  private static String key(String node, String storageType) {
    return node + " " + storageType;
  }
}
