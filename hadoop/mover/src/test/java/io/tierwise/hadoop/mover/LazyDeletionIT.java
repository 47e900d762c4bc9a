package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.FileTiers.Deletion;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas of a real HDFS that are surplus: they stay until room is needed, or are wanted again.
 */
class LazyDeletionIT {
  private static final long MB = 1 << 20;
  private static final int NODES = 3;
  private static final long SSD_BYTES = 16 * MB;
  private static final Watermarks MARKS = new Watermarks(0.7, 0.5);
  private static final String ALL = "DISK DISK SSD";
  private static final int MARKED = 30;

  @TempDir private java.nio.file.Path folder;
  private LiveCluster cluster;
  private Journal journal;

  private void start(String... racks) throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    LiveCluster.haveHdfsHurry(conf);
    StorageType[][] types = new StorageType[NODES][];
    long[][] capacities = new long[NODES][];
    Arrays.fill(types, LiveCluster.BOTH);
    Arrays.fill(capacities, new long[] {SSD_BYTES, 1 << 30});
    cluster = LiveCluster.start(conf, racks, types, capacities);
    journal = new Journal(folder);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private JournalRun begin(String command, String undone) throws IOException {
    return journal.begin(command, "me", "hdfs://here", List.of("/t"), "", undone);
  }

  /** Files of a block each, the first one the oldest. */
  private void write(String directory, int files) throws IOException {
    for (int i = 0; i < files; i++) {
      Path file = cluster.write(name(directory, i), 1, 3);
      cluster.fs().setTimes(file, 1_000_000L * (i + 1), -1);
    }
    cluster.tellOfVolumes();
  }

  private static String name(String directory, int file) {
    return String.format("%s/f%02d", directory, file);
  }

  private String types(String file) throws IOException {
    return cluster.typesOf(new Path(file)).get(0);
  }

  private Set<String> storages(String file) throws IOException {
    return new TreeSet<>(Arrays.asList(cluster.blocks(new Path(file)).get(0).getStorageIDs()));
  }

  private TierFlush flush() throws IOException {
    return TierFlush.of(cluster.cluster(), LiveCluster.quick(), "/", "ssd", MARKS, "oldest");
  }

  private FileTiers.Change apply(FileTiers.Change change) throws IOException {
    try (JournalRun run = begin("file", null)) {
      new FileTiers(cluster.cluster()).apply(change, run);
    }
    return change;
  }

  private String run(TierFlush flush) throws IOException {
    try (JournalRun run = begin("flush", null);
        Mover mover = Mover.open(cluster.cluster(), flush.settings()).writingTo(run)) {
      assertThat(flush.job().run(mover, run, Listener.Step.SILENT).left()).isEmpty();
      return run.id();
    }
  }

  private void undo(String id) throws IOException {
    PastRun past = PastRun.read(journal, id);
    try (JournalRun back = begin("undo", id);
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(back)) {
      Undo undo = new Undo(cluster.cluster(), past);
      undo.apply(back);
      mover.undo(undo, Listener.Step.SILENT);
    }
  }

  /**
   * HDFS would lower the number, and drop nothing. Long: SnapshotsIT has replicas that a snapshot
   * keeps.
   */
  @Tag("long")
  @Test
  void surplusReplicasThatASnapshotKeepsArePassedOver() throws IOException {
    start("/a", "/b", "/c");
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", MARKED);
    cluster.fs().allowSnapshot(new Path("/t"));
    cluster.fs().createSnapshot(new Path("/t"), "nightly");
    write("/t/later", 3);
    apply(new FileTiers(cluster.cluster()).deleteFileTier("/t", "ssd", Deletion.LAZY));
    cluster.setPolicy("/u", "layout:1 x ssd + 2 x disk");
    write("/u", 8);

    TierFlush.Plan plan = flush().plan();

    assertThat(plan.surplusFiles()).as("in no snapshot").isEqualTo(3);
    assertThat(plan.passedOver())
        .extracting(MoverReport.Left::reason)
        .contains("a snapshot keeps its surplus replicas: they go when it is deleted");
  }

