package io.tierwise.lab.testbed.bench;

import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.plan.DeviceKind;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import io.tierwise.lab.testbed.plan.VolumePlan;
import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A fault from its beginning to {@link #close}, which undoes it. */
final class FaultInForce implements AutoCloseable {
  /** The change to undo. */
  private interface Undo {
    void run() throws IOException;
  }

  private final Undo undo;

  private FaultInForce(Undo undo) {
    this.undo = undo;
  }

  /**
   * @param fault null: nothing is wrong
   * @param linkBitsPerSecond of a healthy node
   */
  static FaultInForce begin(
      BenchFault fault, Testbed testbed, DistributedFileSystem admin, long linkBitsPerSecond)
      throws IOException {
    if (fault == null) {
      return new FaultInForce(() -> {});
    }
    TestbedPlan plan = testbed.plan();
    NodePlan node = fastNode(plan);
    VolumePlan device = node.volumes().get(0);
    return switch (fault) {
      case SLOW_DEVICE -> {
        testbed.host().limitVolume(plan, node, device, BenchFault.SLOW_DEVICE_SHARE);
        yield new FaultInForce(() -> testbed.host().limitVolume(plan, node, device, 1));
      }
      case SLOW_LINK -> {
        testbed.network().shapeNode(node, linkBitsPerSecond / BenchFault.SLOW_LINK_DIVISOR);
        yield new FaultInForce(() -> testbed.network().shapeNode(node, linkBitsPerSecond));
      }
      case BACKGROUND_WRITERS ->
          new FaultInForce(BackgroundWriters.start(testbed, admin, node, device)::close);
    };
  }

  static NodePlan fastNode(TestbedPlan plan) {
    return plan.dataNodes().stream()
        .filter(node -> node.volumes().get(0).kind() == DeviceKind.PCIE_SSD)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() throws IOException {
    undo.run();
  }
}
