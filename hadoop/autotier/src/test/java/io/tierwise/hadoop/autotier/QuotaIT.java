package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Additional replicas for which a quota has no room. */
class QuotaIT {
  private static final Path DIRECTORY = new Path("/quota");
  private static final String FILE = "/quota/file";
  private static final int BYTES = 1_000;
  private static final short BEFORE = 1;
  private static final short ASKED = 2;

  @TempDir private java.nio.file.Path folder;
  private final List<Round> rounds = new CopyOnWriteArrayList<>();
  private MiniDFSCluster hdfs;

  @BeforeEach
  void start() throws IOException {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.setInt("dfs.replication", BEFORE);
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(ASKED)
            .build();
    hdfs.waitActive();
    DFSTestUtil.createFile(hdfs.getFileSystem(), new Path(FILE), BYTES, BEFORE, 1);
    hdfs.getFileSystem().setQuota(DIRECTORY, HdfsConstants.QUOTA_DONT_SET, ASKED * BYTES - 1);
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  /** By a daemon of its own. */
  private Round round() throws Exception {
    RuledAutotier.of(
            hdfs.getFileSystem(),
            hdfs.getConfiguration(0),
            folder,
            "path matches /quota/** -> replicas " + ASKED,
            line -> {})
        .run(1, rounds::add, new OpenGate());
    return rounds.get(rounds.size() - 1);
  }

  private int replicas() throws IOException {
    return hdfs.getFileSystem().getFileStatus(new Path(FILE)).getReplication();
  }

  @Test
  @Timeout(180)
  void theyComeInTheNextRoundOnceItHasRoom() throws Exception {
    Round refused = round();
    assertThat(refused.changed()).isZero();
    assertThat(refused.left()).hasSize(1);
    assertThat(refused.left().get(0).reason()).contains("quota of /quota is exceeded");

    hdfs.getFileSystem()
        .setQuota(DIRECTORY, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);

    Round made = round();
    assertThat(made.left()).as("nothing was changed that could be held").isEmpty();
    assertThat(made.changed()).isOne();
    assertThat(replicas()).isEqualTo(ASKED);
  }

  @Test
  @Timeout(180)
  void theNumberIsSomebodysWhoChoosesItHimselfThen() throws Exception {
    round();

    long id = hdfs.getFileSystem().getClient().getFileInfo(FILE).getFileId();
    assertThat(ReplicaMark.of(id, hdfs.getFileSystem().getXAttrs(new Path(FILE))))
        .hasValueSatisfying(
            mark -> {
              assertThat(mark.owns(BEFORE)).isTrue();
              assertThat(mark.owns(ASKED)).isFalse();
            });
  }

  @Test
  @Timeout(180)
  void theJournalSaysWhyInOneLine() throws Exception {
    Round refused = round();

    List<String> results = new ArrayList<>();
    PastRun.read(new Journal(folder.resolve("journal")), refused.ids().get(0))
        .read(
            step -> {
              if (step.entry() instanceof JournalEntry.Replicas) {
                results.add(step.result().reason());
              }
            });
    assertThat(results).hasSize(1);
    assertThat(results.get(0)).hasLineCount(1).contains("quota of /quota is exceeded");
  }
}
