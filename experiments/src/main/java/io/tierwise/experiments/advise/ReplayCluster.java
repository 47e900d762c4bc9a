package io.tierwise.experiments.advise;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.PopularitySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.UpkeepSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioException;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The virtual cluster of a replay: its fastest and its slowest tier, and files on them. A tier that
 * the cluster names as the secondary store of its popularity is neither.
 */
final class ReplayCluster {
  /** Own: as HDFS keeps a share of each volume free. */
  private static final double FILLED_SHARE = 0.9;

  private static final double GIGABYTE = 1e9;
  private static final String LABEL = "replay";

  private final Scenario scenario;
  private final int replicas;
  private final boolean sited;

  private ReplayCluster(Scenario scenario, int replicas, boolean sited) {
    this.scenario = scenario;
    this.replicas = replicas;
    this.sited = sited;
  }

  /**
   * Takes a cluster from a scenario, whose workload, files, moves and faults are left out.
   *
   * @param file a scenario file or a named cluster
   * @param trace of the reads
   * @param site whose nodes and racks it gets, of its own kind of node
   */
  static ReplayCluster of(String file, Path trace, int replicas, ReplaySite site) {
    String yaml =
        "based-on: "
            + ScenarioWriter.quoted(file)
            + "\nworkload: {trace: {format: jobs, file: "
            + ScenarioWriter.quoted(trace.toString())
            + "}}\nfaults: []\nstored: []\nmovement: []\n"
            + "model: {task-start: 0 s, job-start: 0 s, map-cycles: 0}\n"
            + "policies: {placement: stock, access: stock, replication: "
            + replicas
            + (site.blockBytes() > 0 ? ", block: " + site.blockBytes() + " B" : "")
            + "}\n";
    Scenario scenario = parse(yaml, file);
    ReplayCluster cluster = new ReplayCluster(scenario, replicas, false);
    if (cluster.primary().size() < 2) {
      throw OperatorException.badInput(
          "--cluster " + file + " has one tier: a replay compares two, so name one with a faster");
    }
    return cluster.at(site);
  }

  /** What is wrong is in the file that the option names, not in the text that is based on it. */
  private static Scenario parse(String yaml, String file) {
    try {
      return ScenarioFiles.parse(yaml, LABEL).scenario();
    } catch (ScenarioException e) {
      String reason = e.getMessage();
      String own = LABEL + ":1: ";
      throw OperatorException.badInput(
          "--cluster "
              + (reason.startsWith(own) ? file + ": " + reason.substring(own.length()) : reason));
    }
  }

  /** With the nodes and racks of a site, where all of its own nodes with data are of one kind. */
  private ReplayCluster at(ReplaySite site) {
    List<NodeSpec> kinds =
        groups().filter(this::holdsData).map(NodeGroup::node).distinct().toList();
    if (site.nodesByRack().isEmpty() || kinds.size() != 1) {
      return this;
    }
    List<Rack> own = scenario.cluster().racks();
    Rack first = own.stream().filter(this::holdsData).findFirst().orElseThrow();
    List<Rack> racks = new ArrayList<>();
    site.nodesByRack()
        .forEach(
            (name, nodes) ->
                racks.add(
                    new Rack(
                        name,
                        first.region(),
                        first.uplinkBytesPerSecond(),
                        List.of(new NodeGroup(kinds.get(0), nodes)))));
    own.stream().filter(rack -> !holdsData(rack)).forEach(racks::add);
    ClusterSpec cluster =
        new ClusterSpec(
            racks,
            scenario.cluster().regionUplinkBytesPerSecond(),
            scenario.cluster().latencySeconds(),
            scenario.cluster().prices());
    return new ReplayCluster(
        new Scenario(
            scenario.name(),
            scenario.seed(),
            cluster,
            scenario.tiers(),
            scenario.policies(),
            scenario.model(),
            scenario.workload(),
            scenario.faults(),
            scenario.stored(),
            scenario.movements(),
            scenario.upkeep()),
        replicas,
        true);
  }

  private boolean holdsData(Rack rack) {
    return rack.groups().stream().anyMatch(this::holdsData);
  }

  /** Whether nodes hold data of any tier but the secondary store. */
  private boolean holdsData(NodeGroup group) {
    List<String> devices = primary().stream().map(this::device).toList();
    return group.node().volumes().stream()
        .anyMatch(volumes -> volumes.data() && devices.contains(volumes.device().name()));
  }

  private Stream<NodeGroup> groups() {
    return scenario.cluster().racks().stream().flatMap(rack -> rack.groups().stream());
  }

  /** What of a site this cluster has. */
  ReplaySite sited(ReplaySite site) {
    return sited ? site : new ReplaySite(site.blockBytes(), site.replication(), Map.of());
  }

  /** All tiers but the secondary store, fastest first. */
  private List<String> primary() {
    return scenario.tiers().stream()
        .map(TierSpec::name)
        .filter(name -> !secondary().equals(Optional.of(name)))
        .toList();
  }

  /** The tier of the secondary store, where the cluster names one. */
  Optional<String> secondary() {
    return scenario
        .upkeep()
        .popularity()
        .map(PopularitySpec::secondary)
        .filter(name -> !name.isEmpty());
  }

