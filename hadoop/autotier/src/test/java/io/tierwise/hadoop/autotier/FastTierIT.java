package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in the fast tier of a stock HDFS, most of which the daemon brought there. */
class FastTierIT {
  private static final int BYTES = 100_000;
  private static final double NOW = 2e9;

  @TempDir private Path folder;
  private MiniDFSCluster hdfs;
  private DistributedFileSystem fs;
  private FastTier fast;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    Path tiers =
        Files.writeString(
            folder.resolve("tiers.yaml"),
            """
            tiers:
              - name: ssd
                match: {storage-type: SSD}
                class: {name: s, read-megabytes-per-second: 500, write-megabytes-per-second: 400}
              - name: disk
                match: {storage-type: DISK}
                class: {name: d, read-megabytes-per-second: 100, write-megabytes-per-second: 100}
            """);
    conf.set("tierwise.tiers.file", tiers.toString());
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    hdfs.waitActive();
    fs = hdfs.getFileSystem();
    fs.mkdirs(hadoop("/fast"));
    fs.setStoragePolicy(hadoop("/fast"), "ALL_SSD");
    fast =
        new FastTier(
            MoverCluster.of(fs, conf),
            new AutotierSettings("ppa", 1_000, 20, 1, 0, List.of("/"), 100),
            new Hardware(true, 1, 1, 0, Map.of("ssd", 0L)),
            "ssd");
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  private static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private KnownFile write(String path) throws IOException {
    DFSTestUtil.createFile(fs, hadoop(path), BYTES, (short) 1, 1);
    long id = fs.getClient().getFileInfo(path).getFileId();
    return new KnownFile(path, id, BYTES, 1, 1, 0);
  }

  /** The daemon brought them to the tier, as its journal has it. */
  private LastChanges brought(KnownFile... files) throws IOException {
    Journal journal = new Journal(folder.resolve("journal"));
    try (JournalRun run = journal.begin(ReplicaMark.COMMAND, fs, List.of("/"), "ssd", null)) {
      for (KnownFile file : files) {
        JournalEntry.Place place = new JournalEntry.Place("n", "n", "s", "SSD", "ssd", "r");
        run.append(
            new JournalEntry.Moving(
                file.path(),
                file.fileId(),
                BYTES,
                null,
                0,
                1,
                BYTES,
                place,
                "n",
                place,
                "p",
                "r",
                BYTES,
                null));
      }
    }
    return LastChanges.of(journal, fs.getUri().toString());
  }

  @Test
  void whatWasDeletedOrTakenOutIsForgottenAndWhatARuleWantsIsTheRules() throws IOException {
    KnownFile stays = write("/fast/stays");
    KnownFile deleted = write("/fast/deleted");
    KnownFile takenOut = write("/slow/takenOut");
    KnownFile ruled = write("/fast/ruled");
    LastChanges changes = brought(stays, deleted, takenOut, ruled);
    fs.delete(hadoop(deleted.path()), false);

    assertThat(fast.there(changes, (path, status) -> path.equals(ruled.path())))
        .containsOnlyKeys(stays.fileId());
    assertThat(changes.placedIn("ssd")).containsOnlyKeys(stays.fileId(), ruled.fileId());
  }

  @Test
  void theFileWithTheFewestReadsLeavesWhoeverBroughtIt() throws IOException {
    KnownFile often = write("/fast/often");
    KnownFile seldom = write("/fast/seldom");
    KnownFile hot = write("/slow/hot");
    LastChanges changes = brought(often, seldom);

    List<RoundPlan.TierMove> moves =
        fast.plan(
            "ppa",
            List.of(new FastTier.Popular(hot, 1_000)),
            new FastTier.There(
                fast.there(changes, (path, status) -> false),
                Map.of(often.fileId(), 900.0, seldom.fileId(), 1.0)),
            0,
            NOW,
            new LeftFiles());

    assertThat(moves).extracting(RoundPlan.TierMove::tier).containsExactly("disk", "ssd");
    assertThat(moves.get(0).paths()).containsExactly(seldom.path());
    assertThat(moves.get(1).paths()).containsExactly(hot.path());
  }
}
