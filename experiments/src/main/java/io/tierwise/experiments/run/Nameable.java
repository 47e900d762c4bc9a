package io.tierwise.experiments.run;

import io.tierwise.core.message.Table;
import io.tierwise.simulator.hardware.DeviceFigures;
import io.tierwise.simulator.hardware.HardwareTable;
import io.tierwise.simulator.hardware.ServerFigures;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The things that a scenario can name without defining them. */
public record Nameable(List<String> clusters, HardwareTable hardware) {
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  /** All that comes with the simulator. */
  public static Nameable all() {
    return new Nameable(ScenarioFiles.named(), HardwareTable.bundled());
  }

  /** The devices with published figures, for people. */
  public Table devices() {
    Table devices = new Table().text("name").number("read", "write", "idle", "active");
    for (DeviceFigures device : hardware().devices()) {
      devices.row(
          device.name(),
          figure(device.readBytesPerSecond() / 1e6, "MB/s"),
          figure(device.writeBytesPerSecond() / 1e6, "MB/s"),
          figure(device.wattsIdle(), "W"),
          figure(device.wattsActive(), "W"));
    }
    return devices;
  }

  /** The servers with published figures, for people. */
  public Table servers() {
    Table servers = new Table().text("name", "processor").number("cores", "idle", "busy");
    for (ServerFigures server : hardware().servers()) {
      servers.row(
          server.name(),
          server.processor(),
          server.cores(),
          figure(server.wattsIdle(), "W"),
          figure(server.wattsBusy(), "W"));
    }
    return servers;
  }

  private static String figure(double figure, String unit) {
    if (Double.isNaN(figure)) {
      return null;
    }
    BigDecimal rounded = new BigDecimal(figure).round(FOUR_DIGITS).stripTrailingZeros();
    return rounded.toPlainString() + " " + unit;
  }

  /** All of it by name, for programs; null where no figure is published. */
  public Map<String, Object> columns() {
    List<Map<String, Object>> devices = new ArrayList<>();
    for (DeviceFigures device : hardware.devices()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", device.name());
      row.put("class", device.deviceClass());
      row.put("read_bytes_per_second", known(device.readBytesPerSecond()));
      row.put("write_bytes_per_second", known(device.writeBytesPerSecond()));
      row.put("watts_idle", known(device.wattsIdle()));
      row.put("watts_active", known(device.wattsActive()));
      row.put("note", device.note().isEmpty() ? null : device.note());
      row.put("source", device.source());
      row.put("secondary", device.secondary());
      devices.add(row);
    }
    List<Map<String, Object>> servers = new ArrayList<>();
    for (ServerFigures server : hardware.servers()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", server.name());
      row.put("processor", server.processor());
      row.put("cores", server.cores());
      row.put("memory_gigabytes", server.memoryGigabytes());
      row.put("watts_idle", known(server.wattsIdle()));
      row.put("watts_busy", known(server.wattsBusy()));
      row.put("source", server.source());
      servers.add(row);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("clusters", clusters);
    all.put("devices", devices);
    all.put("servers", servers);
    return all;
  }

  private static Double known(double figure) {
    return Double.isNaN(figure) ? null : figure;
  }
}
