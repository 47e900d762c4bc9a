package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.message.Words;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.FastTierSpec;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FlushSpec;
import io.tierwise.simulator.scenario.MonitorSpec;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.PopularitySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ShareSpec;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.TierSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a scenario as a file that reads back as the same scenario. */
public final class ScenarioWriter {
  private final StringBuilder out = new StringBuilder();

  private ScenarioWriter() {}

  /**
   * The scenario as YAML.
   *
   * @param comments lines to put before it
   * @throws IllegalArgumentException when two different device classes or kinds of node share a
   *     name
   */
  public static String write(Scenario scenario, List<String> comments) {
    ScenarioWriter writer = new ScenarioWriter();
    comments.forEach(line -> writer.line("# " + Words.plain(line)));
    writer.scenario(scenario);
    return writer.out.toString();
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private void scenario(Scenario scenario) {
    line("name: " + quoted(scenario.name()));
    line("seed: " + scenario.seed());
    hardware(scenario.cluster());
    cluster(scenario.cluster());
    line("tiers:");
    scenario.tiers().forEach(this::tier);
    policies(scenario.policies());
    line("model:");
    ModelSection.lines(scenario.model()).forEach(this::line);
    WorkloadWriter.lines(scenario.workload()).forEach(this::line);
    if (!scenario.faults().isEmpty()) {
      line("faults:");
      scenario.faults().forEach(this::fault);
    }
    if (!scenario.stored().isEmpty()) {
      line("stored:");
      scenario.stored().forEach(this::stored);
    }
    if (!scenario.movements().isEmpty()) {
      line("movement:");
      scenario.movements().forEach(this::movement);
    }
    scenario.upkeep().monitor().ifPresent(this::monitor);
    if (!scenario.upkeep().flushes().isEmpty()) {
      line("flush:");
      scenario.upkeep().flushes().forEach(this::flush);
    }
    scenario.upkeep().popularity().ifPresent(this::popularity);
    scenario.upkeep().fastTier().ifPresent(this::fastTier);
    scenario.upkeep().share().ifPresent(this::share);
  }

  private void hardware(ClusterSpec cluster) {
    Map<String, DeviceSpec> devices = new LinkedHashMap<>();
    Map<String, NodeSpec> kinds = new LinkedHashMap<>();
    for (Rack rack : cluster.racks()) {
      for (NodeGroup group : rack.groups()) {
        add(kinds, group.node().name(), group.node(), "kinds of node");
        for (VolumeGroup volumes : group.node().volumes()) {
          add(devices, volumes.device().name(), volumes.device(), "device classes");
        }
      }
    }
    line("devices:");
    devices.values().forEach(this::device);
    line("nodes:");
    kinds.values().forEach(this::kind);
  }

  private static <T> void add(Map<String, T> all, String name, T value, String what) {
    T before = all.putIfAbsent(name, value);
    if (before != null && !before.equals(value)) {
      throw new IllegalArgumentException("two " + what + " are named \"" + name + "\"");
    }
  }

  private void device(DeviceSpec device) {
    line("  " + quoted(device.name()) + ":");
    line("    read: " + rate(device.readBytesPerSecond()));
    line("    write: " + rate(device.writeBytesPerSecond()));
    if (!device.curve().isEmpty()) {
      line(
          "    curve: "
              + device.curve().stream()
                  .map(point -> point.streams() + ": " + point.share())
                  .collect(Collectors.joining(", ", "{", "}")));
    }
    line("    seek: " + time(device.seekSeconds()));
    line("    readers: " + (device.readersAtPeak() == 0 ? "by curve" : device.readersAtPeak()));
    line("    idle: " + Quantity.POWER.write(device.wattsIdle()));
    line("    active: " + Quantity.POWER.write(device.wattsActive()));
    line("    price: " + Quantity.MONEY.write(device.dollarsPerGigabyte()));
  }

  private void kind(NodeSpec kind) {
    line("  " + quoted(kind.name()) + ":");
    line("    cores: " + kind.cores());
    line("    clock: " + Quantity.FREQUENCY.write(kind.cyclesPerSecond()));
    line("    page-cache: " + bytes(kind.pageCacheBytes()));
    line("    write-buffer: " + bytes(kind.writeBufferBytes()));
    line("    write-background: " + bytes(kind.writeBackgroundBytes()));
    line("    memory: " + rate(kind.memoryBytesPerSecond()));
    line("    map-slots: " + kind.mapSlots());
    line("    reduce-slots: " + kind.reduceSlots());
    long memory = kind.taskMemoryBytes();
    line("    task-memory: " + (memory == NodeSpec.UNLIMITED ? "none" : bytes(memory)));
    line("    link: " + rate(kind.linkBytesPerSecond()));
    line("    idle: " + Quantity.POWER.write(kind.wattsIdle()));
    line("    busy: " + Quantity.POWER.write(kind.wattsBusy()));
    line("    price: " + Quantity.MONEY.write(kind.dollars()));
    line("    ports: " + kind.ports());
    line("    volumes:" + (kind.volumes().isEmpty() ? " []" : ""));
    for (VolumeGroup volumes : kind.volumes()) {
      line(
          "      - {device: "
              + quoted(volumes.device().name())
              + ", count: "
              + volumes.count()
              + ", capacity: "
              + bytes(volumes.capacityBytes())
              + ", data: "
              + volumes.data()
              + ", temporary: "
              + volumes.temporary()
              + "}");
    }
  }

  private void cluster(ClusterSpec cluster) {
    line("cluster:");
    line("  region-uplink: " + rate(cluster.regionUplinkBytesPerSecond()));
    line("  latency: " + time(cluster.latencySeconds()));
    line("  port-price: " + Quantity.MONEY.write(cluster.prices().dollarsPerPort()));
    line("  kwh-price: " + Quantity.MONEY.write(cluster.prices().dollarsPerKilowattHour()));
    line("  racks:");
    for (Rack rack : cluster.racks()) {
      line("    - name: " + quoted(rack.name()));
      line("      region: " + quoted(rack.region()));
      line("      uplink: " + rate(rack.uplinkBytesPerSecond()));
      line("      nodes:");
      for (NodeGroup group : rack.groups()) {
        line("        - {kind: " + quoted(group.node().name()) + ", count: " + group.count() + "}");
      }
    }
  }

  private void tier(TierSpec tier) {
    List<String> fallback = tier.fallback().stream().map(ScenarioWriter::quoted).toList();
    line(
        "  - {name: "
            + quoted(tier.name())
            + ", device: "
            + quoted(tier.device())
            + (fallback.isEmpty() ? "" : ", fallback: " + fallback)
            + "}");
  }

  private void policies(PolicySpec policies) {
    line("policies:");
    line("  placement: " + quoted(policies.placement()));
    line("  access: " + quoted(policies.access()));
    line("  replication: " + policies.replication());
    line("  block: " + bytes(policies.blockBytes()));
    line("  scheduler: " + quoted(policies.scheduler()));
  }

  private void fault(FaultSpec fault) {
    List<String> parts = new ArrayList<>();
    parts.add("at: " + time(fault.atSeconds()));
    if (Double.isFinite(fault.untilSeconds())) {
      parts.add("until: " + time(fault.untilSeconds()));
    }
    parts.add(fault.target().name().toLowerCase(Locale.ROOT) + ": " + quoted(fault.name()));
    if (fault.kind() == FaultSpec.Kind.SLOW) {
      parts.add("slow: " + fault.factor());
    }
    line("  - {" + String.join(", ", parts) + "}");
  }

  private void stored(StoredSpec stored) {
    line("  - path: " + quoted(stored.path()));
    line("    files: " + stored.fileCount());
    line("    parts: " + stored.partCount());
    line("    size: " + bytes(stored.fileBytes()));
    line("    placement: " + quoted(stored.placement()));
  }

  private void movement(MovementSpec movement) {
    line("  - at: " + time(movement.atSeconds()));
    line("    path: " + quoted(movement.path()));
    line("    placement: " + quoted(movement.placement()));
    line("    apply: " + movement.apply());
    limits("    ", movement.limits(), movement.heartbeatSeconds());
  }

  private void limits(String indent, MovementLimits limits, double heartbeatSeconds) {
    line(indent + "bandwidth: " + rate((double) limits.nodeBytesPerSecond()));
    line(indent + "bandwidth-volume: " + rate((double) limits.volumeBytesPerSecond()));
    line(indent + "bandwidth-total: " + rate((double) limits.allBytesPerSecond()));
    line(indent + "moves-per-node: " + limits.movesPerNode());
    line(indent + "moves-per-second: " + limits.nodeMovesPerSecond());
    line(indent + "keep-free: " + limits.keptFreeShare());
    line(indent + "yield-above: " + limits.yieldAbove());
    line(indent + "heartbeat: " + time(heartbeatSeconds));
  }

  private void monitor(MonitorSpec monitor) {
    line("monitor:");
    line("  interval: " + time(monitor.intervalSeconds()));
    line("  queue: " + monitor.queueBlocksMax());
    line("  until: " + time(monitor.untilSeconds()));
    limits("  ", monitor.limits(), monitor.heartbeatSeconds());
  }

  private void flush(FlushSpec flush) {
    line("  - tier: " + quoted(flush.tier()));
    line("    path: " + quoted(flush.path()));
    line("    high: " + flush.marks().high());
    line("    low: " + flush.marks().low());
    line("    order: " + flush.order());
    line("    every: " + time(flush.intervalSeconds()));
    limits("    ", flush.limits(), flush.heartbeatSeconds());
  }

  private void fastTier(FastTierSpec shared) {
    line("fast-tier:");
    line("  tier: " + quoted(shared.tier()));
    line("  persistent: " + bytes(shared.regions().persistentBytes()));
    line("  temporary: " + bytes(shared.regions().temporaryBytes()));
    line("  buffer: " + bytes(shared.regions().bufferBytes()));
    line("  predictor: " + quoted(shared.predictor()));
    line("  window: " + time(shared.windowSeconds()));
    line("  bandwidth: " + rate(shared.nodeBytesPerSecond()));
    line("  gain: " + shared.gainMin());
    line("  sure-windows: " + shared.sureWindows());
    sla(shared.sla());
  }

  private void sla(List<String> paths) {
    if (!paths.isEmpty()) {
      line("  sla: " + paths.stream().map(ScenarioWriter::quoted).toList());
    }
  }

  private void share(ShareSpec share) {
    line("share:");
    line("  window: " + time(share.windowSeconds()));
    line("  hold: " + share.holdWindows());
    line("  gain: " + share.gainMin());
    line("  keep-free: " + share.keptFreeShare());
  }

  private void popularity(PopularitySpec popularity) {
    line("popularity:");
    line("  window: " + time(popularity.windowSeconds()));
    if (!popularity.predictor().isEmpty()) {
      line("  predictor: " + quoted(popularity.predictor()));
    }
    if (!popularity.secondary().isEmpty()) {
      line("  secondary: " + quoted(popularity.secondary()));
    }
    line("  extra: " + popularity.extraShareMax());
    sla(popularity.sla());
  }

  private static String bytes(long bytes) {
    return Quantity.BYTES.writeWhole(bytes);
  }

  private static String rate(double bytesPerSecond) {
    return Double.isInfinite(bytesPerSecond) ? "none" : Quantity.RATE.write(bytesPerSecond);
  }

  private static String time(double seconds) {
    return Quantity.TIME.write(seconds);
  }

  /** A text as YAML that reads back as the same: in double quotes, unless it is a plain word. */
  public static String quoted(String text) {
    if (text.matches("[A-Za-z][A-Za-z0-9_.-]*") && !text.matches("(?i)null|true|false")) {
      return text;
    }
    StringBuilder yaml = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\ufeff') {
        yaml.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        yaml.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return yaml.append('"').toString();
  }
}
