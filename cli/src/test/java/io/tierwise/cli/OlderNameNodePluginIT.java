package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.PluginStatus;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In the middle of an upgrade: a NameNode whose plug-in gives its status to every question. */
class OlderNameNodePluginIT {
  private static final RefreshHandler OLDER =
      (identifier, arguments) ->
          new RefreshResponse(
              0,
              "block-pool=BP-1\nlast-block-id=1\ntime-millis=1\ntiers-source=none\ntiers-digest=0\n"
                  + "regions=\nregion-map=");

  @TempDir static java.nio.file.Path folder;
  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile()).numDataNodes(1).build();
    cluster.waitActive();
    cluster.getFileSystem().mkdirs(new Path("/data"));
    RefreshRegistry.defaultRegistry().register(PluginStatus.IDENTIFIER, OLDER);
  }

  @AfterAll
  static void stop() {
    RefreshRegistry.defaultRegistry().unregister(PluginStatus.IDENTIFIER, OLDER);
    cluster.shutdown();
  }

  private static CommandRun run(String... words) throws IOException {
    String[] all = new String[words.length + 4];
    System.arraycopy(words, 0, all, 0, words.length);
    all[words.length] = "--fs";
    all[words.length + 1] = cluster.getFileSystem().getUri().toString();
    all[words.length + 2] = "-D";
    all[words.length + 3] =
        "dfs.namenode.http-address="
            + NetUtils.getHostPortString(cluster.getNameNode().getHttpAddress());
    return CommandRun.of(all);
  }

  @Test
  void doctorSaysThatPoliciesWereNotChecked() throws IOException {
    CommandRun doctor = run("doctor");
    assertThat(doctor.unfolded())
        .containsPattern(
            "not checked +paths: policies of directories: .* runs an older plug-in, which does not"
                + " know the question 'malformed-paths': give it the jar of this version");
    assertThat(doctor.exitCode()).isEqualTo(ExitCode.CLUSTER);
  }

  @Test
  void policySetSaysThatQuotasAreNotKnown() throws IOException {
    CommandRun set = run("policy", "set", "/data", "--placement", "hybrid", "--json");
    assertThat(set.exitCode()).as(set.err()).isZero();
    assertThat(set.out())
        .contains("\"type_quota_unknown\"")
        .contains("does not know the question 'type-quotas-of'");
  }
}
