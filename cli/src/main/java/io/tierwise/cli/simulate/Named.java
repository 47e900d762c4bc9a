package io.tierwise.cli.simulate;

import io.tierwise.cli.output.TextTable;
import io.tierwise.experiments.run.Nameable;
import io.tierwise.simulator.hardware.DeviceFigures;
import io.tierwise.simulator.hardware.ServerFigures;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;

/** Lists the things that a scenario can name without defining them. */
final class Named {
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  private Named() {}

  static void print(Nameable named, PrintWriter out) {
    out.println("Named clusters (based-on: NAME)");
    named.clusters().forEach(name -> out.println("  " + name));
    out.println();
    out.println("Devices (published: NAME in a device class)");
    TextTable devices = new TextTable().left("name").right("read", "write", "idle", "active");
    for (DeviceFigures device : named.hardware().devices()) {
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
    TextTable servers = new TextTable().left("name", "processor").right("cores", "idle", "busy");
    for (ServerFigures server : named.hardware().servers()) {
      servers.row(
          server.name(),
          server.processor(),
          server.cores(),
          figure(server.wattsIdle(), "W"),
          figure(server.wattsBusy(), "W"));
    }
    servers.print(out);
  }

  private static String figure(double figure, String unit) {
    if (Double.isNaN(figure)) {
      return null;
    }
    BigDecimal rounded = new BigDecimal(figure).round(FOUR_DIGITS).stripTrailingZeros();
    return rounded.toPlainString() + " " + unit;
  }
}