  @Test
  void surplusReplicasStayUntilRoomIsNeededAndAreWantedAgainForNothing() throws IOException {
    start("/a", "/b", "/c");
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", MARKED);
    FileTiers tiers = new FileTiers(cluster.cluster());

    FileTiers.Change marked = apply(tiers.deleteFileTier("/t", "ssd", Deletion.LAZY));

    assertThat(marked.after()).isEqualTo("layout:2 x disk + 1 x ssd surplus");
    assertThat(marked.goingBytes()).isZero();
    assertThat(marked.surplusBytes()).isEqualTo(MARKED * MB);
    assertThat(marked.text(true)).contains("1 is surplus and goes when room is needed (30.0 MiB)");
    // 30 of 48 MiB: no room is needed, and nobody wants the replicas elsewhere.
    assertThat(flush().plan().hasWork()).isFalse();
    assertThatAllIsAsWanted();
    assertThat(types("/t/f00")).isEqualTo(ALL);

    cluster.setPolicy("/u", "layout:1 x ssd + 2 x disk");
    write("/u", 8);
    TierFlush flush = flush();
    int dropped = (int) flush.plan().surplusFiles();
    assertThat(dropped).isBetween(14, 15);
    assertThat(flush.plan().isEnough()).isTrue();
    assertThat(flush.plan().files()).as("files that move").isZero();
    assertThat(flush.plan().lines(true).get(0)).contains("by dropping surplus replicas");
    Set<String> kept = storages("/t/f29");
    run(flush);
    for (int i = 0; i < MARKED; i++) {
      String file = name("/t", i);
      String wanted = i < dropped ? "DISK DISK" : ALL;
      LiveCluster.await(file + " has " + wanted, () -> types(file).equals(wanted));
      cluster.assertWhole(new Path(file), 1);
    }
    assertThat(types("/u/f00")).isEqualTo(ALL);
    assertThatAllIsAsWanted();
    SeenMonitor monitor = new SeenMonitor(cluster);
    monitor.walk();
    assertThat(monitor.repairs().preview().asked()).as("blocks to repair").isZero();

    // Asked again to mark them, those that are gone stay gone.
    FileTiers.Change again = apply(tiers.deleteFileTier("/t", "ssd", Deletion.LAZY));
    assertThat(again.comingBytes() + again.goingBytes() + again.filesToChange()).isZero();

    FileTiers.Change wanted = apply(tiers.createFileTier("/t", "ssd", 1));
    assertThat(wanted.after()).isEqualTo("layout:2 x disk + 1 x ssd");
    assertThat(wanted.comingBytes()).as("copies of dropped ones alone").isEqualTo(dropped * MB);
    assertThat(storages("/t/f29")).as("not copied").isEqualTo(kept);
    for (int i = 0; i < MARKED; i++) {
      String file = name("/t", i);
      LiveCluster.await(file + " has all", () -> types(file).equals(ALL));
    }
    assertThatAllIsAsWanted();
  }

  /** All of /t has a surplus replica, and the tier is above its mark. */
  private void fillWithSurplus() throws IOException {
    start("/a", "/b", "/c");
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", MARKED);
    apply(new FileTiers(cluster.cluster()).deleteFileTier("/t", "ssd", Deletion.LAZY));
    cluster.setPolicy("/u", "layout:1 x ssd + 2 x disk");
    write("/u", 8);
  }

  /** His number is newer than the plan. */
  @Test
  void aFileWhoseNumberSomebodyChangesMeanwhileKeepsThatNumber() throws IOException {
    fillWithSurplus();
    TierFlush flush = flush();
    Path raised = new Path(name("/t", 0));
    cluster.fs().setReplication(raised, (short) 4);

    run(flush);

    assertThat(cluster.fs().getFileStatus(raised).getReplication()).isEqualTo((short) 4);
    assertThat(flush.job().changes()).isEqualTo(flush.plan().surplusFiles() - 1);
    assertThat(flush.job().changesLeft())
        .extracting(MoverReport.Left::example)
        .containsExactly(raised.toString());
    LiveCluster.await("the next one dropped", () -> types(name("/t", 1)).equals("DISK DISK"));
  }

  /**
   * They are wanted again for nothing, as they are still there. Long: make test has a number that
   * changes meanwhile.
   */
  @Tag("long")
  @Test
  void filesThatAreToHaveAllTheirReplicasAgainMeanwhileKeepThem() throws IOException {
    fillWithSurplus();
    TierFlush flush = flush();
    long planned = flush.plan().surplusFiles();
    apply(new FileTiers(cluster.cluster()).createFileTier("/t", "ssd", 1));

    run(flush);

    for (int i = 0; i < MARKED; i++) {
      assertThat(cluster.fs().getFileStatus(new Path(name("/t", i))).getReplication())
          .isEqualTo((short) 3);
    }
    assertThat(flush.job().changes()).isZero();
    assertThat(flush.job().changesLeft())
        .singleElement()
        .matches(left -> left.amount().replicas() == planned);
    assertThatAllIsAsWanted();
  }

