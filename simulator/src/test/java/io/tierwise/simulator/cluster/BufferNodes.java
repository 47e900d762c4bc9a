package io.tierwise.simulator.cluster;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.TierSpec;
import java.util.List;

/**
 * Two nodes with a buffer each over disks.
 *
 * @param bufferBytes of each node
 * @param backgroundBytes that are left alone for a while
 * @param disks of each node
 */
record BufferNodes(long bufferBytes, long backgroundBytes, int disks) {
  static final double DISK_BYTES_PER_SECOND = 64 << 20;
  private static final double ANY_SPEED = Double.POSITIVE_INFINITY;

  WriteBuffers buffers(Engine engine) {
    DeviceSpec disk = new DeviceSpec("disk", 128e6, DISK_BYTES_PER_SECOND, List.of(), 0, 0, 0, 0);
    NodeSpec node =
        new NodeSpec(
            "node",
            1,
            1e9,
            0,
            bufferBytes,
            backgroundBytes,
            5e9,
            1,
            1,
            1e9,
            0,
            0,
            0,
            1,
            NodeSpec.UNLIMITED,
            List.of(new VolumeGroup(disk, disks, 1L << 40, true, true)));
    Rack rack = new Rack("rack", "region", ANY_SPEED, List.of(new NodeGroup(node, 2)));
    ClusterSpec spec = new ClusterSpec(List.of(rack), ANY_SPEED, 0);
    Transfers transfers = new Transfers(engine);
    VirtualCluster cluster =
        new VirtualCluster(
            spec,
            ScenarioTiers.table(
                List.of(new TierSpec("disk", "disk", List.of())), ScenarioTiers.dataDevices(spec)),
            transfers.network());
    return new WriteBuffers(engine, cluster, transfers, new Paths(cluster), false);
  }
}