  String fast() {
    return primary().get(0);
  }

  String slow() {
    return primary().get(primary().size() - 1);
  }

  int replicas() {
    return replicas;
  }

  int nodeCount() {
    return groups().mapToInt(NodeGroup::count).sum();
  }

  /** Bytes that a tier may hold. */
  long room(String tier) {
    double bytes = 0;
    for (Rack rack : scenario.cluster().racks()) {
      for (NodeGroup group : rack.groups()) {
        for (VolumeGroup volumes : group.node().volumes()) {
          if (volumes.data() && volumes.device().name().equals(device(tier))) {
            bytes += (double) group.count() * volumes.count() * volumes.capacityBytes();
          }
        }
      }
    }
    return (long) (FILLED_SHARE * bytes);
  }

  private String device(String tier) {
    return scenario.tiers().stream()
        .filter(each -> each.name().equals(tier))
        .findFirst()
        .orElseThrow()
        .device();
  }

  private double dollarsPerByte(String tier) {
    for (Rack rack : scenario.cluster().racks()) {
      for (NodeGroup group : rack.groups()) {
        for (VolumeGroup volumes : group.node().volumes()) {
          if (volumes.device().name().equals(device(tier))) {
            return volumes.device().dollarsPerGigabyte() / GIGABYTE;
          }
        }
      }
    }
    return 0;
  }

  /** The price of the devices' share that files take, so many bytes of them with a fast replica. */
  double dollars(double bytes, double fastBytes) {
    return dollarsPerByte(fast()) * fastBytes
        + dollarsPerByte(slow()) * (bytes * replicas - fastBytes);
  }

  /**
   * The price of the devices' share that so many bytes take, some of them in the secondary store.
   */
  double storedDollars(double storedBytes, double secondaryBytes) {
    double slow = dollarsPerByte(slow()) * (storedBytes - secondaryBytes);
    return slow + secondary().map(tier -> dollarsPerByte(tier) * secondaryBytes).orElse(0.0);
  }

  /** The price of so many bytes less on the slow tier. */
  double freedDollars(long bytes) {
    return dollarsPerByte(slow()) * bytes;
  }

  /**
   * The idle power of so many bytes less on the slow tier; empty where its devices tell none. No
   * device transfers without power: 0 watts are those that nobody told.
   */
  OptionalDouble freedWatts(long bytes) {
    for (Rack rack : scenario.cluster().racks()) {
      for (NodeGroup group : rack.groups()) {
        for (VolumeGroup volumes : group.node().volumes()) {
          DeviceSpec device = volumes.device();
          if (device.name().equals(device(slow())) && device.wattsActive() > 0) {
            return OptionalDouble.of(device.wattsIdle() * bytes / volumes.capacityBytes());
          }
        }
      }
    }
    return OptionalDouble.empty();
  }

  /** Refuses files that do not fit. */
  void requireRoom(double bytes) {
    if (bytes * replicas > room(slow())) {
      throw OperatorException.badInput(
          "the files that were read take "
              + Words.bytes((long) (bytes * replicas))
              + " and the tier "
              + slow()
              + " of the cluster has room for "
              + Words.bytes(room(slow()))
              + ": name a larger --cluster, as 'tierwise capture' writes yours, or fewer --reads");
    }
  }

  /**
   * The scenario with these files.
   *
   * @param chosen those with a replica on the fast tier
   * @param access the strategy of readers
   */
  Scenario with(List<ReadHistory.ReadFile> read, boolean[] chosen, String access) {
    return with(stored(read, chosen), access, UpkeepSpec.NONE);
  }

  /** The scenario with these files on the slow tier, whose replicas follow their popularity. */
  Scenario following(List<ReadHistory.ReadFile> read, PopularitySpec popularity, String access) {
    return with(
        stored(read, new boolean[read.size()]),
        access,
        new UpkeepSpec(Optional.empty(), List.of(), Optional.of(popularity)));
  }

  private List<StoredSpec> stored(List<ReadHistory.ReadFile> read, boolean[] chosen) {
    String disk = "layout:" + replicas + " x " + slow();
    String mixed =
        "layout:1 x " + fast() + (replicas == 1 ? "" : " + " + (replicas - 1) + " x " + slow());
    List<StoredSpec> files = new ArrayList<>();
    for (int file = 0; file < chosen.length; file++) {
      long bytes = read.get(file).bytes();
      if (bytes > 0) {
        files.add(new StoredSpec(path(file), 1, bytes, chosen[file] ? mixed : disk));
      }
    }
    return files;
  }

  private Scenario with(List<StoredSpec> files, String access, UpkeepSpec upkeep) {
    PolicySpec policies = scenario.policies();
    return new Scenario(
        scenario.name(),
        scenario.seed(),
        scenario.cluster(),
        scenario.tiers(),
        new PolicySpec(
            policies.placement(), access, replicas, policies.blockBytes(), policies.scheduler()),
        scenario.model(),
        scenario.workload(),
        List.of(),
        files,
        List.of(),
        upkeep);
  }

  /** The path of a file: its own could hold what ends a column of a trace. */
  static String path(int file) {
    return "/f" + file;
  }
}
