package io.tierwise.experiments.twin;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.view.Census;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes a scenario of a census. Facts that HDFS does not know (processors, links, figures of
 * devices that nobody measured) come from a template, and {@link #remarks} names them.
 */
public final class Twin {
  /** A scenario whose only node and device stand for whatever is not known. */
  private static final String TEMPLATE =
      """
      cluster: {racks: [{nodes: [template]}]}
      nodes: {template: {volumes: [hdd, sata-ssd, ram]}}
      policies: {replication: 1}
      model: {drop-caches: true}
      workload: {dfsio: {tasks: 1}}
      """;

  private static final double FILLED_SHARE = 0.25;
  private static final int NAME_LENGTH_MAX = 63;

  private final Census cluster;
  private final boolean onlyFree;
  private final Scenario template = ScenarioFiles.parse(TEMPLATE, "template").scenario();
  private final NodeSpec templateNode = template.cluster().racks().get(0).groups().get(0).node();
  private final List<String> remarks = new ArrayList<>();
  private final Map<Integer, DeviceSpec> devices = new LinkedHashMap<>();
  private final Map<List<VolumeGroup>, NodeSpec> kinds = new LinkedHashMap<>();

  /** Of racks and regions, by their paths. */
  private final Map<String, String> names = new LinkedHashMap<>();

  /**
   * @param onlyFree whether a volume's capacity is what is still free, not all of it
   */
  public Twin(Census cluster, boolean onlyFree) {
    this.cluster = cluster;
    this.onlyFree = onlyFree;
  }

  /** Things that were left out or assumed, a line each. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * The scenario, with TestDFSIO as workload: a task a node.
   *
   * @param blockBytes the cluster's default
   * @param replication the cluster's default
   */
  public Scenario scenario(String name, long blockBytes, int replication) {
    Map<String, Map<String, List<Census.Volume>>> byRack = usedVolumes();
    List<Rack> racks = new ArrayList<>();
    int nodes = 0;
    for (Map.Entry<String, Map<String, List<Census.Volume>>> rack : byRack.entrySet()) {
      List<NodeGroup> groups = groups(rack.getValue());
      nodes += groups.stream().mapToInt(NodeGroup::count).sum();
      racks.add(
          new Rack(
              nameOf(rack.getKey()),
              nameOf(regionOf(rack.getValue())),
              Double.POSITIVE_INFINITY,
              groups));
    }
    ClusterSpec spec =
        new ClusterSpec(
            racks,
            Double.POSITIVE_INFINITY,
            template.cluster().latencySeconds(),
            template.cluster().prices());
    int replicas = Math.min(replication, nodes);
    long fileBytes = fileBytes(spec, nodes, replicas);
    remarks.add(
        "HDFS does not tell processors, memory, links and power: the kinds of node have defaults;"
            + " correct them, or give --node KEY=VALUE");
    return new Scenario(
        name,
        1,
        spec,
        tiers(),
        new PolicySpec(
            "network-aware",
            "network-aware",
            replicas,
            blockBytes,
            template.policies().scheduler()),
        template.model(),
        new WorkloadSpec.Dfsio(nodes, fileBytes, true, true),
        List.of());
  }

  /** Volumes of a tier, on nodes in service: rack to node to volumes, in the order of names. */
  private Map<String, Map<String, List<Census.Volume>>> usedVolumes() {
    Map<String, Map<String, List<Census.Volume>>> byRack = new TreeMap<>();
    int left = 0;
    for (Census.Volume volume : cluster.volumes()) {
      if (volume.tier() < 0 || !volume.serves() || capacity(volume) <= 0) {
        left++;
        continue;
      }
      byRack
          .computeIfAbsent(volume.rack(), rack -> new TreeMap<>())
          .computeIfAbsent(volume.node(), node -> new ArrayList<>())
          .add(volume);
    }
    if (byRack.isEmpty()) {
      throw OperatorException.cluster(
          "no node in service has a volume of a tier: see 'tierwise tiers list --volumes'", null);
    }
    if (left > 0) {
      remarks.add(
          left + " volumes are left out: in no tier, failed, full, or on nodes out of service");
    }
    return byRack;
  }

  /** Volumes of one rack are of one region. */
  private static String regionOf(Map<String, List<Census.Volume>> rack) {
    return rack.values().iterator().next().get(0).region();
  }

  private long capacity(Census.Volume volume) {
    return rounded(onlyFree ? volume.remainingBytes() : volume.capacityBytes());
  }

  /**
   * To three digits, downwards: equal disks differ by a few blocks, and are one kind all the same.
   */
  public static long rounded(long bytes) {
    long unit = 1;
    while (bytes / unit >= 1000) {
      unit *= 10;
    }
    return bytes / unit * unit;
  }

  private List<NodeGroup> groups(Map<String, List<Census.Volume>> nodes) {
    List<NodeGroup> groups = new ArrayList<>();
    for (List<Census.Volume> volumes : nodes.values()) {
      NodeSpec kind = kinds.computeIfAbsent(volumeGroups(volumes), this::kind);
      int last = groups.size() - 1;
      if (last >= 0 && groups.get(last).node().equals(kind)) {
        groups.set(last, new NodeGroup(kind, groups.get(last).count() + 1));
      } else {
        groups.add(new NodeGroup(kind, 1));
      }
    }
    return groups;
  }

  /** Equal volumes together. Map output goes to the slowest tier that the node has. */
  private List<VolumeGroup> volumeGroups(List<Census.Volume> volumes) {
    int slowest = volumes.stream().mapToInt(Census.Volume::tier).max().orElseThrow();
    List<VolumeGroup> groups = new ArrayList<>();
    for (Census.Volume volume : volumes) {
      DeviceSpec device = devices.computeIfAbsent(volume.tier(), tier -> device(tier, volume));
      boolean temporary = volume.tier() == slowest;
      VolumeGroup one = new VolumeGroup(device, 1, capacity(volume), true, temporary);
      int last = groups.size() - 1;
      VolumeGroup before = last < 0 ? null : groups.get(last);
      boolean same =
          before != null
              && before.device().equals(device)
              && before.capacityBytes() == one.capacityBytes();
      if (same) {
        groups.set(
            last,
            new VolumeGroup(device, before.count() + 1, one.capacityBytes(), true, temporary));
      } else {
        groups.add(one);
      }
    }
    return groups;
  }

  private NodeSpec kind(List<VolumeGroup> volumes) {
    NodeSpec like = templateNode;
    return new NodeSpec(
        "kind-" + (kinds.size() + 1),
        like.cores(),
        like.cyclesPerSecond(),
        like.pageCacheBytes(),
        like.writeBufferBytes(),
        like.writeBackgroundBytes(),
        like.memoryBytesPerSecond(),
        like.mapSlots(),
        like.reduceSlots(),
        like.linkBytesPerSecond(),
        like.wattsIdle(),
        like.wattsBusy(),
        like.dollars(),
        like.ports(),
        like.taskMemoryBytes(),
        volumes);
  }

  /** The tier's measured class; what is not measured is taken from a device of its storage type. */
  private DeviceSpec device(int tier, Census.Volume volume) {
    DeviceClass measured = cluster.tiers().tier(tier).deviceClass();
    String likeName =
        switch (volume.storageType()) {
          case "SSD", "NVDIMM" -> "sata-ssd";
          case "RAM_DISK" -> "ram";
          default -> "hdd";
        };
    DeviceSpec like =
        templateNode.volumes().stream()
            .map(VolumeGroup::device)
            .filter(device -> device.name().equals(likeName))
            .findFirst()
            .orElseThrow();
    double read = measured.readBytesPerSecond();
    double write = measured.writeBytesPerSecond();
    String name = tierName(tier);
    if (Double.isNaN(read) || Double.isNaN(write)) {
      remarks.add(
          "tier "
              + name
              + " is not measured: it has the rates of "
              + likeName
              + "; 'tierwise tiers probe' measures a volume");
    }
    List<CurvePoint> curve =
        measured.readersAtPeak() > 1 && measured.peakReadBytesPerSecond() > 0 && read > 0
            ? List.of(
                new CurvePoint(1, 1),
                new CurvePoint(measured.readersAtPeak(), measured.peakReadBytesPerSecond() / read))
            : List.of();
    Power power =
        measured.power().known()
            ? measured.power()
            : new Power(like.wattsIdle(), like.wattsActive());
    return new DeviceSpec(
        name,
        Double.isNaN(read) ? like.readBytesPerSecond() : read,
        Double.isNaN(write) ? like.writeBytesPerSecond() : write,
        curve,
        like.seekSeconds(),
        measured.readersAtPeak(),
        power.idleWatts(),
        power.activeWatts(),
        like.dollarsPerGigabyte());
  }

  private String tierName(int tier) {
    return cluster.tiers().tier(tier).name();
  }

  /** The tiers that have a volume, in the administrator's order. */
  private List<TierSpec> tiers() {
    List<TierSpec> tiers = new ArrayList<>();
    for (Tier tier : cluster.tiers().tiers()) {
      if (devices.containsKey(tier.index())) {
        List<String> fallback =
            tier.fallback().stream().filter(devices::containsKey).map(this::tierName).toList();
        tiers.add(new TierSpec(tier.name(), devices.get(tier.index()).name(), fallback));
      }
    }
    cluster
        .layouts()
        .forEach(
            (name, layout) ->
                remarks.add("layout " + name + ": policies.placement=layout:" + layout));
    return tiers;
  }

  /** A gigabyte, or what fills a quarter of the cluster. */
  private static long fileBytes(ClusterSpec cluster, int nodes, int replication) {
    double capacity = 0;
    for (Rack rack : cluster.racks()) {
      for (NodeGroup group : rack.groups()) {
        for (VolumeGroup volumes : group.node().volumes()) {
          capacity += (double) group.count() * volumes.count() * volumes.capacityBytes();
        }
      }
    }
    double most = FILLED_SHARE * capacity / nodes / replication;
    return most >= 1e9 ? 1_000_000_000L : Math.max(1, (long) most);
  }

  /**
   * A rack's or region's path as a scenario's name: /east/r1 is east.r1. No two paths share one, as
   * /east/r1 and /east.r1 would.
   */
  private String nameOf(String path) {
    String known = names.get(path);
    if (known == null) {
      String text = path.replaceFirst("^/+", "").replaceAll("[^A-Za-z0-9_.+-]", ".");
      String plain =
          text.isEmpty() || !Character.isLetterOrDigit(text.charAt(0)) ? "r" + text : text;
      boolean fits = plain.length() <= NAME_LENGTH_MAX && !names.containsValue(plain);
      known = fits ? plain : withHash(plain, path);
      names.put(path, known);
    }
    return known;
  }

  private static String withHash(String name, String path) {
    int length = Math.min(name.length(), NAME_LENGTH_MAX - 13);
    return String.format(Locale.ROOT, "%s-%08x", name.substring(0, length), path.hashCode());
  }

  /** Refuses settings that are none, before anything is asked. */
  public static void checkSettings(List<String> nodeSettings) {
    for (String setting : nodeSettings) {
      if (setting.indexOf('=') < 1) {
        throw OperatorException.badInput(
            "--node " + setting + ": write KEY=VALUE, for example cores=16");
      }
    }
  }

  /**
   * The scenario as it reads back, which also checks it, with keys of all kinds of node set.
   *
   * @param nodeSettings KEY=VALUE each
   */
  public static Scenario withSettings(Scenario captured, List<String> nodeSettings) {
    ScenarioFiles files =
        ScenarioFiles.parse(ScenarioWriter.write(captured, List.of()), "captured cluster");
    Set<String> kinds = new LinkedHashSet<>();
    captured.cluster().racks().stream()
        .flatMap(rack -> rack.groups().stream())
        .forEach(group -> kinds.add(group.node().name()));
    for (String setting : nodeSettings) {
      for (String kind : kinds) {
        files = files.with("nodes." + kind + "." + setting, "--node");
      }
    }
    return files.scenario();
  }
}
