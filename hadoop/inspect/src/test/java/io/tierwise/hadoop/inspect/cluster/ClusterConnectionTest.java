package io.tierwise.hadoop.inspect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
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

  /** Nothing is asked at this address. */
  @Test
  void everyCommandThatConnectsWaitsAsBriefly() throws IOException {
    for (String path : List.of("/file", "hdfs://127.0.0.1:1/file")) {
      Configuration conf = new Configuration();
      conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
      try (ClusterConnection.Place place = ClusterConnection.connect(conf, path)) {
        assertThat(place.fs().getConf().getInt(ANSWER, 0)).isEqualTo(10_000);
        assertThat(place.fs().getConf().getInt("dfs.client.failover.max.attempts", 0)).isEqualTo(7);
      }
    }
  }
}
