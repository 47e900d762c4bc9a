package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tier of a real HDFS is nearly full: what leaves it, what does not, and what comes back. */
class TierFlushIT extends FlushCluster {
  @Test
  void theOldestFilesLeaveAFullTierAndComeBackWhenUndone() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    // 38 of 48 MiB are more than 70%: 14 of them leave for half to be used.
    write("/t", 38, 3);

    TierFlush flush = flush();
    assertThat(flush.plan().neededBytes()).isBetween(13 * MB, 15 * MB);
    assertThat(flush.plan().gainedBytes()).isGreaterThanOrEqualTo(flush.plan().neededBytes());
    assertThat(flush.plan().to()).isEqualTo("disk");
    int count = flush.paths().size();
    assertThat(count).isBetween(14, 15);
    assertThat(flush.paths()).startsWith("/t/f00", "/t/f01").endsWith("/t/f" + (count - 1));

    Journal journal = new Journal(folder);
    JournalRun run = journal.begin("flush", "me", "hdfs://here", List.of("/"), "", null);
    try (run;
        Mover mover = Mover.open(cluster.cluster(), flush.settings()).writingTo(run)) {
      MoverReport report = flush.job().run(mover, run, Listener.Step.SILENT);
      assertThat(report.left()).isEmpty();
      assertThat(report.moved().replicas()).isEqualTo(count);
    }
    for (int i = 0; i < 38; i++) {
      String file = String.format("/t/f%02d", i);
      assertThat(types(file)).as(file).isEqualTo(i < count ? "DISK DISK DISK" : "DISK DISK SSD");
      cluster.assertWhole(new Path(file), 1);
    }
    LiveCluster.await("room in the tier", () -> ssdUsed() <= SSD_BYTES * NODES / 2 + MB);
    assertThat(flush().plan().neededBytes()).as("below the high mark").isZero();
    assertThat(flush().paths()).isEmpty();

