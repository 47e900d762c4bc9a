package io.tierwise.hadoop.inspect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterConnectionTest {
  private static final String ANSWER = "ipc.client.rpc-timeout.ms";
  private static final String ADDRESS = "yarn.resourcemanager.address";
  private static final String HA = "yarn.resourcemanager.ha.enabled";
  private static final String NOWHERE = "0.0.0.0:8032";

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

  private static String site(Map<String, String> values) {
    StringBuilder xml = new StringBuilder("<configuration>");
    values.forEach(
        (key, value) ->
            xml.append(
                "<property><name>" + key + "</name><value>" + value + "</value></property>"));
    return xml.append("</configuration>").toString();
  }

  /** The file is read when YARN's classes are loaded, and names the ResourceManager. */
  private static void assertResourceManager(Configuration conf, String address) {
    String site = site(Map.of(ADDRESS, "of-class-path:8032", HA, "true"));
    InputStream file = new ByteArrayInputStream(site.getBytes(StandardCharsets.UTF_8));
    conf.addResource(file, "yarn-site.xml");
    assertThat(conf.get(ADDRESS)).isEqualTo(address);
    assertThat(conf.getBoolean(HA, true)).isFalse();
  }

  @Test
  void anotherClusterHasNotTheResourceManagerOfTheFiles(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("core-site.xml"), site(Map.of("fs.defaultFS", "hdfs://localhost")));
    Files.writeString(folder.resolve("yarn-site.xml"), site(Map.of(ADDRESS, "b:8032")));
    for (String same : List.of("hdfs://localhost", "hdfs://localhost/", "hdfs://LOCALHOST:8020")) {
      assertThat(ClusterConnection.configuration(folder, same, Map.of()).get(ADDRESS))
          .as(same)
          .isEqualTo("b:8032");
    }
    assertResourceManager(
        ClusterConnection.configuration(folder, "hdfs://127.0.0.1:1", Map.of()), NOWHERE);

    Configuration conf = ClusterConnection.configuration(folder, null, Map.of());
    try (ClusterConnection.Place place =
        ClusterConnection.connect(conf, "hdfs://localhost:8020/file")) {
      assertThat(place.plain()).isEqualTo("/file");
      assertThat(conf.get(ADDRESS)).isEqualTo("b:8032");
    }
    try (ClusterConnection.Place place =
        ClusterConnection.connect(conf, "hdfs://127.0.0.1:1/file")) {
      assertThat(place.plain()).isEqualTo("/file");
    }
    assertResourceManager(conf, NOWHERE);
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

  @Test
  void aTextThatIsNoPathIsToldWhy() {
    for (String nowhere : List.of("hdfs:", "viewfs:")) {
      assertThatThrownBy(() -> ClusterConnection.pathOf(nowhere))
          .as(nowhere)
          .hasMessage(
              "\""
                  + nowhere
                  + "\" is no path: it names neither a host nor a path; write hdfs://HOST/PATH, or"
                  + " a path that begins with /");
    }
    assertThatThrownBy(() -> ClusterConnection.pathOf("a:b"))
        .hasMessageContaining("takes what stands before \":\" for a scheme");
    assertThatThrownBy(() -> ClusterConnection.pathOf("")).hasMessageContaining("it is empty");
  }
}
