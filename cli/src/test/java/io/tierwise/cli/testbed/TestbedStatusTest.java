package io.tierwise.cli.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.JsonSchemas;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.TextTable;
import io.tierwise.lab.testbed.TestbedStatus;
import io.tierwise.lab.testbed.host.Network;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A testbed of which nothing works any more. */
class TestbedStatusTest {
  private static final TestbedStatus BROKEN =
      new TestbedStatus(
          new TestbedPlan("twit", 1, 1, 20, 10_000, 1, 200, true),
          null,
          null,
          List.of(
              new TestbedStatus.Node(
                  "nn",
                  null,
                  "10.77.0.1",
                  null,
                  false,
                  new Network.Port("nn", true, null),
                  List.of()),
              new TestbedStatus.Node(
                  "r1n1",
                  1,
                  "10.77.1.1",
                  null,
                  false,
                  new Network.Port("r1n1", false, 500_000_000L),
                  List.of(new TestbedStatus.Volume("hdd", null, false, null, null)))),
          List.of(new Network.Port("up1", true, 500_000_000L)));

  @Test
  void whatIsNotThereIsNull() {
    String json = Output.toJson(BROKEN);
    JsonSchemas.check("testbed status", json);
    assertThat(json)
        .contains(
            "\"live_data_nodes\" : null",
            "\"pid\" : null",
            "\"device\" : null",
            "\"read_bytes_per_second\" : null",
            "\"bits_per_second\" : null",
            "\"bits_per_second\" : 500000000");
  }

  @Test
  void theTableSaysSoInWords() {
    StringWriter out = new StringWriter();
    TextTable.lines(BROKEN.table()).forEach(new PrintWriter(out, true)::println);
    assertThat(BROKEN.text()).contains("NameNode: does not answer");
    assertThat(out.toString())
        .contains("unshaped", "DOWN 500.0 Mbit/s", "not mounted")
        .doesNotContain("null", "-1");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }
}
