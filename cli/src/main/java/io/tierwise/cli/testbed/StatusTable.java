package io.tierwise.cli.testbed;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.TextTable;
import io.tierwise.lab.testbed.TestbedStatus;
import io.tierwise.lab.testbed.host.Network;
import java.io.PrintWriter;
import java.util.stream.Collectors;

/** A testbed's state for people. */
final class StatusTable {
  private StatusTable() {}

  static void print(TestbedStatus status, PrintWriter out) {
    out.println(Fold.text(status.text()));
    out.println();
    TextTable table =
        new TextTable()
            .left("NODE", "RACK", "ADDRESS", "PROCESS", "LINK", "VOLUMES (read/write MB/s)");
    for (TestbedStatus.Node node : status.nodes()) {
      table.row(
          node.name(),
          node.rack(),
          node.address(),
          node.pid() == null ? null : node.pid() + (node.alive() ? "" : " ended"),
          node.link().text(),
          node.volumes().isEmpty()
              ? null
              : node.volumes().stream()
                  .map(TestbedStatus.Volume::text)
                  .collect(Collectors.joining(", ")));
    }
    for (Network.Port uplink : status.uplinks()) {
      table.row(uplink.name(), null, null, null, uplink.text(), null);
    }
    table.print(out);
  }
}
