package io.tierwise.simulator.cluster;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.StreamCosts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Nodes, volumes and links, by small ids, and the resource that each of them is in the network.
 *
 * <p>Node ids are those of the {@link ClusterView}; so are rack and region ids. Volume ids are the
 * cluster's own: a node's temporary volumes are not in the view.
 */
public final class VirtualCluster {
  /** Stands for a link that is never the limit. */
  public static final int UNLIMITED = -1;

  private final ClusterSpec spec;
  private final NodeSpec[] nodes;
  private final Volume[] volumes;

  /** Of each volume; beside them, since this is asked for most. */
  private final int[] nodeOfVolume;

  private final int[] firstVolumes;
  private final int[][] temporaryVolumes;
  private final int[] volumeOfView;
  private final BitSet failedVolumes = new BitSet();
  private final ArrayClusterView view;
  private final Links links;
  private final StreamCosts streams;

  /**
   * A device of a node.
   *
   * @param resource of capacity 1: device seconds per second
   * @param viewVolume its id in the view, or {@link ClusterView#NONE} when it holds no HDFS data
   */
  public record Volume(
      int node,
      DeviceSpec device,
      long capacityBytes,
      boolean temporary,
      int resource,
      int viewVolume) {

    /** Device seconds for each byte of a read of {@code bytes}. */
    public double readUnitsPerByte(double bytes) {
      return 1 / device.readBytesPerSecond() + device.seekSeconds() / bytes;
    }

    /** Device seconds for each byte of a write of {@code bytes}. */
    public double writeUnitsPerByte(double bytes) {
      return 1 / device.writeBytesPerSecond() + device.seekSeconds() / bytes;
    }
  }

  /** A cluster on which no fault slows a link. */
  public VirtualCluster(ClusterSpec spec, TierTable tiers, FlowNetwork network) {
    this(spec, tiers, network, Set.of());
  }

  /** A cluster whose streams cost nothing. */
  public VirtualCluster(
      ClusterSpec spec, TierTable tiers, FlowNetwork network, Set<String> slowed) {
    this(spec, tiers, network, slowed, StreamCosts.NONE);
  }

  /**
   * A cluster.
   *
   * @param slowed names of nodes and racks whose links a fault slows
   * @param streams what moving bytes between processes costs
   */
  public VirtualCluster(
      ClusterSpec spec,
      TierTable tiers,
      FlowNetwork network,
      Set<String> slowed,
      StreamCosts streams) {
    this.spec = spec;
    this.streams = streams;
    this.nodes = nodesOf(spec);
    List<Volume> found = new ArrayList<>();
    this.firstVolumes = new int[nodes.length + 1];
    this.temporaryVolumes = new int[nodes.length][];
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
    int node = 0;
    for (Rack rack : spec.racks()) {
      for (NodeGroup group : rack.groups()) {
        for (int i = 0; i < group.count(); i++) {
          builder.addNode("node-" + node, rack.name(), rack.region());
          addVolumes(node, tiers, builder, network, found);
          firstVolumes[++node] = found.size();
        }
      }
    }
    this.volumes = found.toArray(Volume[]::new);
    this.nodeOfVolume = found.stream().mapToInt(Volume::node).toArray();
    this.volumeOfView =
        java.util.stream.IntStream.range(0, volumes.length)
            .filter(v -> volumes[v].viewVolume() != ClusterView.NONE)
            .toArray();
    this.view = builder.build();
    this.links = new Links(spec, nodes, view, slowed, !streams.areNone(), network);
  }

  private static NodeSpec[] nodesOf(ClusterSpec spec) {
    List<NodeSpec> nodes = new ArrayList<>();
    for (Rack rack : spec.racks()) {
      for (NodeGroup group : rack.groups()) {
        for (int i = 0; i < group.count(); i++) {
          nodes.add(group.node());
        }
      }
    }
    return nodes.toArray(NodeSpec[]::new);
  }

  private void addVolumes(
      int node,
      TierTable tiers,
      ArrayClusterViewBuilder builder,
      FlowNetwork network,
      List<Volume> found) {
    List<Integer> temporary = new ArrayList<>();
    for (VolumeGroup group : nodes[node].volumes()) {
      for (int i = 0; i < group.count(); i++) {
        int viewVolume = ClusterView.NONE;
        if (group.data()) {
          int tier =
              tiers.tiers().stream()
                  .filter(t -> t.deviceClass().name().equals(group.device().name()))
                  .mapToInt(io.tierwise.core.cluster.Tier::index)
                  .findFirst()
                  .orElse(TierTable.NONE);
          viewVolume = builder.addVolume(node, tier, group.capacityBytes());
        }
        if (group.temporary()) {
          temporary.add(found.size());
        }
        found.add(
            new Volume(
                node,
                group.device(),
                group.capacityBytes(),
                group.temporary(),
                Curves.addDevice(network, group.device()),
                viewVolume));
      }
    }
    temporaryVolumes[node] = temporary.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The capacity of a link when nothing slows it. */
  public double linkBytesPerSecond(int link) {
    return links.bytesPerSecond(link);
  }

  /** The rack's id, or {@link ClusterView#NONE} when no rack has that name. */
  public int rackNamed(String name) {
    for (int rack = 0; rack < view.rackCount(); rack++) {
      if (view.rackName(rack).equals(name)) {
        return rack;
      }
    }
    return ClusterView.NONE;
  }

  /** What moving bytes between processes costs. */
  public StreamCosts streams() {
    return streams;
  }

  /** Counts the cycles of a node's streams, or is {@link #UNLIMITED} where they cost none. */
  public int streamCycles(int node) {
    return links.streams(node);
  }

  Links links() {
    return links;
  }

  public ClusterSpec spec() {
    return spec;
  }

  /** The view of policies; data volumes only. */
  public ArrayClusterView view() {
    return view;
  }

  public int nodeCount() {
    return nodes.length;
  }

  public NodeSpec node(int node) {
    return nodes[node];
  }

  public int volumeCount() {
    return volumes.length;
  }

  public Volume volume(int volume) {
    return volumes[volume];
  }

  /** The node that the volume is of. */
  public int nodeOfVolume(int volume) {
    return nodeOfVolume[volume];
  }

  /** First volume of a node; those up to the next node's first are its. */
  public int firstVolume(int node) {
    return firstVolumes[node];
  }

  /** The cluster's id of a volume of the view. */
  public int volumeOfView(int viewVolume) {
    return volumeOfView[viewVolume];
  }

  /** Volumes of a node that hold intermediate data, but for those that have failed. */
  public int[] temporaryVolumes(int node) {
    int[] all = temporaryVolumes[node];
    return failedVolumes.isEmpty()
        ? all
        : Arrays.stream(all).filter(volume -> !failedVolumes.get(volume)).toArray();
  }

  /** A device fails, or works again. */
  public void setFailed(int volume, boolean failed) {
    failedVolumes.set(volume, failed);
  }

  public int rackOf(int node) {
    return view.rackOfNode(node);
  }

  public int regionOf(int node) {
    return view.regionOfRack(view.rackOfNode(node));
  }

  /** Hops between two nodes as HDFS counts: 0, 2, 4 or 6. */
  public int distance(int a, int b) {
    if (a == b) {
      return 0;
    }
    if (rackOf(a) == rackOf(b)) {
      return 2;
    }
    return regionOf(a) == regionOf(b) ? 4 : 6;
  }
}
