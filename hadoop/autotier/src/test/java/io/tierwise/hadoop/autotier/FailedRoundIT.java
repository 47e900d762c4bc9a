package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A round that fails in its middle, after files of a rule were changed, and is made again. */
class FailedRoundIT {
  /** More than are written down with one sync. */
  private static final int FILES = 70;

  private static final int FILES_AT_ONCE = 64;
  private static final short REPLICAS = 2;
  private static final String AWAY = "the NameNode went away";

  @TempDir private Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<Round> rounds = new CopyOnWriteArrayList<>();
  private final AtomicInteger leases = new AtomicInteger();
  private MiniDFSCluster hdfs;

  @BeforeEach
  void start() throws IOException {
    hdfs =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .numDataNodes(REPLICAS)
            .build();
    hdfs.waitActive();
    for (int file = 0; file < FILES; file++) {
      DFSTestUtil.createFile(
          hdfs.getFileSystem(),
          new org.apache.hadoop.fs.Path("/cold/%02d".formatted(file)),
          1,
          REPLICAS,
          1);
    }
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  /**
   * Each try makes changes in a thread of its own, and ends after the daemon's own thread rested.
   */
  @Test
  @Timeout(180)
  void whatFailsEachTimeIsToldOnce() throws Exception {
    runOneRound(new OpenGate(this::requireLeaseOfTheThirdTry));

    assertThat(said).containsExactly("IOException: " + AWAY);
    assertThat(rounds).hasSize(1);
    assertThat(rounds.get(0).changed()).isEqualTo(FILES);
  }

  private void runOneRound(OpenGate gate) throws Exception {
    RuledAutotier.of(
            hdfs.getFileSystem(),
            hdfs.getConfiguration(0),
            folder,
            "path matches /cold/** -> replicas 1",
            said::add)
        .run(1, rounds::add, gate);
  }

  private void requireLeaseOfTheThirdTry() throws IOException {
    if (leases.incrementAndGet() <= 2) {
      throw new IOException(AWAY);
    }
  }

  /** Fails once, at the first file of the second batch. */
  private void requireLease() throws IOException {
    if (leases.incrementAndGet() == FILES_AT_ONCE + 1) {
      throw new IOException(AWAY);
    }
  }

  @Test
  @Timeout(180)
  void itIsMadeToItsEndAndWhatItHadChangedIsNobodyElsesChange() throws Exception {
    runOneRound(new OpenGate(this::requireLease));

    assertThat(said).containsExactly("IOException: " + AWAY);
    for (FileStatus file :
        hdfs.getFileSystem().listStatus(new org.apache.hadoop.fs.Path("/cold"))) {
      assertThat(file.getReplication()).as(file.getPath().getName()).isEqualTo((short) 1);
    }
    Round round = rounds.get(0);
    assertThat(rounds).hasSize(1);
    assertThat(round.changed()).as("the rest of them").isEqualTo(FILES - FILES_AT_ONCE);
    assertThat(round.left()).as("its own changes are no one else's").isEmpty();
    assertThat(round.stopped()).isFalse();
    assertThat(leases).as("each file once, and the one that failed").hasValue(FILES + 1);
  }
}
