package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon whose rule wants a file on a volume that hangs. */
class HungVolumeIT {
  /** An answer of a DataNode is waited for for five times as long. */
  private static final int TIMEOUT_MILLIS = 2_000;

  private static final long WINDOW_MILLIS = 5_000;

  @TempDir private Path folder;

  @Test
  @Timeout(180)
  void itIsSaidOnceAndTheNextRoundAsksItNoMore() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, TIMEOUT_MILLIS);
    List<String> said = new CopyOnWriteArrayList<>();
    List<Round> rounds = new ArrayList<>();
    try (TwoTierHdfs hdfs = TwoTierHdfs.start(conf, folder)) {
      hdfs.write("/hot/a");
      AutotierSettings settings =
          RuledAutotier.settings(folder, "path matches /hot/** -> tier ssd", WINDOW_MILLIS);
      try (AutoCloseable unused = hdfs.hang(StorageType.SSD)) {
        RuledAutotier.of(hdfs.fs(), conf, folder, settings, said::add)
            .run(2, rounds::add, new OpenGate());
      }
    }

    assertThat(said)
        .singleElement()
        .asString()
        .contains(" took a move and did not answer for ", ": nothing is moved to or from SSD ");
    assertThat(rounds).hasSize(2);
    Journal journal = new Journal(folder.resolve("journal"));
    List<Long> moves = new ArrayList<>();
    List<String> why = new ArrayList<>();
    for (Round round : rounds) {
      assertThat(round.movedReplicas()).isZero();
      assertThat(round.left()).hasSize(1);
      assertThat(round.left().get(0).reason()).startsWith("rules:1: 1 replica (");
      why.add(round.left().get(0).reason());
      moves.add(PastRun.read(journal, round.ids().get(0)).moves());
    }
    assertThat(why.get(0)).contains(" took the move and did not answer");
    assertThat(why.get(1)).contains(" does not answer, or is too busy, and is left alone");
    assertThat(moves).as("that a DataNode was asked for").containsExactly(1L, 0L);
  }
}
