package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.popularity.WindowFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode that does not answer just when a window ends, as one that fails over. */
@Timeout(180)
class AwayAtWindowsEndIT {
  private static final String FILE = "/data/file";
  private static final long WINDOW_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final long BEGIN_MILLIS = Instant.parse("2026-01-01T10:00:00Z").toEpochMilli();
  private static final int REPLICAS = 3;
  private static final int HOLD_WINDOWS = 3;

  @TempDir private Path folder;
  private MiniDFSCluster hdfs;
  private DistributedFileSystem fs;
  private ReplicaPlanner planner;
  private WindowFeed windows;
  private ReadHistory history;
  private boolean away;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.replication", 1);
    hdfs = new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile()).build();
    hdfs.waitActive();
    fs = new SometimesAway();
    fs.initialize(hdfs.getURI(), hdfs.getConfiguration(0));
    DFSTestUtil.createFile(fs, new org.apache.hadoop.fs.Path(FILE), 1, (short) REPLICAS, 1);
    HdfsFileStatus file = fs.getClient().getFileInfo(FILE);
    new ReplicaMark(file.getFileId(), 1, REPLICAS, 0, false).write(fs);
    begin();
  }

  @AfterEach
  void stop() throws IOException {
    fs.close();
    hdfs.shutdown();
  }

  /** Files cannot be looked up while it is away. */
  private final class SometimesAway extends DistributedFileSystem {
    private DFSClient client;

    @Override
    public DFSClient getClient() {
      return client == null ? super.getClient() : client;
    }

    @Override
    public void initialize(java.net.URI uri, Configuration conf) throws IOException {
      super.initialize(uri, conf);
      client =
          new DFSClient(uri, conf) {
            @Override
            public HdfsFileStatus getFileInfo(String path) throws IOException {
              if (away) {
                throw new IOException("it fails over");
              }
              return super.getFileInfo(path);
            }
          };
    }

    @Override
    public void close() throws IOException {
      client.close();
      super.close();
    }
  }

  /** The file was read once, in the first window. */
  private void begin() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("audit.log"),
            "2026-01-01 10:30:00,000 INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)"
                + "\tip=/10.0.0.7\tcmd=open\tsrc="
                + FILE
                + "\tdst=null\tperm=null\tproto=rpc\n");
    AutotierSettings settings =
        new AutotierSettings("ppa", WINDOW_MILLIS, 20, HOLD_WINDOWS, 0, List.of("/data"), 100);
    LastChanges lastChanges =
        LastChanges.of(new Journal(folder.resolve("journal")), ClusterUri.of(fs));
    planner =
        new ReplicaPlanner(
            MoverCluster.of(fs, hdfs.getConfiguration(0)), settings, lastChanges, () -> history);
    windows = new WindowFeed(WINDOW_MILLIS, settings.filesMax(), planner);
    LogHeat heat =
        new LogHeat(
            new LogHeat.Wish(List.of(log), ZoneOffset.UTC, WINDOW_MILLIS, null, 100), windows);
    history = new ReadHistory(heat, NameNodeLogs.Source.of(List.of(log), List.of()), fs);
    history.read();
  }

  private void readIn(int window) {
    windows.read(0, BEGIN_MILLIS + window * WINDOW_MILLIS + 1);
  }

  private void end(int window) {
    windows.passTo(BEGIN_MILLIS + (window + 1) * WINDOW_MILLIS);
  }

  private RoundPlan plan(int window) throws IOException {
    RoundPlan plan =
        planner
            .ofLastWindow((BEGIN_MILLIS + (window + 1) * WINDOW_MILLIS) / 1e3 + 1)
            .orElseThrow(() -> new AssertionError("no plan of window " + window));
    assertThat(Instant.parse(plan.until()).toEpochMilli())
        .isEqualTo(BEGIN_MILLIS + (window + 1) * WINDOW_MILLIS);
    assertThat(plan.files()).isEqualTo(1);
    return plan;
  }

  private void assertThatNothingIsPlannedOf(int window) {
    assertThatThrownBy(() -> plan(window))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("it fails over");
  }

  @Test
  void theRoundIsMadeWhenItAnswersAgain() throws IOException {
    away = true;
    end(0);
    assertThatNothingIsPlannedOf(0);
    assertThatNothingIsPlannedOf(0);

    away = false;

    assertThat(plan(0).readFiles()).isEqualTo(1);
    assertThat(plan(0).readFiles()).as("it goes away again while the round is made").isEqualTo(1);
    planner.roundMade();
    assertThat(planner.ofLastWindow(0)).isEmpty();
  }

  /** Long: make test has the round that is made when the NameNode answers. */
  @Tag("long")
  @Test
  void whoseWindowIsOverGivesWayToTheNext() throws IOException {
    away = true;
    end(0);
    assertThatNothingIsPlannedOf(0);
    readIn(1);
    away = false;
    end(1);

    assertThat(plan(1).readFiles()).isEqualTo(1);
    planner.roundMade();
    assertThat(planner.ofLastWindow(0)).as("nothing waits any more").isEmpty();
  }

  @Test
  void aWindowThatEndsWhileARoundIsMadeHasARoundOfItsOwn() throws IOException {
    end(0);
    plan(0);
    end(1);
    planner.roundMade();

    assertThat(plan(1).readFiles()).isZero();
  }

  /** A lower demand has to last: what nobody could look at says nothing. */
  @Test
  void aWindowWhoseFilesNobodySawIsNoneInWhichFewerReplicasWereWanted() throws IOException {
    end(0);
    assertThat(plan(0).changes()).isEmpty();
    readIn(1);
    away = true;
    end(1);
    away = false;
    end(2);
    assertThat(plan(2).changes()).as("two windows of three asked for fewer").isEmpty();

    end(3);
    assertThat(plan(3).changes()).singleElement().extracting(change -> change.after()).isEqualTo(1);
  }
}
