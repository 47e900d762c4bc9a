package io.tierwise.experiments.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.message.TextTable;
import io.tierwise.core.use.JobReads;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.core.use.ReadHistory.ReadFile;
import io.tierwise.experiments.advise.ReplicationAnswer.Decider;
import io.tierwise.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaReplayTest {
  private static final long MIB = 1 << 20;
  private static final int FILES = 40;
  private static final int BURSTS = 120;
  private static final int READERS = 8;
  private static final int STEP_SECONDS = 300;

  private static final String WITH_STORE =
      """
      cluster: {racks: [{nodes: [{kind: worker, count: 8}]}, {nodes: [{kind: server, count: 1}]}]}
      devices: {filer: {read: 500 MB/s, write: 500 MB/s, price: $0.10}}
      nodes:
        worker:
          page-cache: 0 B
          volumes: [{device: sata-ssd, capacity: 10 GB, temporary: false}, {device: hdd, capacity: 1 TB}]
        server:
          map-slots: 0
          reduce-slots: 0
          page-cache: 0 B
          volumes: [{device: filer, capacity: 1 TB, temporary: false}]
      tiers: [sata-ssd, hdd, {name: nas, device: filer}]
      popularity: {predictor: ppa, secondary: nas}
      workload: {dfsio: {tasks: 1}}
      """;

  @TempDir private Path folder;

  /** Every five minutes several read one of two files at a time, and one reads another file. */
  private static ReadHistory history(int stepSeconds) {
    List<ReadFile> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(new ReadFile(512 * MIB, 3, false));
    }
    int[] readFiles = new int[BURSTS * READERS];
    double[] seconds = new double[readFiles.length];
    for (int i = 0; i < readFiles.length; i++) {
      int burst = i / READERS;
      readFiles[i] = i % READERS == 0 ? 2 + burst % (FILES - 2) : burst % 2;
      seconds[i] = (double) stepSeconds * burst;
    }
    return new ReadHistory(files, readFiles, seconds);
  }

  private ReplayAnswer replay(ReadHistory history, String cluster) throws IOException {
    Path file = Files.writeString(folder.resolve("cluster.yaml"), cluster);
    return LogReplay.replay(
        new LogReplay.Question(
            history,
            JobReads.none(history.readCount()),
            file.toString(),
            ReplaySite.UNKNOWN,
            20_000,
            0),
        new RunListener() {},
        () -> false);
  }

  private static ReplicationAnswer.Row row(ReplicationAnswer answer, Decider decider) {
    return answer.rows().stream()
        .filter(row -> row.decidedBy() == decider)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void replicasThatFollowReadersCostStorageAndSaveTime() throws IOException {
    ReplayAnswer replay = replay(history(STEP_SECONDS), WITH_STORE);
    ReplicationAnswer answer = replay.replication();

    assertThat(replay.complete()).isTrue();
    assertThat(replay.slowTier()).isEqualTo("hdd");
    assertThat(answer.secondaryTier()).isEqualTo("nas");
    assertThat(answer.rows())
        .extracting(ReplicationAnswer.Row::decidedBy)
        .containsExactly(Decider.values());
    ReplicationAnswer.Row usual = row(answer, Decider.DEFAULT);
    assertThat(usual.storedBytes()).isEqualTo(3.0 * FILES * 512 * MIB);
    assertThat(usual.throughputPerByte()).isEqualTo(1);
    assertThat(usual.moreShare()).isZero();
    assertThat(usual.storageDollars()).isPositive();

    ReplicationAnswer.Row scarlett = row(answer, Decider.SCARLETT);
    assertThat(scarlett.moreShare()).isPositive();
    assertThat(scarlett.readSeconds()).isLessThan(usual.readSeconds());
    assertThat(scarlett.storedBytes()).isBetween(usual.storedBytes(), 1.13 * usual.storedBytes());
    assertThat(scarlett.throughputPerByte())
        .isCloseTo(
            usual.readSeconds()
                / scarlett.readSeconds()
                * usual.storedBytes()
                / scarlett.storedBytes(),
            within(1e-9));

    ReplicationAnswer.Row oracle = row(answer, Decider.ORACLE);
    assertThat(oracle.secondaryShare()).isPositive();
    assertThat(oracle.secondaryBytes()).isPositive();
    assertThat(oracle.storedBytes()).isLessThan(usual.storedBytes());
  }

  @Test
  void theNullModelChangesNothing() throws IOException {
    ReplicationAnswer answer = replay(history(STEP_SECONDS), WITH_STORE).replication();

    ReplicationAnswer.Row usual = row(answer, Decider.DEFAULT);
    ReplicationAnswer.Row uniform = row(answer, Decider.NULL_MODEL);
    assertThat(uniform.readSeconds()).isEqualTo(usual.readSeconds());
    assertThat(uniform.storedBytes()).isEqualTo(usual.storedBytes());
  }

  @Test
  void withoutASecondaryStoreThereIsNoAptStoreAndTheAnswerSaysWhy() throws IOException {
    String without =
        WITH_STORE
            .replace("popularity: {predictor: ppa, secondary: nas}\n", "")
            .replace(", {name: nas, device: filer}", "")
            .replace("volumes: [{device: filer,", "volumes: [{device: hdd,");
    ReplayAnswer replay = replay(history(STEP_SECONDS), without);
    ReplicationAnswer answer = replay.replication();

    assertThat(replay.complete()).isTrue();
    assertThat(answer.secondaryTier()).isNull();
    assertThat(answer.rows())
        .extracting(ReplicationAnswer.Row::decidedBy)
        .doesNotContain(Decider.APTSTORE)
        .hasSize(Decider.values().length - 1);
    assertThat(String.join(" ", answer.legend())).contains("names no secondary store");
    assertThat(TextTable.lines(answer.table())).allMatch(line -> line.length() <= 80);
  }

  @Test
  void readsOfLessThanTwoWindowsTellNothing() throws IOException {
    ReplayAnswer replay = replay(history(60), WITH_STORE);

    assertThat(replay.complete()).isTrue();
    assertThat(replay.replication()).isNull();
    assertThat(String.join(" ", replay.legend())).contains("less than two hours");
  }
}
