package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clients are real; none of them calls its NameNode before a file is opened. */
class RetryPatienceTest {
  private static final URI CLUSTER = URI.create("hdfs://127.0.0.1:1");

  private static Configuration with(String... settings) {
    Configuration conf = new HdfsConfiguration();
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  private static DfsClientConf connected(String... settings) throws IOException {
    return connected(with(settings));
  }

  private static DfsClientConf connected(Configuration conf) throws IOException {
    try (DFSClient owner = new DFSClient(CLUSTER, conf);
        TierwiseClient client = TierwiseClient.beside(owner, CLUSTER, conf, null)) {
      return client.getConf();
    }
  }

  @Test
  void waitsLessAtATimeButInTotalNoLessThanStock() throws IOException {
    DfsClientConf conf = connected(ClientKeys.STRATEGY, "greedy");
    int window = conf.getTimeWindow();
    int rounds = conf.getMaxBlockAcquireFailures();
    assertThat(window).isEqualTo(50);
    assertThat(rounds).isEqualTo(24);
    assertThat(RetryPatience.leastMillis(window, rounds)).isGreaterThanOrEqualTo(9_000);
    assertThat(RetryPatience.mostMillis(window, rounds)).isGreaterThanOrEqualTo(27_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 50, 333, 2999, 3000, 60_000})
  void everyWindowKeepsStocksPatience(int windowMillis) {
    int rounds = RetryPatience.rounds(windowMillis);
    assertThat(RetryPatience.leastMillis(windowMillis, rounds)).isGreaterThanOrEqualTo(9_000);
    assertThat(RetryPatience.mostMillis(windowMillis, rounds)).isGreaterThanOrEqualTo(27_000);
    assertThat(rounds).isGreaterThanOrEqualTo(3);
  }

  @Test
  void aClientThatOnlyCountsWaitsAsStock() throws IOException {
    DfsClientConf conf = connected(ClientKeys.STATISTICS, "true");
    assertThat(conf.getTimeWindow()).isEqualTo(3000);
    assertThat(conf.getMaxBlockAcquireFailures()).isEqualTo(3);
  }

  @Test
  void whatTheUserSetIsKept() throws IOException {
    DfsClientConf window =
        connected(ClientKeys.STRATEGY, "greedy", "dfs.client.retry.window.base", "700");
    assertThat(window.getTimeWindow()).isEqualTo(700);
    assertThat(window.getMaxBlockAcquireFailures()).isEqualTo(3);
    DfsClientConf rounds =
        connected(ClientKeys.STRATEGY, "greedy", "dfs.client.max.block.acquire.failures", "5");
    assertThat(rounds.getTimeWindow()).isEqualTo(3000);
    assertThat(rounds.getMaxBlockAcquireFailures()).isEqualTo(5);
  }

  /** YARN hands a job's settings to its tasks in a file that spells out Hadoop's defaults. */
  @Test
  void whatAJobFileSpellsOutIsNotSetByTheUser(@TempDir File folder) throws IOException {
    assertThat(ofTask(folder, ClientKeys.STRATEGY, "auto").getTimeWindow()).isEqualTo(50);
    DfsClientConf set =
        ofTask(folder, ClientKeys.STRATEGY, "auto", "dfs.client.retry.window.base", "700");
    assertThat(set.getTimeWindow()).isEqualTo(700);
    String prefetch = HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY;
    Configuration job = new HdfsConfiguration();
    assertThat(HadoopDefaults.isSetByUser(asTaskReads(job, folder), prefetch)).isFalse();
    job.setLong(prefetch, 1);
    assertThat(HadoopDefaults.isSetByUser(asTaskReads(job, folder), prefetch)).isTrue();
  }

  private static DfsClientConf ofTask(File folder, String... settings) throws IOException {
    return connected(asTaskReads(with(settings), folder));
  }

  private static Configuration asTaskReads(Configuration job, File folder) throws IOException {
    File file = new File(folder, "job.xml");
    try (OutputStream out = new FileOutputStream(file)) {
      job.writeXml(out);
    }
    Configuration task = new HdfsConfiguration();
    task.addResource(new Path(file.toURI()));
    return task;
  }

  @Test
  void aWindowThatIsNoTimeIsNamedWithItsKey() {
    assertThatThrownBy(
            () -> connected(ClientKeys.STRATEGY, "greedy", ClientKeys.RETRY_WINDOW_MILLIS, "0"))
        .hasMessage("tierwise.client.retry.window.millis is 0: must be at least 1");
  }
}
