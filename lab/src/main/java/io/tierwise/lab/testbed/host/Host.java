package io.tierwise.lab.testbed.host;

import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import io.tierwise.lab.testbed.plan.VolumePlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine's side of one testbed: makes nodes, links, volumes and limits in an order in which
 * each finds what it needs, and removes them in the opposite one.
 *
 * <p>The kernel is asked for the things to remove, no file remembers them: names that start with
 * the testbed's, groups below its own, files below its folder. So whatever moment a testbed was
 * killed at, {@link #removeAll} leaves nothing.
 */
public final class Host {
  private final String name;
  private final Volumes volumes;
  private final IoLimits limits;

  public Host(String testbedName, Path folder) {
    this.name = testbedName;
    this.volumes = new Volumes(folder);
    this.limits = new IoLimits(testbedName);
  }

  public Volumes volumes() {
    return volumes;
  }

  public IoLimits limits() {
    return limits;
  }

  /** Makes all but the processes. */
  public void create(TestbedPlan plan) {
    new Network(plan).create();
    for (NodePlan node : plan.nodes()) {
      limits.createGroup(node.name());
      for (VolumePlan volume : node.volumes()) {
        limit(plan, node, volume, volumes.create(volume, plan.volumeMegabytes()), 1);
      }
    }
  }

  /**
   * Gives a volume that is there another speed.
   *
   * @param share of its own; 1 restores it
   */
  public void limitVolume(TestbedPlan plan, NodePlan node, VolumePlan volume, double share) {
    limit(plan, node, volume, volumes.mounted().get(volume.name()), share);
  }

  /** Gives all volumes their own speed. */
  public void restoreVolumes(TestbedPlan plan) {
    for (NodePlan node : plan.dataNodes()) {
      node.volumes().forEach(volume -> limitVolume(plan, node, volume, 1));
    }
  }

  private void limit(
      TestbedPlan plan, NodePlan node, VolumePlan volume, Volumes.Mounted mounted, double share) {
    limits.limit(
        node.name(),
        mounted.deviceNumber(),
        Math.round(volume.kind().readBytesPerSecond(plan.scaleDown()) * share),
        Math.round(volume.kind().writeBytesPerSecond(plan.scaleDown()) * share));
  }

  /** Ends all processes and removes all that was made; nothing happens when there is nothing. */
  public void removeAll() {
    NodeProcesses.killAll(limits);
    volumes.removeAll();
    limits.removeAll();
    Network.removeAll(name);
  }

  /** The parts of the testbed on the machine, one line each; empty after {@link #removeAll}. */
  public List<String> leftovers() {
    List<String> found = new ArrayList<>();
    limits.processes().forEach(pid -> found.add("process " + pid));
    volumes.mountPoints().forEach(path -> found.add("mount " + path));
    volumes.loopDevices().forEach(device -> found.add("loop device " + device));
    if (limits.exists()) {
      found.add("I/O groups " + limits.groups());
    }
    Network.namespacesOf(name).forEach(namespace -> found.add("network namespace " + namespace));
    return found;
  }
}
