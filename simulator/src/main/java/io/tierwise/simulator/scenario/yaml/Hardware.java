package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.message.Nearest;
import io.tierwise.simulator.hardware.DirtyLimits;
import io.tierwise.simulator.hardware.InfiniBand;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** The device classes and kinds of node that a document defines, each read once. */
final class Hardware {
  private static final String BASED_ON = "based-on";
  private static final int CHAIN_MAX = 16;
  private static final ValueKind.Decimal CURVE_SHARE = new ValueKind.Decimal(0.001, 1000, true);

  private final Map<String, DeviceSpec> devices = new LinkedHashMap<>();
  private final Map<String, NodeSpec> kinds = new LinkedHashMap<>();

  Hardware(Fields document) {
    Place deviceTable = document.at("devices");
    for (String name : deviceTable.mapping().entries().keySet()) {
      Place place = named(deviceTable, name, Published::underDevice);
      devices.put(name, device(name, Fields.of(place, ScenarioKeys.DEVICE)));
    }
    Place kindTable = document.at("nodes");
    for (String name : kindTable.mapping().entries().keySet()) {
      Place place = named(kindTable, name, Published::underServer);
      kinds.put(name, kind(name, Fields.of(place, ScenarioKeys.NODE)));
    }
  }

  /**
   * The entry of that name over all that it is based on.
   *
   * @param published lays what an entry gives itself over what is published of its hardware
   */
  private static Place named(
      Place table, String name, BiFunction<Entries, String, Entries> published) {
    Map<String, YamlValue> all = table.mapping().entries();
    Place place = table.child(name, all.get(name));
    if (!Fields.isName(name)) {
      throw place.error("is no name: use letters, digits, - _ . + and at most 63 of them");
    }
    YamlValue merged = place.value();
    for (int depth = 0; ; depth++) {
      if (!(merged instanceof Entries given)) {
        return new Place(merged, place.path());
      }
      Entries entries = published.apply(given, place.path());
      if (!entries.entries().containsKey(BASED_ON)) {
        return new Place(entries, place.path());
      }
      Place link = place.child(BASED_ON, entries.entries().get(BASED_ON));
      YamlValue base = all.get(link.text());
      if (base == null) {
        throw link.wrong("is not defined" + Nearest.hint(link.text(), all.keySet()));
      }
      if (depth == CHAIN_MAX) {
        throw link.wrong("is based on itself, or on a chain of more than " + CHAIN_MAX);
      }
      merged = Overlay.merge(base, entries.without(BASED_ON));
    }
  }

  /** The kind of that name, or an error. */
  NodeSpec kind(Place place) {
    NodeSpec kind = kinds.get(place.text());
    if (kind == null) {
      throw place.wrong("is no kind of node" + Nearest.hint(place.text(), kinds.keySet()));
    }
    return kind;
  }

  /** The device class of that name, or an error. */
  DeviceSpec device(Place place) {
    DeviceSpec device = devices.get(place.text());
    if (device == null) {
      throw place.wrong("is no device class" + Nearest.hint(place.text(), devices.keySet()));
    }
    return device;
  }

  private static DeviceSpec device(String name, Fields fields) {
    if (fields.measure("active") < fields.measure("idle")) {
      throw fields
          .at("active")
          .wrong("is less than idle: a device that transfers draws at least as much");
    }
    return new DeviceSpec(
        name,
        fields.measure("read"),
        fields.measure("write"),
        curve(fields),
        fields.measure("seek"),
        fields.isWord("readers") ? 0 : fields.intCount("readers"),
        fields.measure("idle"),
        fields.measure("active"),
        fields.measure("price"));
  }

  private static List<CurvePoint> curve(Fields fields) {
    List<CurvePoint> points = new ArrayList<>();
    if (fields.has("curve")) {
      Place curve = fields.at("curve");
      curve
          .mapping()
          .entries()
          .forEach(
              (streams, share) -> {
                Place place = curve.child(streams, share);
                if (!streams.matches("[1-9][0-9]{0,5}")) {
                  throw place.error("is no number of streams, 1 to 999999");
                }
                points.add(
                    new CurvePoint(Integer.parseInt(streams), Fields.number(place, CURVE_SHARE)));
              });
      points.sort(Comparator.comparingInt(CurvePoint::streams));
    }
    return points;
  }

  private NodeSpec kind(String name, Fields fields) {
    int cores = fields.intCount("cores");
    long pageCache = fields.bytes("page-cache");
    Optional<DirtyLimits> kernel = DirtyLimits.of(fields.text("write-buffer"));
    long buffer =
        kernel.isPresent() ? kernel.get().writersBytes(pageCache) : fields.bytes("write-buffer");
    List<VolumeGroup> volumes = new ArrayList<>();
    for (Place item : fields.items("volumes")) {
      volumes.add(volumes(item));
    }
    NodeSpec kind =
        new NodeSpec(
            name,
            cores,
            fields.measure("clock"),
            pageCache,
            buffer,
            writeBackground(fields, kernel, buffer),
            fields.measure("memory"),
            fields.isWord("map-slots") ? cores : fields.intCount("map-slots"),
            fields.intCount("reduce-slots"),
            link(fields),
            fields.measure("idle"),
            fields.measure("busy"),
            fields.measure("price"),
            fields.number("ports"),
            fields.bytes("task-memory"),
            volumes);
    if (kind.wattsBusy() < kind.wattsIdle()) {
      throw fields.at("busy").wrong("is less than idle: a busy node draws at least as much");
    }
    boolean runsTasks = kind.mapSlots() + kind.reduceSlots() > 0;
    if (runsTasks && volumes.stream().noneMatch(VolumeGroup::temporary)) {
      throw fields
          .place()
          .error("runs tasks but has no volume with temporary: true for their output");
    }
    return kind;
  }

  private static long writeBackground(Fields fields, Optional<DirtyLimits> kernel, long buffer) {
    if (fields.isWorded("write-background")) {
      return kernel
          .map(limits -> limits.devicesBytes(fields.bytes("page-cache")))
          .orElse(buffer / 2);
    }
    long background = fields.bytes("write-background");
    if (background > buffer) {
      throw fields
          .at("write-background")
          .wrong("is more than write-buffer: devices begin before writers have to wait");
    }
    return background;
  }

  private static double link(Fields fields) {
    return InfiniBand.named(fields.text("link"))
        .map(InfiniBand::bytesPerSecond)
        .orElseGet(() -> fields.measure("link"));
  }

  private VolumeGroup volumes(Place item) {
    if (item.isText()) {
      Fields defaults =
          Fields.of(
              new Place(
                  new Entries(item.value().origin(), Map.of("device", item.value())), item.path()),
              ScenarioKeys.VOLUME);
      return volumes(defaults);
    }
    return volumes(Fields.of(item, ScenarioKeys.VOLUME));
  }

  private VolumeGroup volumes(Fields fields) {
    return new VolumeGroup(
        device(fields.at("device")),
        fields.intCount("count"),
        fields.bytes("capacity"),
        fields.flag("data"),
        fields.flag("temporary"));
  }
}
