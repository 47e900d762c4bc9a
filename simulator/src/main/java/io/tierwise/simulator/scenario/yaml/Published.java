package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.message.Nearest;
import io.tierwise.simulator.hardware.DeviceFigures;
import io.tierwise.simulator.hardware.HardwareTable;
import io.tierwise.simulator.hardware.ServerFigures;
import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import io.tierwise.simulator.scenario.yaml.YamlValue.Scalar;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fills in what is published of a device or a server that the key {@code published} names. */
final class Published {
  private static final String KEY = "published";
  private static final HardwareTable TABLE = HardwareTable.bundled();

  private Published() {}

  /** A device class's entries, over the published ones of the device that it names. */
  static Entries underDevice(Entries own, String path) {
    Map<String, Map<String, String>> devices = new LinkedHashMap<>();
    TABLE.devices().forEach(device -> devices.put(device.name(), keysOf(device)));
    return under(own, path, devices, "device");
  }

  /** A kind's entries, over the published ones of the server that it names. */
  static Entries underServer(Entries own, String path) {
    Map<String, Map<String, String>> servers = new LinkedHashMap<>();
    TABLE.servers().forEach(server -> servers.put(server.name(), keysOf(server)));
    return under(own, path, servers, "server");
  }

  private static Entries under(
      Entries own, String path, Map<String, Map<String, String>> table, String what) {
    YamlValue name = own.entries().get(KEY);
    if (name == null) {
      return own;
    }
    Place place = new Place(name, path + "." + KEY);
    Map<String, String> figures = table.get(place.text());
    if (figures == null) {
      throw place.wrong(
          "is no published "
              + what
              + Nearest.to(place.text(), table.keySet())
                  .map(near -> "; did you mean \"" + near + "\"?")
                  .orElse("")
              + "; simulate --list names them");
    }
    Map<String, YamlValue> filled = new LinkedHashMap<>();
    figures.forEach((key, figure) -> filled.put(key, new Scalar(name.origin(), figure)));
    filled.putAll(own.without(KEY).entries());
    return new Entries(own.origin(), filled);
  }

  private static Map<String, String> keysOf(DeviceFigures device) {
    Map<String, String> keys = new LinkedHashMap<>();
    put(keys, "read", device.readBytesPerSecond(), " B/s");
    put(keys, "write", device.writeBytesPerSecond(), " B/s");
    put(keys, "idle", device.wattsIdle(), " W");
    put(keys, "active", device.wattsActive(), " W");
    return keys;
  }

  private static Map<String, String> keysOf(ServerFigures server) {
    Map<String, String> keys = new LinkedHashMap<>();
    put(keys, "cores", server.cores(), "");
    put(keys, "idle", server.wattsIdle(), " W");
    put(keys, "busy", server.wattsBusy(), " W");
    return keys;
  }

  private static void put(Map<String, String> keys, String key, double figure, String unit) {
    if (!Double.isNaN(figure)) {
      keys.put(key, BigDecimal.valueOf(figure).stripTrailingZeros().toPlainString() + unit);
    }
  }
}
