package io.tierwise.hadoop.inspect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class ClusterUriTest {
  private static final String NAME_SERVICE = "hdfs://pair";

  private static Configuration conf() {
    Configuration conf = new Configuration();
    conf.set("dfs.nameservices", "pair");
    conf.set("dfs.ha.namenodes.pair", "a,b");
    conf.set("dfs.namenode.rpc-address.pair.a", "localhost:8020");
    conf.set("dfs.namenode.rpc-address.pair.b", "localhost:8021");
    conf.set(
        "dfs.client.failover.proxy.provider.pair",
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    return conf;
  }

  /** Nothing is asked at these addresses. */
  @Test
  void isWhatHadoopsOwnClientTakesForItsFileSystem() throws IOException {
    List<String> all =
        List.of(
            "hdfs://localhost:8020",
            "hdfs://localhost",
            "HDFS://LocalHost:8020/",
            "hdfs://127.0.0.1:8020",
            "hdfs://localhost:8021",
            NAME_SERVICE,
            "hdfs://PAIR");
    for (String one : List.of(all.get(0), all.get(1), NAME_SERVICE)) {
      try (FileSystem fs = FileSystem.newInstance(URI.create(one), conf())) {
        for (String other : all) {
          assertThat(ClusterUri.of(fs).is(other))
              .as("%s is %s", one, other)
              .isEqualTo(takes(fs, other));
        }
      }
    }
  }

  private static boolean takes(FileSystem fs, String cluster) {
    try {
      fs.makeQualified(new Path(cluster.replaceFirst("/$", "") + "/data"));
      return true;
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("Wrong FS");
      return false;
    }
  }

  @Test
  void thePortOfHdfsMayBeLeftOutAndANameServiceIsNoneOfItsNameNodes() {
    ClusterUri host = new ClusterUri(URI.create("hdfs://localhost"), conf());
    assertThat(host.is("hdfs://localhost:8020/data")).isTrue();
    assertThat(host.is("hdfs://localhost:8021")).isFalse();
    assertThat(host.is("file://localhost")).isFalse();
    assertThat(host.is("no URI")).isFalse();
    assertThat(host.is(NAME_SERVICE)).isFalse();
    assertThat(new ClusterUri(URI.create(NAME_SERVICE), conf()).is("hdfs://localhost:8020"))
        .isFalse();
  }
}
