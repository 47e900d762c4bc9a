package io.tierwise.simulator.hardware;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Devices and servers by their published figures, in the order of the file. */
public record HardwareTable(List<DeviceFigures> devices, List<ServerFigures> servers) {
  private static final String RESOURCE = "/io/tierwise/simulator/hardware/hardware.yaml";
  private static final Set<String> DEVICE_KEYS =
      Set.of(
          "name",
          "class",
          "readBytesPerSecond",
          "writeBytesPerSecond",
          "wattsIdle",
          "wattsActive",
          "note",
          "source",
          "confidence");
  private static final Set<String> SERVER_KEYS =
      Set.of("name", "processor", "cores", "memoryGigabytes", "wattsIdle", "wattsBusy", "source");

  public HardwareTable {
    devices = List.copyOf(devices);
    servers = List.copyOf(servers);
  }

  /** The table that comes with the simulator. */
  public static HardwareTable bundled() {
    try (InputStream in = HardwareTable.class.getResourceAsStream(RESOURCE)) {
      return read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the hardware table cannot be read", e);
    }
  }

  /** Reads a table; an error names the row, the key and the value. */
  static HardwareTable read(String yaml) {
    LoadSettings settings = LoadSettings.builder().setLabel("hardware.yaml").build();
    Row root = new Row("hardware.yaml", new Load(settings).loadFromString(yaml));
    root.requireKeys(Set.of("devices", "servers"));
    List<DeviceFigures> devices = new ArrayList<>();
    for (Row row : root.rows("devices")) {
      row.requireKeys(DEVICE_KEYS);
      devices.add(device(row));
    }
    List<ServerFigures> servers = new ArrayList<>();
    for (Row row : root.rows("servers")) {
      row.requireKeys(SERVER_KEYS);
      servers.add(server(row));
    }
    return new HardwareTable(devices, servers);
  }

  private static DeviceFigures device(Row row) {
    String confidence = row.text("confidence");
    if (!confidence.equals("quoted") && !confidence.equals("secondary")) {
      throw row.error("confidence", "must be quoted or secondary");
    }
    return new DeviceFigures(
        row.text("name"),
        row.text("class"),
        row.figureIfKnown("readBytesPerSecond"),
        row.figureIfKnown("writeBytesPerSecond"),
        row.figureIfKnown("wattsIdle"),
        row.figureIfKnown("wattsActive"),
        row.map().containsKey("note") ? row.text("note") : "",
        row.text("source"),
        confidence.equals("secondary"));
  }

  private static ServerFigures server(Row row) {
    return new ServerFigures(
        row.text("name"),
        row.text("processor"),
        (int) row.figure("cores"),
        row.figure("memoryGigabytes"),
        row.figure("wattsIdle"),
        row.figure("wattsBusy"),
        row.text("source"));
  }

  /** A mapping and its place in the file. */
  private record Row(String place, Object value) {
    Map<?, ?> map() {
      if (value instanceof Map<?, ?> map) {
        return map;
      }
      throw new IllegalArgumentException(place + ": must be a mapping, is '" + value + "'");
    }

    List<Row> rows(String key) {
      if (!(map().get(key) instanceof List<?> list)) {
        throw error(key, "must be a list");
      }
      List<Row> rows = new ArrayList<>();
      for (Object item : list) {
        rows.add(new Row(place + "." + key + "[" + rows.size() + "]", item));
      }
      return rows;
    }

    void requireKeys(Set<String> known) {
      for (Object key : map().keySet()) {
        if (!known.contains(key)) {
          throw error(key, "is an unknown key");
        }
      }
    }

    String text(String key) {
      if (map().get(key) instanceof String text && !text.isBlank()) {
        return text;
      }
      throw error(key, "must be a text");
    }

    double figure(String key) {
      if (map().get(key) instanceof Number number
          && number.doubleValue() > 0
          && Double.isFinite(number.doubleValue())) {
        return number.doubleValue();
      }
      throw error(key, "must be a number above 0");
    }

    double figureIfKnown(String key) {
      return map().containsKey(key) ? figure(key) : Double.NaN;
    }

    IllegalArgumentException error(Object key, String rule) {
      return new IllegalArgumentException(
          place + "." + key + ": " + rule + ", is '" + map().get(key) + "'");
    }
  }
}