  /**
   * A flush holds up repairs, which may be urgent. Long: TierFlushIT has a daemon's flush in make
   * test.
   */
  @Tag("long")
  @Test
  void aDaemonFreesNoMoreAtOnceThanMovesMayTakeUntilItsNextLook() throws IOException {
    fillWithSurplus();
    long rate = (long) (5 * MB / (FullTiers.REST_NANOS / 1e9));
    List<FullTiers.Flushed> flushed = new ArrayList<>();
    FullTiers tiers =
        FullTiers.of(
            cluster.fs(),
            cluster.clientConf(),
            LiveCluster.quick().atRates(1L << 40, rate),
            Map.of("ssd", MARKS),
            asked -> () -> begin("monitor", null),
            flushed::add);

    tiers.look();

    assertThat(flushed)
        .singleElement()
        .satisfies(
            flush -> {
              assertThat(flush.files()).as("of 14 that have to drop one").isEqualTo(5);
              assertThat(flush.replicas()).isZero();
            });
    assertThat(cluster.fs().getFileStatus(new Path(name("/t", 4))).getReplication())
        .isEqualTo((short) 2);
    assertThat(cluster.fs().getFileStatus(new Path(name("/t", 5))).getReplication())
        .isEqualTo((short) 3);
  }

  /** One walk finds what leaves in an hour. Long: TierFlushIT has a daemon's flush in make test. */
  @Tag("long")
  @Test
  void flushesThatFollowEachOtherTakeWhatOneWalkFound() throws IOException {
    fillWithSurplus();
    long rate = (long) (5 * MB / (FullTiers.REST_NANOS / 1e9));
    AtomicLong clock = new AtomicLong();
    List<FullTiers.Flushed> flushed = new ArrayList<>();
    try (CountedCalls calls = new CountedCalls(cluster, "/t")) {
      FullTiers tiers =
          FullTiers.of(
                  calls.fs(),
                  cluster.clientConf(),
                  LiveCluster.quick().atRates(1L << 40, rate),
                  Map.of("ssd", MARKS),
                  asked -> () -> begin("monitor", null),
                  flushed::add)
              .by(clock::get);
      try (Mover other = Mover.open(cluster.cluster(), LiveCluster.quick())) {
        assertThat(other).isNotNull();
        assertThatThrownBy(tiers::look).hasMessageContaining("another mover runs");
      }
      clock.addAndGet(FullTiers.REST_NANOS);
      tiers.look();
      clock.addAndGet(FullTiers.REST_NANOS);
      tiers.look();
      assertThat(calls.listings()).isOne();
    }
    assertThat(flushed).extracting(FullTiers.Flushed::files).startsWith(5L).hasSize(2);
    for (int i = 0; i < 5; i++) {
      assertThat(cluster.fs().getFileStatus(new Path(name("/t", i))).getReplication())
          .isEqualTo((short) 2);
    }
    assertThat(cluster.fs().getFileStatus(new Path(name("/t", 5))).getReplication())
        .isEqualTo((short) 2);
  }

  private void assertThatAllIsAsWanted() throws IOException {
    MoverReport plan = Mover.plan(cluster.cluster(), LiveCluster.quick(), cluster.order("", "/t"));
    assertThat(plan.looked()).isEqualTo(new MoverReport.Looked(MARKED, MARKED, MARKED));
    assertThat(plan.left()).isEmpty();
  }

  /** HDFS keeps two racks: where the marked replica is the only one in a second rack, it stays. */
  @Tag("long")
  @Test
  void aFlushCountsOnlyReplicasThatHdfsWouldDropAndIsUndone() throws IOException {
    start("/a", "/a", "/b");
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 38);
    apply(new FileTiers(cluster.cluster()).deleteFileTier("/t", "ssd", Deletion.LAZY));

    TierFlush flush = flush();
    assertThat(flush.plan().isEnough()).isTrue();
    assertThat(flush.plan().surplusBytes()).isEqualTo(flush.plan().gainedBytes());
    String id = run(flush);
    long dropped = flush.plan().surplusFiles();
    LiveCluster.await("room in the tier", () -> count("DISK DISK") == dropped);
    assertThat(count(ALL)).isEqualTo(38 - dropped);

    undo(id);
    LiveCluster.await("all are back", () -> count(ALL) == 38);
  }

  private long count(String types) throws IOException {
    long count = 0;
    for (int i = 0; i < 38; i++) {
      count += types(name("/t", i)).equals(types) ? 1 : 0;
    }
    return count;
  }
}
