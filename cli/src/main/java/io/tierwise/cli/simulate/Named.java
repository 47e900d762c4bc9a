package io.tierwise.cli.simulate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tierwise.cli.output.TextTable;
import io.tierwise.simulator.hardware.DeviceFigures;
import io.tierwise.simulator.hardware.HardwareTable;
import io.tierwise.simulator.hardware.ServerFigures;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** What a scenario can name without defining it. */
final class Named {
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  private final List<String> clusters = ScenarioFiles.named();
  private final HardwareTable hardware = HardwareTable.bundled();

  void print(PrintWriter out) {
    out.println("Named clusters (based-on: NAME)");
    clusters.forEach(name -> out.println("  " + name));
    out.println();
    out.println("Devices (published: NAME in a device class)");
    TextTable devices =
        new TextTable().left("name").right("read").right("write").right("idle").right("active");
    for (DeviceFigures device : hardware.devices()) {
      devices.row(
          device.name(),
          figure(device.readBytesPerSecond() / 1e6, "MB/s"),
          figure(device.writeBytesPerSecond() / 1e6, "MB/s"),
          figure(device.wattsIdle(), "W"),
          figure(device.wattsActive(), "W"));
    }
    devices.print(out);
    out.println();
    out.println("Servers (published: NAME in a kind of node), SPECpower_ssj2008");
    TextTable servers =
        new TextTable().left("name").left("processor").right("cores").right("idle").right("busy");
    for (ServerFigures server : hardware.servers()) {
      servers.row(
          server.name(),
          server.processor(),
          server.cores(),
          figure(server.wattsIdle(), "W"),
          figure(server.wattsBusy(), "W"));
    }
    servers.print(out);
  }

  ObjectNode json() {
    ObjectNode named = JsonNodeFactory.instance.objectNode();
    clusters.forEach(named.putArray("clusters")::add);
    for (DeviceFigures device : hardware.devices()) {
      ObjectNode row = named.withArray("devices").addObject();
      row.put("name", device.name()).put("class", device.deviceClass());
      put(row, "read_bytes_per_second", device.readBytesPerSecond());
      put(row, "write_bytes_per_second", device.writeBytesPerSecond());
      put(row, "watts_idle", device.wattsIdle());
      put(row, "watts_active", device.wattsActive());
      row.put("note", device.note().isEmpty() ? null : device.note())
          .put("source", device.source());
      row.put("secondary", device.secondary());
    }
    for (ServerFigures server : hardware.servers()) {
      ObjectNode row = named.withArray("servers").addObject();
      row.put("name", server.name()).put("processor", server.processor());
      row.put("cores", server.cores()).put("memory_gigabytes", server.memoryGigabytes());
      put(row, "watts_idle", server.wattsIdle());
      put(row, "watts_busy", server.wattsBusy());
      row.put("source", server.source());
    }
    return named;
  }

  private static void put(ObjectNode row, String key, double figure) {
    row.put(key, Double.isNaN(figure) ? null : figure);
  }

  private static String figure(double figure, String unit) {
    if (Double.isNaN(figure)) {
      return null;
    }
    BigDecimal rounded = new BigDecimal(figure).round(FOUR_DIGITS).stripTrailingZeros();
    return rounded.toPlainString() + " " + unit;
  }
}
