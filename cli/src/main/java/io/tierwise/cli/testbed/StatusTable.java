package io.tierwise.cli.testbed;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.TextTable;
import io.tierwise.lab.testbed.TestbedStatus;
import io.tierwise.lab.testbed.host.Network;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;

/** A testbed's state for people. */
final class StatusTable {
  private StatusTable() {}

  static void print(TestbedStatus status, PrintWriter out) {
    out.println(
        Fold.text(
            String.format(
                Locale.ROOT,
                "testbed %s: all speeds are the real ones divided by %d; NameNode: %s",
                status.plan().name(),
                status.plan().scaleDown(),
                status.liveDataNodes() == null
                    ? "does not answer"
                    : status.liveDataNodes()
                        + " DataNodes live, "
                        + status.deadDataNodes()
                        + " dead")));
    out.println();
    TextTable table =
        new TextTable()
            .left("NODE")
            .left("RACK")
            .left("ADDRESS")
            .left("PROCESS")
            .left("LINK")
            .left("VOLUMES (read/write MB/s)");
    for (TestbedStatus.Node node : status.nodes()) {
      table.row(
          node.name(),
          node.rack(),
          node.address(),
          node.pid() == null ? null : node.pid() + (node.alive() ? "" : " ended"),
          link(node.link()),
          node.volumes().isEmpty()
              ? null
              : node.volumes().stream().map(StatusTable::text).collect(Collectors.joining(", ")));
    }
    for (Network.Port uplink : status.uplinks()) {
      table.row(uplink.name(), null, null, null, link(uplink), null);
    }
    table.print(out);
  }

  private static String link(Network.Port port) {
    String rate =
        port.bitsPerSecond() == null
            ? "unshaped"
            : String.format(Locale.ROOT, "%.4g Mbit/s", port.bitsPerSecond() / 1e6);
    return (port.up() ? "up " : "DOWN ") + rate;
  }

  private static String text(TestbedStatus.Volume volume) {
    return volume.mounted()
        ? String.format(
            "%s %s %s/%s",
            volume.tier(),
            volume.device(),
            megabytes(volume.readBytesPerSecond()),
            megabytes(volume.writeBytesPerSecond()))
        : volume.tier() + " not mounted";
  }

  private static String megabytes(Long bytesPerSecond) {
    return bytesPerSecond == null
        ? "unlimited"
        : String.format(Locale.ROOT, "%.1f", bytesPerSecond / 1e6);
  }
}
