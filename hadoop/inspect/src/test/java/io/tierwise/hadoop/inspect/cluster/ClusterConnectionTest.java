package io.tierwise.hadoop.inspect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClusterConnectionTest {
  private static final String ANSWER = "ipc.client.rpc-timeout.ms";

  @Test
  void aQuestionEndsInSecondsUnlessTheUserSaidOtherwise() {
    Configuration conf = new Configuration();
    ClusterConnection.waitOnlyBriefly(conf);
    assertThat(conf.getInt(ANSWER, 0)).isEqualTo(10_000);

    Configuration patient = new Configuration();
    patient.set(ANSWER, "60000");
    ClusterConnection.waitOnlyBriefly(patient);
    assertThat(patient.getInt(ANSWER, 0)).isEqualTo(60_000);
  }
}