    PastRun past = PastRun.read(journal, run.id());
    try (JournalRun back = journal.begin("undo", "me", "hdfs://here", List.of("/"), "", run.id());
        Mover mover = Mover.open(cluster.cluster(), flush.settings()).writingTo(back)) {
      Undo undo = new Undo(cluster.cluster(), past);
      undo.apply(back);
      assertThat(mover.undo(undo, Listener.Step.SILENT).left()).isEmpty();
    }
    assertThat(types("/t/f00")).isEqualTo("DISK DISK SSD");
    assertThat(cluster.fs().getXAttrs(new Path("/t/f00"))).isEmpty();
  }

  @Tag("long")
  @Test
  void nothingBeginsWhereNoRoomWouldBeGained() throws IOException {
    start(MB / 2);
    cluster.setPolicy("/t", "layout:3 x ssd");
    write("/t", 12, 3);

    TierFlush flush = flush();

    assertThat(flush.plan().neededBytes()).isPositive();
    assertThat(flush.plan().gainedBytes()).isZero();
    assertThat(flush.plan().isEnough()).isFalse();
    assertThatThrownBy(flush::requireGain)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("no byte of ssd would become free (no room in the wanted tier)");
    assertThat(types("/t/f00")).isEqualTo("SSD SSD SSD");
    assertThat(cluster.fs().getXAttrs(new Path("/t/f00"))).isEmpty();
  }

  /** The oldest files leave first, and those are deleted first. */
  @Test
  void filesThatAreDeletedMeanwhileAreLeftOutAndTheOthersLeave() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 38, 3);
    TierFlush flush = flush();
    int count = flush.paths().size();
    cluster.fs().delete(new Path("/t/f00"), false);
    cluster.fs().delete(new Path("/t/f01"), false);
    cluster.write("/t/f01", 1, 3);

    Journal journal = new Journal(folder);
    JournalRun run = journal.begin("flush", "me", "hdfs://here", List.of("/"), "", null);
    try (run;
        Mover mover = Mover.open(cluster.cluster(), flush.settings()).writingTo(run)) {
      MoverReport report = flush.job().run(mover, run, Listener.Step.SILENT);
      assertThat(report.left()).isEmpty();
      assertThat(report.moved().replicas()).isEqualTo(count - 2);
    }

    assertThat(flush.job().changes()).isEqualTo(count - 2);
    assertThat(flush.job().changesLeft())
        .singleElement()
        .matches(left -> left.amount().replicas() == 2, "two files");
    assertThat(types("/t/f01")).as("another file of that name").isEqualTo("DISK DISK SSD");
    assertThat(types("/t/f02")).isEqualTo("DISK DISK DISK");
  }

  /**
   * The layout that a file was to get was made of one that it has no more. Long: make test has
   * files that are deleted meanwhile.
   */
  @Tag("long")
  @Test
  void filesThatGetAnotherPolicyMeanwhileKeepIt() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 38, 3);
    TierFlush flush = flush();
    int count = flush.paths().size();
    cluster.setPolicy("/t", "layout:2 x ssd + 1 x disk");

    Journal journal = new Journal(folder);
    JournalRun run = journal.begin("flush", "me", "hdfs://here", List.of("/"), "", null);
    try (run;
        Mover mover = Mover.open(cluster.cluster(), flush.settings()).writingTo(run)) {
      assertThat(flush.job().run(mover, run, Listener.Step.SILENT).moved().replicas()).isZero();
    }

    assertThat(flush.job().changes()).isZero();
    assertThat(flush.job().changesLeft())
        .singleElement()
        .matches(left -> left.amount().replicas() == count);
    assertThat(cluster.fs().getXAttrs(new Path("/t/f00"))).isEmpty();
  }

  /**
   * Between the change of its layout and the look at its blocks. Long: make test has files that are
   * deleted before.
   */
  @Tag("long")
  @Test
  void aFileThatIsDeletedWhenItsLayoutIsSetIsNoFailure() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 38, 3);
    Configuration conf = cluster.clientConf();
    long id = cluster.fs().getClient().getFileInfo("/t/f03").getFileId();
    try (DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags)
              throws IOException {
            super.setXAttr(path, name, value, flags);
            boolean isIt = path.toString().equals(InodePath.of(id));
            if (isIt && name.equals(PathPolicy.PLACEMENT_ATTRIBUTE)) {
              delete(path, false);
            }
          }
        }) {
      fs.initialize(cluster.fs().getUri(), conf);
      TierFlush flush =
          TierFlush.of(MoverCluster.of(fs, conf), LiveCluster.quick(), "/", "ssd", MARKS, "oldest");
      int count = flush.paths().size();

      JournalRun run =
          new Journal(folder).begin("flush", "me", "hdfs://here", List.of("/"), "", null);
      try (run;
          Mover mover = Mover.open(flush.cluster(), flush.settings()).writingTo(run)) {
        MoverReport report = flush.job().run(mover, run, Listener.Step.SILENT);
        assertThat(report.complete()).as("%s", report.left()).isTrue();
        assertThat(report.moved().replicas()).isEqualTo(count - 1);
      }
    }
    assertThat(cluster.fs().exists(new Path("/t/f03"))).isFalse();
  }

  /** Nobody has to ask: a daemon looks how full the tier is. */
  @Test
  void aDaemonFlushesATierThatFillsUp() throws Exception {
    start(1 << 30);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 20, 3);
    Journal journal = new Journal(folder);
    AtomicLong clock = new AtomicLong();
    List<FullTiers.Flushed> flushed = new CopyOnWriteArrayList<>();
    FullTiers tiers =
        FullTiers.of(
                cluster.fs(),
                cluster.clientConf(),
                LiveCluster.quick(),
                Map.of("ssd", MARKS),
                asked -> () -> journal.begin("monitor", "me", "here", List.of("/"), asked, null),
                flushed::add)
            .by(clock::get);
    tiers.look();
    write("/t/more", 18, 3);
    tiers.look();
    assertThat(flushed).as("below its mark, and looked at a moment ago").isEmpty();
    assertThat(flush(5 * MB).plan().files()).as("of so many bytes at most").isEqualTo(5);

    clock.addAndGet(FullTiers.LOOK_NANOS);
    Repairs running = new SeenMonitor(cluster).repairs(journal).keeping(tiers);
    Thread thread = new Thread(() -> running.run(1_000, round -> {}));
    thread.start();
    LiveCluster.await("a flush", () -> !flushed.isEmpty(), 120);
    running.stop();
    thread.join(TimeUnit.MINUTES.toMillis(1));

    assertThat(thread.isAlive()).isFalse();
    assertThat(flushed).singleElement().matches(one -> one.files() == one.replicas());
    assertThat(flushed.get(0).files()).isBetween(14L, 15L);
    assertThat(PastRun.read(journal, flushed.get(0).id()).begin().to())
        .isEqualTo("flush ssd to disk");
    LiveCluster.await("room in the tier", () -> ssdUsed() <= SSD_BYTES * NODES / 2 + MB);
  }

  /**
   * A namespace may have millions of files, few of them in the tier. Long: it is about what a flush
   * costs, and no data depends on it.
   */
  @Tag("long")
  @Test
  void aFlushThatGainsNothingAsksForLittleAndComesAgainLater() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/s", "layout:3 x ssd");
    write("/s", 1, 3);
    cluster.fs().removeXAttr(new Path("/s"), PathPolicy.PLACEMENT_ATTRIBUTE);
    write("/d", 20, 3);
    AtomicLong clock = new AtomicLong();
    try (CountedCalls calls = new CountedCalls(cluster, "/d")) {
      FullTiers tiers =
          FullTiers.of(
                  calls.fs(),
                  cluster.clientConf(),
                  LiveCluster.quick(),
                  Map.of("ssd", new Watermarks(0, 0)),
                  asked -> () -> null,
                  flushed -> {})
              .by(clock::get);

      assertThatThrownBy(tiers::look).hasMessageContaining("its policy is no layout");
      assertThat(calls.listings()).isOne();
      assertThat(calls.attributes()).as("of files that have nothing in the tier").isZero();

      clock.addAndGet(FullTiers.REST_NANOS);
      tiers.look();
      assertThat(calls.listings()).as("ten minutes later").isOne();
      clock.addAndGet(FullTiers.REST_NANOS);
      assertThatThrownBy(tiers::look).hasMessageContaining("its policy is no layout");
      clock.addAndGet(3 * FullTiers.REST_NANOS);
      tiers.look();
      assertThat(calls.listings()).as("after two in vain").isEqualTo(2);
    }
  }

  /**
   * The next tier keeps free what it has; a tier in use always has a few bytes. Long:
   * FlushLayoutsTest has a full tier between.
   */
  @Tag("long")
  @Test
  void aFullTierBetweenKeepsNoDataFromTheNextOne() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    Files.writeString(
        java.nio.file.Path.of(conf.get("tierwise.tiers.file")),
        """
        tiers:
          - {name: ram, match: {storage-type: NVDIMM}}
          - {name: ssd, match: {storage-type: SSD}}
          - {name: disk, match: {storage-type: DISK}}
        """);
    StorageType[] types = {StorageType.NVDIMM, StorageType.SSD, StorageType.DISK};
    long[] capacities = {SSD_BYTES, SSD_BYTES, 1 << 30};
    cluster =
        LiveCluster.start(
            conf, new String[] {"/a"}, new StorageType[][] {types}, new long[][] {capacities});
    cluster.setPolicy("/s", "layout:1 x ssd");
    write("/s", 14, 1);
    cluster.setPolicy("/r", "layout:1 x ram");
    write("/r", 14, 1);

    TierFlush flush =
        TierFlush.of(
            cluster.cluster(), LiveCluster.quick().keepingFree(0.2), "/", "ram", MARKS, "oldest");

    assertThat(flush.plan().to()).isEqualTo("disk");
    assertThat(flush.plan().isEnough()).isTrue();
  }

  /** Of the slowest tier nothing can leave. Long: make test has the refusal of one tier. */
  @Tag("long")
  @Test
  void aTierThatCannotBeFlushedKeepsNoOtherFromIt() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 38, 3);
    Journal journal = new Journal(folder);
    Map<String, Watermarks> marks = new LinkedHashMap<>();
    marks.put("disk", MARKS);
    marks.put("ssd", MARKS);
    List<FullTiers.Flushed> flushed = new ArrayList<>();
    FullTiers tiers =
        FullTiers.of(
            cluster.fs(),
            cluster.clientConf(),
            LiveCluster.quick(),
            marks,
            asked -> () -> journal.begin("monitor", "me", "here", List.of("/"), asked, null),
            flushed::add);

    assertThatThrownBy(tiers::look)
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("--tier disk: no slower tier has room");

    assertThat(flushed).singleElement().matches(one -> one.tier().equals("ssd"));
    assertThat(types("/t/f00")).isEqualTo("DISK DISK DISK");
  }

  @Test
  void filesWhosePolicyIsNoLayoutArePassedOverAndTold() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/h", "hybrid");
    cluster.setPolicy("/t", "layout:3 x ssd");
    write("/h", 6, 3);
    write("/t", 10, 3);

    TierFlush flush = flush();

    assertThat(flush.paths()).isNotEmpty().allMatch(path -> path.startsWith("/t/"));
    assertThat(flush.plan().passedOver())
        .extracting(MoverReport.Left::reason)
        .containsExactly("its policy is no layout ('tierwise file layout' gives it one)");
    assertThatThrownBy(
            () ->
                TierFlush.of(cluster.cluster(), LiveCluster.quick(), "/", "disk", MARKS, "oldest"))
        .hasMessageContaining("--tier disk: no slower tier has room");
  }
}
