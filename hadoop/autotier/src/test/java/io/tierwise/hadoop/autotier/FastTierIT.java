package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in the fast tier of a stock HDFS, most of which the daemon brought there. */
class FastTierIT {
  private static final org.apache.hadoop.fs.Path FAST = new org.apache.hadoop.fs.Path("/fast");
  private static final double NOW = 2e9;
  private static final int BLOCK_BYTES = 25_600;

  @TempDir private static Path shared;
  private static TwoTierHdfs hdfs;

  @TempDir private Path folder;
  private FastTier fast;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    TwoTierHdfs.tellTiers(conf, shared);
    // Listings of few files have more than one page.
    conf.setInt(DFSConfigKeys.DFS_LIST_LIMIT, 2);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK_BYTES);
    hdfs = TwoTierHdfs.start(conf, shared);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    hdfs.fs().mkdirs(FAST);
    hdfs.fs().setStoragePolicy(FAST, "ALL_SSD");
    fast = fastTier(TwoTierHdfs.tiered().build());
  }

  private FastTier fastTier(AutotierSettings settings) {
    return new FastTier(
        hdfs.cluster(),
        settings,
        new Hardware(true, 1, 1, 1, 0, Map.of("ssd", 0L)),
        "ssd",
        new QuotasAbove(hdfs.cluster()));
  }

  @AfterEach
  void clear() throws IOException {
    hdfs.clear();
  }

  private KnownFile write(String path) throws IOException {
    return new KnownFile(path, hdfs.write(path), TwoTierHdfs.FILE_BYTES, 1, 1, 0);
  }

  /** The daemon brought them to the tier, as its journal has it. */
  private LastChanges brought(KnownFile... files) throws IOException {
    return brought("ssd", files);
  }

  private LastChanges brought(String to, KnownFile... files) throws IOException {
    Journal journal = new Journal(folder.resolve("journal"));
    try (JournalRun run = journal.begin(ReplicaMark.COMMAND, hdfs.fs(), List.of("/"), to, null)) {
      for (KnownFile file : files) {
        run.append(new JournalEntry.StoragePolicy(file.path(), file.fileId(), "HOT", "ONE_SSD"));
        JournalEntry.Place place = new JournalEntry.Place("n", "n", "s", "SSD", "ssd", "r");
        run.append(
            new JournalEntry.Moving(
                file.path(),
                file.fileId(),
                file.bytes(),
                null,
                0,
                1,
                file.bytes(),
                place,
                "n",
                place,
                "p",
                "r",
                file.bytes(),
                null));
      }
    }
    return LastChanges.of(journal, ClusterUri.of(hdfs.fs()));
  }

  @Test
  void whatWasDeletedOrTakenOutIsForgottenAndWhatARuleWantsIsTheRules() throws IOException {
    KnownFile stays = write("/fast/stays");
    KnownFile deleted = write("/fast/deleted");
    KnownFile takenOut = write("/slow/takenOut");
    KnownFile lost = write("/slow/lost");
    keepOnSsd(lost);
    hdfs.fs().setReplication(new org.apache.hadoop.fs.Path(lost.path()), (short) 2);
    KnownFile neverCame = write("/slow/neverCame");
    keepOnSsd(neverCame);
    KnownFile ruled = write("/fast/ruled");
    LastChanges changes = brought(stays, deleted, takenOut, lost, neverCame, ruled);
    hdfs.delete(deleted.path());

    assertThat(fast.there(changes, (path, status) -> path.equals(ruled.path()), NOW))
        .as("a replica that only a fault took comes back, one that never came does not")
        .containsOnlyKeys(stays.fileId(), lost.fileId());
    assertThat(changes.placedIn("ssd"))
        .containsOnlyKeys(stays.fileId(), lost.fileId(), ruled.fileId());
  }

  @Test
  void aCopyThatMayStillComeIsWaitedForAndIsNotThere() throws IOException {
    KnownFile late = write("/slow/late");
    LastChanges changes = brought(late);
    double broughtSeconds = changes.placedIn("ssd").get(late.fileId()).seconds();

    assertThat(fast.there(changes, (path, status) -> false, broughtSeconds + 1)).isEmpty();
    assertThat(changes.placedIn("ssd")).containsOnlyKeys(late.fileId());
    double much = PlacedFiles.COPY_SECONDS_MAX + 1;
    assertThat(fast.there(changes, (path, status) -> false, broughtSeconds + much)).isEmpty();
    assertThat(changes.placedIn("ssd")).isEmpty();
  }

  private void keepOnSsd(KnownFile file) throws IOException {
    hdfs.fs().setStoragePolicy(new org.apache.hadoop.fs.Path(file.path()), "ONE_SSD");
  }

  private void rename(KnownFile file, String path) throws IOException {
    org.apache.hadoop.fs.Path to = new org.apache.hadoop.fs.Path(path);
    hdfs.fs().mkdirs(to.getParent());
    assertThat(hdfs.fs().rename(new org.apache.hadoop.fs.Path(file.path()), to)).isTrue();
  }

  @Test
  void aFileThatWasRenamedLeavesUnderItsNewName() throws IOException {
    KnownFile seldom = write("/fast/seldom");
    KnownFile hot = write("/slow/hot");
    LastChanges changes = brought(seldom);
    for (String other : List.of("a", "b", "c")) {
      hdfs.write("/archive/year/" + other);
    }
    rename(seldom, "/archive/year/seldom");
    write("/fast/seldom");

    List<RoundPlan.TierMove> moves =
        fast.plan(
            "ppa",
            List.of(new FastTier.Popular(hot, 1_000)),
            new FastTier.There(
                fast.there(changes, (path, status) -> false, NOW),
                Map.of(seldom.fileId(), 1.0),
                changes),
            0,
            NOW,
            new LeftFiles());

    assertThat(moves).extracting(RoundPlan.TierMove::tier).containsExactly("disk", "ssd");
    assertThat(moves.get(0).paths()).containsExactly("/archive/year/seldom");
    assertThat(changes.placedIn("ssd").get(seldom.fileId()).path())
        .isEqualTo("/archive/year/seldom");
  }

  @Test
  void rulesAndPoliciesAreAskedByTheNewName() throws IOException {
    KnownFile ruled = write("/fast/ruled");
    KnownFile underPolicy = write("/fast/underPolicy");
    LastChanges changes = brought(ruled, underPolicy);
    rename(ruled, "/ruled");
    rename(underPolicy, "/policy/file");
    hdfs.fs()
        .setXAttr(
            new org.apache.hadoop.fs.Path("/policy"),
            PathPolicy.PLACEMENT_ATTRIBUTE,
            "layout:1 x ssd".getBytes(StandardCharsets.UTF_8));

    assertThat(fast.there(changes, (path, status) -> path.equals("/ruled"), NOW)).isEmpty();
    assertThat(changes.placedIn("ssd")).containsOnlyKeys(ruled.fileId());
  }

  @Test
  void theFileWithTheFewestReadsLeavesWhoeverBroughtIt() throws IOException {
    KnownFile often = write("/fast/often");
    KnownFile seldom = write("/fast/seldom");
    keepOnSsd(seldom);
    KnownFile hot = write("/slow/hot");
    LastChanges changes = brought(often, seldom);

    List<RoundPlan.TierMove> moves =
        fast.plan(
            "ppa",
            List.of(new FastTier.Popular(hot, 1_000)),
            new FastTier.There(
                fast.there(changes, (path, status) -> false, NOW),
                Map.of(often.fileId(), 900.0, seldom.fileId(), 1.0),
                changes),
            0,
            NOW,
            new LeftFiles());

    assertThat(moves).extracting(RoundPlan.TierMove::tier).containsExactly("disk", "ssd");
    assertThat(moves.get(0).paths()).containsExactly(seldom.path());
    assertThat(moves.get(1).paths()).containsExactly(hot.path());
    assertThat(moves)
        .as("storage policies: what the file had, and one that keeps the fast replica")
        .extracting(RoundPlan.TierMove::storagePolicies)
        .containsExactly(Map.of(seldom.path(), "HOT"), Map.of(hot.path(), "ONE_SSD"));
  }

  @Test
  void whatWasPrefetchedAndIsPopularIsTakenOverWithoutAMove() throws IOException {
    KnownFile hot = write("/fast/hot");
    KnownFile cold = write("/fast/cold");
    LastChanges changes = brought("1 x ssd by adaptive-placement", hot, cold);
    assertThat(fast.there(changes, (path, status) -> false, NOW)).isEmpty();

    List<RoundPlan.TierMove> moves =
        fast.plan(
            "ppa",
            List.of(new FastTier.Popular(hot, 1_000)),
            new FastTier.There(Map.of(), Map.of(), changes),
            TwoTierHdfs.FILE_BYTES,
            NOW,
            new LeftFiles());

    assertThat(moves).isEmpty();
    assertThat(changes.placedIn("ssd")).as("a plan changes nothing").isEmpty();
    assertThat(fast.takeOver(changes)).containsExactly(hot.fileId());
    assertThat(fast.takeOver(changes)).as("once").isEmpty();
    assertThat(fast.there(changes, (path, status) -> false, NOW)).containsOnlyKeys(hot.fileId());
    assertThat(changes.prefetchedIn("ssd")).containsOnlyKeys(cold.fileId());
  }

  @Test
  void theRestOfAPopularFileOfWhichARunBroughtAPartComesWithALaterPlan() throws IOException {
    String path = "/slow/half";
    KnownFile half =
        new KnownFile(
            path, hdfs.writeFirstBlockToSsd(path, BLOCK_BYTES), 4L * BLOCK_BYTES, 4, 1, 0);
    LastChanges changes = brought(half);
    keepOnSsd(half);

    List<RoundPlan.TierMove> moves = planFor(half, 3L * BLOCK_BYTES, changes);
    hdfs.make(moves, new Journal(folder.resolve("journal")));

    assertThat(hdfs.types(path)).hasSize(4).containsOnly(StorageType.SSD);
    assertThat(planFor(half, 3L * BLOCK_BYTES, changes)).isEmpty();
  }

  private List<RoundPlan.TierMove> planFor(KnownFile popular, long roomBytes, LastChanges changes)
      throws IOException {
    return fast.plan(
        "ppa",
        List.of(new FastTier.Popular(popular, 1_000)),
        new FastTier.There(
            fast.there(changes, (file, status) -> false, NOW),
            Map.of(popular.fileId(), 1_000.0),
            changes),
        roomBytes,
        NOW,
        new LeftFiles());
  }

  private String storagePolicy(KnownFile file) throws IOException {
    return hdfs.fs().getStoragePolicy(new org.apache.hadoop.fs.Path(file.path())).getName();
  }

  private void journalPolicy(KnownFile file, String before, String after) throws IOException {
    journalPolicy("x", file, before, after);
  }

  private void journalPolicy(String to, KnownFile file, String before, String after)
      throws IOException {
    Journal journal = new Journal(folder.resolve("journal"));
    try (JournalRun run = journal.begin(ReplicaMark.COMMAND, hdfs.fs(), List.of("/"), to, null)) {
      run.append(new JournalEntry.StoragePolicy(file.path(), file.fileId(), before, after));
    }
  }

  private List<RoundPlan.TierMove> planNothing() throws IOException {
    LastChanges changes =
        LastChanges.of(new Journal(folder.resolve("journal")), ClusterUri.of(hdfs.fs()));
    return fast.plan(
        "ppa",
        List.of(),
        new FastTier.There(fast.there(changes, (path, status) -> false, NOW), Map.of(), changes),
        0,
        NOW,
        new LeftFiles());
  }

  @Test
  void storagePoliciesWithoutTheirMovesAreMended() throws IOException {
    KnownFile inVain = write("/slow/inVain");
    journalPolicy(inVain, "HOT", "ONE_SSD");
    keepOnSsd(inVain);
    KnownFile notGiven = write("/slow/notGiven");
    journalPolicy(notGiven, "HOT", "ONE_SSD");
    journalPolicy(notGiven, "ONE_SSD", "HOT");
    keepOnSsd(notGiven);
    KnownFile chosen = write("/slow/chosen");
    journalPolicy(chosen, "HOT", "ONE_SSD");
    KnownFile deleted = write("/slow/deleted");
    journalPolicy(deleted, "HOT", "ONE_SSD");
    hdfs.delete(deleted.path());
    KnownFile there = write("/fast/there");
    rename(there, "/slow/there");
    KnownFile unkept = new KnownFile("/slow/there", there.fileId(), there.bytes(), 1, 1, 0);
    assertThat(storagePolicy(unkept)).isEqualTo("HOT");
    brought(unkept);
    journalPolicy(unkept, "ONE_SSD", "HOT");

    List<RoundPlan.TierMove> mends = planNothing();
    hdfs.make(mends, new Journal(folder.resolve("journal")));

    assertThat(mends)
        .extracting(RoundPlan.TierMove::storagePolicies)
        .containsExactly(
            Map.of(inVain.path(), "HOT", notGiven.path(), "HOT"), Map.of(unkept.path(), "ONE_SSD"));
    assertThat(storagePolicy(inVain)).isEqualTo("HOT");
    assertThat(storagePolicy(notGiven)).as("it was written down alone").isEqualTo("HOT");
    assertThat(storagePolicy(unkept)).isEqualTo("ONE_SSD");
    assertThat(hdfs.types(inVain.path())).containsOnly(StorageType.DISK);
    assertThat(hdfs.types(unkept.path())).containsOnly(StorageType.SSD);
    assertThat(planNothing()).as("once").isEmpty();
  }

  @Test
  void whatAPrefetchLeftIsMendedByARoundWhereNothingIsPrefetchedAnyMore() throws IOException {
    KnownFile file = write("/slow/prefetched");
    journalPolicy("1 x ssd by adaptive-placement", file, "HOT", "ONE_SSD");
    keepOnSsd(file);

    fast = fastTier(TwoTierHdfs.tiered().prefetching(new Prefetching("runs.db", 1)).build());
    assertThat(planNothing()).as("a job that the daemon does not know yet may want it").isEmpty();
    fast = fastTier(TwoTierHdfs.tiered().build());
    assertThat(planNothing())
        .extracting(RoundPlan.TierMove::storagePolicies)
        .containsExactly(Map.of(file.path(), "HOT"));
  }

  @Test
  void aPopularFileDoesNotLeaveUnderAJobThatReadsItAndJobsRoomIsNotTaken() throws IOException {
    KnownFile read = write("/fast/read");
    KnownFile hot = write("/slow/hot");
    LastChanges changes = brought(read);
    fast.heed(
        new JobNeeds() {
          @Override
          public long reservedBytes() {
            return 1;
          }

          @Override
          public boolean needs(long fileId) {
            return fileId == read.fileId();
          }
        });

    assertThat(
            fast.plan(
                "ppa",
                List.of(new FastTier.Popular(hot, 1_000)),
                new FastTier.There(
                    fast.there(changes, (path, status) -> false, NOW),
                    Map.of(read.fileId(), 1.0),
                    changes),
                TwoTierHdfs.FILE_BYTES,
                NOW,
                new LeftFiles()))
        .isEmpty();
  }
}
