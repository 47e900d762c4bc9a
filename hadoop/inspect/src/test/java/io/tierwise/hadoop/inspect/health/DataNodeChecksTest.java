package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.Test;

class DataNodeChecksTest {
  /** A bar that nobody ends stays on the terminal, before the first line of the answer. */
  @Test
  void theStepThatAsksNodesEndsAlsoWhereNoneAnswers() throws IOException {
    DatanodeInfo gone =
        new DatanodeInfoBuilder()
            .setHostName("host1")
            .setIpAddr(InetAddress.getLoopbackAddress().getHostAddress())
            .setXferPort(9866)
            .setInfoPort(closedPort())
            .build();
    List<String> told = new ArrayList<>();
    Findings findings = new Findings();

    new DataNodeChecks(
            new DaemonHttp(new Configuration(false)),
            TierConfiguration.byStorageType(),
            findings,
            false)
        .run(
            new DatanodeInfo[] {gone},
            false,
            new ClusterVolumes(TierConfiguration.byStorageType(), List.of()),
            OptionalLong.empty(),
            new Listener.Step() {
              @Override
              public void add(long amount) {
                told.add("+" + amount);
              }

              @Override
              public void finish(String remark) {
                told.add(remark);
              }
            });

    assertThat(told).containsExactly("+1", "0 answered");
    assertThat(findings.all()).hasSize(1);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
